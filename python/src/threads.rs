//! Work on several threads.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does the work of each item, on so many threads, 0 for one per processor. Items may differ in
/// cost: each thread takes the next one when it is free.
pub fn on_threads<T: Send>(
    threads: usize,
    items: impl ExactSizeIterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let available = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if threads == 0 { available } else { threads }.min(items.len());
    if threads <= 1 {
        items.for_each(work);
        return;
    }
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = next() {
                    work(item);
                }
            });
        }
    });
}
