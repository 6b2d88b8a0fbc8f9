//! The order of events: per role at most two attempts, each from its dispatch to its end (CR-60, CR-65, CR-220).

use std::collections::BTreeMap;

use super::{Event, EventFault, EventKind, ResponseFormat, RetryReason, form, moment::Moment};
use crate::code_review::{
    codes::{self, Code},
    manifest::{EvidenceLevel, PassMode},
    vocabulary::Role,
};

/// Attempts of a pass (CR-201).
const MAX_ATTEMPTS: u32 = 2;

/// How far every role has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    last: Option<Moment>,
    works: BTreeMap<Role, Work>,
    /// Whose each context, output and reviewer is.
    contexts: BTreeMap<String, Role>,
    outputs: BTreeMap<String, Role>,
    reviewers: BTreeMap<String, (Role, u32)>,
}

#[derive(Clone, Debug, Default)]
struct Work {
    tries: Vec<Try>,
    /// A response counts: nothing follows.
    is_done: bool,
}

#[derive(Clone, Debug)]
struct Try {
    /// Of its `dispatched`.
    first: Event,
    /// The last event.
    state: EventKind,
    output_sha256: Option<String>,
    format: Option<ResponseFormat>,
    refusal: Option<EvidenceLevel>,
}

impl Try {
    fn has_ended(&self) -> bool {
        matches!(self.state, EventKind::Joined | EventKind::Refused) || self.format == Some(ResponseFormat::Invalid)
    }

    fn allows(&self, event: EventKind) -> bool {
        match event {
            EventKind::Dispatched => false,
            EventKind::Delivered => self.state == EventKind::Dispatched,
            EventKind::Started => matches!(self.state, EventKind::Dispatched | EventKind::Delivered),
            EventKind::Completed => self.state == EventKind::Started,
            EventKind::Joined => self.state == EventKind::Completed,
            EventKind::Refused => true,
        }
    }
}

const ORDER: &str = "an attempt is dispatched, may be delivered, is started, completed and joined; refused ends it earlier";

impl Progress {
    /// Takes the next event: with a fault it changes nothing.
    pub fn take(&mut self, event: &Event) -> Vec<EventFault> {
        let mut faults = form::faults(event);
        if faults.is_empty() {
            faults = self.faults(event).into_iter().map(|fault| fault.of(event)).collect();
        }
        if faults.is_empty() {
            self.advance(event);
        }
        faults
    }

    fn faults(&self, event: &Event) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.last.as_ref() > Moment::parse(&event.at).as_ref() {
            faults.push(Fault::order("this event is earlier than the one before it"));
        }
        let work = self.works.get(&event.role);
        if work.is_some_and(|work| work.is_done) {
            faults.push(Fault::order("a response of this role counts already"));
            return faults;
        }
        let tries = work.map(|work| work.tries.as_slice()).unwrap_or_default();
        let Some(attempt) = event.attempt else {
            if tries.iter().any(|it| !it.has_ended()) {
                faults.push(Fault::order("an attempt of this role is open: close it with `refused` before the parent does the work"));
            }
            return faults;
        };
        if event.event == EventKind::Dispatched {
            faults.extend(dispatch(tries, event, attempt));
        } else {
            faults.extend(step(tries, event, attempt));
        }
        faults.extend(self.reused(event, attempt));
        faults
    }

    fn reused(&self, event: &Event, attempt: u32) -> Vec<Fault> {
        let mut faults = Vec::new();
        let other = |owners: &BTreeMap<String, Role>, key: &Option<String>| {
            key.as_ref().and_then(|key| owners.get(key)).is_some_and(|owner| *owner != event.role)
        };
        if other(&self.contexts, &event.context_sha256) {
            faults.push(Fault::reused("another role has this context"));
        }
        if other(&self.outputs, &event.output_sha256) {
            faults.push(Fault::reused("another role has this very response"));
        }
        let owner = event.reviewer_id.as_ref().and_then(|id| self.reviewers.get(id));
        if owner.is_some_and(|owner| *owner != (event.role, attempt)) {
            faults.push(Fault::reused("another attempt has this reviewer"));
        }
        faults
    }

    fn advance(&mut self, event: &Event) {
        self.last = Moment::parse(&event.at);
        let own = |owners: &mut BTreeMap<String, Role>, key: &Option<String>| {
            if let Some(key) = key {
                owners.entry(key.clone()).or_insert(event.role);
            }
        };
        own(&mut self.contexts, &event.context_sha256);
        own(&mut self.outputs, &event.output_sha256);
        if let (Some(id), Some(attempt)) = (&event.reviewer_id, event.attempt) {
            self.reviewers.insert(id.clone(), (event.role, attempt));
        }
        let work = self.works.entry(event.role).or_default();
        work.is_done = event.event == EventKind::Joined;
        if event.mode == PassMode::Substituted {
            return;
        }
        if event.event == EventKind::Dispatched {
            let first = event.clone();
            work.tries.push(Try { first, state: EventKind::Dispatched, output_sha256: None, format: None, refusal: None });
            return;
        }
        let Some(it) = work.tries.last_mut() else { return };
        it.state = event.event;
        match event.event {
            EventKind::Completed => (it.output_sha256, it.format) = (event.output_sha256.clone(), event.format),
            EventKind::Refused => it.refusal = Some(event.evidence),
            _ => {}
        }
    }
}

/// A new attempt: the next one, after the one before has ended, for a reason that the log shows.
fn dispatch(tries: &[Try], event: &Event, attempt: u32) -> Option<Fault> {
    if attempt > MAX_ATTEMPTS {
        let message = "a pass has two attempts at most";
        return Some(Fault::new(&codes::REVIEWER_ATTEMPT_LIMIT, message, "do the pass as a substitute, and disclose it"));
    }
    let Some(earlier) = tries.last() else {
        return (attempt != 1).then(|| Fault::order("the first attempt is attempt 1"));
    };
    if tries.len() as u32 + 1 != attempt {
        return Some(Fault::order("this attempt was dispatched already"));
    }
    if !earlier.has_ended() {
        return Some(Fault::order("the attempt before is open"));
    }
    let supported = match event.retry_reason {
        Some(RetryReason::HostFailure) => earlier.refusal == Some(EvidenceLevel::Attested),
        Some(RetryReason::FormatCorrection) => earlier.format == Some(ResponseFormat::Invalid),
        None => false,
    };
    let message = "nothing in the log supports this reason for a second attempt";
    let hint = "a host failure needs an attested receipt of the refusal, a correction a response that does not parse; else substitute";
    (!supported).then(|| Fault::new(&codes::REVIEWER_RETRY_UNSUPPORTED, message, hint))
}

/// The next event of the open attempt.
fn step(tries: &[Try], event: &Event, attempt: u32) -> Vec<Fault> {
    if attempt > MAX_ATTEMPTS {
        let message = "a pass has two attempts at most";
        return vec![Fault::new(&codes::REVIEWER_ATTEMPT_LIMIT, message, "do the pass as a substitute, and disclose it")];
    }
    let Some(it) = tries.last().filter(|it| it.first.attempt == Some(attempt)) else {
        return vec![Fault::order("this is not the attempt that was dispatched last")];
    };
    let mut faults = Vec::new();
    if it.has_ended() {
        faults.push(Fault::order("this attempt has ended"));
    } else if !it.allows(event.event) {
        faults.push(Fault::order("this event does not follow the one before it"));
    }
    if (event.mode, &event.reviewer_id) != (it.first.mode, &it.first.reviewer_id) {
        faults.push(Fault::order("an attempt has one mode and one reviewer"));
    }
    let context = (&event.context_path, &event.context_sha256);
    if event.event == EventKind::Delivered && context != (&it.first.context_path, &it.first.context_sha256) {
        let message = "what was delivered is not the context that was dispatched";
        faults.push(Fault::new(&codes::REVIEWER_EVENT_DIGEST_MISMATCH, message, "deliver the frozen context"));
    }
    if event.event == EventKind::Joined && it.output_sha256.is_some() && event.output_sha256 != it.output_sha256 {
        let message = "what is joined is not the response that was completed";
        faults.push(Fault::new(&codes::REVIEWER_EVENT_DIGEST_MISMATCH, message, "restore the retained response"));
    }
    faults
}

struct Fault {
    code: &'static Code,
    message: &'static str,
    hint: &'static str,
}

impl Fault {
    fn new(code: &'static Code, message: &'static str, hint: &'static str) -> Self {
        Self { code, message, hint }
    }

    fn order(message: &'static str) -> Self {
        Self::new(&codes::REVIEWER_EVENT_ORDER, message, ORDER)
    }

    fn reused(message: &'static str) -> Self {
        Self::new(
            &codes::REVIEWER_EVENT_IDENTITY_REUSED,
            message,
            "give every pass its own context and response, every attempt its own reviewer",
        )
    }

    fn of(self, event: &Event) -> EventFault {
        EventFault { code: self.code, line: event.seq, role: Some(event.role), message: self.message.to_owned(), hint: self.hint }
    }
}
