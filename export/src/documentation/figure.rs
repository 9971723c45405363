//! Figure of the page: characteristic and pre-sliding of an element.

use bristle::catalogue::Variant;
use bristle::law::F_T;
use bristle::variable::Unit;

use crate::curves::{self, Points};
use crate::error::{Error, Result};
use crate::plot::{Axis, Curve, Panel, Pen, Picture};

/// Figure of an element under a normal force (N), as SVG; nothing where it takes no step.
pub fn draw(variant: &Variant, normal_force: f64) -> String {
    let panels = [Some(characteristic(variant, normal_force)), pre_sliding(variant, normal_force)];
    let description =
        "The friction coefficient over the contact velocity, and the friction force over a small displacement";
    of_panels(panels, description).map_or(String::new(), |picture| picture.svg())
}

/// Characteristic, pre-sliding and answer to a step of an element under a normal force (N).
pub fn plot(variant: &Variant, normal_force: f64) -> Result<Picture> {
    let panels = [
        Some(characteristic(variant, normal_force)),
        pre_sliding(variant, normal_force),
        Some(step_answer(variant, normal_force)),
    ];
    let description = "The friction coefficient over the contact velocity, the friction force over a small displacement, and over \
                       time after a step of the velocity";
    of_panels(panels, description).ok_or_else(|| {
        let name = variant.name();
        Error::new(format!("{name} takes no step at F_N = {normal_force} N: its bristle is unstable there"))
    })
}

/// Picture of the panels that have a curve; nothing without one.
fn of_panels(panels: impl IntoIterator<Item = Option<Panel>>, description: &str) -> Option<Picture> {
    let panels: Vec<_> = panels.into_iter().flatten().filter(|panel| !panel.curves.is_empty()).collect();
    (!panels.is_empty()).then(|| Picture::new(&panels, 420.0, description))
}

/// Curve of these points. It is left out where an element of unusual parameters takes no such steps, for instance because its
/// bristle is unstable: an FMU is made all the same.
fn curve(label: impl Into<String>, points: Result<Points>, pen: Pen) -> Option<Curve> {
    let points = points.ok().filter(|points| points.iter().flatten().all(|number| number.is_finite()))?;
    Some(Curve { label: label.into(), points, pen })
}

/// Friction force over time after the velocity jumped from rest.
fn step_answer(variant: &Variant, normal_force: f64) -> Panel {
    let deflection = variant.metadata().states.first().and_then(|(bristle, _)| bristle.nominal);
    let (speed, duration) = (1e-3, deflection.map_or(1e-2, |deflection| 1e4 * deflection).clamp(1e-3, 1.0));
    let points = curves::after_step(variant, normal_force, speed, duration, 500);
    Panel {
        title: "Answer to a step".to_owned(),
        x: Axis { label: "t", unit: "ms", scale: 1e3 },
        y: Axis { label: "F_R", unit: "N", scale: 1.0 },
        curves: curve(format!("v from 0 to {} mm/s at t = 0", speed * 1e3), points, Pen::Main).into_iter().collect(),
    }
}

/// Friction coefficient over a sine of the velocity, wide enough to show where the force stops falling.
fn characteristic(variant: &Variant, normal_force: f64) -> Panel {
    // The widest of the velocities among the parameters is where the characteristic ends.
    let velocities = variant.all().filter(|v| v.is_parameter() && v.unit == Unit::MetrePerSecond);
    let widest = velocities.filter_map(|v| v.start).fold(0.01, f64::max);
    let amplitude = 2.0 * widest;
    let frequency = 5.0;
    let friction = |points: Points| points.into_iter().map(|[v, f]| [v, f / normal_force]).collect();
    let (unit, scale) = if amplitude < 0.1 { ("mm/s", 1e3) } else { ("m/s", 1.0) };
    let swinging = curves::loop_over_velocity(variant, normal_force, amplitude, frequency, 1e-4).map(friction);
    let steady = curves::steady_over_velocity(variant, normal_force, amplitude, 200).map(friction);
    let curves = [
        curve(format!("v a sine of {} {unit}, {frequency} Hz", amplitude * scale), swinging, Pen::Main),
        curve("v held until F_R rests", steady, Pen::Dashed),
    ];
    Panel {
        title: "Characteristic".to_owned(),
        x: Axis { label: "v", unit, scale },
        y: Axis { label: "F_R / F_N", unit: "", scale: 1.0 },
        curves: curves.into_iter().flatten().collect(),
    }
}

/// Force over a small displacement for an element with a bristle, over the applied force for one with the input `F_t`.
fn pre_sliding(variant: &Variant, normal_force: f64) -> Option<Panel> {
    let y = Axis { label: "F_R", unit: "N", scale: 1.0 };
    if variant.variable(F_T.reference).is_some() {
        let points = curves::held(variant, normal_force, normal_force, 200);
        return Some(Panel {
            title: "Stick".to_owned(),
            x: Axis { label: "F_t", unit: "N", scale: 1.0 },
            y,
            curves: curve("a body that is held, under a rising force", points, Pen::Main).into_iter().collect(),
        });
    }
    let (bristle, _) = variant.metadata().states.first()?;
    // In each step of a millisecond a thousandth of the deflection's magnitude.
    let h = 1e-3;
    let (speed, break_away) = curves::break_away(variant, normal_force, bristle.nominal?, h).ok()?;
    let pull = |reach: f64| {
        let turns = [reach * break_away, -reach * break_away, reach * break_away];
        curves::pull(variant, normal_force, speed, h, &turns)
    };
    let (unit, scale) = if break_away < 1e-4 { ("µm", 1e6) } else { ("mm", 1e3) };
    let curves = [
        curve("slow pull beyond break-away, there and back", pull(2.5), Pen::Main),
        curve("slow pull to half of it, there and back", pull(0.5), Pen::Dashed),
    ];
    Some(Panel {
        title: "Pre-sliding".to_owned(),
        x: Axis { label: "displacement", unit, scale },
        y,
        curves: curves.into_iter().flatten().collect(),
    })
}
