//! What the caller states about an event, read and completed from the log.

use code_polishy_core::{
    code_review::{
        codes,
        events::{Event, EventKind, EventLog, RetryReason, statement},
        manifest::{EvidenceLevel, PassMode},
        vocabulary::Role,
    },
    diagnostic::Failure,
};
use jiff::Timestamp;
use serde_json::Value;

use super::EventRequest;
use crate::workflow::code_review::usage;

/// The options, each as what it means.
pub(super) struct Stated<'r> {
    pub(super) request: &'r EventRequest,
    event: EventKind,
    pub(super) role: Role,
    mode: Option<PassMode>,
    at: Option<Timestamp>,
    claimed: Value,
    observed: Value,
    retry_reason: Option<RetryReason>,
}

impl<'r> Stated<'r> {
    /// # Errors
    /// Exit 2 `usage-error`: a word, a moment or a JSON text that is none.
    pub(super) fn read(request: &'r EventRequest) -> Result<Self, Failure> {
        let retry_reason = request.retry_reason.as_deref().map(|text| word("--retry-reason", text, RetryReason::WORDS)).transpose()?;
        Ok(Self {
            request,
            event: word("--event", &request.event, EventKind::WORDS)?,
            role: word("--role", &request.role, Role::WORDS)?,
            mode: request.mode.as_deref().map(|text| word("--mode", text, PassMode::WORDS)).transpose()?,
            at: request.at.as_deref().map(moment).transpose()?,
            claimed: json("--claimed", request.claimed.as_deref())?,
            observed: json("--observed", request.observed.as_deref())?,
            retry_reason,
        })
    }

    /// The event without its files: what is not stated is that of the attempt which was dispatched last.
    ///
    /// # Errors
    /// Exit 2 `missing-required`: nothing tells the mode.
    pub(super) fn event(&self, log: &EventLog) -> Result<Event, Failure> {
        let last = log.dispatched(self.role);
        let going_on = last.filter(|_| self.event != EventKind::Dispatched);
        let Some(mode) = self.mode.or(going_on.map(|last| last.mode)) else {
            let next = format!("say how the work is done with --mode: {}", words(PassMode::WORDS));
            return Err(usage(&codes::MISSING_REQUIRED, "an event needs the mode of its pass", next));
        };
        let own = mode != PassMode::Substituted;
        let follows = last.map_or(1, |last| last.attempt.unwrap_or_default() + u32::from(self.event == EventKind::Dispatched));
        Ok(Event {
            schema_version: 1,
            seq: 0,
            prev: String::new(),
            event: self.event,
            role: self.role,
            attempt: self.request.attempt.or(own.then_some(follows)),
            mode,
            reviewer_id: self.request.reviewer_id.clone().or(going_on.filter(|_| own).and_then(|last| last.reviewer_id.clone())),
            at: self.at.unwrap_or_else(|| now(log)).to_string(),
            context_path: None,
            context_sha256: None,
            output_path: None,
            output_sha256: None,
            receipt_path: None,
            receipt_sha256: None,
            adapter: None,
            evidence: EvidenceLevel::Recorded,
            claimed: self.claimed.clone(),
            observed: self.observed.clone(),
            retry_reason: self.retry_reason,
            reason: self.request.reason.clone(),
            format: None,
            hash: String::new(),
        })
    }
}

/// Now; a clock that was set back does not make an event earlier than the last one.
fn now(log: &EventLog) -> Timestamp {
    let last = log.events.last().and_then(|event| event.at.parse().ok());
    last.into_iter().fold(Timestamp::now(), Timestamp::max)
}

fn word<T: Copy>(option: &str, text: &str, known: &[(&str, T)]) -> Result<T, Failure> {
    known.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
        let message = format!("`{text}` is no value of {option}");
        usage(&codes::USAGE_ERROR, message, format!("use one of {}", words(known)))
    })
}

fn words<T>(known: &[(&str, T)]) -> String {
    known.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
}

fn moment(text: &str) -> Result<Timestamp, Failure> {
    text.parse().map_err(|_| {
        let message = format!("`{text}` is no moment of RFC 3339");
        usage(&codes::USAGE_ERROR, message, "write --at like 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00")
    })
}

fn json(option: &str, text: Option<&str>) -> Result<Value, Failure> {
    let Some(text) = text else { return Ok(Value::Null) };
    statement(text)
        .map_err(|message| usage(&codes::USAGE_ERROR, format!("{option}: {message}"), format!("give {option} one short JSON value")))
}
