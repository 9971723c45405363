//! Terms that moving inputs add to the recurrence of a step: ν and φ are polynomials of time. See §9 of `docs/internals/numerics.md`.
//!
//! In the regularised time τ, dt = s dτ, time itself is a series, and so are ν and φ. The velocity of a body is integrated order by order,
//! as r and e are.

use super::constants::FIRST_LOOPED_ORDER;
use super::dimensionless::DimensionlessLaw;
use super::inputs::{InputCase, InputPolynomials, OnBody, derivative};
use super::reversed::Reversed;
use super::series::{INVERSES, Series, ZERO};
use super::taylor_series::ShiftBranch;

/// Number of coefficients of ν and φ in time.
const INPUT_TERMS: usize = 4;

/// Series of the inputs, and series that are multiplied by them, in t or in τ.
pub struct MovingTerms {
    /// t in τ.
    time: Series,
    /// t in τ, in reverse.
    reversed_time: Reversed,
    /// t² in τ.
    square_of_time: Series,
    /// ν.
    pub nu: Series,
    /// ν′ of a body in τ.
    acceleration: Series,
    /// φ.
    phi: Reversed,
    /// φ′ in τ.
    phi_derivative: Reversed,
    /// f.
    f: Series,
    /// φ f.
    phi_f: Reversed,
    /// f − r.
    surplus: Series,
    /// r′ in τ.
    r_derivative: Series,
}

/// Coefficients k of the right-hand sides under held inputs.
pub struct HeldCoefficients {
    /// Coefficient of f.
    pub f: f64,
    /// Coefficient of f − r.
    pub surplus: f64,
    /// Coefficient of r′.
    pub r: f64,
    /// Coefficient of e′.
    pub e: f64,
}

/// Coefficients k of the right-hand sides under moving inputs.
pub struct MovingCoefficients {
    /// Coefficient of (φ r)′ in t, of r′ in τ.
    pub r: f64,
    /// Coefficient of e′.
    pub e: f64,
    /// Coefficient k + 1 of φ r less that of the variable of r, in t only: Σ φ_j r_(k+1−j) over j ≥ 1, on the saturated branch that of
    /// ±(φ − 1).
    pub by_phi: f64,
    /// Coefficient of φ f ν.
    pub power: f64,
    /// Coefficient of ν.
    pub nu: f64,
}

impl MovingTerms {
    /// Terms before the first coefficient.
    #[inline(always)]
    pub fn new() -> Self {
        MovingTerms {
            time: ZERO,
            reversed_time: Reversed::ZERO,
            square_of_time: ZERO,
            nu: ZERO,
            acceleration: ZERO,
            phi: Reversed::ZERO,
            phi_derivative: Reversed::ZERO,
            f: ZERO,
            phi_f: Reversed::ZERO,
            surplus: ZERO,
            r_derivative: ZERO,
        }
    }

    /// Coefficients k under moving inputs from those under held inputs (§9); `r`, and `s` in reverse, are known up to order k.
    #[inline(always)]
    pub fn add<C: InputCase>(
        &mut self,
        inputs: &InputPolynomials<C>,
        law: &DimensionlessLaw,
        (branch, sign): (ShiftBranch, f64),
        (r, s): (&Series, &Reversed),
        held: HeldCoefficients,
        k: usize,
    ) -> MovingCoefficients {
        let in_tau = branch == ShiftBranch::RegularisedTime;
        let mut nu_derivative = if in_tau { self.expand_in_tau(inputs, s, k) } else { self.expand_in_time(inputs, k) };
        if let Some(body) = inputs.case.body() {
            self.f[k] = held.f;
            nu_derivative = self.accelerate(body, held.f + self.times_phi(&self.f, in_tau, k), s, in_tau, k);
        }
        // Coefficient 0 of ν is in the held right-hand side.
        let later = if k > 0 { law.kappa * self.nu[k] } else { 0.0 };
        let mut moving = MovingCoefficients {
            r: held.r + later + law.lag * nu_derivative,
            e: held.e + nu_derivative,
            by_phi: 0.0,
            power: 0.0,
            nu: self.nu[k],
        };
        let mut phi_f = held.f;
        if C::NORMAL_FORCE_MOVES {
            (self.surplus[k], self.f[k]) = (held.surplus, held.f);
            // φ (f − r) without f_k − r_k.
            let phi_surplus = match branch {
                // φ r is the variable of r and ±(φ − 1).
                ShiftBranch::Saturated => {
                    self.times_phi(&self.f, in_tau, k) - if k > 0 { sign * self.phi.at(k) } else { 0.0 }
                }
                _ => self.times_phi(&self.surplus, in_tau, k),
            };
            moving.e -= law.b * phi_surplus;
            match branch {
                ShiftBranch::Saturated => moving.by_phi = sign * self.phi.at(k + 1),
                ShiftBranch::Time => moving.by_phi = self.times_phi(r, in_tau, k + 1),
                ShiftBranch::RegularisedTime => {
                    // φ r′ = (φ r)′ − φ′ r.
                    moving.r -=
                        self.phi_derivative.product(r, k, is_looped(k)) + self.times_phi(&self.r_derivative, in_tau, k);
                    self.r_derivative[k] = moving.r;
                }
            }
            phi_f += self.times_phi(&self.f, in_tau, k);
        }
        self.phi_f.set(k, phi_f);
        moving.power = if in_tau || inputs.case.body().is_some() {
            self.phi_f.product(&self.nu, k, is_looped(k))
        } else {
            self.nu[0] * self.phi_f.at(k) + by_input([self.nu[1], self.nu[2], self.nu[3]], |j| self.phi_f.at(j), k)
        };
        moving
    }

    /// Coefficient k of ν′ of a body where φ f has the coefficient `phi_f`; with it coefficient k + 1 of ν.
    #[inline(always)]
    fn accelerate(&mut self, body: &OnBody, phi_f: f64, s: &Reversed, in_tau: bool, k: usize) -> f64 {
        let load = match k {
            0 => body.load[0],
            _ if in_tau => body.load[1] * self.time[k],
            1 => body.load[1],
            _ => 0.0,
        };
        let rate = load - body.mobility * phi_f;
        self.acceleration[k] = rate;
        let rate_in_variable = if in_tau { s.product(&self.acceleration, k, is_looped(k)) } else { rate };
        self.nu[k + 1] = rate_in_variable * INVERSES[k];
        rate
    }

    /// Coefficients k of ν and φ in t; returns that of dν/dt.
    #[inline(always)]
    fn expand_in_time<C: InputCase>(&mut self, inputs: &InputPolynomials<C>, k: usize) -> f64 {
        if k == 0 {
            // All coefficients at once: r needs φ one order ahead.
            for (j, phi) in inputs.phi.into_iter().enumerate() {
                self.phi.set(j, phi);
            }
        }
        if k >= INPUT_TERMS {
            return 0.0;
        }
        if k == 0 || inputs.case.body().is_none() {
            self.nu[k] = inputs.nu[k];
        }
        inputs.nu_derivative().get(k).copied().unwrap_or(0.0)
    }

    /// Coefficients k of ν, φ and dφ/dt in τ by those of t, t² and t³; returns that of dν/dt.
    #[inline(always)]
    fn expand_in_tau<C: InputCase>(&mut self, inputs: &InputPolynomials<C>, s: &Reversed, k: usize) -> f64 {
        let mut cube_of_time = 0.0;
        if k > 0 {
            // dt = s dτ. No power of t has a coefficient 0.
            self.time[k] = s.at(k - 1) * INVERSES[k - 1];
            self.reversed_time.set(k, self.time[k]);
            self.square_of_time[k] = self.reversed_time.inner_square(&self.time, k, is_looped(k));
            cube_of_time = self.reversed_time.inner_product(&self.square_of_time, k, is_looped(k));
        }
        let powers = [self.time[k], self.square_of_time[k], cube_of_time];
        let of = |c: &[f64]| {
            let start = if k == 0 { c[0] } else { 0.0 };
            c[1..].iter().zip(powers).fold(start, |sum, (c, power)| sum + c * power)
        };
        if k == 0 || inputs.case.body().is_none() {
            self.nu[k] = of(&inputs.nu);
        }
        self.phi.set(k, of(&inputs.phi));
        self.phi_derivative.set(k, of(&derivative(inputs.phi)));
        of(&inputs.nu_derivative())
    }

    /// Coefficient k of φ c without the term of c_k, where φ_0 = 1.
    #[inline(always)]
    fn times_phi(&self, c: &Series, in_tau: bool, k: usize) -> f64 {
        if k == 0 {
            0.0
        } else if in_tau {
            self.phi.inner_product(c, k, is_looped(k)) + self.phi.at(k) * c[0]
        } else {
            by_input([self.phi.at(1), self.phi.at(2), self.phi.at(3)], |j| c[j], k)
        }
    }
}

/// Coefficient k of the product of an input without its value, a cubic polynomial of time, and of a series with the coefficients `c`.
#[inline(always)]
fn by_input(input: [f64; INPUT_TERMS - 1], c: impl Fn(usize) -> f64, k: usize) -> f64 {
    let mut sum = 0.0;
    for j in (1..INPUT_TERMS).rev() {
        if j <= k {
            sum += input[j - 1] * c(k - j);
        }
    }
    sum
}

/// Whether coefficients k are calculated in a loop over the orders.
#[inline(always)]
pub fn is_looped(k: usize) -> bool {
    k >= FIRST_LOOPED_ORDER
}
