//! How answers look: lines for people, one document for programs.

mod console;
mod diagnostics;
pub mod gate;
pub mod human;
pub mod json;
pub mod levels;
pub mod lines;
pub mod table;
pub mod validation;

pub use console::Console;
pub use diagnostics::refused;
