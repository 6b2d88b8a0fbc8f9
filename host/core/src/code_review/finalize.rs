//! `finalize`: from drafts and records to a result that can be judged (CR-150, CR-164 to CR-168, CR-203, CR-209).
//!
//! Only copied presentation is made here. Records, provenance, assessments, paths and statuses are the author's, and are never repaired.

pub mod attempts;
mod candidate;
mod draft;
mod handoff;
mod notes;
mod seal;
mod terminal;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    check,
    context::{Context, Facts},
    handoff::{Branch, Derived, Sources},
    notes::{NOTES_FILE, snapshot::reviewed_commit},
    run::RunRecord,
    run_manifest::CANDIDATE_FILE,
    snapshot::{CI_ROLLUP_FILE, Source},
    step::Step,
    t0::T0,
    violation::Sink,
    vocabulary::Scope,
};

pub use candidate::{Said, provisional};
pub use draft::draft;
pub use seal::{Rendered, Sealed, seal};
pub use terminal::{prepare_closed, prepare_unavailable};

/// What the author gives.
#[derive(Clone, Debug)]
pub struct Authored {
    /// The metadata of the result, without what is derived.
    pub metadata: Map<String, Value>,
    /// The hand-off, without what is derived.
    pub handoff: Map<String, Value>,
    /// What the command line says.
    pub said: Said,
}

/// A value that was written over: it repeats a record, and the record had changed (CR-168).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Edit {
    /// The draft or file; relative to the run.
    pub file: &'static str,
    /// RFC 6901 pointer of a JSON file.
    pub pointer: Option<String>,
    /// Line of a text, from 1.
    pub line: Option<u32>,
    /// As it was.
    pub before: Value,
    /// As it is now.
    pub after: Value,
}

/// The parts of a review before they are tied together.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The result, without bindings.
    pub result: Value,
    /// The hand-off.
    pub handoff: Value,
    /// How the review ended.
    pub branch: Branch,
    /// Collection's facts, when they could be read.
    pub t0: Option<T0>,
    /// The notes, when some cell of them was written over.
    pub notes: Option<String>,
    /// What only a branch that ended early writes, by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What was written over.
    pub edits: Vec<Edit>,
}

/// What is read for a derivation, in order.
const READ: [Step; 13] = [
    Step::Shape,
    Step::T0,
    Step::PrScope,
    Step::PriorResolutions,
    Step::Routing,
    Step::ReviewerEvents,
    Step::Manifest,
    Step::Notes,
    Step::Assessments,
    Step::Findings,
    Step::Gates,
    Step::Confidence,
    Step::Candidates,
];

/// Derives what the records give, over an image that holds the provisional result. Without some record nothing is derived from it: the
/// validation says what is wrong.
pub fn prepare(facts: &Facts<'_>, run: &RunRecord, authored: &Authored) -> Prepared {
    let context = known(facts, run);
    let mut edits = Vec::new();
    let result = candidate::complete(&context, run, authored, &mut edits);
    let derived = derived(&context, &result);
    let branch = if run.caller_contract.is_some() { Branch::CallerContract } else { Branch::Assessed };
    let handoff = handoff::complete(&authored.handoff, branch, derived.as_ref(), &mut edits);
    let notes = facts.image.text(NOTES_FILE).and_then(|notes| notes::rewrite(notes, &context, derived.as_ref()?, &mut edits));
    Prepared { result, handoff, branch, t0: context.t0, notes, files: BTreeMap::new(), edits }
}

/// What can be read of the run; what the steps find wrong is left to the validation.
fn known<'f>(facts: &'f Facts<'f>, run: &RunRecord) -> Context<'f> {
    let mut context = Context::new(facts, Some(CANDIDATE_FILE));
    let due = READ.into_iter().filter(|step| run.scope == Scope::Pr || !matches!(step, Step::PrScope | Step::PriorResolutions));
    for step in due.chain([Step::Decision]) {
        check::run(step, &mut context, &mut Sink::new(step));
    }
    context
}

fn derived(context: &Context<'_>, result: &Value) -> Option<Derived> {
    let (t0, decision) = (context.t0.as_ref()?, context.decision.as_ref()?);
    let commit = reviewed_commit(context);
    let sources = Sources {
        status: candidate::status(result)?,
        result_path: result["artifact_path"].as_str()?,
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
            commit: commit.as_deref(),
            change_type: "",
            verdict: decision.recommendation,
        },
    };
    Some(super::handoff::derive(sources))
}
