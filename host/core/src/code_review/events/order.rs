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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::code_review::{
        events::{AdapterAnswer, Attestation},
        fixture::{Fixture, response},
    };

    const ROLE: Role = Role::SwEngineer;
    const OTHER: Role = Role::QaSpecialist;

    fn fixture() -> Fixture {
        Fixture::new(&[ROLE, OTHER])
    }

    fn attested(draft: Event) -> Event {
        let adapter = AdapterAnswer { name: "receipts".to_owned(), sha256: "a".repeat(64), answer: Attestation::Attested };
        let receipt = (Some("receipts/1.json".to_owned()), Some("b".repeat(64)));
        Event { adapter: Some(adapter), receipt_path: receipt.0, receipt_sha256: receipt.1, ..draft }
    }

    #[test]
    fn an_attempt_goes_step_by_step() {
        let mut fixture = fixture();
        fixture.write("specialists/sw-engineer.attempt-1.md", b"text");
        let early = fixture.draft(EventKind::Started, ROLE, 1);
        assert_eq!(fixture.refusal(early), ["reviewer-event-order"]);
        fixture.take(EventKind::Dispatched, ROLE, 1);
        for event in [EventKind::Dispatched, EventKind::Completed, EventKind::Joined] {
            let draft = fixture.draft(event, ROLE, 1);
            assert_eq!(fixture.refusal(draft), ["reviewer-event-order"], "{event:?}");
        }
        for event in [EventKind::Delivered, EventKind::Started, EventKind::Completed, EventKind::Joined] {
            fixture.take(event, ROLE, 1);
        }
        for event in [EventKind::Refused, EventKind::Joined] {
            let draft = fixture.draft(event, ROLE, 1);
            assert_eq!(fixture.refusal(draft), ["reviewer-event-order"], "{event:?}");
        }
    }

    #[test]
    fn time_does_not_go_back() {
        let mut fixture = fixture();
        fixture.take(EventKind::Dispatched, ROLE, 1);
        let early = Event { at: "2026-01-01T00:00:59.9Z".to_owned(), ..fixture.draft(EventKind::Started, ROLE, 1) };
        assert_eq!(fixture.refusal(early), ["reviewer-event-order"]);
    }

    #[test]
    fn what_is_delivered_and_joined_is_what_was_sent_and_completed() {
        let mut fixture = fixture();
        fixture.take(EventKind::Dispatched, ROLE, 1);
        let other = Event { context_sha256: Some("c".repeat(64)), ..fixture.draft(EventKind::Delivered, ROLE, 1) };
        assert_eq!(fixture.refusal(other), ["reviewer-event-digest-mismatch"]);
        fixture.write("specialists/sw-engineer.attempt-1.md", b"text");
        fixture.take(EventKind::Started, ROLE, 1);
        fixture.take(EventKind::Completed, ROLE, 1);
        let other = Event { output_sha256: Some("d".repeat(64)), ..fixture.draft(EventKind::Joined, ROLE, 1) };
        assert_eq!(fixture.refusal(other), ["reviewer-event-digest-mismatch"]);
    }

    #[test]
    fn a_second_attempt_needs_a_reason_that_the_log_shows() {
        let second = |fixture: &mut Fixture, reason| Event { retry_reason: Some(reason), ..fixture.draft(EventKind::Dispatched, ROLE, 2) };
        let mut plain = fixture();
        plain.take(EventKind::Dispatched, ROLE, 1);
        let early = second(&mut plain, RetryReason::HostFailure);
        assert_eq!(plain.refusal(early), ["reviewer-event-order"]);
        plain.take(EventKind::Refused, ROLE, 1);
        for reason in [RetryReason::HostFailure, RetryReason::FormatCorrection] {
            let draft = second(&mut plain, reason);
            assert_eq!(plain.refusal(draft), ["reviewer-retry-unsupported"]);
        }
        plain.substitute(ROLE, &response(ROLE, "1"));

        let mut receipted = fixture();
        receipted.take(EventKind::Dispatched, ROLE, 1);
        let refused = attested(receipted.draft(EventKind::Refused, ROLE, 1));
        receipted.append(refused).expect("in order");
        let draft = second(&mut receipted, RetryReason::HostFailure);
        receipted.append(draft).expect("supported");

        let mut malformed = fixture();
        malformed.write("specialists/sw-engineer.attempt-1.md", b"text");
        malformed.take(EventKind::Dispatched, ROLE, 1);
        malformed.take(EventKind::Started, ROLE, 1);
        let completed = Event { format: Some(ResponseFormat::Invalid), ..malformed.draft(EventKind::Completed, ROLE, 1) };
        malformed.append(completed).expect("in order");
        let joined = malformed.draft(EventKind::Joined, ROLE, 1);
        assert_eq!(malformed.refusal(joined), ["reviewer-event-order"]);
        let draft = second(&mut malformed, RetryReason::FormatCorrection);
        malformed.append(draft).expect("supported");
        malformed.take(EventKind::Refused, ROLE, 2);
        let third = Event { retry_reason: Some(RetryReason::FormatCorrection), ..malformed.draft(EventKind::Dispatched, ROLE, 3) };
        assert_eq!(malformed.refusal(third), ["reviewer-attempt-limit"]);
    }

    #[test]
    fn contexts_responses_and_reviewers_belong_to_one() {
        let mut fixture = fixture();
        fixture.review(ROLE, &response(ROLE, "1"));
        let same = fixture.image.sha256("specialists/sw-engineer-context.md").expect("there").to_owned();
        let context = Event { context_sha256: Some(same), ..fixture.draft(EventKind::Dispatched, OTHER, 1) };
        assert_eq!(fixture.refusal(context), ["reviewer-event-identity-reused"]);
        let reviewer = Event { reviewer_id: Some("sw-engineer-1".to_owned()), ..fixture.draft(EventKind::Dispatched, OTHER, 1) };
        assert_eq!(fixture.refusal(reviewer), ["reviewer-event-identity-reused"]);
        fixture.write("specialists/qa-specialist.attempt-1.md", response(ROLE, "1").as_bytes());
        fixture.take(EventKind::Dispatched, OTHER, 1);
        fixture.take(EventKind::Started, OTHER, 1);
        let copied = fixture.draft(EventKind::Completed, OTHER, 1);
        assert_eq!(fixture.refusal(copied), ["reviewer-event-identity-reused"]);
    }

    #[test]
    fn nobody_claims_the_controls_of_an_inspection() {
        let mut fixture = fixture();
        let controls = serde_json::json!({"controls": ["read-only"]});
        for claimed in [true, false] {
            let draft = Event { mode: PassMode::Inspection, ..fixture.draft(EventKind::Dispatched, ROLE, 1) };
            let (claimed, observed) = if claimed { (controls.clone(), draft.observed) } else { (draft.claimed, controls.clone()) };
            assert_eq!(fixture.refusal(Event { claimed, observed, ..draft }), ["reviewer-observed-controls-forbidden"]);
        }
    }

    #[test]
    fn an_event_has_what_it_needs_and_nothing_else() {
        let mut fixture = fixture();
        let draft = fixture.draft(EventKind::Dispatched, ROLE, 1);
        let wrong = [
            Event { schema_version: 2, ..draft.clone() },
            Event { attempt: None, ..draft.clone() },
            Event { reviewer_id: None, ..draft.clone() },
            Event { reviewer_id: Some(" ".to_owned()), ..draft.clone() },
            Event { context_sha256: None, ..draft.clone() },
            Event { context_sha256: Some("A".repeat(64)), ..draft.clone() },
            Event { context_path: Some("specialists/qa-specialist-context.md".to_owned()), ..draft.clone() },
            Event { reason: Some("why".to_owned()), ..draft.clone() },
            Event { retry_reason: Some(RetryReason::HostFailure), ..draft.clone() },
            Event { format: Some(ResponseFormat::Valid), ..draft.clone() },
            Event { receipt_path: Some("a.json".to_owned()), ..draft.clone() },
            Event { at: "yesterday".to_owned(), ..draft.clone() },
        ];
        for event in wrong {
            assert_eq!(fixture.refusal(event.clone()), ["reviewer-event-invalid"], "{event:?}");
        }
        let outside = Event { receipt_path: Some("../a.json".to_owned()), ..attested(draft.clone()) };
        assert_eq!(fixture.refusal(outside), ["reviewer-event-invalid"]);
        let mut rejected = attested(draft);
        if let Some(adapter) = &mut rejected.adapter {
            adapter.answer = Attestation::Rejected;
        }
        assert_eq!(fixture.refusal(rejected), ["reviewer-attestation-rejected"]);
    }

    fn any_event() -> impl Strategy<Value = (EventKind, bool, u32)> {
        let kinds =
            [EventKind::Dispatched, EventKind::Delivered, EventKind::Started, EventKind::Completed, EventKind::Joined, EventKind::Refused];
        (prop::sample::select(kinds.to_vec()), any::<bool>(), prop::sample::select(vec![1_u32, 1, 1, 2, 3]))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn whatever_is_tried_a_response_that_counts_went_the_whole_way(tried in prop::collection::vec(any_event(), 0..120)) {
            let mut fixture = fixture();
            for role in [ROLE, OTHER] {
                for attempt in 1..4 {
                    let text = format!("{role} {attempt}");
                    fixture.write(&format!("specialists/{role}.attempt-{attempt}.md"), text.as_bytes());
                }
            }
            for (event, first, attempt) in tried {
                let role = if first { ROLE } else { OTHER };
                let draft = fixture.draft(event, role, attempt);
                let reason = (event == EventKind::Dispatched && attempt > 1).then_some(RetryReason::FormatCorrection);
                let _ = fixture.append(Event { retry_reason: reason, ..draft });
            }
            prop_assert_eq!(fixture.log.faults(), Vec::new());
            for role in [ROLE, OTHER] {
                let mut kinds: Vec<EventKind> =
                    fixture.log.events.iter().filter(|event| event.role == role).map(|event| event.event).collect();
                kinds.retain(|kind| *kind != EventKind::Delivered);
                let whole = [EventKind::Dispatched, EventKind::Started, EventKind::Completed, EventKind::Joined];
                let dispatched = kinds.iter().filter(|kind| **kind == EventKind::Dispatched).count();
                let sound = if kinds.contains(&EventKind::Joined) { kinds == whole } else { dispatched <= 1 };
                prop_assert!(sound, "{:?}", kinds);
            }
        }
    }
}
