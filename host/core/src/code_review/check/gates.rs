//! The step `gates`.

use crate::code_review::{context::Context, violation::Sink};

/// Checks the step.
pub(super) fn check(_context: &mut Context<'_>, sink: &mut Sink) {
    super::unchecked(sink);
}
