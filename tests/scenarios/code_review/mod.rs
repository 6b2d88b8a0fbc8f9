//! The scenarios of the code-review contract: C-n (CR-n).

mod claims;
mod complete;
mod discard;
mod explain;
mod gates;
mod notes;
mod reviewers;
mod route;
mod start;
mod validate;
