//! The scenarios of the code-review contract: C-n (CR-n).

mod complete;
mod discard;
mod explain;
mod start;
mod validate;
