//! Lifecycle: an instance's state in the calling sequence, its time, and its bookkeeping between
//! calls.

use crate::calling_sequence::InstanceState;
use crate::clock::Clock;
use bristle::saved_state::{Reader, SavedState, Writer};

/// Progress of an instance in its calling sequence and in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lifecycle {
    /// State in the calling sequence.
    pub mode: InstanceState,
    /// The present time, s.
    pub time: f64,
    /// Co-Simulation: the sum of the accepted steps.
    pub clock: Clock,
    /// The time after which no step may end, s; +∞ where none was given.
    pub stop_time: f64,
    /// Outputs and derivatives are older than what they follow from.
    pub outputs_dirty: bool,
    /// Model Exchange: time of the last completed integrator step, s, for E_loss.
    pub power_time: f64,
}

impl Lifecycle {
    pub const START: Lifecycle = Lifecycle {
        mode: InstanceState::Instantiated,
        time: 0.0,
        clock: Clock {
            sum: 0.0,
            remainder: 0.0,
            steps: 0.0,
        },
        stop_time: f64::INFINITY,
        outputs_dirty: true,
        power_time: 0.0,
    };
}

impl SavedState for Lifecycle {
    fn write(&self, writer: &mut Writer) {
        let Lifecycle {
            mode,
            time,
            clock,
            stop_time,
            outputs_dirty,
            power_time,
        } = self;
        mode.write(writer);
        time.write(writer);
        clock.write(writer);
        writer.number(*stop_time);
        outputs_dirty.write(writer);
        power_time.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(Lifecycle {
            mode: SavedState::read(reader)?,
            time: SavedState::read(reader)?,
            clock: SavedState::read(reader)?,
            // Of all numbers it alone may be infinite.
            stop_time: reader.number().filter(|stop_time| !stop_time.is_nan())?,
            outputs_dirty: SavedState::read(reader)?,
            power_time: SavedState::read(reader)?,
        })
    }
}
