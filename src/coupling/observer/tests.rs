//! Limit of the force that the predictor hands to the master, and the estimate of the mass.

use super::*;
use crate::catalogue::find;
use crate::laws::lugre::LuGre;

/// LuGre with so much viscous friction that it outweighs the bristle.
fn viscous() -> LuGre {
    let model = find("LuGre").expect("a law of the catalogue");
    let mut element = model.instantiate();
    let sigma_2 = model.variables().find(|variable| variable.name == "sigma_2").expect("a parameter");
    element.set(sigma_2, SIGMA_2);
    LuGre::new(element.values()).expect("parameters")
}

/// Viscous friction, N·s/m.
const SIGMA_2: f64 = 100.0;
/// Mass, kg.
const MASS: f64 = 10.0;

#[test]
fn force_of_a_step_is_at_most_twice_the_largest_impulse_at_the_speeds_that_the_last_step_makes_likely() {
    for side in [1.0, -1.0] {
        let (law, at) = (viscous(), |v: f64| Contact::new(1.0, side * v));
        let mut body = Body::<_, 1>::new(law);
        let mut observer = BodyObserver::initialize((MASS, Coupling::Serial), at(0.0), 0.0, &[0.0], [0.0; MODES], 0.0);
        let mut step = |v: f64, duration: f64| {
            let limit = StepLimit::default();
            observer.step(&mut body, (at(v), None), Some(0.0), duration, 1e-6, limit).expect("a step");
            observer.mean()
        };
        step(0.0, 1e-4);
        // The load that drove the body to 0.01 m/s in 0.1 ms would drive it to 1 m/s in 10 ms, about 50 times the speed that counts.
        let [mean, allowed] = [side * step(0.01, 1e-2), 2.0 * law.largest_impulse(at(0.01), &[0.0], 0.02, 1e-2) / 1e-2];
        assert!((mean / allowed - 1.0).abs() < 1e-3, "{mean} N for {allowed} N");
        assert!(allowed > 2.0 * SIGMA_2 * 0.02 && allowed < 10.0, "{allowed} N");
    }
}

#[test]
fn mass_is_an_estimate_where_it_differs_from_the_given_one_and_follows_it_in_proportion() {
    let start = Contact::new(1.0, 0.0);
    let mut observer = BodyObserver::initialize((MASS, Coupling::Serial), start, 0.0, &[0.0], [0.0; MODES], 0.0);
    observer.set_mass(2.0 * MASS);
    assert_eq!((observer.estimated_mass(), observer.mass.value), (None, 2.0 * MASS));
    observer.mass.value = 0.5 * MASS;
    assert_eq!(observer.estimated_mass(), Some(0.5 * MASS));
    observer.set_mass(4.0 * MASS);
    assert_eq!(observer.estimated_mass(), Some(MASS));
}
