//! Running a command of the policy: bounded in time, output and what it leaves behind (BR-75..BR-77).

mod capture;
mod family;
mod log;
mod program;
mod run;

pub use capture::{Copy, KEPT};
pub use log::log_bytes;
pub use program::resolve;
pub use run::{Command, Execution, GRACE, run, run_copied};

#[cfg(test)]
mod tests;
