//! SUNDIALS' CVODE on FrDyn2, from the library that `cargo xtask` compiles where SUNDIALS is
//! installed (`c/cvode.c`).

use bristle_reference_laws::frdyn2::Parameters;
use bristle_reference_laws::{Contact, InputPolynomials};
use core::ffi::{CStr, c_char, c_int, c_long, c_void};
use libloading::Library;

type New = unsafe extern "C" fn(*const f64, c_long) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Tolerances = unsafe extern "C" fn(*mut c_void, f64, f64, f64) -> c_int;
type Set = unsafe extern "C" fn(*mut c_void, *const f64);
type Step = unsafe extern "C" fn(*mut c_void, *const f64, *const f64, f64, c_int) -> f64;
type Reference = unsafe extern "C" fn(*mut c_void, *const f64, *const f64, f64) -> f64;
type Version = unsafe extern "C" fn(*mut c_char, c_int);

/// The loaded library.
#[derive(Debug)]
pub struct Cvode {
    new: New,
    free: Free,
    tolerances: Tolerances,
    set: Set,
    step: Step,
    reference: Reference,
    version: Version,
    _library: Library,
}

impl Cvode {
    /// The library named by the environment; `None` where there is none.
    ///
    /// # Panics
    /// If it is named and cannot be used.
    pub fn load() -> Option<Self> {
        let path = std::env::var_os("BRISTLE_CVODE")?;
        // SAFETY: the library is ours; loading it runs no code but SUNDIALS' own initialisers, of
        // which there are none.
        let library =
            unsafe { Library::new(&path) }.unwrap_or_else(|error| panic!("BRISTLE_CVODE: {error}"));
        // SAFETY: the types are those of `c/cvode.c`, and the functions live as long as the library
        // beside them.
        unsafe {
            Some(Cvode {
                new: function(&library, c"bristle_cvode_new"),
                free: function(&library, c"bristle_cvode_free"),
                tolerances: function(&library, c"bristle_cvode_tolerances"),
                set: function(&library, c"bristle_cvode_set"),
                step: function(&library, c"bristle_cvode_step"),
                reference: function(&library, c"bristle_cvode_reference"),
                version: function(&library, c"bristle_cvode_version"),
                _library: library,
            })
        }
    }

    /// SUNDIALS' version.
    pub fn version(&self) -> String {
        let mut text = [0; 32];
        // SAFETY: as many bytes as announced; one more than written stays 0.
        unsafe { (self.version)(text.as_mut_ptr(), 31) };
        let text = text.map(|byte| byte as u8);
        CStr::from_bytes_until_nul(&text).map_or_else(
            |_| "?".to_owned(),
            |text| text.to_string_lossy().into_owned(),
        )
    }
}

/// # Safety
/// `T` is the type of the function of this name.
unsafe fn function<T: Copy>(library: &Library, name: &CStr) -> T {
    // SAFETY: the caller's promise.
    let symbol = unsafe { library.get::<T>(name.to_bytes_with_nul()) };
    *symbol.unwrap_or_else(|error| panic!("BRISTLE_CVODE: {error}"))
}

/// A bristle followed by CVODE.
#[derive(Debug)]
pub struct Bristle<'a> {
    library: &'a Cvode,
    memory: *mut c_void,
}

/// Tolerances of CVODE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// RelTol.
    pub relative: f64,
    /// AbsTol in units of F_s/σ_0 for z and of v_s/2 for ż: changes that change F_R by about F_s.
    pub absolute: f64,
    /// The last inner step ends at the communication point; otherwise CVODE passes it and
    /// interpolates.
    pub stop: bool,
}

impl<'a> Bristle<'a> {
    /// A bristle at rest in a contact whose normal force is about `normal_force`, with a limit of
    /// inner steps.
    ///
    /// # Panics
    /// If CVODE refuses.
    pub fn new(library: &'a Cvode, parameters: &Parameters, limit: c_long) -> Self {
        let values = parameters.named().map(|(_, value)| value);
        // SAFETY: six parameters, as the function reads them.
        let memory = unsafe { (library.new)(values.as_ptr(), limit) };
        assert!(!memory.is_null(), "CVODE could not be set up");
        Bristle { library, memory }
    }

    /// Sets the tolerances for a contact whose normal force is about `normal_force`.
    ///
    /// # Panics
    /// If CVODE refuses them.
    pub fn aim(&mut self, parameters: &Parameters, normal_force: f64, setting: Setting) {
        let Parameters {
            sigma_0, mu_s, v_s, ..
        } = *parameters;
        let [z, z_dot] =
            [mu_s * normal_force / sigma_0, 0.5 * v_s].map(|scale| setting.absolute * scale);
        // SAFETY: the memory lives as long as `self`.
        let flag = unsafe { (self.library.tolerances)(self.memory, setting.relative, z, z_dot) };
        assert_eq!(flag, 0, "CVODE refuses {setting:?}");
    }

    /// Sets z (m) and ż (m/s).
    pub fn set(&mut self, x: [f64; 2]) {
        // SAFETY: the memory lives as long as `self`; two states.
        unsafe { (self.library.set)(self.memory, x.as_ptr()) };
    }

    /// F_R after a step of `h` (s) with held inputs; NaN where CVODE gives up.
    #[inline]
    pub fn step(&mut self, contact: Contact, h: f64, stop: bool) -> f64 {
        let [normal_force, v] = [contact.F_N, contact.v].map(|held| [held, 0.0, 0.0, 0.0]);
        // SAFETY: the memory lives as long as `self`; four coefficients of each input.
        unsafe {
            (self.library.step)(
                self.memory,
                normal_force.as_ptr(),
                v.as_ptr(),
                h,
                c_int::from(stop),
            )
        }
    }

    /// F_R after a step with inputs that may have derivatives; NaN where CVODE gives up or steps
    /// too far to be trusted.
    pub fn reference(&mut self, inputs: &InputPolynomials, h: f64) -> f64 {
        // SAFETY: the memory lives as long as `self`; four coefficients of each input.
        unsafe { (self.library.reference)(self.memory, inputs.F_N.as_ptr(), inputs.v.as_ptr(), h) }
    }
}

impl Drop for Bristle<'_> {
    fn drop(&mut self) {
        // SAFETY: the memory came from the library and is freed here only.
        unsafe { (self.library.free)(self.memory) };
    }
}
