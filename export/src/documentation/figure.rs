//! Figure of the page: characteristic and pre-sliding of an element.

use bristle::catalogue::{Motion, Variant};
use bristle::law::F_T;
use bristle::variable::Unit;

use crate::curves::{Points, Probe};
use crate::error::{Error, Result};
use crate::meanings::groups;
use crate::plot::{Axis, Curve, Panel, Pen, Picture};

/// Largest number of contacts with values of their own that have a figure each: a page stays a page.
const MAX_FIGURES: usize = 4;

/// Figure with its caption.
pub struct Figure {
    /// SVG.
    pub picture: String,
    /// Contacts, values and normal force.
    pub caption: String,
}

/// Figures of an element under a normal force (N): one for the contacts with equal values. None where it takes no step.
pub fn draw(variant: &Variant, normal_force: f64) -> Vec<Figure> {
    let description =
        "The friction coefficient over the contact velocity, and the friction force over a small displacement";
    let groups = groups(variant);
    let drawn = groups.iter().take(MAX_FIGURES).filter_map(|contacts| {
        let probe = Probe::new(variant, contacts[0], normal_force);
        let picture = of_panels([Some(characteristic(&probe)), pre_sliding(&probe)], description)?.svg();
        Some(Figure { picture, caption: caption(&probe, contacts) })
    });
    drawn.collect()
}

fn caption(probe: &Probe, contacts: &[u32]) -> String {
    let (variant, force) = (probe.variant(), probe.normal_force());
    let card = variant.card();
    if card.plate.is_some() {
        return format!("Runs of all points of the plate along x, with its start values at F_N = {force} N in all.");
    }
    let at = match card.motion {
        Motion::Planar => " along x",
        Motion::Rotational => ", with F_R and v at the friction radius",
        _ => "",
    };
    let names: Vec<_> = contacts.iter().map(|contact| variant.contact_name(*contact as usize)).collect();
    let of = match (card.contacts.is_some(), contacts.len() as u32 == card.contact_count()) {
        (false, _) => "this element",
        (true, true) => "each contact, alone",
        (true, false) => return format!("Runs of contact {}, alone{at}, at F_N = {force} N.", names.join(", ")),
    };
    format!("Runs of {of}{at}, with its start values at F_N = {force} N.")
}

/// Characteristic, pre-sliding and answer to a step of an element under a normal force (N).
pub fn plot(variant: &Variant, normal_force: f64) -> Result<Picture> {
    let probe = Probe::new(variant, 0, normal_force);
    let panels = [Some(characteristic(&probe)), pre_sliding(&probe), Some(step_answer(&probe))];
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
fn step_answer(probe: &Probe) -> Panel {
    let deflection = probe.variant().metadata().states.first().and_then(|(bristle, _)| bristle.nominal);
    let (speed, duration) = (1e-3, deflection.map_or(1e-2, |deflection| 1e4 * deflection).clamp(1e-3, 1.0));
    let points = probe.after_step(speed, duration, 500);
    Panel {
        title: "Answer to a step".to_owned(),
        x: Axis { label: "t", unit: "ms", scale: 1e3 },
        y: Axis { label: "F_R", unit: "N", scale: 1.0 },
        curves: curve(format!("v from 0 to {} mm/s at t = 0", speed * 1e3), points, Pen::Main).into_iter().collect(),
    }
}

/// Friction coefficient over a sine of the velocity, wide enough to show where the force stops falling.
fn characteristic(probe: &Probe) -> Panel {
    let (variant, normal_force) = (probe.variant(), probe.normal_force());
    let measured = variant.card().characteristic.as_ref().map(|curve| curve.points.clone());
    // The widest of the velocities among the parameters, and the last point of a curve, are where the characteristic ends.
    let velocities = variant.all().filter(|v| v.is_parameter() && v.unit == Unit::MetrePerSecond);
    let last = measured.iter().flatten().map(|[v, _]| 0.6 * v);
    let amplitude = 2.0 * velocities.filter_map(|v| v.start).chain(last).fold(0.01, f64::max);
    let frequency = 5.0;
    let friction = |points: Points| points.into_iter().map(|[v, f]| [v, f / normal_force]).collect();
    let (unit, scale) = if amplitude < 0.1 { ("mm/s", 1e3) } else { ("m/s", 1.0) };
    let swinging = probe.loop_over_velocity(amplitude, frequency, 1e-4).map(friction);
    let steady = probe.steady_over_velocity(amplitude, 200).map(friction);
    let curves = [
        curve(format!("v a sine of {} {unit}, {frequency} Hz", amplitude * scale), swinging, Pen::Main),
        curve("v held until F_R rests", steady, Pen::Dashed),
        measured.and_then(|points| curve("measured points", Ok(points), Pen::Points)),
    ];
    Panel {
        title: "Characteristic".to_owned(),
        x: Axis { label: "v", unit, scale },
        y: Axis { label: "F_R / F_N", unit: "", scale: 1.0 },
        curves: curves.into_iter().flatten().collect(),
    }
}

/// Force over a small displacement for an element with a bristle, over the applied force for one with the input `F_t`.
fn pre_sliding(probe: &Probe) -> Option<Panel> {
    let variant = probe.variant();
    let y = Axis { label: "F_R", unit: "N", scale: 1.0 };
    if variant.all().any(|variable| variable.is(&F_T)) {
        let points = probe.held(probe.normal_force(), 200);
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
    let (speed, break_away) = probe.break_away(bristle.nominal?, h).ok()?;
    let pull = |reach: f64| {
        let turns = [reach * break_away, -reach * break_away, reach * break_away];
        probe.pull(speed, h, &turns)
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
