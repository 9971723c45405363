//! How the contact velocity moves over a step.

/// The Taylor coefficients of ν = v/v_s in time: of all of them, where it `MOVES`, and otherwise of the first alone.
#[derive(Clone, Copy, Debug)]
pub struct Drive<const MOVES: bool>([f64; 4]);

impl Drive<false> {
    /// ν stays what it is.
    pub fn held(nu: f64) -> Self {
        Drive([nu, 0.0, 0.0, 0.0])
    }
}

impl Drive<true> {
    /// From ν and its time derivatives.
    pub fn moving([nu, first, second, third]: [f64; 4]) -> Self {
        Drive([nu, first, second / 2.0, third / 6.0])
    }
}

impl<const MOVES: bool> Drive<MOVES> {
    /// ν at the start.
    #[inline]
    pub fn nu(&self) -> f64 {
        self.0[0]
    }

    /// The coefficients of ν.
    #[inline]
    pub fn coefficients(&self) -> [f64; 4] {
        self.0
    }

    /// Those of its time derivative.
    #[inline]
    pub fn slope(&self) -> [f64; 3] {
        let [_, first, second, third] = self.0;
        [first, 2.0 * second, 3.0 * third]
    }

    /// The change of ν over `t` (s).
    #[inline]
    pub fn change(&self, t: f64) -> f64 {
        let [_, first, second, third] = self.0;
        if MOVES { t * (first + t * (second + t * third)) } else { 0.0 }
    }

    /// The same from `t` (s) on.
    #[inline]
    pub fn after(self, t: f64) -> Self {
        let [_, first, second, third] = self.0;
        if !MOVES {
            return self;
        }
        let shifted =
            [self.nu() + self.change(t), first + t * (2.0 * second + 3.0 * t * third), second + 3.0 * t * third];
        Drive([shifted[0], shifted[1], shifted[2], third])
    }

    /// The same seen from the other side, where `side` is −1.
    #[inline]
    pub fn mirrored(self, side: f64) -> Self {
        Drive(self.0.map(|c| side * c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drive_goes_on_as_it_began() {
        let drive = Drive::moving([0.3, -2.0, 5.0, 7.0]);
        let nu = |t: f64| 0.3 - 2.0 * t + 2.5 * t * t + 7.0 / 6.0 * t * t * t;
        for t in [0.0, 0.1, 0.7] {
            let later = drive.after(t);
            assert!((later.nu() - nu(t)).abs() < 1e-14 && (drive.change(t) - (nu(t) - 0.3)).abs() < 1e-14);
            assert!((later.change(0.4) - (nu(t + 0.4) - nu(t))).abs() < 1e-14);
            let slope = (nu(t + 1e-6) - nu(t - 1e-6)) / 2e-6;
            assert!((later.slope()[0] - slope).abs() < 1e-8);
        }
        assert_eq!(Drive::held(0.3).after(2.0).nu(), 0.3);
    }
}
