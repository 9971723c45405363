//! Figure of the page: characteristic and pre-sliding of an element.

use bristle::catalogue::Variant;
use bristle::law::F_T;
use bristle::variable::Unit;

use crate::curves;
use crate::error::{Context, Result};
use crate::plot::{Axis, Curve, Panel, Pen, picture};

/// Figure of an element under a normal force (N), as SVG.
pub fn draw(variant: &Variant, normal_force: f64) -> Result<String> {
    let mut panels = vec![characteristic(variant, normal_force)?];
    panels.extend(pre_sliding(variant, normal_force)?);
    Ok(picture(
        &panels,
        420.0,
        "The friction coefficient over the contact velocity, and the friction force over a small displacement",
    ))
}

/// Characteristic, pre-sliding and answer to a step of an element under a normal force (N), as SVG.
pub fn plot(variant: &Variant, normal_force: f64) -> Result<String> {
    let mut panels = vec![characteristic(variant, normal_force)?];
    panels.extend(pre_sliding(variant, normal_force)?);
    panels.push(step_answer(variant, normal_force)?);
    Ok(picture(
        &panels,
        420.0,
        "The friction coefficient over the contact velocity, the friction force over a small displacement, and over time after a \
         step of the velocity",
    ))
}

/// Friction force over time after the velocity jumped from rest.
fn step_answer(variant: &Variant, normal_force: f64) -> Result<Panel> {
    let deflection = variant.metadata().states.first().and_then(|(bristle, _)| bristle.nominal);
    let (speed, duration) = (1e-3, deflection.map_or(1e-2, |deflection| 1e4 * deflection).clamp(1e-3, 1.0));
    Ok(Panel {
        title: "Answer to a step".to_owned(),
        x: Axis { label: "t", unit: "ms", scale: 1e3 },
        y: Axis { label: "F_R", unit: "N", scale: 1.0 },
        curves: vec![Curve {
            label: format!("v from 0 to {} mm/s at t = 0", speed * 1e3),
            points: curves::after_step(variant, normal_force, speed, duration, 500)?,
            pen: Pen::Main,
        }],
    })
}

/// Friction coefficient over a sine of the velocity, wide enough to show where the force stops falling.
fn characteristic(variant: &Variant, normal_force: f64) -> Result<Panel> {
    // The widest of the velocities among the parameters is where the characteristic ends.
    let velocities = variant.all().filter(|v| v.is_parameter() && v.unit == Unit::MetrePerSecond);
    let widest = velocities.filter_map(|v| v.start).fold(0.01, f64::max);
    let amplitude = 2.0 * widest;
    let frequency = 5.0;
    let friction = |points: curves::Points| points.into_iter().map(|[v, f]| [v, f / normal_force]).collect();
    let (unit, scale) = if amplitude < 0.1 { ("mm/s", 1e3) } else { ("m/s", 1.0) };
    Ok(Panel {
        title: "Characteristic".to_owned(),
        x: Axis { label: "v", unit, scale },
        y: Axis { label: "F_R / F_N", unit: "", scale: 1.0 },
        curves: vec![
            Curve {
                label: format!("v a sine of {} {unit}, {frequency} Hz", amplitude * scale),
                points: friction(curves::loop_over_velocity(variant, normal_force, amplitude, frequency, 1e-4)?),
                pen: Pen::Main,
            },
            Curve {
                label: "v held until F_R rests".to_owned(),
                points: friction(curves::steady_over_velocity(variant, normal_force, amplitude, 200)?),
                pen: Pen::Dashed,
            },
        ],
    })
}

/// Force over a small displacement for an element with a bristle, over the applied force for one with the input `F_t`.
fn pre_sliding(variant: &Variant, normal_force: f64) -> Result<Option<Panel>> {
    let y = Axis { label: "F_R", unit: "N", scale: 1.0 };
    if variant.variable(F_T.reference).is_some() {
        return Ok(Some(Panel {
            title: "Stick".to_owned(),
            x: Axis { label: "F_t", unit: "N", scale: 1.0 },
            y,
            curves: vec![Curve {
                label: "a body that is held, under a rising force".to_owned(),
                points: curves::held(variant, normal_force, normal_force, 200)?,
                pen: Pen::Main,
            }],
        }));
    }
    let Some((bristle, _)) = variant.metadata().states.first() else { return Ok(None) };
    // In each step of a millisecond a thousandth of the deflection's magnitude.
    let (speed, h) = (bristle.nominal.context("a bristle deflection has a magnitude")?, 1e-3);
    let break_away = curves::break_away_displacement(variant, normal_force, speed, h)?;
    let turns = |reach: f64| [reach * break_away, -reach * break_away, reach * break_away];
    let (unit, scale) = if break_away < 1e-4 { ("µm", 1e6) } else { ("mm", 1e3) };
    Ok(Some(Panel {
        title: "Pre-sliding".to_owned(),
        x: Axis { label: "displacement", unit, scale },
        y,
        curves: vec![
            Curve {
                label: "slow pull beyond break-away, there and back".to_owned(),
                points: curves::pull(variant, normal_force, speed, h, &turns(2.5))?,
                pen: Pen::Main,
            },
            Curve {
                label: "slow pull to half of it, there and back".to_owned(),
                points: curves::pull(variant, normal_force, speed, h, &turns(0.5))?,
                pen: Pen::Dashed,
            },
        ],
    }))
}
