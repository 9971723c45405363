//! Mobility of bodies, and bodies that are none.

use super::*;

/// W of a mobility.
fn matrix(mobility: &Mobility) -> Vec<Vec<f64>> {
    let body = &mobility.body;
    (0..mobility.contacts())
        .map(|i| {
            (0..mobility.contacts())
                .map(|j| dot(body.input(i), body.output(j)))
                .collect()
        })
        .collect()
}

fn agrees(mobility: &Mobility, expected: &[&[f64]]) {
    for (row, expected) in matrix(mobility).iter().zip(expected) {
        for (number, expected) in row.iter().zip(*expected) {
            assert!((number - expected).abs() < 1e-12, "{:?}", matrix(mobility));
        }
    }
}

#[test]
fn contacts_of_a_sliding_body_have_one_coordinate() {
    let mobility = Mobility::of_mass(4.0, 3).unwrap();
    assert_eq!(mobility.body.size, 1);
    let row: &[f64] = &[0.25; 3];
    agrees(&mobility, &[row; 3]);
    assert!((mobility.mass_at(1) - 4.0 / 3.0).abs() < 1e-12);
    let eta = mobility.coordinate(0, [0.1, 0.1, 0.1].into_iter());
    assert!((mobility.body.velocity(2, &[eta])[0] - 0.1).abs() < 1e-15);
}

#[test]
fn contacts_of_a_shaft_have_the_mobility_of_its_inertia() {
    let mobility = Mobility::of_shaft(0.25, 2).unwrap();
    assert_eq!(mobility.body.size, 1);
    // One over the inertia, for the torque of each contact.
    agrees(&mobility, &[&[4.0, 4.0], &[4.0, 4.0]]);
    assert!(
        (mobility.mass_at(0) - 0.125).abs() < 1e-12,
        "{}",
        mobility.mass_at(0)
    );
}

#[test]
fn contact_that_hardly_moves_takes_no_coordinate_from_the_others() {
    // Whichever place it has: the pivots are those of the most mobile contacts.
    for [first, second, still] in [[0, 1, 2], [0, 2, 1], [1, 2, 0]] {
        let mut rows = vec![0.0; 6];
        (rows[2 * first], rows[2 * second + 1], rows[2 * still]) = (1.0, 1.0, 1e-8);
        let mobility = Mobility::of_columns(1.0, rows, 2).unwrap();
        assert_eq!(mobility.body.size, 2, "{still}");
        let found = matrix(&mobility);
        assert!(
            (found[first][first] - 1.0).abs() < 1e-12
                && (found[second][second] - 1.0).abs() < 1e-12
        );
    }
}

#[test]
fn numbers_that_are_no_body_are_refused_by_name() {
    let refusal = |mass, inertia, position, direction| {
        Mobility::of_rigid_body(mass, Some(inertia), &[position], &[direction], 1)
            .map(|_| ())
            .unwrap_err()
            .sentence
    };
    let (at, along) = ([0.0, 0.1], [1.0, 0.0]);
    for infinite in [f64::INFINITY, f64::NAN] {
        let [x, y] = [[infinite, 0.1], [0.1, infinite]];
        for at in [x, y] {
            assert!(
                refusal(1.0, 1.0, at, along).contains("row 1 of positions is not finite"),
                "{at:?}"
            );
        }
        for along in [x, y] {
            assert!(
                refusal(1.0, 1.0, at, along).contains("row 1 of directions is"),
                "{along:?}"
            );
        }
    }
    for number in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        assert!(
            refusal(number, 1.0, at, along).contains("mass = "),
            "{number}"
        );
        assert!(
            refusal(1.0, number, at, along).contains("inertia = "),
            "{number}"
        );
    }
    assert!(refusal(1.0, 1e-300, [0.0, 1e10], along).contains("too small or too large"));
    assert!(Mobility::of_rigid_body(1.0, Some(1.0), &[at], &[along], 1).is_ok());
}

#[test]
fn a_body_that_turns_has_the_mobility_of_its_lever() {
    let mobility =
        Mobility::of_rigid_body(2.0, Some(0.5), &[[0.0, 0.3], [0.0, -0.3]], &[], 2).unwrap();
    let [own, other] = [0.5 + 0.09 / 0.5, 0.5 - 0.09 / 0.5];
    agrees(&mobility, &[&[own, other], &[other, own]]);
    assert_eq!(mobility.body.size, 2);
    let across = Mobility::of_rigid_body(2.0, None, &[], &[[2.0, 0.0], [0.0, -1.0]], 2).unwrap();
    agrees(&across, &[&[0.5, 0.0], &[0.0, 0.5]]);
}

#[test]
fn contact_in_a_plane_has_the_mobility_of_its_place_along_both_axes() {
    let places = [[0.3, 0.1], [-0.2, 0.0]];
    let mobility = Mobility::in_plane(2.0, Some(0.5), &places, 2).unwrap();
    assert_eq!(
        [mobility.contacts(), mobility.body.size, mobility.body.axes],
        [2, 3, 2]
    );
    let rows = [
        [1.0, 0.0, -0.1],
        [0.0, 1.0, 0.3],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, -0.2],
    ];
    for (i, row) in rows.iter().enumerate() {
        for (j, other) in rows.iter().enumerate() {
            let expected = (row[0] * other[0] + row[1] * other[1]) / 2.0 + row[2] * other[2] / 0.5;
            assert!(
                (dot(mobility.body.input(i), mobility.body.output(j)) - expected).abs() < 1e-12,
                "{i}, {j}"
            );
        }
    }
    assert_eq!(mobility.body.rows(1), 2..4);
    // Without an inertia the body does not turn, and has as many positions as contacts.
    assert_eq!(Mobility::in_plane(2.0, None, &[], 3).unwrap().body.size, 2);
    assert!(
        Mobility::in_plane(2.0, Some(0.5), &places, 3)
            .unwrap_err()
            .sentence
            .starts_with("2 positions were given for 3")
    );
}

#[test]
fn a_mass_matrix_is_inverted() {
    let mobility = Mobility::of_mass_matrix(&[vec![2.0, 0.5], vec![0.5, 1.0]], 2).unwrap();
    let determinant = 1.75;
    agrees(
        &mobility,
        &[
            &[1.0 / determinant, -0.5 / determinant],
            &[-0.5 / determinant, 2.0 / determinant],
        ],
    );
    let v = [0.3, -0.2];
    let eta: Vec<f64> = (0..2)
        .map(|i| mobility.coordinate(i, v.into_iter()))
        .collect();
    for (i, v) in v.iter().enumerate() {
        assert!((mobility.body.velocity(i, &eta)[0] - v).abs() < 1e-14);
    }
}

#[test]
fn impossible_bodies_are_refused_with_row_and_reason() {
    let refusal = |rows: &[Vec<f64>]| Mobility::of_mass_matrix(rows, 2).unwrap_err().sentence;
    assert!(refusal(&[vec![1.0, 0.0]]).contains("1 rows where 2"));
    assert!(
        refusal(&[vec![1.0, 0.0], vec![0.0]]).starts_with("row 2 of mass_matrix has 1 numbers")
    );
    assert!(
        refusal(&[vec![1.0, 0.1], vec![0.2, 1.0]])
            .starts_with("row 2 of mass_matrix holds 0.2 in column 1")
    );
    assert!(
        refusal(&[vec![1.0, 2.0], vec![2.0, 1.0]])
            .starts_with("row 2 makes mass_matrix indefinite")
    );
    assert!(refusal(&[vec![-1.0, 0.0], vec![0.0, 1.0]]).starts_with("row 1 makes"));
    assert!(
        refusal(&[vec![1.0, f64::NAN], vec![0.0, 1.0]])
            .starts_with("row 1 of mass_matrix holds NaN")
    );
    let refusal = |inertia, positions: &[[f64; 2]], directions: &[[f64; 2]]| {
        Mobility::of_rigid_body(1.0, inertia, positions, directions, 2)
            .unwrap_err()
            .sentence
    };
    assert!(refusal(Some(1.0), &[], &[]).contains("without positions"));
    assert!(refusal(None, &[[0.0; 2]; 2], &[]).contains("without inertia"));
    assert!(refusal(None, &[], &[[1.0, 0.0], [0.0, 0.0]]).starts_with("row 2 of directions"));
    assert!(refusal(None, &[], &[[1.0, 0.0]]).contains("1 directions were given for 2 contacts"));
    assert!(
        Mobility::of_mass(0.0, 2)
            .unwrap_err()
            .sentence
            .contains("mass = 0.0")
    );
}
