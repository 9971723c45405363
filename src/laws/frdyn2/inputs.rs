//! Inputs of a step in dimensionless form: ν = v/v_s and φ, the normal force over its value at the start, as polynomials of time. ν may
//! be the velocity of a body instead, which friction brakes.

/// Case of the inputs of a step: which of them move. Each case is a type, so that the compiler specialises the code for it.
pub trait InputCase: Copy {
    /// ν changes in time.
    const VELOCITY_MOVES: bool;
    /// φ is a polynomial of time.
    const NORMAL_FORCE_MOVES: bool;

    /// The body whose velocity ν is; `None` where ν is a polynomial of time.
    #[inline(always)]
    fn body(&self) -> Option<&OnBody> {
        None
    }
}

/// ν and φ are constant.
#[derive(Clone, Copy, Debug)]
pub struct Held;

impl InputCase for Held {
    const VELOCITY_MOVES: bool = false;
    const NORMAL_FORCE_MOVES: bool = false;
}

/// ν is a polynomial of time, φ = 1.
#[derive(Clone, Copy, Debug)]
pub struct MovingVelocity;

impl InputCase for MovingVelocity {
    const VELOCITY_MOVES: bool = true;
    const NORMAL_FORCE_MOVES: bool = false;
}

/// ν and φ are polynomials of time.
#[derive(Clone, Copy, Debug)]
pub struct MovingContact;

impl InputCase for MovingContact {
    const VELOCITY_MOVES: bool = true;
    const NORMAL_FORCE_MOVES: bool = true;
}

/// ν is the velocity of a body under a load, ν′ = load − mobility · φ f, and φ a polynomial of time.
#[derive(Clone, Copy, Debug)]
pub struct OnBody {
    /// Coefficients of A/(m v_s), 1/s, in time.
    pub load: [f64; 2],
    /// F_s/(m v_s), 1/s.
    pub mobility: f64,
    /// Weight of an error of ν relative to one of r.
    pub weight: f64,
    /// |ν| that the error of the work is measured by.
    pub speed: f64,
}

impl InputCase for OnBody {
    const VELOCITY_MOVES: bool = true;
    const NORMAL_FORCE_MOVES: bool = true;

    #[inline(always)]
    fn body(&self) -> Option<&OnBody> {
        Some(self)
    }
}

/// Taylor coefficients in time (s) of ν and of φ. Of an input that does not move only the first coefficient is used, of the velocity of a
/// body the first two.
#[derive(Clone, Copy, Debug)]
pub struct InputPolynomials<C: InputCase> {
    /// Coefficients of ν = v/v_s.
    pub nu: [f64; 4],
    /// Coefficients of φ = F_N/F_N(0).
    pub phi: [f64; 4],
    /// Case of the inputs.
    pub case: C,
}

impl InputPolynomials<Held> {
    /// A constant ν, and φ = 1.
    pub fn held(nu: f64) -> Self {
        InputPolynomials { nu: [nu, 0.0, 0.0, 0.0], phi: [1.0, 0.0, 0.0, 0.0], case: Held }
    }
}

impl InputPolynomials<MovingVelocity> {
    /// ν with its time derivatives, and φ = 1.
    pub fn moving_velocity(nu: [f64; 4]) -> Self {
        InputPolynomials { nu: taylor(nu), phi: [1.0, 0.0, 0.0, 0.0], case: MovingVelocity }
    }
}

impl InputPolynomials<MovingContact> {
    /// ν and φ with their time derivatives.
    pub fn moving_contact(nu: [f64; 4], phi: [f64; 4]) -> Self {
        InputPolynomials { nu: taylor(nu), phi: taylor(phi), case: MovingContact }
    }
}

impl InputPolynomials<OnBody> {
    /// The velocity ν of a body where the coefficient of friction is f μ_s, and φ with the rate `phi_rate` (1/s).
    pub fn on_body(nu: f64, f: f64, phi_rate: f64, body: OnBody) -> Self {
        let rate = body.load[0] - body.mobility * f;
        InputPolynomials { nu: [nu, rate, 0.0, 0.0], phi: [1.0, phi_rate, 0.0, 0.0], case: body }
    }
}

impl<C: InputCase> InputPolynomials<C> {
    /// Coefficients of dν/dt.
    #[inline]
    pub fn nu_derivative(&self) -> [f64; 3] {
        derivative(self.nu)
    }

    /// Change of ν over the first `t` seconds.
    #[inline]
    pub fn nu_change(&self, t: f64) -> f64 {
        if C::VELOCITY_MOVES { change(self.nu, t) } else { 0.0 }
    }

    /// ν and its time derivatives.
    #[inline]
    pub fn nu_and_derivatives(&self) -> [f64; 4] {
        let [n0, n1, n2, n3] = self.nu;
        [n0, n1, 2.0 * n2, 6.0 * n3]
    }

    /// φ after `t` seconds.
    #[inline]
    pub fn phi_at(&self, t: f64) -> f64 {
        if C::NORMAL_FORCE_MOVES { 1.0 + change(self.phi, t) } else { 1.0 }
    }

    /// Inputs expanded about the time `t` (s), with φ relative to the normal force there.
    #[inline]
    pub fn expanded_at(self, t: f64) -> Self {
        let InputPolynomials { mut nu, mut phi, case } = self;
        if C::VELOCITY_MOVES {
            nu = expanded_at(nu, t);
        }
        if C::NORMAL_FORCE_MOVES {
            let share = 1.0 / self.phi_at(t);
            phi = expanded_at(phi, t).map(|c| c * share);
        }
        InputPolynomials { nu, phi, case }
    }

    /// Inputs of the mirrored contact where `side` is −1; unchanged where it is 1.
    #[inline]
    pub fn mirrored(self, side: f64) -> Self {
        InputPolynomials { nu: self.nu.map(|c| side * c), ..self }
    }
}

/// Taylor coefficients of a value and its first three derivatives.
fn taylor([value, first, second, third]: [f64; 4]) -> [f64; 4] {
    [value, first, second / 2.0, third / 6.0]
}

fn change([_, first, second, third]: [f64; 4], t: f64) -> f64 {
    t * (first + t * (second + t * third))
}

/// Coefficients of the time derivative of a cubic.
#[inline]
pub fn derivative([_, first, second, third]: [f64; 4]) -> [f64; 3] {
    [first, 2.0 * second, 3.0 * third]
}

fn expanded_at(c: [f64; 4], t: f64) -> [f64; 4] {
    let [value, first, second, third] = c;
    [value + change(c, t), first + t * (2.0 * second + 3.0 * t * third), second + 3.0 * t * third, third]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expansion_about_a_later_time_is_the_same_polynomial() {
        let inputs = InputPolynomials::moving_contact([0.3, -2.0, 5.0, 7.0], [1.0, 0.2, -0.4, 0.1]);
        let nu = |t: f64| 0.3 - 2.0 * t + 2.5 * t * t + 7.0 / 6.0 * t * t * t;
        let phi = |t: f64| 1.0 + 0.2 * t - 0.2 * t * t + 0.1 / 6.0 * t * t * t;
        for t in [0.0, 0.1, 0.7] {
            let later = inputs.expanded_at(t);
            assert!((later.nu[0] - nu(t)).abs() < 1e-14 && (inputs.nu_change(t) - (nu(t) - 0.3)).abs() < 1e-14);
            assert!((later.nu_change(0.4) - (nu(t + 0.4) - nu(t))).abs() < 1e-14);
            assert!((later.phi_at(0.4) - phi(t + 0.4) / phi(t)).abs() < 1e-14);
            let slope = (nu(t + 1e-6) - nu(t - 1e-6)) / 2e-6;
            assert!((later.nu_derivative()[0] - slope).abs() < 1e-8);
        }
        assert_eq!(InputPolynomials::held(0.3).expanded_at(2.0).nu[0], 0.3);
    }

    #[test]
    fn derivatives_of_the_velocity_are_those_it_is_made_of() {
        let derivatives = [0.3, -2.0, 5.0, 7.0];
        assert_eq!(InputPolynomials::moving_velocity(derivatives).nu_and_derivatives(), derivatives);
        assert_eq!(InputPolynomials::held(0.3).nu_and_derivatives(), [0.3, 0.0, 0.0, 0.0]);
    }
}
