//! Operating points of FrDyn2 scattered over all branches of its law, for tests that compare point
//! by point.

use bristle_random::Random;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::Parameters;

/// A source of operating points, the same ones for the same seed.
#[derive(Clone, Debug)]
pub struct Scatter(Random);

impl Scatter {
    /// The points that belong to this seed.
    pub fn new(seed: u64) -> Self {
        Scatter(Random::new(seed))
    }

    /// A contact, now and then open, and a bristle: its deflection to a little beyond break-away,
    /// its tip slipping slowly or fast, forwards or backwards.
    pub fn operating_point(&mut self, parameters: &Parameters) -> (Contact, [f64; 2]) {
        let random = &mut self.0;
        let normal_force = random.magnitude(0.1, 1e3);
        let speed = random.magnitude(1e-6, 0.1);
        let v = random.sign(speed);
        let reach = parameters.mu_s * normal_force / parameters.sigma_0;
        let z = random.between(-1.2, 1.2) * reach;
        let slip = random.magnitude(1e-3 * parameters.v_s, 2.0 * parameters.v_d);
        let z_dot = v - random.sign(slip);
        let normal_force = if random.once_in(20) {
            -normal_force
        } else {
            normal_force
        };
        (Contact::new(normal_force, v), [z, z_dot])
    }
}
