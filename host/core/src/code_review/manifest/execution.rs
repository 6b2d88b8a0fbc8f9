//! How the passes were carried out as a whole (CR-64), and what a result copies from the manifest (CR-27, CR-166).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Attempt, EvidenceLevel, Manifest, Pass, PassMode};
use crate::code_review::{
    events::Moment,
    response::Response,
    routing::Plan,
    run::RunRecord,
    source_finding::{SourceFinding, duplicates, ledger},
    vocabulary::Role,
};

/// How the passes stand to each other in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExecutionMode {
    /// Two were at work at the same time.
    Parallel,
    /// Several, one after the other.
    Independent,
    /// One.
    Serial,
    /// The parent did some of them.
    Fallback,
    /// There is none.
    ParentOnly,
}

/// What the metadata of a result repeats: exactly these values (CR-27).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Mirror {
    /// The manifest's passes.
    pub specialist_passes: Vec<MirroredPass>,
    /// As in `run.json`.
    pub review_run_id: String,
    /// Digest of `diff.patch`.
    pub review_input_sha256: String,
    /// From the intervals of the selected attempts.
    pub execution_mode: ExecutionMode,
    /// The weakest level of the passes, or `none`.
    pub execution_evidence_level: String,
    /// What was observed of each selected attempt, by role; `unknown` for nothing.
    pub execution_observed_controls: BTreeMap<Role, Value>,
    /// False: reviewers do not write.
    pub write_parallel_eligible: bool,
    /// Some pass is a substitute.
    pub fanout_substituted: bool,
    /// As in `run.json`.
    pub independence_required: bool,
    /// As in `run.json`.
    pub independence_requirement_evidence: Option<String>,
    /// Every triggered role has an attested pass.
    pub independence_satisfied: bool,
    /// The ledger.
    pub source_findings: Vec<SourceFinding>,
    /// Later identical originals, with the first.
    pub source_finding_duplicates: BTreeMap<String, String>,
}

/// A pass as metadata repeats it (CR-166).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the keys of `Pass`")]
pub struct MirroredPass {
    pub role: Role,
    pub axis: String,
    pub trigger: String,
    pub mode: PassMode,
    pub evidence_level: EvidenceLevel,
    pub role_card_sha256: String,
    pub output_path: String,
    pub confidence: Value,
    pub blocking_findings: u32,
    pub attempts: Vec<Attempt>,
    pub selected_attempt: Option<u32>,
}

impl From<&Pass> for MirroredPass {
    fn from(pass: &Pass) -> Self {
        Self {
            role: pass.role,
            axis: pass.axis.clone(),
            trigger: pass.trigger.clone(),
            mode: pass.mode,
            evidence_level: pass.evidence_level,
            role_card_sha256: pass.role_card_sha256.clone(),
            output_path: pass.output_path.clone(),
            confidence: pass.confidence.clone(),
            blocking_findings: pass.blocking_findings,
            attempts: pass.attempts.clone(),
            selected_attempt: pass.selected_attempt,
        }
    }
}

impl Pass {
    /// The attempt whose output counts; none for a substitute.
    pub fn selected(&self) -> Option<&Attempt> {
        self.attempts.iter().find(|attempt| Some(attempt.attempt) == self.selected_attempt)
    }
}

impl Manifest {
    /// The passes' mode as a whole.
    pub fn execution_mode(&self) -> ExecutionMode {
        match self.passes.as_slice() {
            [] => ExecutionMode::ParentOnly,
            passes if passes.iter().any(|pass| pass.mode == PassMode::Substituted) => ExecutionMode::Fallback,
            [_] => ExecutionMode::Serial,
            passes if some_overlap(passes) => ExecutionMode::Parallel,
            _ => ExecutionMode::Independent,
        }
    }

    /// Every role of `triggered` has an attested pass, and there is one (CR-63, CR-220).
    pub fn is_independent(&self, triggered: &[Role]) -> bool {
        let attested = |role: &Role| self.passes.iter().any(|pass| pass.role == *role && pass.evidence_level == EvidenceLevel::Attested);
        !triggered.is_empty() && triggered.iter().all(attested)
    }

    /// What metadata repeats.
    pub fn mirror(&self, run: &RunRecord, triggered: &[Role], responses: &[Response], plan: &Plan) -> Mirror {
        let ledger = ledger(self, responses, plan);
        let observed = |pass: &Pass| {
            let observed = &pass.selected()?.observed;
            Some((pass.role, if observed.is_null() { json!("unknown") } else { observed.clone() }))
        };
        Mirror {
            specialist_passes: self.passes.iter().map(MirroredPass::from).collect(),
            review_run_id: self.review_run_id.clone(),
            review_input_sha256: self.review_input_sha256.clone(),
            execution_mode: self.execution_mode(),
            execution_evidence_level: self
                .passes
                .iter()
                .map(|pass| pass.evidence_level)
                .min()
                .map_or("none", EvidenceLevel::as_str)
                .to_owned(),
            execution_observed_controls: self.passes.iter().filter_map(observed).collect(),
            write_parallel_eligible: false,
            fanout_substituted: self.passes.iter().any(|pass| pass.mode == PassMode::Substituted),
            independence_required: run.independence_required,
            independence_requirement_evidence: run.independence_requirement_evidence.clone(),
            independence_satisfied: self.is_independent(triggered),
            source_finding_duplicates: duplicates(&ledger),
            source_findings: ledger,
        }
    }
}

/// Two selected attempts were at work at the same time.
fn some_overlap(passes: &[Pass]) -> bool {
    let interval = |pass: &Pass| {
        let attempt = pass.selected()?;
        Some((Moment::parse(attempt.started_at.as_deref()?)?, Moment::parse(attempt.completed_at.as_deref()?)?))
    };
    let mut intervals: Vec<(Moment, Moment)> = passes.iter().filter_map(interval).collect();
    intervals.sort();
    intervals.windows(2).any(|pair| pair[1].0 < pair[0].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_review::{
        events::EventKind,
        fixture::{Fixture, response},
    };

    const ROLES: [Role; 2] = [Role::SwEngineer, Role::QaSpecialist];

    fn mode(fixture: &Fixture) -> ExecutionMode {
        fixture.derived().manifest.execution_mode()
    }

    #[test]
    fn intervals_tell_the_mode() {
        assert_eq!(mode(&Fixture::new(&[])), ExecutionMode::ParentOnly);
        let mut one = Fixture::new(&ROLES[..1]);
        one.review(ROLES[0], &response(ROLES[0], "1"));
        assert_eq!(mode(&one), ExecutionMode::Serial);
        let mut several = Fixture::new(&ROLES);
        several.review(ROLES[0], &response(ROLES[0], "1"));
        several.review(ROLES[1], &response(ROLES[1], "1"));
        assert_eq!(mode(&several), ExecutionMode::Independent);
        let mut overlapping = Fixture::new(&ROLES);
        for role in ROLES {
            overlapping.write(&format!("specialists/{role}.attempt-1.md"), response(role, "1").as_bytes());
        }
        for event in [EventKind::Dispatched, EventKind::Started, EventKind::Completed, EventKind::Joined] {
            ROLES.into_iter().for_each(|role| overlapping.take(event, role, 1));
        }
        assert_eq!(mode(&overlapping), ExecutionMode::Parallel);
    }

    #[test]
    fn the_mirror_tells_the_weakest_level_and_what_was_observed() {
        let mut fixture = Fixture::new(&ROLES);
        fixture.review(ROLES[0], &response(ROLES[0], "1"));
        fixture.substitute(ROLES[1], &response(ROLES[1], "1"));
        let derived = fixture.derived();
        let mirror = derived.manifest.mirror(&fixture.t0.run, &ROLES, &derived.responses, &fixture.plan);
        assert_eq!((mirror.execution_mode, mirror.execution_evidence_level.as_str()), (ExecutionMode::Fallback, "substituted"));
        assert_eq!(mirror.execution_observed_controls, BTreeMap::from([(ROLES[0], json!("unknown"))]));
        assert!(mirror.fanout_substituted && !mirror.independence_satisfied);
        let none = Fixture::new(&[]).derived();
        assert_eq!(none.manifest.mirror(&fixture.t0.run, &[], &[], &fixture.plan).execution_evidence_level, "none");
    }
}
