//! Getting and setting of variables by name.

use super::Instance;
use crate::raw;
use core::ffi::c_int;

impl Instance<'_> {
    /// Sets a real variable.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn set(&mut self, name: &str, value: f64) {
        let status = self.set_real(&[self.fmu.description.reference(name)], &[value]);
        self.ok(status);
    }

    /// Value of a real variable.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn get(&mut self, name: &str) -> f64 {
        let mut value = [f64::NAN];
        let status = self.get_real(&[self.fmu.description.reference(name)], &mut value);
        self.ok(status);
        value[0]
    }

    /// Value of a variable of any type.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn get_any(&mut self, name: &str) -> f64 {
        match &*self.fmu.description.variable(name).kind {
            "Real" => self.get(name),
            "Boolean" => f64::from(self.get_flag(name)),
            _ => f64::from(self.get_whole(name)),
        }
    }

    /// Sets an integer variable or enumeration.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn set_whole(&mut self, name: &str, value: c_int) {
        let reference = self.fmu.description.reference(name);
        self.ok(raw!(self, set_integer, &reference, 1, &value));
    }

    /// Value of an integer variable or enumeration.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn get_whole(&mut self, name: &str) -> c_int {
        let mut value = [c_int::MIN];
        let status = self.get_integer(&[self.fmu.description.reference(name)], &mut value);
        self.ok(status);
        value[0]
    }

    /// Value of a Boolean variable.
    ///
    /// # Panics
    /// If the FMU refuses, or the value is neither fmi2True nor fmi2False.
    #[track_caller]
    pub fn get_flag(&mut self, name: &str) -> bool {
        let mut value = [-1];
        let status = self.get_boolean(&[self.fmu.description.reference(name)], &mut value);
        self.ok(status);
        match value[0] {
            0 => false,
            1 => true,
            other => panic!("{name} = {other} is no fmi2Boolean"),
        }
    }
}
