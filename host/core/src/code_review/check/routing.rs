//! The step `routing`.

use crate::code_review::{context::Context, violation::Sink};

/// Checks the step.
pub(super) fn check(_context: &mut Context<'_>, _sink: &mut Sink) {}
