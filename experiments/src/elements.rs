//! Parameters of every element for the same friction: μ_s, μ_d and the bristle by the names of each
//! law.

use crate::case::Case;
use bristle::catalogue::ELEMENTS;

/// The friction that all elements are to show, as far as each can.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Static coefficient of friction.
    pub mu_s: f64,
    /// Dynamic coefficient of friction.
    pub mu_d: f64,
    /// Stiffness in stick, N/m.
    pub sigma_0: f64,
    /// Damping in stick, N·s/m.
    pub sigma_1: f64,
    /// Velocity of the regularisation, m/s.
    pub v_s: f64,
    /// Stribeck velocity of an exponential, and where a polynomial has reached μ_d at twice of it,
    /// m/s.
    pub v_stribeck: f64,
    /// The velocity above which a stuck contact of a state machine slides, m/s: above 2 F_s H/m.
    pub v_small: f64,
}

impl Friction {
    /// That of the virtual test bench.
    pub const BENCH: Self = Friction {
        mu_s: 0.6,
        mu_d: 0.3,
        sigma_0: 5e6,
        sigma_1: 3192.75,
        v_s: 1e-3,
        v_stribeck: 5e-3,
        v_small: 0.02,
    };
    /// That of the festoon's trolleys.
    pub const TROLLEY: Self = Friction {
        mu_s: 0.08,
        mu_d: 0.05,
        ..Self::BENCH
    };
    /// That of the block on a spring, with a Stribeck effect.
    pub const SPRING: Self = Friction {
        mu_s: 0.15,
        mu_d: 0.1,
        sigma_0: 4e4,
        sigma_1: 200.0,
        ..Self::BENCH
    };
    /// That of the dry friction oscillator.
    pub const OSCILLATOR: Self = Friction {
        mu_s: 0.3,
        mu_d: 0.25,
        sigma_0: 1e6,
        sigma_1: 1000.0,
        ..Self::BENCH
    };

    /// An element with this friction, and else with the parameters of its source. One whose only
    /// coefficient is Coulomb's has μ_s for it, so that it sticks as long as the others.
    ///
    /// # Panics
    /// If the catalogue has no such element.
    pub fn of(&self, name: &str) -> Case {
        let Friction {
            mu_s,
            mu_d,
            sigma_0,
            sigma_1,
            v_s,
            v_stribeck,
            v_small,
        } = *self;
        let v_d = 2.0 * v_stribeck;
        let coefficients = [("mu_s", mu_s), ("mu_d", mu_d)];
        let bristle = [("sigma_0", sigma_0), ("sigma_1", sigma_1)];
        let regularised = [("v_s", v_s), ("v_d", v_d)];
        let stribeck = [("v_Stribeck", v_stribeck)];
        let parameters: Vec<(&'static str, f64)> = match name {
            "FrDyn2" | "FrDyn2Linear" => [bristle, coefficients, regularised].concat(),
            "StaticRegularized" | "AdamsStickSlip" => [coefficients, regularised].concat(),
            "SimpackStickSlip" => [bristle, coefficients].concat(),
            "LuGre" => [&bristle[..], &coefficients, &stribeck].concat(),
            "Dahl" => vec![("sigma_0", sigma_0), ("mu_d", mu_s)],
            "Coulomb" => vec![("mu_d", mu_s), ("v_small", v_small)],
            "Stribeck" | "BrownMcPhee" => [&coefficients[..], &stribeck].concat(),
            "PoppStelter" | "NonReversible" | "Stefanski2003" | "Stefanski2006" => {
                coefficients.into()
            }
            "Armstrong" => [
                &[("sigma_0", sigma_0), ("mu_s_0", mu_s)],
                &coefficients[..],
                &stribeck,
            ]
            .concat(),
            "ModelicaFriction" => vec![("mu_0", mu_d), ("peak", mu_s / mu_d), ("v_small", v_small)],
            other => panic!(
                "no parameters are known for {other}: name its coefficients in `Friction::of`"
            ),
        };
        Case::of_paper(name).with(&parameters)
    }

    /// Every element of the catalogue with this friction.
    pub fn of_all(&self) -> Vec<Case> {
        ELEMENTS
            .iter()
            .map(|entry| self.of(entry.metadata.name))
            .collect()
    }
}
