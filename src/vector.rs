//! Vectors in the plane, and of any number of components.

/// A vector, by its components along x and y.
pub type Vector = [f64; 2];

/// a + factor b.
#[inline]
pub fn add([a, b]: Vector, factor: f64, [c, d]: Vector) -> Vector {
    [a + factor * c, b + factor * d]
}

/// Length of a vector, without overflow of its squares.
#[inline]
pub fn size([x, y]: Vector) -> f64 {
    let square = x * x + y * y;
    // Between these bounds no square is rounded to 0 or overflows.
    if (1e-280..1e280).contains(&square) { square.sqrt() } else { libm::hypot(x, y) }
}

/// Unit vector in the direction of a vector of this [`size`]; 0 where that is 0.
#[inline]
pub fn direction(vector: Vector, length: f64) -> Vector {
    /// The inverse of a length below it overflows, or is inaccurate.
    const SMALLEST: f64 = 1e-290;
    if length >= SMALLEST { scaled(vector, 1.0 / length) } else { direction_of_tiny(vector, length) }
}

#[cold]
fn direction_of_tiny(vector: Vector, length: f64) -> Vector {
    if length == 0.0 {
        return [0.0; 2];
    }
    let larger = vector.map(|part| libm::scalbn(part, 500));
    scaled(larger, 1.0 / size(larger))
}

/// Scalar product.
#[inline]
pub fn dot([a, b]: Vector, [c, d]: Vector) -> f64 {
    a * c + b * d
}

/// A vector times a factor.
#[inline]
pub fn scaled([x, y]: Vector, factor: f64) -> Vector {
    [x * factor, y * factor]
}

/// Vector shortened to a largest length.
#[inline]
pub fn limited(vector: Vector, limit: f64) -> Vector {
    let size = size(vector);
    if size > limit { scaled(vector, limit / size) } else { vector }
}

/// a n nᵀ + b (I − n nᵀ) for a unit vector n: a factor along n and another across.
#[inline]
pub fn along_and_across([x, y]: Vector, along: f64, across: f64) -> [[f64; 2]; 2] {
    let d = along - across;
    [[across + d * x * x, d * x * y], [d * x * y, across + d * y * y]]
}
