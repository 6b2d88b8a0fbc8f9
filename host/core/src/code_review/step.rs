//! The steps of a validation, and which of them a step needs (CR-24, CR-26, CR-208).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A step. The order is the order in which they run and are reported; a step comes after all its prerequisites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the contract's own names; `prerequisites` and the module of each say what they check")]
pub enum Step {
    Image,
    Shape,
    T0,
    GitState,
    PrScope,
    PriorResolutions,
    Routing,
    ReviewerEvents,
    Manifest,
    Passes,
    Independence,
    Notes,
    Assessments,
    Findings,
    Gates,
    Confidence,
    Candidates,
    SourceFindings,
    Evidence,
    GateReconcile,
    Decision,
    NotesData,
    ActionTable,
    Handoff,
    HandoffData,
    Render,
    Reported,
    PriorEvidence,
    Terminal,
    RunManifest,
    Promotion,
}

impl Step {
    /// Every step, in order.
    pub const ALL: [Self; 31] = [
        Self::Image,
        Self::Shape,
        Self::T0,
        Self::GitState,
        Self::PrScope,
        Self::PriorResolutions,
        Self::Routing,
        Self::ReviewerEvents,
        Self::Manifest,
        Self::Passes,
        Self::Independence,
        Self::Notes,
        Self::Assessments,
        Self::Findings,
        Self::Gates,
        Self::Confidence,
        Self::Candidates,
        Self::SourceFindings,
        Self::Evidence,
        Self::GateReconcile,
        Self::Decision,
        Self::NotesData,
        Self::ActionTable,
        Self::Handoff,
        Self::HandoffData,
        Self::Render,
        Self::Reported,
        Self::PriorEvidence,
        Self::Terminal,
        Self::RunManifest,
        Self::Promotion,
    ];

    /// The steps that must have passed before this one runs (CR-26, CR-207, CR-208).
    pub fn prerequisites(self) -> &'static [Self] {
        match self {
            Self::Image => &[],
            Self::Shape | Self::T0 | Self::GitState | Self::ReviewerEvents | Self::Notes => &[Self::Image],
            Self::PrScope | Self::PriorResolutions | Self::Routing => &[Self::T0],
            Self::Manifest => &[Self::Routing, Self::ReviewerEvents],
            Self::Passes => &[Self::Shape, Self::Manifest],
            Self::Independence => &[Self::Manifest],
            Self::Assessments => &[Self::Passes, Self::Notes],
            Self::Findings => &[Self::Shape, Self::Assessments],
            Self::Gates => &[Self::Image, Self::T0],
            Self::Confidence => &[Self::Shape, Self::T0, Self::PrScope, Self::Passes, Self::Gates],
            Self::Candidates => &[Self::T0, Self::Findings, Self::Assessments, Self::Confidence],
            Self::SourceFindings => &[Self::Passes, Self::Candidates, Self::Findings],
            Self::Evidence => &[Self::Findings, Self::Candidates, Self::T0],
            Self::GateReconcile => &[Self::Gates, Self::Confidence],
            Self::Decision => &[Self::Candidates, Self::Evidence, Self::GateReconcile],
            Self::NotesData => &[Self::Notes, Self::Routing, Self::Manifest, Self::Decision, Self::Gates, Self::PrScope],
            Self::ActionTable => &[Self::Notes, Self::Findings],
            Self::Handoff => &[Self::Shape],
            Self::HandoffData => &[Self::Handoff, Self::Decision, Self::Passes, Self::Gates, Self::T0],
            Self::Render => &[Self::Handoff],
            Self::Reported => &[Self::Notes, Self::Handoff, Self::Confidence],
            Self::PriorEvidence => &[Self::Evidence, Self::Candidates, Self::Notes],
            Self::Terminal => &[Self::Shape, Self::T0],
            Self::RunManifest => &[Self::Image, Self::Shape],
            Self::Promotion => &[Self::RunManifest],
        }
    }

    /// The step is part of `validate --manifest-only` (CR-27).
    pub fn is_preflight(self) -> bool {
        matches!(
            self,
            Self::Image
                | Self::T0
                | Self::GitState
                | Self::PrScope
                | Self::PriorResolutions
                | Self::Routing
                | Self::ReviewerEvents
                | Self::Manifest
                | Self::Independence
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_comes_after_its_prerequisites() {
        assert!(Step::ALL.is_sorted());
        for step in Step::ALL {
            assert!(step.prerequisites().iter().all(|before| *before < step), "{step:?}");
        }
    }

    #[test]
    fn the_preflight_needs_nothing_outside_itself() {
        for step in Step::ALL.into_iter().filter(|step| step.is_preflight()) {
            assert!(step.prerequisites().iter().all(|before| before.is_preflight()), "{step:?}");
        }
    }
}
