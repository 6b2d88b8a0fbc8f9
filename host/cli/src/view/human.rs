//! Confirmations for people, as the contract spells them (2.1).

use code_polishy_core::{
    gate::state::{BehaviorState, FinalState},
    text::escape_line,
};
use code_polishy_engine::workflow::{
    capture::Captured,
    cleanup::Cleaned,
    finalize::Finalized,
    init::Initialized,
    prepare::Prepared,
    prove::Proved,
    require::Required,
    status::Status,
    tests::{TestRun, TestStatus},
};

use super::lines::{BAD, GOOD, count, list, next, note, paint, state};

/// `capture-intent`.
pub fn captured(captured: &Captured) -> Vec<String> {
    let Captured { journal_path, id, features, .. } = captured;
    vec![format!("Behavior review intent captured: {journal_path} (intent {id}; features {})", list(features))]
}

/// `require`.
pub fn required(required: &Required) -> Vec<String> {
    let Required { journal_path, id, features, .. } = required;
    vec![format!("Behavior review requirement added: {journal_path} (requirement {id}; features {})", list(features))]
}

/// `prepare`.
pub fn prepared(prepared: &Prepared) -> Vec<String> {
    vec![format!("Behavior review prepared: {} (review {})", prepared.packet_path, prepared.review_id)]
}

/// `finalize`.
pub fn finalized(finalized: &Finalized) -> Vec<String> {
    vec![format!("Behavior review finalized: {} (review {})", finalized.receipt_path, finalized.review_id)]
}

/// `regression-proof`.
pub fn proved(proved: &Proved) -> Vec<String> {
    vec![format!("Regression proof recorded: {} (proof {})", escape_line(&proved.proof_path), escape_line(&proved.id))]
}

/// `cleanup`.
pub fn cleaned(cleaned: &Cleaned) -> Vec<String> {
    let what = if cleaned.removed { "removed" } else { "already absent" };
    vec![format!("Behavior review artifacts {what}: {}/", cleaned.path)]
}

/// `status`.
pub fn status(status: &Status, verbose: bool) -> Vec<String> {
    let mut lines: Vec<String> = status.lines.iter().map(|line| state(line)).collect();
    if status.final_state == FinalState::Failed {
        lines.extend(status.final_state_findings.iter().map(|finding| finding.line_text()));
    }
    lines.extend(status.receipt_path.iter().map(|path| format!("BEHAVIOR REVIEW RECEIPT: {path}")));
    let all = status.full_candidate && status.state != BehaviorState::NotRun;
    let required: Vec<&str> = all.then_some("all changes").into_iter().chain(status.required.iter().map(String::as_str)).collect();
    lines.push(format!("CONFIGURED FEATURES: {}", list(&status.configured)));
    lines.push(format!("AFFECTED FEATURES: {}", list(&status.affected)));
    lines.push(format!("TASK-REQUESTED FEATURES: {}", list(&status.task_requested)));
    lines.push(format!("REQUIRED FEATURES: {}", list(&required)));
    lines.push(format!("COMPLETED FEATURES: {}", list(&status.completed)));
    lines.push(format!("MISSING FEATURES: {}", list(&status.missing)));
    if verbose && !status.not_enforced.is_empty() {
        lines.push(format!("NOT ENFORCED: {}", list(&status.not_enforced)));
    }
    if !status.next.is_empty() {
        lines.push(next(&status.next));
    }
    lines
}

/// `init`.
pub fn initialized(initialized: &Initialized) -> Vec<String> {
    let mut lines: Vec<String> = initialized.written.iter().map(|path| format!("Written: {}", escape_line(path))).collect();
    let suites: Vec<&str> = initialized.suites.iter().map(|suite| suite.name.as_str()).collect();
    let modules: Vec<&str> = initialized.modules.iter().map(|module| module.name.as_str()).collect();
    lines.push(format!("SUITES: {}", list(&suites)));
    lines.push(format!("MODULES: {}", list(&modules)));
    lines.extend(initialized.notes.iter().map(|text| note(text)));
    lines.push(next(&initialized.next));
    lines
}

/// `test`, after the suites' own lines.
pub fn tested(run: &TestRun, verbose: bool) -> Vec<String> {
    let mut lines: Vec<String> = run.notes.iter().map(|text| note(text)).collect();
    if verbose && !run.not_enforced.is_empty() {
        lines.push(format!("NOT ENFORCED: {}", list(&run.not_enforced)));
    }
    let (passed, failed): (Vec<_>, Vec<_>) = run.suites.iter().partition(|suite| suite.passed);
    let counts = format!("{} passed, {} failed", count(passed.len(), "suite"), failed.len());
    match run.status {
        TestStatus::Passed => lines.push(format!("{} ({counts})", paint(GOOD, "PASS"))),
        TestStatus::NothingSelected => lines.push("NOTHING TO RUN".to_owned()),
        TestStatus::Failed | TestStatus::Operational => {
            lines.push(format!("{} ({counts})", paint(BAD, "FAILED")));
            lines.push(next(&again(run)));
        }
    }
    lines
}

fn again(run: &TestRun) -> String {
    let failed = run.suites.iter().filter(|suite| !suite.passed);
    let options: String = failed.map(|suite| format!(" --suite {}", suite.name)).collect();
    match &run.fault {
        Some(fault) => fault.next_step().to_owned(),
        None => format!("mend what fails, then run `code-polishy test{options}`"),
    }
}
