//! Macro that makes the shared library of an FMU.

/// Exports the 44 functions of FMI 2.0 over an array of models: the whole source of an FMU's shared
/// library.
///
/// The crate that calls it has the crate type `cdylib`, and calls it once. The library can be an
/// element of every model of the array: the exporter writes the card of one into a section of the
/// file. Each function checks its pointers and its place in the calling sequence, and a panic
/// behind it becomes `fmi2Fatal`, which needs a profile with `panic = "unwind"`.
///
/// ```
/// use bristle_fmu::{Model, export_fmi2};
/// # use bristle::laws::stribeck::Stribeck as MyLaw;
///
/// /// The models of this library; the exporter takes the same constants.
/// pub static MODELS: [Model; 1] = [Model::of::<MyLaw, 0>()];
///
/// export_fmi2!(MODELS);
/// ```
#[macro_export]
macro_rules! export_fmi2 {
    ($models:expr) => {
        #[allow(non_snake_case)] // the standard's names
        const _: () = {
            use $crate::card_section::{CardSection, Library};
            use $crate::exports;
            use $crate::fmi2_types::*;

            // A section of its own, so that the exporter finds it.
            #[used]
            #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__bristle"))]
            #[cfg_attr(
                not(any(target_vendor = "apple", target_family = "wasm")),
                unsafe(link_section = ".bristle")
            )]
            static BRISTLE_FMU_CARD: CardSection = CardSection::blank(&$models);
            static BRISTLE_FMU_LIBRARY: Library = Library::new(&$models, &BRISTLE_FMU_CARD);

            /// Address of the section in a WebAssembly module, whose host writes the card there.
            #[cfg(target_family = "wasm")]
            #[unsafe(no_mangle)]
            extern "C" fn bristle_card() -> *const CardSection {
                &raw const BRISTLE_FMU_CARD
            }
            /// Memory of a WebAssembly module for arguments of its host; NULL where none is left.
            #[cfg(target_family = "wasm")]
            #[unsafe(no_mangle)]
            extern "C" fn bristle_allocate(size: usize) -> *mut u8 {
                $crate::host::allocate(size)
            }
            /// Frees what `bristle_allocate` returned for this size.
            #[cfg(target_family = "wasm")]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn bristle_free(memory: *mut u8, size: usize) {
                unsafe { $crate::host::free(memory, size) }
            }

            // SAFETY, everywhere below: the importer keeps the standard's promises, which the
            // functions called rely on.
            #[unsafe(no_mangle)]
            extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
                exports::fmi2GetTypesPlatform()
            }
            #[unsafe(no_mangle)]
            extern "C" fn fmi2GetVersion() -> *const c_char {
                exports::fmi2GetVersion()
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2Instantiate(
                instanceName: fmi2String,
                fmuType: fmi2Type,
                fmuGUID: fmi2String,
                _fmuResourceLocation: fmi2String,
                functions: *const fmi2CallbackFunctions,
                _visible: fmi2Boolean,
                loggingOn: fmi2Boolean,
            ) -> fmi2Component {
                unsafe {
                    exports::fmi2Instantiate(
                        &BRISTLE_FMU_LIBRARY,
                        instanceName,
                        fmuType,
                        fmuGUID,
                        functions,
                        loggingOn,
                    )
                }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2FreeInstance(c: fmi2Component) {
                unsafe { exports::fmi2FreeInstance(c) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetDebugLogging(
                c: fmi2Component,
                loggingOn: fmi2Boolean,
                nCategories: usize,
                categories: *const fmi2String,
            ) -> fmi2Status {
                unsafe { exports::fmi2SetDebugLogging(c, loggingOn, nCategories, categories) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetupExperiment(
                c: fmi2Component,
                toleranceDefined: fmi2Boolean,
                tolerance: fmi2Real,
                startTime: fmi2Real,
                stopTimeDefined: fmi2Boolean,
                stopTime: fmi2Real,
            ) -> fmi2Status {
                unsafe {
                    exports::fmi2SetupExperiment(
                        c,
                        toleranceDefined,
                        tolerance,
                        startTime,
                        stopTimeDefined,
                        stopTime,
                    )
                }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2EnterInitializationMode(c: fmi2Component) -> fmi2Status {
                unsafe { exports::fmi2EnterInitializationMode(c) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2ExitInitializationMode(c: fmi2Component) -> fmi2Status {
                unsafe { exports::fmi2ExitInitializationMode(c) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2Terminate(c: fmi2Component) -> fmi2Status {
                unsafe { exports::fmi2Terminate(c) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2Reset(c: fmi2Component) -> fmi2Status {
                unsafe { exports::fmi2Reset(c) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetReal(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                value: *mut fmi2Real,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetReal(c, vr, nvr, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetInteger(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                value: *mut fmi2Integer,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetInteger(c, vr, nvr, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetBoolean(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                value: *mut fmi2Boolean,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetBoolean(c, vr, nvr, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetReal(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                value: *const fmi2Real,
            ) -> fmi2Status {
                unsafe { exports::fmi2SetReal(c, vr, nvr, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetInteger(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                value: *const fmi2Integer,
            ) -> fmi2Status {
                unsafe { exports::fmi2SetInteger(c, vr, nvr, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetBoolean(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                value: *const fmi2Boolean,
            ) -> fmi2Status {
                unsafe { exports::fmi2SetBoolean(c, vr, nvr, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetString(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                value: *mut fmi2String,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetString(c, vr, nvr, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetString(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                value: *const fmi2String,
            ) -> fmi2Status {
                unsafe { exports::fmi2SetString(c, vr, nvr, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetDirectionalDerivative(
                c: fmi2Component,
                vUnknown_ref: *const fmi2ValueReference,
                nUnknown: usize,
                vKnown_ref: *const fmi2ValueReference,
                nKnown: usize,
                dvKnown: *const fmi2Real,
                dvUnknown: *mut fmi2Real,
            ) -> fmi2Status {
                unsafe {
                    exports::fmi2GetDirectionalDerivative(
                        c,
                        vUnknown_ref,
                        nUnknown,
                        vKnown_ref,
                        nKnown,
                        dvKnown,
                        dvUnknown,
                    )
                }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetFMUstate(
                c: fmi2Component,
                FMUstate: *mut fmi2FMUstate,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetFMUstate(c, FMUstate) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetFMUstate(
                c: fmi2Component,
                FMUstate: fmi2FMUstate,
            ) -> fmi2Status {
                unsafe { exports::fmi2SetFMUstate(c, FMUstate) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2FreeFMUstate(
                c: fmi2Component,
                FMUstate: *mut fmi2FMUstate,
            ) -> fmi2Status {
                unsafe { exports::fmi2FreeFMUstate(c, FMUstate) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SerializedFMUstateSize(
                c: fmi2Component,
                FMUstate: fmi2FMUstate,
                size: *mut usize,
            ) -> fmi2Status {
                unsafe { exports::fmi2SerializedFMUstateSize(c, FMUstate, size) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SerializeFMUstate(
                c: fmi2Component,
                FMUstate: fmi2FMUstate,
                serializedState: *mut fmi2Byte,
                size: usize,
            ) -> fmi2Status {
                unsafe { exports::fmi2SerializeFMUstate(c, FMUstate, serializedState, size) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2DeSerializeFMUstate(
                c: fmi2Component,
                serializedState: *const fmi2Byte,
                size: usize,
                FMUstate: *mut fmi2FMUstate,
            ) -> fmi2Status {
                unsafe { exports::fmi2DeSerializeFMUstate(c, serializedState, size, FMUstate) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2EnterEventMode(c: fmi2Component) -> fmi2Status {
                unsafe { exports::fmi2EnterEventMode(c) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2NewDiscreteStates(
                c: fmi2Component,
                eventInfo: *mut fmi2EventInfo,
            ) -> fmi2Status {
                unsafe { exports::fmi2NewDiscreteStates(c, eventInfo) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2EnterContinuousTimeMode(c: fmi2Component) -> fmi2Status {
                unsafe { exports::fmi2EnterContinuousTimeMode(c) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2CompletedIntegratorStep(
                c: fmi2Component,
                noSetFMUStatePriorToCurrentPoint: fmi2Boolean,
                enterEventMode: *mut fmi2Boolean,
                terminateSimulation: *mut fmi2Boolean,
            ) -> fmi2Status {
                unsafe {
                    exports::fmi2CompletedIntegratorStep(
                        c,
                        noSetFMUStatePriorToCurrentPoint,
                        enterEventMode,
                        terminateSimulation,
                    )
                }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetTime(c: fmi2Component, time: fmi2Real) -> fmi2Status {
                unsafe { exports::fmi2SetTime(c, time) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetContinuousStates(
                c: fmi2Component,
                x: *const fmi2Real,
                nx: usize,
            ) -> fmi2Status {
                unsafe { exports::fmi2SetContinuousStates(c, x, nx) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetDerivatives(
                c: fmi2Component,
                derivatives: *mut fmi2Real,
                nx: usize,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetDerivatives(c, derivatives, nx) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetEventIndicators(
                c: fmi2Component,
                eventIndicators: *mut fmi2Real,
                ni: usize,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetEventIndicators(c, eventIndicators, ni) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetContinuousStates(
                c: fmi2Component,
                x: *mut fmi2Real,
                nx: usize,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetContinuousStates(c, x, nx) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetNominalsOfContinuousStates(
                c: fmi2Component,
                x_nominal: *mut fmi2Real,
                nx: usize,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetNominalsOfContinuousStates(c, x_nominal, nx) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2SetRealInputDerivatives(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                order: *const fmi2Integer,
                value: *const fmi2Real,
            ) -> fmi2Status {
                unsafe { exports::fmi2SetRealInputDerivatives(c, vr, nvr, order, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetRealOutputDerivatives(
                c: fmi2Component,
                vr: *const fmi2ValueReference,
                nvr: usize,
                order: *const fmi2Integer,
                value: *mut fmi2Real,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetRealOutputDerivatives(c, vr, nvr, order, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2DoStep(
                c: fmi2Component,
                currentCommunicationPoint: fmi2Real,
                communicationStepSize: fmi2Real,
                noSetFMUStatePriorToCurrentPoint: fmi2Boolean,
            ) -> fmi2Status {
                unsafe {
                    exports::fmi2DoStep(
                        c,
                        currentCommunicationPoint,
                        communicationStepSize,
                        noSetFMUStatePriorToCurrentPoint,
                    )
                }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2CancelStep(c: fmi2Component) -> fmi2Status {
                unsafe { exports::fmi2CancelStep(c) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetStatus(
                c: fmi2Component,
                s: fmi2StatusKind,
                value: *mut fmi2Status,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetStatus(c, s, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetRealStatus(
                c: fmi2Component,
                s: fmi2StatusKind,
                value: *mut fmi2Real,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetRealStatus(c, s, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetIntegerStatus(
                c: fmi2Component,
                s: fmi2StatusKind,
                value: *mut fmi2Integer,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetIntegerStatus(c, s, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetBooleanStatus(
                c: fmi2Component,
                s: fmi2StatusKind,
                value: *mut fmi2Boolean,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetBooleanStatus(c, s, value) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2GetStringStatus(
                c: fmi2Component,
                s: fmi2StatusKind,
                value: *mut fmi2String,
            ) -> fmi2Status {
                unsafe { exports::fmi2GetStringStatus(c, s, value) }
            }
        };
    };
}
