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
    if (1e-280..1e280).contains(&square) {
        square.sqrt()
    } else {
        libm::hypot(x, y)
    }
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
    if size > limit {
        scaled(vector, limit / size)
    } else {
        vector
    }
}
