//! The step `handoff-data`: what the hand-off repeats of the run's records, it repeats exactly (CR-150, CR-152 to CR-157).

mod actions;
mod remaining;
mod snapshot;
#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::{
    code_review::{
        codes,
        codes::Code,
        context::Context,
        handoff::{Derived, HANDOFF_FILE, Handoff, Sources, derive},
        notes::snapshot::reviewed_commit,
        snapshot::{CI_ROLLUP_FILE, Source},
        t0::T0,
        violation::{Sink, Violation},
    },
    strict::Node,
};

/// Compares every value with what the records give.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (Some(handoff), Some(t0)) = (&context.handoff, &context.t0) else { return };
    let commit = reviewed_commit(context);
    let Some(sources) = sources(context, t0, commit.as_deref()) else { return };
    let derived = derive(sources);
    let mut judge = Judge { context, t0, handoff, derived: &derived, sink };
    judge.result();
    judge.verification();
    judge.reviewer_evidence();
    judge.snapshot();
    judge.actions();
    judge.remaining();
    judge.confidence();
}

fn sources<'c>(context: &'c Context<'_>, t0: &'c T0, commit: Option<&'c str>) -> Option<Sources<'c>> {
    let decision = context.decision.as_ref()?;
    Some(Sources {
        status: context.status?,
        result_path: context.result.as_ref()?.get("artifact_path").and_then(Node::text)?,
        run_path: context.facts.run_path,
        gates: context.gates.as_ref()?,
        manifest: context.manifest.as_ref()?,
        confidence: context.confidence.as_ref()?,
        assessments: &context.assessments,
        summary: &decision.summary,
        readiness: context.readiness?,
        findings: &context.findings,
        blockers: &context.blockers,
        snapshot: Source {
            t0,
            pull_request: context.pr.as_ref(),
            ci_rollup: context.facts.image.bytes(CI_ROLLUP_FILE),
            commit,
            change_type: "",
            verdict: decision.recommendation,
        },
    })
}

struct Judge<'j, 'f> {
    context: &'j Context<'f>,
    t0: &'j T0,
    handoff: &'j Handoff,
    derived: &'j Derived,
    sink: &'j mut Sink,
}

impl Judge<'_, '_> {
    fn refuse(&mut self, code: &Code, subject: &str, pointer: impl Into<String>, message: impl Into<String>, hint: impl Into<String>) {
        self.sink.push(Violation::new(code, message, hint).subject(subject).at(HANDOFF_FILE, pointer));
    }

    /// One value against the derived one.
    fn compare<T: PartialEq + Serialize>(&mut self, code: &Code, subject: &str, pointer: impl Into<String>, stated: &T, due: &T) {
        if stated != due {
            let message = format!("`{subject}` is not what the records give");
            self.refuse(code, subject, pointer, message, format!("write {}", shown(due)));
        }
    }

    fn result(&mut self) {
        let (handoff, derived) = (self.handoff, self.derived);
        let code = &codes::HANDOFF_VERIFICATION_MISMATCH;
        self.compare(code, "result_status", "/result_status", &handoff.result_status, &derived.result_status);
        if handoff.artifacts.first() != Some(&derived.result) {
            let message = "the first artifact is not the result";
            let hint = format!("write first {}", shown(&derived.result));
            self.refuse(&codes::HANDOFF_RESULT_ARTIFACT_MISSING, &derived.result.label, "/artifacts", message, hint);
        }
        if !self.context.facts.promoted {
            let code = &codes::HANDOFF_ARTIFACTS_INVALID;
            self.compare(code, "report_path", "/report_path", &handoff.report_path, &derived.report_path);
        }
    }

    /// Five records, in the order of the gates (CR-155).
    fn verification(&mut self) {
        let (stated, due) = (&self.handoff.verification, &self.derived.verification);
        let code = &codes::HANDOFF_VERIFICATION_MISMATCH;
        if stated.len() != due.len() {
            let message = format!("there are {} records for {} gates", stated.len(), due.len());
            self.refuse(code, "verification", "/verification", message, "write one record for each gate, in order");
        }
        for (index, (stated, due)) in stated.iter().zip(due).enumerate() {
            self.compare(code, &due.check, format!("/verification/{index}"), stated, due);
        }
    }

    fn reviewer_evidence(&mut self) {
        let (stated, due) = (&self.handoff.reviewer_evidence, &self.derived.reviewer_evidence);
        self.compare(&codes::HANDOFF_REVIEWERS_MISMATCH, "reviewer_evidence", "/reviewer_evidence", stated, due);
    }

    fn confidence(&mut self) {
        let (stated, due) = (&self.handoff.confidence, &self.derived.confidence);
        let code = &codes::HANDOFF_CONFIDENCE_MISMATCH;
        self.compare(code, "score", "/confidence/score", &stated.score, &due.score);
        self.compare(code, "band", "/confidence/band", &stated.band, &due.band);
        self.compare(code, "limits", "/confidence/limits", &stated.limits, &due.limits);
        self.compare(code, "gaps", "/confidence/gaps", &stated.gaps, &due.gaps);
    }
}

/// A value as it is written.
fn shown(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("records of the hand-off are written as JSON")
}
