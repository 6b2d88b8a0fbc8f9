//! What the steps of one validation know: facts from outside, and what earlier steps read.

use std::collections::BTreeMap;

use super::{
    assessment::Assessment,
    candidate::Candidate,
    completion::{Accepted, ChangeReadiness},
    confidence::Confidence,
    decision::Decision,
    evidence::{Coordinate, Resolved},
    finding::{Blocker, Finding},
    gates::Gates,
    handoff::{Branch, Handoff},
    image::RunImage,
    manifest::{Manifest, Mirror},
    outline::Outline,
    response::Response,
    routing::{Plan, Routing},
    t0::{GitState, T0},
    vocabulary::{Readiness, Role, Status, Verdict},
};
use crate::strict::Node;

/// Facts from outside the image; the engine gathers them, and a validation without one of them fails where it needs it.
pub struct Facts<'f> {
    /// The run.
    pub image: &'f RunImage,
    /// The run's folder; absolute.
    pub run_path: &'f str,
    /// `--producer-id` (CR-19).
    pub producer_id: Option<&'f str>,
    /// The invoking checkout as it is now.
    pub git_state: Option<&'f GitState>,
    /// The mirror's files as they are now, in the form of its snapshot; `None` when the mirror is gone or the scope has none.
    pub mirror: Option<&'f super::t0::SourceSnapshot>,
    /// Installed role cards by role.
    pub role_cards: &'f BTreeMap<Role, Vec<u8>>,
    /// What the ledgers of earlier runs of the same pull request give now; `None` when none of them has one.
    pub prior: Option<&'f super::prior::PriorRecord>,
    /// The reviewed tree is still there: coordinates are resolved in it, else the kept index counts.
    pub reviewed_tree: bool,
    /// What the coordinates of [`super::evidence::coordinates`] point at, in the reviewed and the base tree.
    pub resolved: &'f BTreeMap<Coordinate, Resolved>,
    /// What the built-in renderer makes of the hand-off now, or why it makes nothing; `None` without a hand-off.
    pub rendered: Option<&'f Result<Vec<u8>, String>>,
    /// The result is promoted: what it recorded counts, not what is installed (CR-210).
    pub promoted: bool,
}

/// The facts and what earlier steps made of them: a step that runs may rely on its prerequisites' parts.
pub struct Context<'f> {
    /// From outside.
    pub facts: &'f Facts<'f>,
    /// The result's file, such as `result.candidate.json`; `None` in a preflight.
    pub result_file: Option<&'f str>,
    /// The result's document (shape).
    pub(crate) result: Option<Node>,
    /// The result's status (shape).
    pub status: Option<Status>,
    /// `review_validation.source_verdict`; absent before candidates.
    pub verdict: Option<Option<Verdict>>,
    /// `review_validation.verification_readiness` (candidates).
    pub readiness: Option<Readiness>,
    /// What the user accepted of the checkout's state; only a completion asks for it.
    pub accepted: Option<Accepted>,
    /// Collection's facts (t0).
    pub t0: Option<T0>,
    /// The collected pull request (pr-scope).
    pub pr: Option<super::pull_request::PullRequest>,
    /// Prior resolutions (prior-resolutions).
    pub prior: Option<super::prior::PriorResolutions>,
    /// The routing (routing).
    pub routing: Option<Routing>,
    /// The plan (routing).
    pub plan: Option<Plan>,
    /// The event log's derived passes (reviewer-events).
    pub events: Option<super::events::EventLog>,
    /// The manifest (manifest).
    pub manifest: Option<Manifest>,
    /// Retained responses by pass, in the manifest's order (manifest).
    pub responses: Vec<Response>,
    /// The notes (notes).
    pub notes: Option<Outline>,
    /// The assessments (assessments).
    pub assessments: Vec<Assessment>,
    /// The findings (findings).
    pub findings: Vec<Finding>,
    /// The operational blockers (findings).
    pub blockers: Vec<Blocker>,
    /// The gates (gates).
    pub gates: Option<Gates>,
    /// The confidence (confidence).
    pub confidence: Option<Confidence>,
    /// The candidates (candidates).
    pub candidates: Vec<Candidate>,
    /// The decision (decision).
    pub decision: Option<Decision>,
    /// The hand-off (handoff).
    pub handoff: Option<Handoff>,
}

impl<'f> Context<'f> {
    /// Before the first step.
    pub fn new(facts: &'f Facts<'f>, result_file: Option<&'f str>) -> Self {
        Self {
            facts,
            result_file,
            result: None,
            status: None,
            verdict: None,
            readiness: None,
            accepted: None,
            t0: None,
            pr: None,
            prior: None,
            routing: None,
            plan: None,
            events: None,
            manifest: None,
            responses: Vec::new(),
            notes: None,
            assessments: Vec::new(),
            findings: Vec::new(),
            blockers: Vec::new(),
            gates: None,
            confidence: None,
            candidates: Vec::new(),
            decision: None,
            handoff: None,
        }
    }

    /// What the metadata of a result repeats (CR-27); known once the step `manifest` ran.
    pub fn mirror(&self) -> Option<Mirror> {
        let (manifest, routing) = (self.manifest.as_ref()?, self.routing.as_ref()?);
        Some(manifest.mirror(&self.t0.as_ref()?.run, &routing.triggered_roles, &self.responses, self.plan.as_ref()?))
    }

    /// What the judged result says of its review, and whether the change may proceed.
    pub fn told(&self) -> (String, ChangeReadiness) {
        let review_status = self.metadata().and_then(|metadata| metadata.get("review_status")?.text());
        let readiness = match (review_status, self.status, self.readiness) {
            (None, Some(status), Some(readiness)) => {
                let verdict = self.decision.as_ref().and_then(|decision| decision.recommendation);
                ChangeReadiness::of(verdict, status, readiness, !self.blockers.is_empty())
            }
            // Nobody judged the source (CR-230).
            _ => ChangeReadiness::NotReady,
        };
        (review_status.unwrap_or("assessed").to_owned(), readiness)
    }

    /// The review ended before the source was judged.
    pub fn is_terminal(&self) -> bool {
        self.terminal().is_some()
    }

    /// The branch of a result that ended early; `None` when the source was judged.
    pub(crate) fn terminal(&self) -> Option<Branch> {
        let status = self.metadata()?.get("review_status")?.text()?;
        [Branch::Unavailable, Branch::Closed].into_iter().find(|branch| branch.as_str() == status)
    }

    /// `metadata` of the result.
    pub(crate) fn metadata(&self) -> Option<&Node> {
        self.result.as_ref()?.get("metadata")
    }
}
