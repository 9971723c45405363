//! Picture of a measured curve.

use super::Curve;
use crate::plot::{Axis, Curve as Line, Panel, Pen, Picture};

impl Curve {
    /// Rows, bins and curve, over the velocity and over the speed on a logarithmic axis.
    pub fn picture(&self) -> Picture {
        let over_velocity = |points: &[[f64; 2]]| points.to_vec();
        let over_speed = |points: &[[f64; 2]]| {
            points
                .iter()
                .filter(|[v, _]| *v != 0.0)
                .map(|[v, mu]| [v.abs(), *mu])
                .collect()
        };
        let panels = [
            self.panel(
                "Measured curve",
                Axis::linear("v", "m/s", 1.0),
                over_velocity,
            ),
            self.panel(
                "Over the speed",
                Axis {
                    is_logarithmic: true,
                    ..Axis::linear("|v|", "m/s", 1.0)
                },
                over_speed,
            ),
        ];
        Picture::new(
            &panels,
            460.0,
            "Rows of a measurement, their bins, and the curve made of them",
        )
    }

    fn panel(&self, title: &str, x: Axis, place: impl Fn(&[[f64; 2]]) -> Vec<[f64; 2]>) -> Panel {
        let halves = |points: &[[f64; 2]]| {
            let (backward, forward) = points.split_at(points.partition_point(|[v, _]| *v < 0.0));
            [forward.to_vec(), backward.to_vec()]
        };
        let ([rows, rows_backward], [curve, curve_backward]) =
            (halves(&self.rows), halves(&self.points));
        let smoothing = self
            .smoothing
            .as_ref()
            .map_or("curve".to_owned(), |smoothing| {
                format!("curve, {smoothing}")
            });
        let lines = [
            (format!("{} rows", rows.len()), rows, Pen::Rows),
            (
                format!("{} rows for v < 0", rows_backward.len()),
                rows_backward,
                Pen::Rows,
            ),
            (
                format!("{} bins", self.bins.len()),
                self.bins.clone(),
                Pen::Points,
            ),
            (smoothing, curve, Pen::Main),
            ("curve for v < 0".to_owned(), curve_backward, Pen::Dashed),
        ];
        let curves = lines
            .into_iter()
            .filter(|(_, points, _)| !points.is_empty());
        let curves = curves
            .map(|(label, points, pen)| Line {
                label,
                points: place(&points),
                pen,
            })
            .collect();
        Panel {
            title: title.to_owned(),
            x,
            y: Axis::linear("mu", "", 1.0),
            curves,
        }
    }
}
