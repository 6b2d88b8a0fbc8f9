//! Why a pass is missing, as violations (CR-49, CR-66, CR-68).

use super::PassGap;
use crate::code_review::{
    codes::{self, Code},
    response::{Fault, FaultKind},
    violation::Violation,
    vocabulary::Role,
};

impl PassGap {
    /// What is wrong with the pass of this role; a missing card is a violation of its own.
    pub fn violations(&self, role: Role) -> Vec<Violation> {
        let one = |code: &Code, message: String, hint: &str| vec![Violation::new(code, message, hint).subject(role.as_str())];
        match self {
            Self::Missing => {
                let hint = "dispatch the role, or do it as a substitute";
                one(&codes::MANIFEST_PASS_MISSING, format!("nobody was asked for `{role}`"), hint)
            }
            Self::Unfinished => {
                let hint = "join its response, or close the attempt with `refused` and substitute it";
                one(&codes::MANIFEST_PASS_UNFINISHED, format!("no response of `{role}` was joined"), hint)
            }
            Self::OutputMissing(path) => {
                one(&codes::MANIFEST_OUTPUT_MISSING, format!("`{path}` is missing"), "restore the response as it was joined")
            }
            Self::CardMissing => Vec::new(),
            Self::Response(path, faults) => faults.iter().map(|fault| response_fault(role, path, fault)).collect(),
        }
    }
}

fn response_fault(role: Role, path: &str, fault: &Fault) -> Violation {
    let code = match fault.kind {
        FaultKind::Form => &codes::REVIEWER_RESPONSE_INVALID,
        FaultKind::Role => &codes::REVIEWER_RESPONSE_ROLE_MISSING,
        FaultKind::Assessment => &codes::REVIEW_ASSESSMENT_CONTENT_INVALID,
    };
    let hint = "join only what parses; once it is joined a response stays as it is, and a new run is needed";
    let violation = Violation::new(code, format!("`{path}`: {}", fault.message), hint).subject(role.as_str());
    match fault.line {
        Some(line) => violation.line(path, line),
        None => violation.file(path),
    }
}
