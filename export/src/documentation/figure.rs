//! Figure of the page: characteristic and pre-sliding of an element.

use bristle::catalogue::{Motion, Variant};
use bristle::law::F_T;
use bristle::variable::Unit;

use crate::curves::{Points, Probe};
use crate::error::{Error, Result};
use crate::meanings::{groups, radius};
use crate::number::short_4;
use crate::plot::{Axis, Curve, Panel, Pen, Picture};

/// Largest number of contacts with values of their own that have a figure each: a page stays a
/// page.
const MAX_FIGURES: usize = 4;

/// Figure with its caption.
pub struct Figure {
    /// SVG.
    pub picture: String,
    /// Contacts, values and normal force.
    pub caption: String,
}

/// Figures of an element under a normal force (N): one for the contacts with equal values. None
/// where it takes no step.
pub fn draw(variant: &Variant, normal_force: f64) -> Vec<Figure> {
    let description = if radius(variant).is_some() {
        "The friction torque over the angular velocity, and over a small angle"
    } else {
        "Friction over the contact velocity, and over a small displacement"
    };
    let groups = groups(variant);
    let drawn = groups.iter().take(MAX_FIGURES).filter_map(|contacts| {
        let probe = Probe::new(variant, contacts[0], normal_force);
        let picture = of_panels(
            [Some(characteristic(&probe)), pre_sliding(&probe)],
            description,
        )?
        .svg();
        Some(Figure {
            picture,
            caption: caption(&probe, contacts),
        })
    });
    drawn.collect()
}

fn caption(probe: &Probe, contacts: &[u32]) -> String {
    let (variant, force) = (probe.variant(), under(probe));
    let card = variant.card();
    if card.plate.is_some() {
        return format!(
            "Runs of all points of the plate along x, with its start values{force} in all."
        );
    }
    let at = match card.motion {
        Motion::Planar => " along x",
        _ => "",
    };
    let names: Vec<_> = contacts
        .iter()
        .map(|contact| variant.contact_name(*contact as usize))
        .collect();
    let of = match (
        card.contacts.is_some(),
        contacts.len() as u32 == card.contact_count(),
    ) {
        (false, _) => "this element",
        (true, true) => "each contact, alone",
        (true, false) => {
            return format!("Runs of contact {}, alone{at}{force}.", names.join(", "));
        }
    };
    format!("Runs of {of}{at}, with its start values{force}.")
}

/// Normal force of a probe in words; none for a joint, whose card states the friction.
fn under(probe: &Probe) -> String {
    match probe.variant().card().level {
        Some(_) => String::new(),
        None => format!(" at F_N = {} N", probe.normal_force()),
    }
}

/// Characteristic and pre-sliding of an element under a normal force (N), those that have a curve.
pub fn panels(variant: &Variant, normal_force: f64) -> Vec<Panel> {
    let probe = Probe::new(variant, 0, normal_force);
    drawn([Some(characteristic(&probe)), pre_sliding(&probe)])
}

/// Measured points of velocity (m/s) and coefficient, for the characteristic of an element.
pub fn measured_points(variant: &Variant, points: &[[f64; 2]]) -> Curve {
    let view = View::of(variant);
    let factor = if view.has_unit {
        variant.card().normal_force * view.lever
    } else {
        1.0
    };
    let point = |[v, mu]: &[f64; 2]| [v / view.lever, mu * factor * v.signum()];
    Curve {
        label: "measured points".to_owned(),
        points: points.iter().map(point).collect(),
        pen: Pen::Points,
    }
}

/// Characteristic, pre-sliding and answer to a step of an element under a normal force (N).
pub fn plot(variant: &Variant, normal_force: f64) -> Result<Picture> {
    let probe = Probe::new(variant, 0, normal_force);
    let panels = [
        Some(characteristic(&probe)),
        pre_sliding(&probe),
        Some(step_answer(&probe)),
    ];
    let description = if radius(variant).is_some() {
        "The friction torque over the angular velocity, over a small angle, and over time after a \
         step of the angular velocity"
    } else {
        "Friction over the contact velocity, over a small displacement, and over time after a step \
         of the velocity"
    };
    of_panels(panels, description).ok_or_else(|| {
        let name = variant.name();
        Error::new(format!(
            "{name} takes no step{}: its bristle is unstable there",
            under(&probe)
        ))
    })
}

/// The panels that have a curve.
fn drawn(panels: impl IntoIterator<Item = Option<Panel>>) -> Vec<Panel> {
    let has_curve = |panel: &Panel| !panel.curves.is_empty();
    panels.into_iter().flatten().filter(has_curve).collect()
}

/// Picture of the panels that have a curve; nothing without one.
fn of_panels(
    panels: impl IntoIterator<Item = Option<Panel>>,
    description: &str,
) -> Option<Picture> {
    let panels = drawn(panels);
    (!panels.is_empty()).then(|| Picture::new(&panels, 420.0, description))
}

/// Curve of these points. It is left out where an element of unusual parameters takes no such
/// steps, for instance because its bristle is unstable: an FMU is made all the same.
fn curve(label: impl Into<String>, points: Result<Points>, pen: Pen) -> Option<Curve> {
    let points = points
        .ok()
        .filter(|points| points.iter().flatten().all(|number| number.is_finite()))?;
    Some(Curve {
        label: label.into(),
        points,
        pen,
    })
}

/// Symbols and factors of the figures: those of a line, or of a joint from the velocities and
/// forces at its friction radius.
struct View {
    /// Whether the friction has a unit, and is no coefficient that stands for all normal forces: a
    /// torque, or a force that the card states.
    has_unit: bool,
    /// Friction radius of a joint, m; 1 along a line.
    lever: f64,
    /// Size of velocities and displacements over those of the laws' contact: greater for angles.
    size: f64,
    velocity: &'static str,
    force: &'static str,
    force_unit: &'static str,
    /// Unit of a velocity, and factor from m/s, below a tenth of an SI unit and above.
    velocities: [(&'static str, f64); 2],
    /// Quantity, unit and factor from m of a displacement: below 1e-4 of an SI unit and above.
    displacement: &'static str,
    displacements: [(&'static str, f64); 2],
}

impl View {
    fn of(variant: &Variant) -> Self {
        let line = View {
            has_unit: variant.card().level.is_some(),
            lever: 1.0,
            size: 1.0,
            velocity: "v",
            force: "F_R",
            force_unit: "N",
            velocities: [("mm/s", 1e3), ("m/s", 1.0)],
            displacement: "displacement",
            displacements: [("µm", 1e6), ("mm", 1e3)],
        };
        let Some(lever) = radius(variant) else {
            return line;
        };
        View {
            has_unit: true,
            lever,
            size: if variant.card().level.is_some() {
                50.0
            } else {
                1.0
            },
            velocity: "omega",
            force: "M_R",
            force_unit: "N·m",
            velocities: [("rad/s", 1.0), ("rad/s", 1.0)],
            displacement: "angle",
            displacements: [("µrad", 1e6), ("mrad", 1e3)],
        }
    }

    /// Points of velocity (m/s) and force (N) with those of the motion.
    fn of_velocity(&self, points: Points) -> Points {
        points
            .into_iter()
            .map(|[v, force]| [v / self.lever, force * self.lever])
            .collect()
    }

    /// Points of time (s) or applied force and of force (N) with the force of the motion.
    fn of_force(&self, points: Points) -> Points {
        points
            .into_iter()
            .map(|[x, force]| [x, force * self.lever])
            .collect()
    }

    fn force_axis(&self) -> Axis {
        Axis::linear(self.force, self.force_unit, 1.0)
    }
}

/// Friction force over time after the velocity jumped from rest.
fn step_answer(probe: &Probe) -> Panel {
    let view = View::of(probe.variant());
    let deflection = probe
        .variant()
        .metadata()
        .states
        .first()
        .and_then(|(bristle, _)| bristle.nominal);
    let speed = 1e-3 * view.size;
    let duration = deflection
        .map_or(1e-2, |deflection| 1e4 * deflection)
        .clamp(1e-3, 1.0);
    let points = probe
        .after_step(speed, duration, 500)
        .map(|points| view.of_force(points));
    let (unit, scale) = view.velocities[0];
    let to = short_4(speed / view.lever * scale);
    Panel {
        title: "Answer to a step".to_owned(),
        x: Axis::linear("t", "ms", 1e3),
        y: view.force_axis(),
        curves: curve(
            format!("{} from 0 to {to} {unit} at t = 0", view.velocity),
            points,
            Pen::Main,
        )
        .into_iter()
        .collect(),
    }
}

/// Friction over the velocity: over a sine of it that is wide enough to show where the force stops
/// falling, or the measured points.
pub fn characteristic(probe: &Probe) -> Panel {
    let (variant, normal_force, view) = (
        probe.variant(),
        probe.normal_force(),
        View::of(probe.variant()),
    );
    if let Some(measured) = &variant.card().characteristic {
        return measured_characteristic(probe, &measured.points, &view);
    }
    // The widest of the velocities among the parameters is where the characteristic ends.
    let velocities = variant.all().filter(|v| {
        v.is_parameter() && [Unit::MetrePerSecond, Unit::RadianPerSecond].contains(&v.unit)
    });
    let amplitude = 2.0
        * velocities
            .filter_map(|v| Some(v.to_si(v.start?)))
            .fold(0.01, f64::max);
    let frequency = 5.0;
    let scaled = |points: Points| -> Points {
        let over = if view.has_unit { 1.0 } else { normal_force };
        view.of_velocity(points)
            .into_iter()
            .map(|[v, force]| [v, force / over])
            .collect()
    };
    let (unit, scale) = view.velocities[usize::from(amplitude >= 0.1)];
    let swinging = probe
        .loop_over_velocity(amplitude, frequency, 1e-4)
        .map(scaled);
    let steady = probe.steady_over_velocity(amplitude, 200).map(scaled);
    let (velocity, force) = (view.velocity, view.force);
    let widest = short_4(amplitude / view.lever * scale);
    let curves = [
        curve(
            format!("{velocity} a sine of {widest} {unit}, {frequency} Hz"),
            swinging,
            Pen::Main,
        ),
        curve(
            format!("{velocity} held until {force} rests"),
            steady,
            Pen::Dashed,
        ),
    ];
    Panel {
        title: "Characteristic".to_owned(),
        x: Axis::linear(velocity, unit, scale),
        y: if view.has_unit {
            view.force_axis()
        } else {
            Axis::linear("F_R / F_N", "", 1.0)
        },
        curves: curves.into_iter().flatten().collect(),
    }
}

/// Measured points and the element in steady sliding over the logarithm of the speed, where points
/// over decades can be told apart.
fn measured_characteristic(probe: &Probe, measured: &[[f64; 2]], view: &View) -> Panel {
    let over = if view.has_unit {
        1.0
    } else {
        probe.normal_force()
    };
    let factor = if view.has_unit {
        probe.normal_force() * view.lever
    } else {
        1.0
    };
    let mut curves = Vec::new();
    for (direction, pens) in [
        (1.0, [Pen::Main, Pen::Points]),
        (-1.0, [Pen::Dashed, Pen::Points]),
    ] {
        let points: Points = measured
            .iter()
            .map(|[v, mu]| [v * direction, *mu])
            .filter(|[v, _]| *v > 0.0)
            .collect();
        let speeds = points.iter().map(|[v, _]| *v);
        let [low, high] = [
            speeds.clone().fold(f64::MAX, f64::min) / 3.0,
            speeds.fold(0.0, f64::max) * 2.0,
        ];
        if points.is_empty() {
            continue;
        }
        let velocities =
            (0..=150).map(|i| direction * low * libm::pow(high / low, f64::from(i) / 150.0));
        let steady = probe.steady_at(velocities).map(|found| {
            let found = view.of_velocity(found).into_iter();
            found
                .map(|[v, force]| [v * direction, force * direction / over])
                .collect()
        });
        let points = points
            .into_iter()
            .map(|[v, mu]| [v / view.lever, mu * factor])
            .collect();
        let way = if measured[0][0] > 0.0 {
            ""
        } else if direction > 0.0 {
            ", forward"
        } else {
            ", backward"
        };
        let (velocity, force) = (view.velocity, view.force);
        curves.extend(curve(
            format!("{velocity} held until {force} rests{way}"),
            steady,
            pens[0],
        ));
        curves.extend(curve(format!("measured points{way}"), Ok(points), pens[1]));
    }
    let fastest = measured.iter().map(|[v, _]| v.abs()).fold(0.0, f64::max);
    let (unit, scale) = view.velocities[usize::from(fastest >= 10.0)];
    Panel {
        title: "Characteristic".to_owned(),
        x: Axis {
            is_logarithmic: true,
            ..Axis::linear(view.velocity, unit, scale)
        },
        y: if view.has_unit {
            view.force_axis()
        } else {
            Axis::linear("F_R / F_N", "", 1.0)
        },
        curves,
    }
}

/// Force over a small displacement for an element with a bristle, over the applied force for one
/// with the input `F_t`.
fn pre_sliding(probe: &Probe) -> Option<Panel> {
    let (variant, view) = (probe.variant(), View::of(probe.variant()));
    if variant.all().any(|variable| variable.is(&F_T)) {
        let points = probe
            .held(probe.normal_force(), 200)
            .map(|points| -> Points {
                points
                    .into_iter()
                    .map(|[applied, force]| [applied * view.lever, force * view.lever])
                    .collect()
            });
        let applied = if view.force == "M_R" { "M_t" } else { "F_t" };
        return Some(Panel {
            title: "Stick".to_owned(),
            x: Axis::linear(applied, view.force_unit, 1.0),
            y: view.force_axis(),
            curves: curve(
                "a body that is held, under a rising force",
                points,
                Pen::Main,
            )
            .into_iter()
            .collect(),
        });
    }
    let (bristle, _) = variant.metadata().states.first()?;
    // In each step of a millisecond a thousandth of the deflection's magnitude.
    let h = 1e-3;
    let (speed, break_away) = probe.break_away(bristle.nominal? * view.size, h).ok()?;
    let pull = |reach: f64| {
        let turns = [reach * break_away, -reach * break_away, reach * break_away];
        probe
            .pull(speed, h, &turns)
            .map(|points| view.of_velocity(points))
    };
    let (unit, scale) = view.displacements[usize::from(break_away / view.lever >= 1e-4)];
    let curves = [
        curve(
            "slow pull beyond break-away, there and back",
            pull(2.5),
            Pen::Main,
        ),
        curve(
            "slow pull to half of it, there and back",
            pull(0.5),
            Pen::Dashed,
        ),
    ];
    Some(Panel {
        title: "Pre-sliding".to_owned(),
        x: Axis::linear(view.displacement, unit, scale),
        y: view.force_axis(),
        curves: curves.into_iter().flatten().collect(),
    })
}
