//! `reviewers.events.jsonl`: the hash-chained log of what reviewers did (CR-59).

mod form;
mod moment;
mod order;
mod statement;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    codes::{self, Code},
    violation::Violation,
    vocabulary::{EvidenceLevel, PassMode, Role},
};
use crate::canonical::{canonical_json, digest_bytes, nullable, read_strict};

pub use super::vocabulary::{Attestation, EventKind, ResponseFormat, RetryReason};
pub(crate) use moment::Moment;
pub use order::Progress;
pub use statement::statement;

/// The file's name.
pub const EVENTS_FILE: &str = "reviewers.events.jsonl";
/// Events of a log (CR-201).
pub const MAX_EVENTS: usize = 10_000;

/// One line of the log. Keys that an event does not use are null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// 1.
    pub schema_version: u32,
    /// From 1, without gaps.
    pub seq: u64,
    /// The `hash` of the line before; 64 zeros for the first.
    pub prev: String,
    /// What happened.
    pub event: EventKind,
    /// Whose work it is.
    pub role: Role,
    /// 1 or 2; null for a substitute.
    #[serde(deserialize_with = "nullable")]
    pub attempt: Option<u32>,
    /// How the work is done.
    pub mode: PassMode,
    /// The reviewer's id, the same within an attempt and nowhere else; null for a substitute.
    #[serde(deserialize_with = "nullable")]
    pub reviewer_id: Option<String>,
    /// RFC 3339, UTC.
    pub at: String,
    /// The frozen context, relative to the run; of `dispatched` and `delivered`.
    #[serde(deserialize_with = "nullable")]
    pub context_path: Option<String>,
    /// Its digest.
    #[serde(deserialize_with = "nullable")]
    pub context_sha256: Option<String>,
    /// The retained response, relative to the run; of `completed` and `joined`.
    #[serde(deserialize_with = "nullable")]
    pub output_path: Option<String>,
    /// Its digest.
    #[serde(deserialize_with = "nullable")]
    pub output_sha256: Option<String>,
    /// A receipt of the reviewer's host, relative to the run.
    #[serde(deserialize_with = "nullable")]
    pub receipt_path: Option<String>,
    /// Its digest.
    #[serde(deserialize_with = "nullable")]
    pub receipt_sha256: Option<String>,
    /// What an adapter said of the receipt (CR-220).
    #[serde(deserialize_with = "nullable")]
    pub adapter: Option<AdapterAnswer>,
    /// What shows the event; derived.
    pub evidence: EvidenceLevel,
    /// What the reviewer says about itself; stored, never judged.
    pub claimed: Value,
    /// What the reviewer's host saw; stored, never judged.
    pub observed: Value,
    /// Why there is a second attempt; of its `dispatched`.
    #[serde(deserialize_with = "nullable")]
    pub retry_reason: Option<RetryReason>,
    /// Why the work was refused, or done by the parent.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<String>,
    /// Whether the response parses; of `completed` (CR-221).
    #[serde(deserialize_with = "nullable")]
    pub format: Option<ResponseFormat>,
    /// SHA-256 of the canonical JSON of everything before.
    pub hash: String,
}

/// What an adapter said of a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdapterAnswer {
    /// The plugin's id.
    pub name: String,
    /// Digest of the plugin.
    pub sha256: String,
    /// Its answer.
    pub answer: Attestation,
}

/// Why an event or the log is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct EventFault {
    /// A code of the catalogue.
    pub code: &'static Code,
    /// The line, from 1.
    pub line: u64,
    /// The role, when it is known.
    pub role: Option<Role>,
    /// In one sentence without the final full stop.
    pub message: String,
    /// What makes it right.
    pub hint: &'static str,
}

impl EventFault {
    /// The fault as a violation of the log.
    pub fn violation(&self) -> Violation {
        let violation = Violation::new(self.code, self.message.clone(), self.hint);
        let violation = violation.line(EVENTS_FILE, u32::try_from(self.line).unwrap_or(u32::MAX));
        match self.role {
            Some(role) => violation.subject(role.as_str()),
            None => violation,
        }
    }
}

/// The log, read and chained.
#[derive(Clone, Debug, PartialEq)]
pub struct EventLog {
    /// Digest of the file; of no bytes when there is none.
    pub sha256: String,
    /// In order.
    pub events: Vec<Event>,
}

impl Event {
    /// The digest that `hash` must have.
    pub fn digest(&self) -> String {
        let mut value = serde_json::to_value(self).expect("an event has string keys and finite numbers");
        if let Some(object) = value.as_object_mut() {
            object.shift_remove("hash");
        }
        digest_bytes(canonical_json(&value).as_bytes())
    }

    /// The line of the log, with its line feed.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("an event has string keys and finite numbers") + "\n"
    }

    /// What shows this event alone (CR-62).
    pub fn derived_evidence(&self) -> EvidenceLevel {
        match (self.mode, &self.adapter) {
            (PassMode::Substituted, _) => EvidenceLevel::Substituted,
            (_, Some(AdapterAnswer { answer: Attestation::Attested, .. })) => EvidenceLevel::Attested,
            _ => EvidenceLevel::Recorded,
        }
    }
}

const RESTORE: &str = "restore the log as `code-review reviewer-event` wrote it, or start a new run";

impl EventLog {
    /// Reads the file; no file is an empty log.
    ///
    /// # Errors
    /// The first line that is no event, or that does not continue the chain: nothing behind it can be trusted.
    pub fn read(bytes: &[u8]) -> Result<Self, Vec<EventFault>> {
        let fault = |code: &'static Code, line: u64, message: String| EventFault { code, line, role: None, message, hint: RESTORE };
        let broken = |line: u64, message: &str| fault(&codes::REVIEWER_EVENT_CHAIN_BROKEN, line, message.to_owned());
        let mut log = Self { sha256: digest_bytes(bytes), events: Vec::new() };
        for (line, number) in bytes.split_inclusive(|byte| *byte == b'\n').zip(1..) {
            if log.events.len() == MAX_EVENTS {
                let message = format!("the log has more than {MAX_EVENTS} events");
                return Err(vec![fault(&codes::LIMIT_EXCEEDED, number, message)]);
            }
            let event: Event = match read_strict(line, codes::REVIEWER_EVENT_INVALID.name, RESTORE) {
                Ok(event) => event,
                Err(diagnostic) => {
                    let message = format!("this line is no event: {}", diagnostic.message);
                    return Err(vec![
                        fault(&codes::REVIEWER_EVENT_INVALID, number, message),
                        broken(number, "the chain cannot be followed through this line"),
                    ]);
                }
            };
            if event.line().as_bytes() != line {
                return Err(vec![broken(number, "this line is not written as the log writes it")]);
            }
            if event.seq != number || event.prev != log.head() {
                return Err(vec![broken(number, "this line does not follow the line before it")]);
            }
            if event.hash != event.digest() {
                return Err(vec![broken(number, "the hash of this line is not that of its content")]);
            }
            log.events.push(event);
        }
        Ok(log)
    }

    /// The hash that the next line continues.
    pub fn head(&self) -> String {
        self.events.last().map_or_else(|| "0".repeat(64), |event| event.hash.clone())
    }

    /// Everything that is wrong with the order and the form of the events, in their order.
    pub fn faults(&self) -> Vec<EventFault> {
        let mut progress = Progress::default();
        self.events.iter().flat_map(|event| progress.take(event)).collect()
    }

    /// The event as the next line: number, chain, evidence and hash are derived.
    ///
    /// # Errors
    /// Why the event may not follow this log.
    pub fn next(&self, draft: Event) -> Result<Event, Vec<EventFault>> {
        let mut event = Event { seq: self.events.len() as u64 + 1, prev: self.head(), evidence: draft.derived_evidence(), ..draft };
        event.hash = event.digest();
        let mut progress = Progress::default();
        for earlier in &self.events {
            progress.take(earlier);
        }
        let mut faults = progress.take(&event);
        if self.events.len() == MAX_EVENTS {
            let message = format!("the log has {MAX_EVENTS} events already");
            faults.push(EventFault {
                code: &codes::LIMIT_EXCEEDED,
                line: event.seq,
                role: Some(event.role),
                message,
                hint: "start a new run",
            });
        }
        if faults.is_empty() { Ok(event) } else { Err(faults) }
    }

    /// The log with this event, which [`Self::next`] made.
    #[must_use]
    pub fn with(mut self, event: Event) -> Self {
        self.events.push(event);
        Self { sha256: digest_bytes(self.text().as_bytes()), events: self.events }
    }

    /// The file.
    pub fn text(&self) -> String {
        self.events.iter().map(Event::line).collect()
    }

    /// The last dispatch of a role.
    pub fn dispatched(&self, role: Role) -> Option<&Event> {
        self.events.iter().rfind(|event| event.role == role && event.event == EventKind::Dispatched)
    }
}

/// Where a context of this role lies; a batched run has several.
pub fn is_context_path(path: &str, role: Role) -> bool {
    path.strip_prefix("specialists/")
        .and_then(|name| name.strip_prefix(role.as_str())?.strip_prefix("-context"))
        .is_some_and(|rest| rest.ends_with(".md") && !rest.contains('/'))
}

/// Where a response of this attempt lies (CR-220); a substitute has no attempt.
pub fn is_output_path(path: &str, role: Role, attempt: Option<u32>, mode: PassMode) -> bool {
    let stem = match attempt {
        Some(attempt) => format!("specialists/{role}.attempt-{attempt}"),
        None => format!("specialists/{role}"),
    };
    match path.strip_prefix(&stem) {
        Some(".md") => mode != PassMode::AppServer,
        Some(".json") => mode != PassMode::Inspection,
        _ => false,
    }
}

/// What a context says when it was sent with the prior resolutions of this digest (CR-71).
pub fn prior_delivery(sha256: &str) -> String {
    format!("prior-resolutions sha256:{sha256}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::code_review::fixture::{Fixture, response};

    fn lines() -> Vec<u8> {
        let mut fixture = Fixture::new(&[Role::SwEngineer, Role::QaSpecialist]);
        fixture.review(Role::SwEngineer, &response(Role::SwEngineer, "1"));
        fixture.substitute(Role::QaSpecialist, &response(Role::QaSpecialist, "2"));
        fixture.image.bytes(EVENTS_FILE).expect("written").to_vec()
    }

    #[test]
    fn a_log_is_read_as_it_was_written() {
        let log = EventLog::read(&lines()).expect("whole");
        let numbers: Vec<u64> = log.events.iter().map(|event| event.seq).collect();
        assert_eq!((numbers, log.events[0].prev.clone()), (vec![1, 2, 3, 4, 5], "0".repeat(64)));
        assert_eq!((log.faults(), log.sha256), (Vec::new(), digest_bytes(&lines())));
        assert_eq!(EventLog::read(b"").expect("empty").head(), "0".repeat(64));
    }

    #[test]
    fn lines_are_not_left_out_or_exchanged() {
        let text = String::from_utf8(lines()).expect("text");
        let whole: Vec<&str> = text.split_inclusive('\n').collect();
        let exchanged = [whole[0], whole[2], whole[1]].concat();
        let spaced = whole[0].replacen(',', ", ", 1);
        let unended = whole[0].trim_end().to_owned();
        for broken in [whole[1..].concat(), exchanged, spaced, unended, format!("\n{text}")] {
            let faults = EventLog::read(broken.as_bytes()).expect_err("must be refused");
            assert_eq!(faults.last().map(|fault| fault.code.name), Some("reviewer-event-chain-broken"));
        }
    }

    #[test]
    fn places_of_contexts_and_responses_are_closed() {
        let role = Role::QaSpecialist;
        for path in ["specialists/qa-specialist-context.md", "specialists/qa-specialist-context.002.md"] {
            assert!(is_context_path(path, role), "{path}");
        }
        for path in ["specialists/challenger-context.md", "specialists/qa-specialist-context/../a.md", "qa-specialist-context.md"] {
            assert!(!is_context_path(path, role), "{path}");
        }
        let [markdown, json] = ["md", "json"].map(|ending| format!("specialists/qa-specialist.attempt-1.{ending}"));
        let allowed = |mode| [&markdown, &json].map(|path| is_output_path(path, role, Some(1), mode));
        assert_eq!(allowed(PassMode::Spawned), [true, true]);
        assert_eq!(allowed(PassMode::AppServer), [false, true]);
        assert_eq!(allowed(PassMode::Inspection), [true, false]);
        assert!(!is_output_path(&markdown, role, Some(2), PassMode::Spawned));
        assert!(is_output_path("specialists/qa-specialist.md", role, None, PassMode::Substituted));
    }

    proptest! {
        #[test]
        fn one_changed_byte_breaks_the_chain(index in any::<prop::sample::Index>(), change in 1_u8..) {
            let mut bytes = lines();
            let index = index.index(bytes.len());
            bytes[index] ^= change;
            let faults = EventLog::read(&bytes).expect_err("must be refused");
            prop_assert!(faults.iter().any(|fault| fault.code.name == "reviewer-event-chain-broken"));
        }
    }
}
