//! Values that importers pass by mistake, and extreme ones.

use bristle_random::Random;

/// Numbers that break arithmetic.
pub const ODD: [f64; 20] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    1e-310,
    1e-300,
    -1e-300,
    1e300,
    -1e300,
    f64::MAX,
    f64::MIN,
    1e154,
    1e-154,
    f64::EPSILON,
    -1.0,
    1.0,
];

/// Odd number or random bits.
pub fn odd(random: &mut Random) -> f64 {
    if random.once_in(5) {
        f64::from_bits(random.bits())
    } else {
        *random.one_of(&ODD)
    }
}

/// Strings that are no GUID, no category, no URI.
pub const STRINGS: [&str; 7] = [
    "",
    "%s%s%n",
    "#r1#",
    "logAll ",
    "\u{1f9f1} R\u{e4}der",
    "{a3fa3f9e}",
    "a rather long string, a rather long string",
];
