//! The step `notes-data`: what the notes repeat of the run's records, they repeat exactly (CR-117, CR-121, CR-123, CR-124).

mod calibration;
mod decision;
mod inspection;
mod snapshot;
#[cfg(test)]
mod tests;
mod triage;

use crate::code_review::{
    codes::Code,
    context::Context,
    notes::NOTES_FILE,
    outline::{Outline, Section},
    t0::T0,
    violation::{Sink, Violation},
    vocabulary::Scope,
};

/// Compares every section with the data.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (Some(notes), Some(t0)) = (&context.notes, &context.t0) else { return };
    let mut judge = Judge { context, notes, t0, sink };
    judge.decision_summary();
    judge.snapshot_table();
    judge.scope();
    judge.risk_tier();
    judge.files_inspected();
    judge.specialists();
    judge.findings();
    judge.residual_risks();
    judge.confidence_gaps();
    judge.calibration();
    judge.gate_lines();
    if t0.run.scope == Scope::Pr {
        judge.triage();
    }
}

struct Judge<'j, 'f> {
    context: &'j Context<'f>,
    notes: &'j Outline,
    t0: &'j T0,
    sink: &'j mut Sink,
}

impl<'j> Judge<'j, '_> {
    /// The step `notes` has reported a section that is missing.
    fn section(&self, title: &str) -> Option<&'j Section> {
        self.notes.section(title)
    }

    fn refuse(&mut self, code: &Code, line: u32, subject: &str, message: impl Into<String>, hint: impl Into<String>) {
        self.sink.push(Violation::new(code, message, hint).subject(subject).line(NOTES_FILE, line));
    }
}
