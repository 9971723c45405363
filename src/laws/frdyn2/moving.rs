//! What the moves of a contact add to the recurrence of a step: ν and φ are polynomials in time.
//!
//! Where the steps go in τ, dt = s dτ, time itself is a series, and so are they.

use super::drive::{Drive, Kind, derivative};
use super::expansion::Root;
use super::scaled::Scaled;
use super::series::{INVERSES, Series, ZERO, inner_product, inner_square, product};

/// The terms of ν and φ in time.
const TERMS: usize = 4;

/// Series in time or in τ.
pub struct Moving {
    /// Time, its square and its cube, in τ.
    time: [Series; 3],
    /// ν.
    nu: Series,
    /// φ …
    load: Series,
    /// … and φ′.
    load_slope: Series,
    /// f …
    f: Series,
    /// … φ f …
    loaded_f: Series,
    /// … and f − r.
    surplus: Series,
    /// r′, in τ.
    ratio_slope: Series,
}

/// Coefficients k in a contact that is held.
pub struct Slopes {
    pub f: f64,
    /// f − r.
    pub surplus: f64,
    /// r′ and e′.
    pub r: f64,
    pub e: f64,
}

/// The same in one that moves.
pub struct Moved {
    /// r′, in time that of φ r, and e′.
    pub r: f64,
    pub e: f64,
    /// What φ makes of the next coefficient of r, in time.
    pub by_load: f64,
    /// φ f ν.
    pub power: f64,
    /// ν.
    pub nu: f64,
}

impl Moving {
    pub const START: Moving = Moving {
        time: [ZERO; 3],
        nu: ZERO,
        load: ZERO,
        load_slope: ZERO,
        f: ZERO,
        loaded_f: ZERO,
        surplus: ZERO,
        ratio_slope: ZERO,
    };

    /// Takes over the coefficients of order k.
    #[inline(always)]
    pub fn follow<const MOVING: Kind>(
        &mut self,
        drive: &Drive<MOVING>,
        law: &Scaled,
        root: Root,
        [r, s]: [&Series; 2],
        held: Slopes,
        k: usize,
    ) -> Moved {
        let in_tau = root == Root::InTau;
        let nu_slope = if in_tau { self.in_tau(drive, s, k) } else { self.in_time(drive, k) };
        // ν at the start has its place in the slope of a held contact.
        let later = if k > 0 { law.kappa * self.nu[k] } else { 0.0 };
        let mut moved = Moved {
            r: held.r + later + law.lag * nu_slope,
            e: held.e + nu_slope,
            by_load: 0.0,
            power: 0.0,
            nu: self.nu[k],
        };
        self.loaded_f[k] = held.f;
        if Drive::<MOVING>::LOADS {
            (self.surplus[k], self.f[k]) = (held.surplus, held.f);
            moved.e -= law.b * self.loaded(&self.surplus, in_tau, k);
            if in_tau {
                // φ r′ = (φ r)′ − φ′ r.
                moved.r -= product(r, &self.load_slope, k) + self.loaded(&self.ratio_slope, in_tau, k);
                self.ratio_slope[k] = moved.r;
            } else {
                moved.by_load = self.loaded(r, in_tau, k + 1);
            }
            self.loaded_f[k] += self.loaded(&self.f, in_tau, k);
        }
        moved.power = (0..terms(in_tau, k)).map(|j| self.nu[j] * self.loaded_f[k - j]).sum();
        moved
    }

    /// Coefficients k of ν and φ, and that of ν′.
    #[inline(always)]
    fn in_time<const MOVING: Kind>(&mut self, drive: &Drive<MOVING>, k: usize) -> f64 {
        let of = |c: &[f64]| c.get(k).copied().unwrap_or(0.0);
        self.nu[k] = of(&drive.nu);
        if k == 0 {
            // All at once: r needs φ one order ahead.
            self.load[..TERMS].copy_from_slice(&drive.load);
        }
        of(&drive.slope())
    }

    /// The same in τ.
    #[inline(always)]
    fn in_tau<const MOVING: Kind>(&mut self, drive: &Drive<MOVING>, s: &Series, k: usize) -> f64 {
        let [t, t_t, t_t_t] = &mut self.time;
        if k > 0 {
            // None has a coefficient 0.
            t[k] = s[k - 1] * INVERSES[k - 1];
            t_t[k] = inner_square(t, k);
            t_t_t[k] = inner_product(t_t, t, k);
        }
        let of = |c: &[f64]| {
            let start = if k == 0 { c[0] } else { 0.0 };
            c[1..].iter().zip([t[k], t_t[k], t_t_t[k]]).fold(start, |sum, (c, power)| sum + c * power)
        };
        (self.nu[k], self.load[k], self.load_slope[k]) = (of(&drive.nu), of(&drive.load), of(&derivative(drive.load)));
        of(&drive.slope())
    }

    /// Coefficient k of φ c, without c_k itself.
    #[inline(always)]
    fn loaded(&self, c: &Series, in_tau: bool, k: usize) -> f64 {
        (1..terms(in_tau, k)).map(|j| self.load[j] * c[k - j]).sum()
    }
}

/// Number of coefficients of ν or φ in coefficient k of their product with another series.
#[inline(always)]
fn terms(in_tau: bool, k: usize) -> usize {
    if in_tau { k + 1 } else { TERMS.min(k + 1) }
}
