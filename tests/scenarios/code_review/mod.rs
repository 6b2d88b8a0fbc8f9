//! The scenarios of the code-review contract: C-n (CR-n).

mod assessments;
mod claims;
mod complete;
mod discard;
mod drafts;
mod explain;
mod find;
mod findings;
mod gates;
mod handoff;
mod import_pr;
mod notes;
mod prior;
mod records;
mod reviewers;
mod route;
mod sources;
mod start;
mod validate;
mod verdict;
