//! Messages to the user: diagnostics, never part of a verdict, a role or a rendered file.
//!
//! The host shows them when a call fails and with `--verbose`. It cuts a message at 16 KiB and drops those after the 256th of one call.
//! In native tests nothing is shown: [`take`] returns what the current thread has written.
//!
//! ```
//! use code_polishy_sdk::log::{Level, take};
//!
//! code_polishy_sdk::warning!("{} lines were no test lines", 3);
//! assert_eq!(take(), [(Level::Warning, "3 lines were no test lines".to_owned())]);
//! ```
//!
//! The levels are `Debug` for the plugin's author, `Info` for what happens, `Warning` for what is odd and `Error` for what went wrong.

pub use crate::bindings::shared::code_polishy::plugin::log::Level;

/// Sends one message. The macros [`debug!`](crate::debug), [`info!`](crate::info), [`warning!`](crate::warning) and
/// [`error!`](crate::error) format it as well.
pub fn write(level: Level, message: &str) {
    #[cfg(target_arch = "wasm32")]
    crate::bindings::shared::code_polishy::plugin::log::write(level, message);
    #[cfg(not(target_arch = "wasm32"))]
    native::WRITTEN.with_borrow_mut(|written| written.push((level, message.to_owned())));
}

/// What the current thread has written since the last call, oldest first.
#[cfg(not(target_arch = "wasm32"))]
pub fn take() -> Vec<(Level, String)> {
    native::WRITTEN.take()
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::cell::RefCell;

    thread_local! {
        pub static WRITTEN: RefCell<Vec<(super::Level, String)>> = const { RefCell::new(Vec::new()) };
    }
}

/// Sends one message for the plugin's author, formatted as by [`format!`].
#[macro_export]
macro_rules! debug {
    ($($message:tt)+) => { $crate::log::write($crate::log::Level::Debug, &::std::format!($($message)+)) };
}

/// Sends one message that tells the user what happens, formatted as by [`format!`].
#[macro_export]
macro_rules! info {
    ($($message:tt)+) => { $crate::log::write($crate::log::Level::Info, &::std::format!($($message)+)) };
}

/// Sends one message about something odd that the plugin could live with, formatted as by [`format!`].
#[macro_export]
macro_rules! warning {
    ($($message:tt)+) => { $crate::log::write($crate::log::Level::Warning, &::std::format!($($message)+)) };
}

/// Sends one message about what went wrong, formatted as by [`format!`].
#[macro_export]
macro_rules! error {
    ($($message:tt)+) => { $crate::log::write($crate::log::Level::Error, &::std::format!($($message)+)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_tests_see_what_was_written() {
        crate::warning!("skipped {} lines", 3);
        crate::debug!("plain");
        assert_eq!(take(), [(Level::Warning, "skipped 3 lines".to_owned()), (Level::Debug, "plain".to_owned())]);
        assert_eq!(take(), []);
    }
}
