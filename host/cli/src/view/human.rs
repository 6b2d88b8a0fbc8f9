//! Confirmations for people, as the contract spells them (2.1).

use code_polishy_core::{
    gate::state::{BehaviorState, FinalState},
    review::FinalStateFinding,
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
        lines.extend(status.final_state_findings.iter().map(final_state_finding));
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

/// `path:line kind: summary` (BR-67). The path comes first, so one that could read as a line of ours stands behind `./`.
fn final_state_finding(finding: &FinalStateFinding) -> String {
    let line = finding.line_text();
    if finding.path.contains([' ', ':']) { format!("./{line}") } else { line }
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

#[cfg(test)]
mod tests {
    use code_polishy_core::{policy::model::Boundary, review::FindingKind, selection::Selection};
    use insta::assert_snapshot;

    use super::*;

    fn plain(lines: &[String]) -> String {
        anstream::adapter::strip_str(&lines.join("\n")).to_string()
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Of a change that must be covered as a whole.
    fn a_status(state: BehaviorState, final_state: FinalState, lines: [&str; 2]) -> Status {
        Status {
            state,
            final_state,
            boundary: Boundary::Merge,
            base: String::new(),
            candidate: String::new(),
            configured: names(&["checkout", "search"]),
            affected: names(&["checkout"]),
            task_requested: Vec::new(),
            required: names(&["checkout"]),
            completed: Vec::new(),
            missing: names(&["checkout"]),
            full_candidate: true,
            selection: Selection {
                boundary: Boundary::Merge,
                features: Vec::new(),
                full_candidate: true,
                full_candidate_reasons: Vec::new(),
            },
            selection_sha256: String::new(),
            requirement_sha256: String::new(),
            decision_sha256: String::new(),
            review_id: None,
            receipt_path: None,
            packet_path: None,
            final_state_findings: Vec::new(),
            diagnostics: Vec::new(),
            next: String::new(),
            lines: lines.map(str::to_owned),
            not_enforced: names(&["architecture"]),
        }
    }

    #[test]
    fn a_failed_status_lists_its_findings() {
        let lines = ["BEHAVIOR REVIEW: FAILED (all changes, checkout)", "FINAL STATE: FAILED (all changes, checkout)"];
        let mut failed = a_status(BehaviorState::Failed, FinalState::Failed, lines);
        let finding = |path: &str| FinalStateFinding {
            kind: FindingKind::CorrectionResidue,
            path: path.to_owned(),
            line: 3,
            patch_hunk_sha256: String::new(),
            intent_ids: Vec::new(),
            summary: "::error::a rejected flag stays".to_owned(),
        };
        failed.final_state_findings = vec![finding("src/a\nb.rs"), finding("NEXT: merge it")];
        failed.next = "report the findings to the caller; another review needs its authorization".to_owned();
        assert_snapshot!(plain(&status(&failed, false)), @r"
        BEHAVIOR REVIEW: FAILED (all changes, checkout)
        FINAL STATE: FAILED (all changes, checkout)
        src/a\nb.rs:3 correction-residue: \u{3a}:error::a rejected flag stays
        ./NEXT: merge it:3 correction-residue: \u{3a}:error::a rejected flag stays
        CONFIGURED FEATURES: checkout, search
        AFFECTED FEATURES: checkout
        TASK-REQUESTED FEATURES: none
        REQUIRED FEATURES: all changes, checkout
        COMPLETED FEATURES: none
        MISSING FEATURES: checkout
        NEXT: report the findings to the caller; another review needs its authorization
        ");
    }

    #[test]
    fn a_passed_status_names_its_receipt() {
        let lines = ["BEHAVIOR REVIEW: PASSED (all changes, checkout)", "FINAL STATE: PASSED (all changes, checkout)"];
        let mut passed = a_status(BehaviorState::Passed, FinalState::Passed, lines);
        passed.receipt_path = Some("receipt.json".to_owned());
        (passed.completed, passed.missing) = (passed.missing, Vec::new());
        assert_snapshot!(plain(&status(&passed, true)), @r"
        BEHAVIOR REVIEW: PASSED (all changes, checkout)
        FINAL STATE: PASSED (all changes, checkout)
        BEHAVIOR REVIEW RECEIPT: receipt.json
        CONFIGURED FEATURES: checkout, search
        AFFECTED FEATURES: checkout
        TASK-REQUESTED FEATURES: none
        REQUIRED FEATURES: all changes, checkout
        COMPLETED FEATURES: checkout
        MISSING FEATURES: none
        NOT ENFORCED: architecture
        ");
    }

    #[test]
    fn nothing_is_required_of_an_optional_review() {
        let lines = ["BEHAVIOR REVIEW: NOT RUN (optional)", "FINAL STATE: NOT RUN (optional)"];
        let mut optional = a_status(BehaviorState::NotRun, FinalState::NotRunOptional, lines);
        (optional.required, optional.missing) = (Vec::new(), Vec::new());
        assert_snapshot!(plain(&status(&optional, false)), @r"
        BEHAVIOR REVIEW: NOT RUN (optional)
        FINAL STATE: NOT RUN (optional)
        CONFIGURED FEATURES: checkout, search
        AFFECTED FEATURES: checkout
        TASK-REQUESTED FEATURES: none
        REQUIRED FEATURES: none
        COMPLETED FEATURES: none
        MISSING FEATURES: none
        ");
    }

    #[test]
    fn confirmations_are_the_lines_of_the_contract() {
        let captured = super::captured(&Captured {
            id: "intent-1".to_owned(),
            commit: String::new(),
            candidate_state_sha256: String::new(),
            intent_sha256: String::new(),
            entry_sha256: String::new(),
            journal_path: "journal.json".to_owned(),
            features: Vec::new(),
            requirement_id: None,
            requirement_sha256: None,
        });
        let required = super::required(&Required {
            id: "requirement-1".to_owned(),
            task_base: String::new(),
            intent_ids: Vec::new(),
            features: names(&["checkout", "search"]),
            requirement_sha256: String::new(),
            journal_path: "journal.json".to_owned(),
        });
        let finalized = super::finalized(&Finalized {
            review_id: "review-1".to_owned(),
            base: String::new(),
            candidate: String::new(),
            receipt_path: "receipt.json".to_owned(),
            receipt_sha256: String::new(),
            proofs: Vec::new(),
        });
        let cleaned = |removed| super::cleaned(&Cleaned { path: "reports".to_owned(), removed, worktrees_pruned: 0 });
        let all = [captured, required, finalized, cleaned(true), cleaned(false)].concat();
        assert_snapshot!(plain(&all), @r"
        Behavior review intent captured: journal.json (intent intent-1; features none)
        Behavior review requirement added: journal.json (requirement requirement-1; features checkout, search)
        Behavior review finalized: receipt.json (review review-1)
        Behavior review artifacts removed: reports/
        Behavior review artifacts already absent: reports/
        ");
    }

    #[test]
    fn failed_suites_can_be_run_again() {
        let suite = |name: &str, passed| code_polishy_engine::workflow::tests::SuiteResult {
            name: name.to_owned(),
            outcome: None,
            passed,
            exit_status: None,
            duration_ms: 1,
            failed_cases: Vec::new(),
            cases: None,
            summary: String::new(),
            failure_category: None,
        };
        let run = TestRun {
            protocol: "",
            version: 1,
            command: "test",
            status: TestStatus::Failed,
            suites: vec![suite("unit", true), suite("contract", false), suite("browser", false)],
            notes: Vec::new(),
            not_enforced: Vec::new(),
            fault: None,
        };
        assert_snapshot!(plain(&tested(&run, false)), @r"
        FAILED (1 suite passed, 2 failed)
        NEXT: mend what fails, then run `code-polishy test --suite contract --suite browser`
        ");
    }
}
