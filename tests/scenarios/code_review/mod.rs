//! The scenarios of the code-review contract: C-n (CR-n).

mod start;
mod validate;
