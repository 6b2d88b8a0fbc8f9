//! What a run knows before its notes are written: its receipts, and the records of its result as far as they can be read.

use crate::{
    canonical::read_strict,
    code_review::{
        assessment::Assessment,
        check,
        context::{Context, Facts},
        finding::{Blocker, Finding},
        outline::Outline,
        step::Step,
        t0::{GIT_STATE_FILE, GitState},
        violation::{Sink, Violation},
        vocabulary::{MAIN_REVIEWER, Scope},
    },
    strict::Node,
};

/// What is read of a run without a result.
const RECEIPTS: [Step; 7] =
    [Step::T0, Step::PrScope, Step::PriorResolutions, Step::Routing, Step::ReviewerEvents, Step::Manifest, Step::Gates];
/// What is read of a result.
pub(super) const RECORDS: [Step; 4] = [Step::Assessments, Step::Findings, Step::Confidence, Step::Decision];

/// What is known. What the steps find wrong is left to a validation: only what can be read counts.
pub(super) struct Known<'f> {
    pub(super) context: Context<'f>,
}

impl<'f> Known<'f> {
    /// Reads a run, and this result.
    ///
    /// # Errors
    ///
    /// What is wrong with the receipts of collection.
    pub(super) fn read(facts: &'f Facts<'f>, result: Option<Node>, notes: &str) -> Result<Self, Vec<Violation>> {
        // Only a validation asks who drives the review, and it asks so when there is no result.
        let mut context = Context::new(facts, Some("result.candidate.json"));
        context.notes = Some(Outline::read(notes));
        let is_of_result = result.is_some();
        context.result = result;
        let records = RECORDS.into_iter().filter(|_| is_of_result);
        for step in RECEIPTS.into_iter().chain(records) {
            let is_pr = context.t0.as_ref().is_some_and(|t0| t0.run.scope == Scope::Pr);
            if matches!(step, Step::PrScope | Step::PriorResolutions) && !is_pr {
                continue;
            }
            let mut sink = Sink::new(step);
            check::run(step, &mut context, &mut sink);
            let unread = match step {
                Step::T0 => context.t0.is_none(),
                Step::PrScope => context.pr.is_none(),
                _ => false,
            };
            if unread {
                return Err(sink.finish().0);
            }
        }
        Ok(Self { context })
    }

    /// Every record of this list of the metadata was read.
    fn is_whole(&self, key: &str, read: usize) -> bool {
        let list = self.context.metadata().and_then(|metadata| metadata.get(key));
        list.is_some_and(|list| list.elements().len() == read)
    }

    /// The findings, when the result has them.
    pub(super) fn findings(&self) -> Option<&[Finding]> {
        let findings = self.context.findings.as_slice();
        self.is_whole("review_findings", findings.len()).then_some(findings)
    }

    /// The project actions, when the result has them.
    pub(super) fn blockers(&self) -> Option<&[Blocker]> {
        let blockers = self.context.blockers.as_slice();
        self.is_whole("operational_blockers", blockers.len()).then_some(blockers)
    }

    /// The ratings, when the result has some.
    pub(super) fn assessments(&self) -> Option<&[Assessment]> {
        let assessments = self.context.assessments.as_slice();
        (!assessments.is_empty() && self.is_whole("reviewer_assessments", assessments.len())).then_some(assessments)
    }

    /// The parent's own rating, when it is stated.
    pub(super) fn main_assessment(&self) -> Option<&Assessment> {
        self.assessments()?.iter().find(|assessment| assessment.role.eq_ignore_ascii_case(MAIN_REVIEWER))
    }

    /// The parent rates: it says so, or nobody else is asked.
    pub(super) fn parent_rates(&self) -> bool {
        let alone = self.context.routing.as_ref().is_some_and(|routing| routing.triggered_roles.is_empty());
        alone || self.main_assessment().is_some()
    }

    /// Operations that were in progress at the start, with their commits.
    pub(super) fn operations(&self) -> Vec<String> {
        let bytes = self.context.facts.image.bytes(GIT_STATE_FILE).unwrap_or_default();
        let state = read_strict::<GitState>(bytes, GIT_STATE_FILE, "the state of the checkout").ok();
        state.iter().flat_map(GitState::operations).map(|(kind, id)| format!("{kind} {id}; left untouched")).collect()
    }
}
