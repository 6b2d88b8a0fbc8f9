//! The Markdown contract as a command of the plan (BR-71).

use std::time::Instant;

use code_polishy_core::{
    canonical::digest_json,
    diagnostic::Failure,
    gate::{
        identity::CommandIdentity,
        plan::Category,
        report::{FailureCategory, Finding},
    },
    text::escape_line,
};

use crate::{
    event::Event,
    workflow::{
        documents,
        gate::{
            Course, Gate,
            execute::{Done, record, settle},
        },
    },
};

/// The name that people see.
pub const NAME: &str = "markdown-contract";

/// It has no program: the engine's version stands for it in the identity of the run.
pub fn identity() -> CommandIdentity {
    CommandIdentity {
        name: NAME.to_owned(),
        category: Category::Documentation,
        definition_sha256: digest_json(&NAME),
        program_sha256: String::new(),
    }
}

/// Runs it as the command with this index. Each violation is a finding of its own.
pub(super) fn run(gate: &Gate<'_>, index: usize, course: &mut Course<'_>) -> Result<(), Failure> {
    let (observer, started) = (gate.workspace.observer, Instant::now());
    observer.on(&Event::Started { name: NAME });
    let outcome = documents::contract(gate.workspace, gate.change);
    observer.on(&Event::Ended { name: NAME });
    let findings = match outcome {
        Ok(findings) => findings,
        Err(failure) => return settle(gate, index, Done::of_fault(failure), course),
    };
    let done = Done {
        category: (!findings.is_empty()).then_some(FailureCategory::CommandExit),
        duration: started.elapsed(),
        log: findings.iter().flat_map(|finding| line(finding).into_bytes()).collect(),
        ..Done::nothing()
    };
    record(gate, index, &done, course)?;
    course.report.findings.extend(findings);
    Ok(())
}

fn line(finding: &Finding) -> String {
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{}{line} {}\n", escape_line(&finding.path), finding.message)
}
