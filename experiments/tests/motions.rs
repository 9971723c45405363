//! Rigs of rotational, planar and several contacts, monolithically and through the FMUs of their cards: every number is as expected, both
//! solutions agree, and the coupling is of first order. `cargo xtask test` packages the FMUs first.

use bristle_experiments::motions::{self, FIRST_ORDER, Results};

fn results_of(run: fn(&mut Results) -> anyhow::Result<()>) -> Results {
    let mut results = Results::default();
    run(&mut results).unwrap_or_else(|why| panic!("{why:#}"));
    assert!(!results.rows.is_empty() && !results.differences.is_empty());
    for row in &results.rows {
        let [monolithic, coupled] = [row.monolithic, row.coupled].map(|number| number.expect("both were solved"));
        assert_eq!(row.verdict(), "met", "{}, {}: {monolithic}, {coupled} for {}", row.source, row.what, row.expected);
    }
    for differences in &results.differences {
        let orders = differences.orders();
        let found = (&differences.largest, &orders);
        assert!(orders.iter().all(|order| FIRST_ORDER.contains(order)), "{}: {found:?}", differences.rig);
    }
    results
}

#[test]
fn brake_with_an_elastic_shaft_stops_and_its_disc_sticks() {
    results_of(motions::brake::run);
}

#[test]
fn block_on_a_vibrating_slope_drifts_with_lugre_and_not_with_frdyn2_linear() {
    let results = results_of(motions::incline::run);
    // LuGre creeps in the monolithic solution, too: 0.4 m an hour.
    let drift = results.rows.iter().find(|row| row.source.ends_with("LuGre")).and_then(|row| row.monolithic);
    assert!(drift.is_some_and(|drift| drift > 1e-4), "{drift:?}");
}

#[test]
fn disc_slides_and_spins_as_the_textbook_says() {
    results_of(motions::disc::run);
}

#[test]
fn four_feet_stick_independently() {
    results_of(motions::feet::run);
}
