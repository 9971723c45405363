//! How the contact moves over a step.

/// What moves, told to the compiler: each kind of step is code of its own.
pub type Kind = u8;
pub const NOTHING: Kind = 0;
pub const VELOCITY: Kind = 1;
pub const ALL: Kind = 2;

/// The Taylor coefficients in time of ν = v/v_s and of the normal force over its start; of what does not move the first alone
/// counts.
#[derive(Clone, Copy, Debug)]
pub struct Drive<const MOVING: Kind> {
    pub nu: [f64; 4],
    pub load: [f64; 4],
}

impl Drive<NOTHING> {
    /// The contact stays what it is.
    pub fn held(nu: f64) -> Self {
        Drive { nu: [nu, 0.0, 0.0, 0.0], load: [1.0, 0.0, 0.0, 0.0] }
    }
}

impl Drive<VELOCITY> {
    /// From ν and its time derivatives.
    pub fn moving(nu: [f64; 4]) -> Self {
        Drive { nu: coefficients(nu), load: [1.0, 0.0, 0.0, 0.0] }
    }
}

impl Drive<ALL> {
    /// From ν, the normal force over its start, and their time derivatives.
    pub fn loaded(nu: [f64; 4], load: [f64; 4]) -> Self {
        Drive { nu: coefficients(nu), load: coefficients(load) }
    }
}

impl<const MOVING: Kind> Drive<MOVING> {
    pub const MOVES: bool = MOVING != NOTHING;
    pub const LOADS: bool = MOVING == ALL;

    /// The coefficients of ν′.
    #[inline]
    pub fn slope(&self) -> [f64; 3] {
        derivative(self.nu)
    }

    /// The change of ν over `t` (s).
    #[inline]
    pub fn change(&self, t: f64) -> f64 {
        if Self::MOVES { change(self.nu, t) } else { 0.0 }
    }

    /// The normal force at `t` (s) over that at the start.
    #[inline]
    pub fn load_at(&self, t: f64) -> f64 {
        if Self::LOADS { 1.0 + change(self.load, t) } else { 1.0 }
    }

    /// The same from `t` (s) on.
    #[inline]
    pub fn after(self, t: f64) -> Self {
        let Drive { mut nu, mut load } = self;
        if Self::MOVES {
            nu = after(nu, t);
        }
        if Self::LOADS {
            let share = 1.0 / self.load_at(t);
            load = after(load, t).map(|c| c * share);
        }
        Drive { nu, load }
    }

    /// The same seen from the other side, where `side` is −1.
    #[inline]
    pub fn mirrored(self, side: f64) -> Self {
        Drive { nu: self.nu.map(|c| side * c), ..self }
    }
}

fn coefficients([start, first, second, third]: [f64; 4]) -> [f64; 4] {
    [start, first, second / 2.0, third / 6.0]
}

fn change([_, first, second, third]: [f64; 4], t: f64) -> f64 {
    t * (first + t * (second + t * third))
}

/// The coefficients of the time derivative.
#[inline]
pub fn derivative([_, first, second, third]: [f64; 4]) -> [f64; 3] {
    [first, 2.0 * second, 3.0 * third]
}

fn after(c: [f64; 4], t: f64) -> [f64; 4] {
    let [start, first, second, third] = c;
    [start + change(c, t), first + t * (2.0 * second + 3.0 * t * third), second + 3.0 * t * third, third]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drive_goes_on_as_it_began() {
        let drive = Drive::loaded([0.3, -2.0, 5.0, 7.0], [1.0, 0.2, -0.4, 0.1]);
        let nu = |t: f64| 0.3 - 2.0 * t + 2.5 * t * t + 7.0 / 6.0 * t * t * t;
        let load = |t: f64| 1.0 + 0.2 * t - 0.2 * t * t + 0.1 / 6.0 * t * t * t;
        for t in [0.0, 0.1, 0.7] {
            let later = drive.after(t);
            assert!((later.nu[0] - nu(t)).abs() < 1e-14 && (drive.change(t) - (nu(t) - 0.3)).abs() < 1e-14);
            assert!((later.change(0.4) - (nu(t + 0.4) - nu(t))).abs() < 1e-14);
            assert!((later.load_at(0.4) - load(t + 0.4) / load(t)).abs() < 1e-14);
            let slope = (nu(t + 1e-6) - nu(t - 1e-6)) / 2e-6;
            assert!((later.slope()[0] - slope).abs() < 1e-8);
        }
        assert_eq!(Drive::held(0.3).after(2.0).nu[0], 0.3);
    }
}
