//! Lengths in τ, by dt = s dτ.

mod inside;

use super::*;

#[test]
fn length_in_tau_takes_its_time_or_ends_just_beyond_the_corner() {
    for s in [1e-3, 0.4, 1.0] {
        for rate in [-2.0, -0.1, 0.3, 5.0] {
            for time in [1e-9, 1e-4, 0.02] {
                let tau = tau_for(s, rate, time);
                let said = format!("s {s}, rate {rate}, {time} s: {tau}");
                if s * s + 2.0 * rate * time > 0.0 {
                    let taken = (s + 0.5 * rate * tau) * tau;
                    assert!((taken / time - 1.0).abs() < 1e-12, "{said}");
                } else {
                    let end = s + rate * tau;
                    assert!((-0.5 * s..0.0).contains(&end), "{said}");
                }
            }
        }
    }
}
