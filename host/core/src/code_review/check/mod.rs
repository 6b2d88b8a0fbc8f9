//! The steps, one file each: what earlier steps read goes in, violations come out.

mod action_table;
mod assessments;
mod candidates;
mod confidence;
mod decision;
mod evidence;
mod findings;
mod gate_reconcile;
mod gates;
mod git_state;
mod handoff;
mod handoff_data;
mod image;
mod independence;
mod manifest;
mod notes;
mod notes_data;
mod passes;
mod pr_scope;
mod prior_evidence;
mod prior_resolutions;
mod promotion;
mod render;
mod reported;
mod reviewer_events;
mod routing;
mod run_manifest;
mod shape;
mod source_findings;
mod t0;
mod terminal;

#[cfg(test)]
pub(super) use handoff::case as handoff_case;
pub(super) use shape::METADATA_KEYS;

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{
    codes,
    context::Context,
    step::Step,
    violation::{Sink, Violation},
};

/// Runs one step. A step that comes to a fault of its own has not passed (CR-24).
pub(super) fn run(step: Step, context: &mut Context<'_>, sink: &mut Sink) {
    if catch_unwind(AssertUnwindSafe(|| check(step, context, sink))).is_err() {
        let violation = Violation::of(&codes::STEP_UNCHECKED, "the step came to a fault of its own, and judged nothing to its end");
        sink.push(violation.subject(sink.step_name()));
    }
}

fn check(step: Step, context: &mut Context<'_>, sink: &mut Sink) {
    match step {
        Step::Image => image::check(context, sink),
        Step::Shape => shape::check(context, sink),
        Step::T0 => t0::check(context, sink),
        Step::GitState => git_state::check(context, sink),
        Step::PrScope => pr_scope::check(context, sink),
        Step::PriorResolutions => prior_resolutions::check(context, sink),
        Step::Routing => routing::check(context, sink),
        Step::ReviewerEvents => reviewer_events::check(context, sink),
        Step::Manifest => manifest::check(context, sink),
        Step::Passes => passes::check(context, sink),
        Step::Independence => independence::check(context, sink),
        Step::Notes => notes::check(context, sink),
        Step::Assessments => assessments::check(context, sink),
        Step::Findings => findings::check(context, sink),
        Step::Gates => gates::check(context, sink),
        Step::Confidence => confidence::check(context, sink),
        Step::Candidates => candidates::check(context, sink),
        Step::SourceFindings => source_findings::check(context, sink),
        Step::Evidence => evidence::check(context, sink),
        Step::GateReconcile => gate_reconcile::check(context, sink),
        Step::Decision => decision::check(context, sink),
        Step::NotesData => notes_data::check(context, sink),
        Step::ActionTable => action_table::check(context, sink),
        Step::Handoff => handoff::check(context, sink),
        Step::HandoffData => handoff_data::check(context, sink),
        Step::Render => render::check(context, sink),
        Step::Reported => reported::check(context, sink),
        Step::PriorEvidence => prior_evidence::check(context, sink),
        Step::RunManifest => run_manifest::check(context, sink),
        Step::Promotion => promotion::check(context, sink),
        Step::Terminal => terminal::check(context, sink),
    }
}
