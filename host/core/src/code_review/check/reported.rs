//! The step `reported`: what notes, hand-off and metadata say of facts that the preflight judged (CR-207).

use super::independence;
use crate::code_review::{context::Context, violation::Sink};

/// Checks the step.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    independence::reported(context, sink);
    independence::disclosed(context, sink);
}
