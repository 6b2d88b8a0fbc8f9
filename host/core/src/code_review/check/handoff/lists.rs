//! What is left to do, and where the evidence lies (CR-156, CR-157).

use std::collections::BTreeSet;

use super::{super::shape::actionable, Judge};
use crate::{
    code_review::{
        codes,
        handoff::{Branch, COLLECTION, OPERATION, RESULT_LABEL},
    },
    strict::{list, quoted},
};

impl Judge<'_, '_> {
    pub(super) fn remaining(&mut self) {
        let handoff = self.handoff;
        let mut known = self.context.result.as_ref().map(actionable).unwrap_or_default();
        known.insert(OPERATION);
        known.extend((handoff.branch == Branch::Unavailable).then_some(COLLECTION));
        let mut seen = BTreeSet::new();
        for (index, entry) in handoff.remaining.iter().enumerate() {
            let id = entry.row_id.as_str();
            let pointer = format!("/remaining/{index}/row_id");
            let code = &codes::HANDOFF_REMAINING_INVALID;
            if !known.contains(id) {
                let message = format!("{} is no finding, no blocker and no open claim of this result", quoted(id));
                self.refuse_of(code, id, pointer.as_str(), message, "name what the result records, or remove the entry");
            }
            if !seen.insert(id) {
                let message = format!("another entry is about {}", quoted(id));
                self.refuse_of(code, id, pointer, message, "keep one entry for each");
            }
        }
        let due: Vec<&str> = handoff.remaining.iter().map(|entry| entry.row_id.as_str()).collect();
        if handoff.next_steps != due {
            let hint = if due.is_empty() { "write an empty list".to_owned() } else { format!("write {}, in this order", list(&due)) };
            let message = "the next steps are not the ids of `remaining`, in order";
            self.refuse(&codes::HANDOFF_NEXT_STEPS_MISMATCH, "/next_steps", message, hint);
        }
    }

    pub(super) fn artifacts(&mut self) {
        let code = &codes::HANDOFF_ARTIFACTS_INVALID;
        let (mut labels, mut paths) = (BTreeSet::new(), BTreeSet::new());
        for (index, artifact) in self.handoff.artifacts.iter().enumerate() {
            let pointer = format!("/artifacts/{index}");
            if !labels.insert(&artifact.label) || !paths.insert(&artifact.path) {
                let message = "another artifact has this label or this path";
                self.refuse_of(code, &artifact.label, pointer.as_str(), message, "name each file once, each with its own label");
            }
            if index > 0 && artifact.label == RESULT_LABEL {
                self.refuse_of(code, &artifact.label, pointer.as_str(), "the result is not the first artifact", "put it first");
            }
            if index > 0 && !self.context.facts.image.has(&artifact.path) {
                let message = format!("the run has no file {}", quoted(&artifact.path));
                self.refuse_of(code, &artifact.label, format!("{pointer}/path"), message, "write a path relative to the run");
            }
        }
    }
}
