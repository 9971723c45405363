//! The classical method of Runge and Kutta, of order 4: an independent reference of the tests.

use core::array;

/// States at the end of an interval, from `start`, in `count` steps.
pub fn runge_kutta<const N: usize>(
    rate: impl Fn(f64, [f64; N]) -> [f64; N],
    start: [f64; N],
    from: f64,
    to: f64,
    count: u32,
) -> [f64; N] {
    let h = (to - from) / f64::from(count);
    let moved = |x: [f64; N], by: f64, rate: [f64; N]| array::from_fn(|i| x[i] + by * rate[i]);
    (0..count).fold(start, |x, i| {
        let t = from + h * f64::from(i);
        let first = rate(t, x);
        let second = rate(t + 0.5 * h, moved(x, 0.5 * h, first));
        let third = rate(t + 0.5 * h, moved(x, 0.5 * h, second));
        let fourth = rate(t + h, moved(x, h, third));
        array::from_fn(|k| x[k] + h / 6.0 * (first[k] + 2.0 * (second[k] + third[k]) + fourth[k]))
    })
}
