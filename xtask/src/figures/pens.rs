//! One pen for each element, wherever several stand in one picture.

use super::paper::pen;
use bristle_export::plot::Pen;

/// Elements in the order of legends.
pub const ELEMENTS: [(&str, Pen); 10] = [
    ("StaticRegularized", pen("#888", 1.6, "")),
    ("BrownMcPhee", pen("#888", 1.6, "6 4")),
    ("Dahl", pen("#d1661a", 1.6, "")),
    ("LuGre", pen("#2b8a3e", 1.6, "")),
    ("Armstrong", pen("#c026c0", 1.2, "")),
    ("SimpackStickSlip", pen("#d42020", 2.2, "0.1 4")),
    ("AdamsStickSlip", pen("#111", 1.6, "")),
    ("FrDyn2", pen("#1f4ed1", 2.2, "6 4")),
    ("Coulomb", pen("#0a8f9f", 1.6, "")),
    ("ModelicaFriction", pen("#9a6b00", 1.6, "3 4")),
];
