//! A pull request that is advised to be closed without a detailed review (CR-193 to CR-197).

use serde_json::json;

use super::{CloseDecision, Ended, Parts, Told, gates, paragraphs};
use crate::code_review::{
    confidence::ClosureStatus,
    gates::{GateCheck, GateStatus},
    handoff::{Branch, Outcome, Terminal},
    notes::NOTES_FILE,
    run::RunRecord,
    vocabulary::{Status, Tier},
};

const GAP: &str = "Detailed source review was intentionally skipped after the close gate.";

/// Who judges the gate `review` of this branch.
const RUNNER: &str = "close-decision";

/// The review that follows from the decision; `tier` is the mechanical one.
pub fn closed(run: &RunRecord, run_path: &str, tier: Tier, decision: &CloseDecision) -> Ended {
    let hundredths = decision.hundredths().unwrap_or_default();
    let review = GateCheck {
        runner: Some(RUNNER.to_owned()),
        stdout: Some(NOTES_FILE.to_owned()),
        ..GateCheck::unstarted("review", GateStatus::Pass, None, None)
    };
    let parts = Parts {
        branch: Branch::Closed,
        run,
        run_path,
        tier,
        status: Status::Pass,
        hundredths,
        own: json!(decision),
        confidence: Told {
            gap: GAP,
            status: ClosureStatus::Deferred,
            rationale: format!("(-0.{:02}) The close decision stands on its own evidence.", 100 - hundredths.min(100)),
            evidence: NOTES_FILE,
            action: "Checked the evidence and the counterevidence of the close decision.",
        },
        gates: gates(run, "terminal close", Some(review)),
        notes: notes(decision),
        outcome: Outcome { title: "Review Decision: close".to_owned(), summary: format!("Close code: {}.", decision.code) },
        remaining: Vec::new(),
        artifacts: Vec::new(),
        terminal: Terminal::Closed {
            code: decision.code.clone(),
            summary: decision.summary.clone(),
            head_sha: decision.head_sha.clone(),
            evidence: decision.evidence.clone(),
            counterevidence_checked: decision.counterevidence_checked.clone(),
        },
    };
    parts.ended()
}

fn notes(decision: &CloseDecision) -> String {
    let evidence: Vec<String> = decision.evidence.iter().map(|one| format!("- {} — {}", one.claim, one.source)).collect();
    let checked: Vec<String> = decision.counterevidence_checked.iter().map(|text| format!("- {text}")).collect();
    paragraphs(&[
        "# Review Decision: close".to_owned(),
        "Source findings: not assessed".to_owned(),
        "Detailed review: skipped".to_owned(),
        format!("Close code: {}", decision.code),
        format!("Summary: {}", decision.summary),
        format!("Rationale: {}", decision.rationale),
        "Evidence:".to_owned(),
        evidence.join("\n"),
        "Counterevidence checked:".to_owned(),
        checked.join("\n"),
        "GitHub mutation: not performed.".to_owned(),
    ])
}
