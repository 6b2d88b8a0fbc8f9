//! Which keys each event uses (CR-59 to CR-62).

use super::{Attestation, Event, EventFault, EventKind, is_context_path, is_output_path, moment::Moment};
use crate::{
    code_review::{
        codes::{self, Code},
        manifest::PassMode,
        reading::MAX_TEXT_CHARACTERS,
    },
    text::control_free,
};

/// Whether a key is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Due,
    Free,
    Null,
}

impl Use {
    fn due(due: bool) -> Self {
        if due { Self::Due } else { Self::Null }
    }
}

/// Everything that is wrong with an event by itself.
pub(super) fn faults(event: &Event) -> Vec<EventFault> {
    let mut form = Form { event, faults: Vec::new() };
    form.keys();
    form.texts();
    form.paths();
    form.provenance();
    form.faults
}

struct Form<'e> {
    event: &'e Event,
    faults: Vec<EventFault>,
}

impl Form<'_> {
    fn refuse(&mut self, code: &'static Code, message: String, hint: &'static str) {
        self.faults.push(EventFault { code, line: self.event.seq, role: Some(self.event.role), message, hint });
    }

    fn invalid(&mut self, message: String) {
        self.refuse(&codes::REVIEWER_EVENT_INVALID, message, "give each event exactly what it needs");
    }

    fn keys(&mut self) {
        let event = self.event;
        let kind = event.event;
        let own = event.mode != PassMode::Substituted;
        let context = Use::due(own && matches!(kind, EventKind::Dispatched | EventKind::Delivered));
        let output = Use::due(matches!(kind, EventKind::Completed | EventKind::Joined));
        let reason = if kind == EventKind::Refused { Use::Due } else { Use::due(false) };
        let second = kind == EventKind::Dispatched && event.attempt.is_some_and(|attempt| attempt > 1);
        let receipt = if own { Use::Free } else { Use::Null };
        let keys = [
            ("attempt", event.attempt.is_some(), Use::due(own)),
            ("reviewer_id", event.reviewer_id.is_some(), Use::due(own)),
            ("context_path", event.context_path.is_some(), context),
            ("context_sha256", event.context_sha256.is_some(), context),
            ("output_path", event.output_path.is_some(), output),
            ("output_sha256", event.output_sha256.is_some(), output),
            ("format", event.format.is_some(), Use::due(own && kind == EventKind::Completed)),
            ("receipt_path", event.receipt_path.is_some(), receipt),
            ("receipt_sha256", event.receipt_sha256.is_some(), receipt),
            ("adapter", event.adapter.is_some(), receipt),
            ("observed", !event.observed.is_null(), receipt),
            ("retry_reason", event.retry_reason.is_some(), Use::due(second)),
            ("reason", event.reason.is_some(), if own { reason } else { Use::Free }),
        ];
        for (key, is_there, due) in keys {
            match due {
                Use::Due if !is_there => self.invalid(format!("this event needs `{key}`")),
                Use::Null if is_there => self.invalid(format!("this event has no `{key}`")),
                _ => {}
            }
        }
        if event.schema_version != 1 {
            self.invalid(format!("the schema version is 1, not {}", event.schema_version));
        }
        if event.receipt_path.is_some() != event.receipt_sha256.is_some() || event.adapter.is_some() && event.receipt_path.is_none() {
            self.invalid("a receipt has a path and a digest, and an adapter answers for a receipt".to_owned());
        }
    }

    fn texts(&mut self) {
        let event = self.event;
        for (key, text) in [("reviewer_id", &event.reviewer_id), ("reason", &event.reason)] {
            let good = |text: &String| !text.trim().is_empty() && control_free(text, true) && text.chars().count() <= MAX_TEXT_CHARACTERS;
            if text.as_ref().is_some_and(|text| !good(text)) {
                self.invalid(format!("`{key}` is no text of at most {MAX_TEXT_CHARACTERS} characters"));
            }
        }
        if Moment::parse(&event.at).is_none() {
            self.invalid(format!("`{}` is no moment like 2026-01-31T12:00:00Z", event.at));
        }
        let digest = |text: &&String| text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let digests = [&event.context_sha256, &event.output_sha256, &event.receipt_sha256];
        let adapter = event.adapter.as_ref().map(|adapter| &adapter.sha256);
        if digests.into_iter().flatten().chain(adapter).any(|text| !digest(&text)) {
            self.invalid("a digest is 64 lower-case hex digits".to_owned());
        }
    }

    fn paths(&mut self) {
        let event = self.event;
        if let Some(path) = event.context_path.as_deref().filter(|path| !is_context_path(path, event.role)) {
            self.invalid(format!("`{path}` is no context of `{}`", event.role));
        }
        let wrong = |path: &&str| !is_output_path(path, event.role, event.attempt, event.mode);
        if let Some(path) = event.output_path.as_deref().filter(wrong) {
            self.invalid(format!("`{path}` is not where this attempt of `{}` keeps its response", event.role));
        }
        let outside = |path: &&str| path.split('/').any(|segment| matches!(segment, "" | "." | "..")) || path.contains('\\');
        if let Some(path) = event.receipt_path.as_deref().filter(outside) {
            self.invalid(format!("`{path}` is no path inside the run"));
        }
    }

    fn provenance(&mut self) {
        let event = self.event;
        if event.mode == PassMode::Substituted && event.event != EventKind::Joined {
            self.invalid("a substitute has only the event `joined`".to_owned());
        }
        if event.evidence != event.derived_evidence() {
            self.invalid("the evidence of this event is not what it shows".to_owned());
        }
        if event.adapter.as_ref().is_some_and(|adapter| adapter.answer == Attestation::Rejected) {
            let hint = "keep the receipt as the reviewer's host wrote it, or leave it out";
            self.refuse(&codes::REVIEWER_ATTESTATION_REJECTED, "the adapter rejects the receipt".to_owned(), hint);
        }
        let claims = event.claimed.as_object().is_some_and(|claimed| claimed.contains_key("controls"));
        if event.mode == PassMode::Inspection && (claims || !event.observed.is_null()) {
            let message = "nobody observed the controls of an inspection: it is bounded by instructions only".to_owned();
            self.refuse(&codes::REVIEWER_OBSERVED_CONTROLS_FORBIDDEN, message, "leave the controls out");
        }
    }
}
