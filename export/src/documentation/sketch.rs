//! Sketch of the contact with the arrows of its variables, in the element's page and the README.

use std::fmt::Write;

use bristle::catalogue::{Card, CardSystem, Motion, Term};

/// Body on which a contact acts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// The master's body.
    Master,
    /// The block inside the element.
    Block,
    /// The master's body, which the card's body observes with all contacts.
    Body,
}

/// Sketch of a contact of this motion, as SVG; without a normal force where the card states forces
/// or torques.
pub fn draw(motion: Motion, support: Support, is_joint: bool) -> String {
    let mut sketch = Sketch {
        is_joint,
        ..Sketch::default()
    };
    match (motion, support) {
        (Motion::Translational, Support::Master) => translational(&mut sketch),
        (Motion::Translational, Support::Block) => block(&mut sketch),
        (Motion::Translational, Support::Body) => body(&mut sketch),
        (Motion::Rotational, Support::Block) => {
            rotational(&mut sketch);
            turned(&mut sketch);
        }
        (Motion::Rotational, _) => rotational(&mut sketch),
        (Motion::Planar, _) => planar(&mut sketch),
        (Motion::Patch, _) => patch(&mut sketch),
    }
    let description = match (motion, support) {
        (Motion::Translational, Support::Master) => {
            "A body on its counterpart, with v along the contact, F_N across it, and F_R against v"
        }
        (Motion::Translational, Support::Block) => {
            "A block on a belt, with the applied force F, spring and damper to its base, F_N, and \
             F_R inside the element"
        }
        (Motion::Translational, Support::Body) => {
            "A body on several contacts, each with its v, \
                                                   F_N and F_R"
        }
        (Motion::Rotational, Support::Block) => {
            "A shaft in its counterpart, with the applied torque M, spring and damper to its \
             base, F_N, and M_R inside the element"
        }
        (Motion::Rotational, _) => {
            "A shaft in its counterpart, with omega, F_N at the friction radius, and M_R against \
             omega"
        }
        (Motion::Planar, _) => {
            "A body on a plane seen from above, with the axes x and y, v, and \
                                F_R against v"
        }
        (Motion::Patch, _) => {
            "A plate on points seen from above, with its axes, v, omega, F_R \
                               and M_R"
        }
    };
    let description = if is_joint {
        NORMAL_FORCES
            .iter()
            .fold(description.to_owned(), |text, part| text.replace(part, ""))
    } else {
        description.to_owned()
    };
    sketch.finish(&description)
}

/// Parts of descriptions about a normal force.
const NORMAL_FORCES: [&str; 3] = [" F_N across it,", " F_N at the friction radius,", " F_N,"];

/// Lines of a drawing 420 wide and 190 high.
#[derive(Default)]
struct Sketch {
    lines: String,
    is_joint: bool,
}

/// Meaning of an arrow: a motion or a force.
#[derive(Clone, Copy)]
enum Pen {
    Motion,
    Force,
    Axis,
}

impl Pen {
    fn colour(self) -> &'static str {
        match self {
            Pen::Motion => "#1f77b4",
            Pen::Force => "#d62728",
            Pen::Axis => "#666666",
        }
    }
}

impl Sketch {
    fn add(&mut self, line: std::fmt::Arguments) {
        writeln!(self.lines, "{line}").expect("text grows");
    }

    fn finish(self, description: &str) -> String {
        format!(
            "<svg viewBox=\"0 0 420 190\" width=\"420\" role=\"img\" font-family=\"sans-serif\" \
             font-size=\"15\">\n<title>{description}</title>\n{}</svg>\n",
            self.lines
        )
    }

    /// Rectangle of a body, from its upper left corner.
    fn body(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#e8eef4\" \
             stroke=\"#333333\" stroke-width=\"1.5\"/>"
        ));
    }

    /// Ground with hatches below a line.
    fn ground(&mut self, [x, y]: [f64; 2], width: f64) {
        self.add(format_args!(
            "<path d=\"M{x} {y}h{width}\" stroke=\"#333333\" stroke-width=\"2\" fill=\"none\"/>"
        ));
        let mut at = x + 6.0;
        while at < x + width {
            self.add(format_args!(
                "<path d=\"M{at} {y}l-8 10\" stroke=\"#333333\" stroke-width=\"1\" fill=\"none\"/>"
            ));
            at += 14.0;
        }
    }

    /// Wall with hatches at its left, from its upper end.
    fn wall(&mut self, [x, y]: [f64; 2], height: f64) {
        self.add(format_args!(
            "<path d=\"M{x} {y}v{height}\" stroke=\"#333333\" stroke-width=\"2\" fill=\"none\"/>"
        ));
        let mut at = y + 6.0;
        while at < y + height {
            self.add(format_args!(
                "<path d=\"M{x} {at}l-10 8\" stroke=\"#333333\" stroke-width=\"1\" fill=\"none\"/>"
            ));
            at += 14.0;
        }
    }

    /// Spring to the right.
    fn spring(&mut self, [x, y]: [f64; 2], length: f64) {
        let (end, turn) = (0.2 * length, 0.1 * length);
        let mut path = format!("M{x} {y}h{end}");
        for _ in 0..6 {
            write!(
                path,
                "l{:.2} -8l{:.2} 16l{:.2} -8",
                0.25 * turn,
                0.5 * turn,
                0.25 * turn
            )
            .expect("text grows");
        }
        self.add(format_args!(
            "<path d=\"{path}h{end}\" stroke=\"#333333\" stroke-width=\"1.2\" fill=\"none\"/>"
        ));
    }

    /// Damper to the right.
    fn damper(&mut self, [x, y]: [f64; 2], length: f64) {
        let half = 0.5 * length;
        self.add(format_args!(
            "<path d=\"M{x} {y}h{half}m0 -6v12m{} -6h{}m{} -8h{}v16h-{}\" stroke=\"#333333\" \
             stroke-width=\"1.2\" fill=\"none\"/>",
            0.2 * length,
            0.3 * length,
            -0.6 * length,
            0.3 * length,
            0.3 * length
        ));
    }

    fn arrow(&mut self, pen: Pen, [x, y]: [f64; 2], [dx, dy]: [f64; 2]) {
        let colour = pen.colour();
        let width = if matches!(pen, Pen::Axis) { 1.2 } else { 2.2 };
        self.add(format_args!(
            "<path d=\"M{x} {y}l{dx} {dy}\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             fill=\"none\"/>"
        ));
        self.head(pen, [x + dx, y + dy], [dx, dy]);
    }

    /// Arrow head at a point, in a direction.
    fn head(&mut self, pen: Pen, [x, y]: [f64; 2], [dx, dy]: [f64; 2]) {
        let length = (dx * dx + dy * dy).sqrt();
        let [ux, uy] = [dx / length, dy / length];
        let corner = |side: f64| {
            [
                x - 9.0 * ux - side * 4.0 * uy,
                y - 9.0 * uy + side * 4.0 * ux,
            ]
        };
        let ([ax, ay], [bx, by]) = (corner(1.0), corner(-1.0));
        let colour = pen.colour();
        self.add(format_args!(
            "<path d=\"M{x} {y}L{ax:.1} {ay:.1}L{bx:.1} {by:.1}Z\" fill=\"{colour}\"/>"
        ));
    }

    /// Arc about a centre from one angle to another (degrees, y downwards), with a head at its end.
    fn turn(&mut self, pen: Pen, [x, y]: [f64; 2], radius: f64, [from, to]: [f64; 2]) {
        let at = |degrees: f64| {
            let angle = degrees.to_radians();
            [x + radius * libm::cos(angle), y + radius * libm::sin(angle)]
        };
        let ([ax, ay], [bx, by]) = (at(from), at(to));
        let sweep = i32::from(to > from);
        let colour = pen.colour();
        self.add(format_args!(
            "<path d=\"M{ax:.1} {ay:.1}A{radius} {radius} 0 0 {sweep} {bx:.1} {by:.1}\" \
             stroke=\"{colour}\" stroke-width=\"2.2\" fill=\"none\"/>"
        ));
        let direction = (to + (to - from).signum() * 90.0).to_radians();
        self.head(pen, [bx, by], [libm::cos(direction), libm::sin(direction)]);
    }

    /// Symbol with a subscript.
    fn symbol(&mut self, pen: Pen, [x, y]: [f64; 2], symbol: &str, subscript: &str) {
        let colour = pen.colour();
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" font-style=\"italic\">{symbol}<tspan \
             font-size=\"11\" font-style=\"normal\" dy=\"4\">{subscript}</tspan></text>"
        ));
    }

    /// Normal force, its arrow and its symbol.
    fn normal_force(&mut self, from: [f64; 2], arrow: [f64; 2], symbol: [f64; 2]) {
        if !self.is_joint {
            self.arrow(Pen::Force, from, arrow);
            self.symbol(Pen::Force, symbol, "F", "N");
        }
    }

    fn label(&mut self, [x, y]: [f64; 2], text: &str) {
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"#333333\" font-size=\"13\">{text}</text>"
        ));
    }

    fn dot(&mut self, [x, y]: [f64; 2]) {
        self.add(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#333333\"/>"
        ));
    }
}

fn translational(sketch: &mut Sketch) {
    sketch.ground([60.0, 140.0], 300.0);
    sketch.body([140.0, 80.0], [140.0, 60.0]);
    sketch.label([192.0, 118.0], "body");
    sketch.label([60.0, 176.0], "counterpart");
    sketch.arrow(Pen::Motion, [280.0, 98.0], [70.0, 0.0]);
    sketch.symbol(Pen::Motion, [356.0, 102.0], "v", "");
    sketch.normal_force([210.0, 36.0], [0.0, 44.0], [216.0, 50.0]);
    sketch.arrow(Pen::Force, [140.0, 132.0], [-70.0, 0.0]);
    sketch.symbol(Pen::Force, [46.0, 135.0], "F", "R");
    sketch.label([8.0, 96.0], "on the body,");
    sketch.label([8.0, 112.0], "against v");
}

/// Block on a belt, held by spring and damper.
fn block(sketch: &mut Sketch) {
    sketch.wall([40.0, 70.0], 70.0);
    sketch.spring([40.0, 94.0], 100.0);
    sketch.damper([40.0, 122.0], 100.0);
    sketch.label([84.0, 82.0], "k");
    sketch.label([84.0, 148.0], "d");
    sketch.label([14.0, 60.0], "base");
    sketch.body([140.0, 80.0], [120.0, 60.0]);
    sketch.label([184.0, 116.0], "block");
    sketch.normal_force([200.0, 36.0], [0.0, 44.0], [206.0, 50.0]);
    sketch.arrow(Pen::Force, [260.0, 110.0], [60.0, 0.0]);
    sketch.symbol(Pen::Force, [326.0, 114.0], "F", "");
    sketch.arrow(Pen::Motion, [250.0, 66.0], [50.0, 0.0]);
    sketch.symbol(Pen::Motion, [306.0, 70.0], "x, v", "");
    sketch.add(format_args!(
        "<rect x=\"96\" y=\"140\" width=\"250\" height=\"28\" rx=\"14\" fill=\"none\" \
         stroke=\"#333333\" stroke-width=\"2\"/>"
    ));
    for x in [110, 332] {
        sketch.add(format_args!(
            "<circle cx=\"{x}\" cy=\"154\" r=\"12\" fill=\"none\" stroke=\"#333333\" \
             stroke-width=\"1.2\"/>"
        ));
    }
    sketch.arrow(Pen::Motion, [352.0, 140.0], [40.0, 0.0]);
    sketch.symbol(Pen::Motion, [352.0, 128.0], "v", "surface");
    sketch.symbol(Pen::Force, [150.0, 160.0], "F", "R");
    sketch.label([170.0, 160.0], "inside the element");
}

/// Sketch of a system, as SVG: coordinates and bases in a row, springs between those of their rows,
/// contacts below.
pub fn system(card: &Card, system: &CardSystem) -> String {
    let mut sketch = Sketch::default();
    let (coordinates, bases) = (system.coordinates.len(), system.bases.len());
    let count = (coordinates + bases) as f64;
    let step = 400.0 / count;
    let width = (0.55 * step).min(70.0);
    let middle = |of: usize| 10.0 + step * (of as f64 + 0.5);
    // Bases at the left end.
    let place = |term: &Term| {
        let of = term.of as usize;
        middle(if of < coordinates {
            bases + of
        } else {
            of - coordinates
        })
    };
    for (i, base) in system.bases.iter().enumerate() {
        sketch.wall([middle(i), 40.0], 70.0);
        sketch.label([middle(i) - 12.0, 34.0], &base.name);
    }
    for (i, coordinate) in system.coordinates.iter().enumerate() {
        let x = middle(bases + i);
        if coordinate.is_angle {
            sketch.add(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"75\" r=\"{:.1}\" fill=\"#e8eef4\" \
                 stroke=\"#333333\" stroke-width=\"1.5\"/>",
                0.5 * width
            ));
        } else {
            sketch.body([x - 0.5 * width, 52.0], [width, 46.0]);
        }
        sketch.label([x - 0.45 * width, 34.0], &coordinate.name);
        let [gear, ..] = &coordinate.gear[..] else {
            continue;
        };
        sketch.add(format_args!(
            "<path d=\"M{x:.1} 98V112H{:.1}V98\" stroke=\"#333333\" stroke-dasharray=\"4 3\" \
             fill=\"none\"/>",
            place(gear)
        ));
    }
    for (i, spring) in system.springs.iter().enumerate() {
        let ends = spring.along.iter().map(place);
        let (from, to) = ends.fold((f64::INFINITY, 0.0_f64), |(from, to), x| {
            (from.min(x), to.max(x))
        });
        let y = 64.0 + 20.0 * (i % 2) as f64;
        let (from, to) = if to > from {
            (from, to)
        } else {
            (from - 0.5 * step, to)
        };
        let of_base = |x: f64| (0..bases).any(|b| middle(b) == x);
        let from = if of_base(from) {
            from
        } else {
            from + 0.5 * width
        };
        let end = to - 0.5 * width;
        let gap = if spring.gap.is_some() { 8.0 } else { 0.0 };
        let side = end - gap;
        sketch.spring([from, y], side - from);
        if gap > 0.0 {
            let top = y - 6.0;
            sketch.add(format_args!(
                "<path d=\"M{side:.1} {top:.1}v12M{end:.1} {top:.1}v12\" stroke=\"#333333\" \
                 stroke-width=\"1.5\"/>"
            ));
        }
        sketch.label(
            [0.5 * (from + to - 0.5 * width) - 12.0, y - 10.0],
            &spring.name,
        );
    }
    let names = card.contacts.iter().flat_map(|contacts| &contacts.names);
    for (i, (name, row)) in names.zip(&system.contacts).enumerate() {
        let y = 130.0 + 22.0 * (i % 3) as f64;
        let row = || row.along.iter().flatten().map(place);
        for x in row() {
            sketch.add(format_args!(
                "<path d=\"M{x:.1} 98V{y}\" stroke=\"#d62728\" stroke-width=\"1.2\" \
                 fill=\"none\"/>"
            ));
        }
        let (from, to) = row().fold((f64::INFINITY, 0.0_f64), |(from, to), x| {
            (from.min(x), to.max(x))
        });
        sketch.add(format_args!(
            "<path d=\"M{:.1} {y}H{:.1}\" stroke=\"#d62728\" stroke-width=\"3\" fill=\"none\"/>",
            from - 14.0,
            to + 14.0
        ));
        sketch.label([to + 18.0, y + 5.0], name);
    }
    sketch.finish(
        "Coordinates and bases of the system, with springs and gears between them and the contacts \
         below, which act inside the element",
    )
}

/// Body on several contacts.
fn body(sketch: &mut Sketch) {
    sketch.ground([40.0, 140.0], 340.0);
    sketch.body([90.0, 60.0], [230.0, 50.0]);
    sketch.label([180.0, 90.0], "one body");
    for (i, x) in [120.0, 262.0].into_iter().enumerate() {
        sketch.body([x, 110.0], [30.0, 30.0]);
        sketch.arrow(Pen::Force, [x, 132.0], [-46.0, 0.0]);
        sketch.symbol(Pen::Force, [x - 44.0, 124.0], "F", &format!("R,{}", i + 1));
        sketch.arrow(Pen::Force, [x + 15.0, 22.0], [0.0, 38.0]);
        sketch.symbol(Pen::Force, [x + 21.0, 36.0], "F", &format!("N,{}", i + 1));
    }
    sketch.label([60.0, 176.0], "counterpart");
    sketch.arrow(Pen::Motion, [320.0, 84.0], [60.0, 0.0]);
    sketch.symbol(Pen::Motion, [386.0, 88.0], "v", "");
}

fn rotational(sketch: &mut Sketch) {
    sketch.add(format_args!(
        "<circle cx=\"190\" cy=\"100\" r=\"60\" fill=\"#e8eef4\" stroke=\"#333333\" \
         stroke-width=\"1.5\"/>"
    ));
    sketch.add(format_args!(
        "<path d=\"M116 130A80 80 0 0 0 264 130\" stroke=\"#333333\" stroke-width=\"2\" \
         fill=\"none\" stroke-dasharray=\"7 4\"/>"
    ));
    sketch.dot([190.0, 100.0]);
    if !sketch.is_joint {
        sketch.arrow(Pen::Axis, [190.0, 100.0], [42.0, 42.0]);
        sketch.label([214.0, 118.0], "r");
    }
    sketch.label([150.0, 92.0], "body");
    sketch.label([272.0, 150.0], "counterpart");
    sketch.turn(Pen::Motion, [190.0, 100.0], 74.0, [-30.0, -85.0]);
    sketch.symbol(Pen::Motion, [236.0, 34.0], "\u{3c9}", "");
    sketch.turn(Pen::Force, [190.0, 100.0], 74.0, [-150.0, -100.0]);
    sketch.symbol(Pen::Force, [112.0, 46.0], "M", "R");
    sketch.normal_force([190.0, 188.0], [0.0, -26.0], [198.0, 184.0]);
}

/// Spring, damper and applied torque of a block about an axis, beside the shaft.
fn turned(sketch: &mut Sketch) {
    sketch.turn(Pen::Force, [190.0, 100.0], 46.0, [20.0, -40.0]);
    sketch.symbol(Pen::Force, [206.0, 84.0], "M", "");
    sketch.add(format_args!(
        "<path d=\"M330 48v70\" stroke=\"#333333\" stroke-width=\"2\" fill=\"none\"/>"
    ));
    sketch.spring([247.0, 74.0], 83.0);
    sketch.damper([250.0, 98.0], 80.0);
    sketch.label([286.0, 62.0], "k");
    sketch.label([286.0, 123.0], "d");
    sketch.label([338.0, 90.0], "base");
}

fn axes(sketch: &mut Sketch, [x, y]: [f64; 2]) {
    sketch.arrow(Pen::Axis, [x, y], [50.0, 0.0]);
    sketch.arrow(Pen::Axis, [x, y], [0.0, -50.0]);
    sketch.label([x + 54.0, y + 5.0], "x");
    sketch.label([x - 4.0, y - 56.0], "y");
}

fn planar(sketch: &mut Sketch) {
    axes(sketch, [40.0, 160.0]);
    sketch.body([160.0, 70.0], [90.0, 60.0]);
    sketch.label([186.0, 124.0], "body");
    sketch.dot([205.0, 100.0]);
    sketch.symbol(Pen::Force, [166.0, 92.0], "F", "N");
    sketch.arrow(Pen::Motion, [205.0, 100.0], [80.0, -50.0]);
    sketch.symbol(Pen::Motion, [290.0, 50.0], "v", "");
    sketch.arrow(Pen::Force, [205.0, 100.0], [-80.0, 50.0]);
    sketch.symbol(Pen::Force, [100.0, 146.0], "F", "R");
    sketch.label([262.0, 160.0], "seen from above;");
    sketch.label([262.0, 176.0], "F_N presses down");
}

fn patch(sketch: &mut Sketch) {
    sketch.body([130.0, 50.0], [160.0, 100.0]);
    for corner in [[145.0, 65.0], [275.0, 65.0], [145.0, 135.0], [275.0, 135.0]] {
        sketch.dot(corner);
    }
    sketch.label([134.0, 44.0], "points with F_N");
    sketch.arrow(Pen::Axis, [210.0, 100.0], [48.0, 0.0]);
    sketch.arrow(Pen::Axis, [210.0, 100.0], [0.0, -42.0]);
    sketch.label([262.0, 104.0], "x");
    sketch.label([196.0, 66.0], "y");
    sketch.arrow(Pen::Motion, [290.0, 60.0], [70.0, -30.0]);
    sketch.symbol(Pen::Motion, [366.0, 30.0], "v", "");
    sketch.arrow(Pen::Force, [130.0, 140.0], [-70.0, 30.0]);
    sketch.symbol(Pen::Force, [44.0, 160.0], "F", "R");
    sketch.turn(Pen::Motion, [210.0, 100.0], 30.0, [60.0, -20.0]);
    sketch.symbol(Pen::Motion, [244.0, 128.0], "\u{3c9}", "");
    sketch.turn(Pen::Force, [210.0, 100.0], 30.0, [120.0, 200.0]);
    sketch.symbol(Pen::Force, [156.0, 118.0], "M", "R");
    sketch.label([300.0, 176.0], "seen from above");
}
