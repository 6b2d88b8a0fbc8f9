//! The scenarios of the code-review contract: C-n (CR-n).

mod claims;
mod complete;
mod discard;
mod explain;
mod gates;
mod import_pr;
mod notes;
mod prior;
mod reviewers;
mod route;
mod start;
mod validate;
mod verdict;
