//! Sketch of the contact with the arrows of its variables, in the element's page and the README.

use std::fmt::Write;

use bristle::catalogue::Motion;

/// Sketch of a contact of this motion, as SVG.
pub fn draw(motion: Motion) -> String {
    let mut sketch = Sketch::default();
    match motion {
        Motion::Translational => translational(&mut sketch),
        Motion::Rotational => rotational(&mut sketch),
        Motion::Planar => planar(&mut sketch),
        Motion::Patch => patch(&mut sketch),
    }
    sketch.finish(match motion {
        Motion::Translational => {
            "A body on its counterpart, with v along the contact, F_N across it, and F_R against v"
        }
        Motion::Rotational => {
            "A shaft in its counterpart, with omega, F_N at the friction radius, and M_R against omega"
        }
        Motion::Planar => "A body on a plane seen from above, with the axes x and y, v, and F_R against v",
        Motion::Patch => "A plate on four points seen from above, with its axes, v, omega, F_R and M_R",
    })
}

/// Lines of a drawing 420 wide and 190 high.
#[derive(Default)]
struct Sketch(String);

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
        writeln!(self.0, "{line}").expect("text grows");
    }

    fn finish(self, description: &str) -> String {
        format!(
            "<svg viewBox=\"0 0 420 190\" width=\"420\" role=\"img\" font-family=\"sans-serif\" font-size=\"15\">\n<title>{description}</title>\n{}</svg>\n",
            self.0
        )
    }

    /// Rectangle of a body, from its upper left corner.
    fn body(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#e8eef4\" stroke=\"#333333\" stroke-width=\"1.5\"/>"
        ));
    }

    /// Ground with hatches below a line.
    fn ground(&mut self, [x, y]: [f64; 2], width: f64) {
        self.add(format_args!("<path d=\"M{x} {y}h{width}\" stroke=\"#333333\" stroke-width=\"2\" fill=\"none\"/>"));
        let mut at = x + 6.0;
        while at < x + width {
            self.add(format_args!("<path d=\"M{at} {y}l-8 10\" stroke=\"#333333\" stroke-width=\"1\" fill=\"none\"/>"));
            at += 14.0;
        }
    }

    fn arrow(&mut self, pen: Pen, [x, y]: [f64; 2], [dx, dy]: [f64; 2]) {
        let colour = pen.colour();
        let width = if matches!(pen, Pen::Axis) { 1.2 } else { 2.2 };
        self.add(format_args!(
            "<path d=\"M{x} {y}l{dx} {dy}\" stroke=\"{colour}\" stroke-width=\"{width}\" fill=\"none\"/>"
        ));
        self.head(pen, [x + dx, y + dy], [dx, dy]);
    }

    /// Arrow head at a point, in a direction.
    fn head(&mut self, pen: Pen, [x, y]: [f64; 2], [dx, dy]: [f64; 2]) {
        let length = (dx * dx + dy * dy).sqrt();
        let [ux, uy] = [dx / length, dy / length];
        let corner = |side: f64| [x - 9.0 * ux - side * 4.0 * uy, y - 9.0 * uy + side * 4.0 * ux];
        let ([ax, ay], [bx, by]) = (corner(1.0), corner(-1.0));
        let colour = pen.colour();
        self.add(format_args!("<path d=\"M{x} {y}L{ax:.1} {ay:.1}L{bx:.1} {by:.1}Z\" fill=\"{colour}\"/>"));
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
            "<path d=\"M{ax:.1} {ay:.1}A{radius} {radius} 0 0 {sweep} {bx:.1} {by:.1}\" stroke=\"{colour}\" stroke-width=\"2.2\" fill=\"none\"/>"
        ));
        let direction = (to + (to - from).signum() * 90.0).to_radians();
        self.head(pen, [bx, by], [libm::cos(direction), libm::sin(direction)]);
    }

    /// Symbol with a subscript.
    fn symbol(&mut self, pen: Pen, [x, y]: [f64; 2], symbol: &str, subscript: &str) {
        let colour = pen.colour();
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" font-style=\"italic\">{symbol}<tspan font-size=\"11\" font-style=\"normal\" dy=\"4\">{subscript}</tspan></text>"
        ));
    }

    fn label(&mut self, [x, y]: [f64; 2], text: &str) {
        self.add(format_args!("<text x=\"{x}\" y=\"{y}\" fill=\"#333333\" font-size=\"13\">{text}</text>"));
    }

    fn dot(&mut self, [x, y]: [f64; 2]) {
        self.add(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#333333\"/>"));
    }
}

fn translational(sketch: &mut Sketch) {
    sketch.ground([60.0, 140.0], 300.0);
    sketch.body([140.0, 80.0], [140.0, 60.0]);
    sketch.label([192.0, 114.0], "body");
    sketch.label([60.0, 176.0], "counterpart");
    sketch.arrow(Pen::Motion, [210.0, 66.0], [70.0, 0.0]);
    sketch.symbol(Pen::Motion, [286.0, 70.0], "v", "");
    sketch.arrow(Pen::Force, [210.0, 20.0], [0.0, 40.0]);
    sketch.symbol(Pen::Force, [182.0, 40.0], "F", "N");
    sketch.arrow(Pen::Force, [140.0, 132.0], [-70.0, 0.0]);
    sketch.symbol(Pen::Force, [72.0, 122.0], "F", "R");
    sketch.symbol(Pen::Force, [292.0, 112.0], "F", "R");
    sketch.label([316.0, 112.0], "on the body,");
    sketch.label([316.0, 128.0], "against v");
}

fn rotational(sketch: &mut Sketch) {
    sketch.add(format_args!(
        "<circle cx=\"190\" cy=\"100\" r=\"60\" fill=\"#e8eef4\" stroke=\"#333333\" stroke-width=\"1.5\"/>"
    ));
    sketch.add(format_args!(
        "<path d=\"M116 130A80 80 0 0 0 264 130\" stroke=\"#333333\" stroke-width=\"2\" fill=\"none\" stroke-dasharray=\"7 4\"/>"
    ));
    sketch.dot([190.0, 100.0]);
    sketch.arrow(Pen::Axis, [190.0, 100.0], [42.0, 42.0]);
    sketch.label([214.0, 118.0], "r");
    sketch.label([150.0, 92.0], "body");
    sketch.label([272.0, 150.0], "counterpart");
    sketch.turn(Pen::Motion, [190.0, 100.0], 74.0, [-30.0, -85.0]);
    sketch.symbol(Pen::Motion, [236.0, 34.0], "\u{3c9}", "");
    sketch.turn(Pen::Force, [190.0, 100.0], 74.0, [-150.0, -100.0]);
    sketch.symbol(Pen::Force, [112.0, 46.0], "M", "R");
    sketch.arrow(Pen::Force, [190.0, 188.0], [0.0, -26.0]);
    sketch.symbol(Pen::Force, [198.0, 184.0], "F", "N");
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
