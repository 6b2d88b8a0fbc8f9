//! The scenarios of the code-review contract: C-n (CR-n).

mod assessments;
mod attested;
mod claims;
mod complete;
mod discard;
mod drafts;
mod ends;
mod explain;
mod find;
mod findings;
mod gates;
mod handoff;
mod import_pr;
mod notes;
mod pr_scope;
mod prior;
mod pull_request;
mod records;
mod reviewers;
mod route;
mod sources;
mod start;
mod terminal;
mod uncollected;
mod validate;
mod verdict;
