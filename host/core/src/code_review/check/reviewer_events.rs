//! The step `reviewer-events`: the log is an unbroken chain in the order of the work, and what it names is as it was (CR-59 to CR-65).

use crate::{
    canonical::read_strict,
    code_review::{
        codes::{self, Code},
        context::Context,
        events::{EVENTS_FILE, Event, EventFault, EventKind, EventLog, ResponseFormat, prior_delivery},
        image::RunImage,
        manifest::read,
        routing::{BRIEFS_FILE, Briefs, Plan, Routing},
        violation::Sink,
    },
};

/// Reads the log and holds it against itself and the run.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let facts = context.facts;
    let bytes = facts.image.bytes(EVENTS_FILE).unwrap_or_default();
    let log = match EventLog::read(bytes) {
        Ok(log) => log,
        Err(faults) => return faults.iter().for_each(|fault| sink.push(fault.violation())),
    };
    let mut faults = log.faults();
    let briefs = facts.image.bytes(BRIEFS_FILE).and_then(|bytes| read_strict(bytes, "", "").ok());
    let events =
        Events { briefs, image: facts.image, routing: context.routing.as_ref(), plan: context.plan.as_ref(), promoted: facts.promoted };
    for event in &log.events {
        events.named(event, &mut faults);
        events.frozen(event, &mut faults);
        events.format(event, &mut faults);
        events.prior(event, &mut faults);
        events.triggered(event, &mut faults);
    }
    faults.sort_by_key(|fault| fault.line);
    faults.iter().for_each(|fault| sink.push(fault.violation()));
    context.events = Some(log);
}

struct Events<'e> {
    image: &'e RunImage,
    /// None when the run has none that can be read.
    briefs: Option<Briefs>,
    /// Known once the routing holds.
    routing: Option<&'e Routing>,
    plan: Option<&'e Plan>,
    promoted: bool,
}

fn fault(event: &Event, code: &'static Code, message: String, hint: &'static str) -> EventFault {
    EventFault { code, line: event.seq, role: Some(event.role), message, hint }
}

impl Events<'_> {
    /// Contexts, responses and receipts are those that the event saw; a response that is gone belongs to the manifest.
    fn named(&self, event: &Event, faults: &mut Vec<EventFault>) {
        let named = [
            (&event.context_path, &event.context_sha256),
            (&event.output_path, &event.output_sha256),
            (&event.receipt_path, &event.receipt_sha256),
        ];
        for (path, digest) in named.into_iter().filter_map(|(path, digest)| Some((path.as_deref()?, digest.as_deref()?))) {
            let is_output = event.output_path.as_deref() == Some(path);
            let message = match self.image.sha256(path) {
                Some(found) if found == digest => continue,
                Some(_) => format!("`{path}` is not what it was at this event"),
                None if is_output => continue,
                None => format!("`{path}` is missing"),
            };
            let hint = "restore the file as it was, or start a new run";
            faults.push(fault(event, &codes::REVIEWER_EVENT_DIGEST_MISMATCH, message, hint));
        }
    }

    /// A reviewer is sent the context that `route` froze for its role.
    fn frozen(&self, event: &Event, faults: &mut Vec<EventFault>) {
        let (EventKind::Dispatched, Some(path)) = (event.event, &event.context_path) else { return };
        let brief = self.briefs.as_ref().and_then(|briefs| briefs.of(event.role));
        let is_frozen =
            brief.is_some_and(|brief| brief.context_path == *path && Some(&brief.context_sha256) == event.context_sha256.as_ref());
        if !is_frozen {
            let message = format!("`{path}` is not the context that `{BRIEFS_FILE}` freezes for `{}`", event.role);
            let hint = "dispatch the context as `code-polishy code-review route` wrote it";
            faults.push(fault(event, &codes::REVIEWER_EVENT_DIGEST_MISMATCH, message, hint));
        }
    }

    /// A response that is said not to parse does not (CR-65); a promoted run is judged by what it recorded.
    fn format(&self, event: &Event, faults: &mut Vec<EventFault>) {
        if self.promoted || event.format != Some(ResponseFormat::Invalid) {
            return;
        }
        let (Some(path), Some(plan)) = (&event.output_path, self.plan) else { return };
        if self.image.bytes(path).is_some_and(|bytes| read(bytes, path, event.role, event.mode, plan).is_ok()) {
            let message = format!("`{path}` parses, and this event says that it does not");
            let hint = "join the response instead of asking for a correction";
            faults.push(fault(event, &codes::REVIEWER_RETRY_UNSUPPORTED, message, hint));
        }
    }

    /// A context was sent with the prior resolutions (CR-71).
    fn prior(&self, event: &Event, faults: &mut Vec<EventFault>) {
        let (EventKind::Dispatched, Some(path)) = (event.event, &event.context_path) else { return };
        let Some(digest) = self.image.sha256("prior-resolutions.json") else { return };
        if !self.image.text(path).is_some_and(|text| text.contains(&prior_delivery(digest))) {
            let message = format!("`{path}` does not name the prior resolutions");
            let hint = "give the reviewer the prior resolutions with their digest";
            faults.push(fault(event, &codes::PRIOR_RESOLUTIONS_NOT_DELIVERED, message, hint));
        }
    }

    fn triggered(&self, event: &Event, faults: &mut Vec<EventFault>) {
        if self.routing.is_some_and(|routing| !routing.triggered_roles.contains(&event.role)) {
            let message = format!("the routing does not trigger `{}`", event.role);
            let hint = "select a role before the first event, or start a new run";
            faults.push(fault(event, &codes::REVIEWER_ROLE_NOT_TRIGGERED, message, hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::code_review::{
        events::{EVENTS_FILE, Event, EventKind, ResponseFormat},
        fixture::{Fixture, response},
        routing::BRIEFS_FILE,
        step::Step,
        vocabulary::Role,
    };

    const ROLE: Role = Role::SwEngineer;
    const OUTPUT: &str = "specialists/sw-engineer.attempt-1.md";

    fn reviewed() -> Fixture {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.review(ROLE, &response(ROLE, "1"));
        fixture
    }

    fn found(fixture: &Fixture) -> Vec<String> {
        fixture.found(&[Step::ReviewerEvents])
    }

    #[test]
    fn a_log_that_holds_is_kept() {
        assert_eq!(found(&Fixture::new(&[ROLE])), Vec::<String>::new());
        assert_eq!(found(&reviewed()), Vec::<String>::new());
    }

    #[test]
    fn a_broken_chain_is_all_that_is_said() {
        let mut fixture = reviewed();
        let text = fixture.image.text(EVENTS_FILE).expect("written").replace("sw-engineer-1", "sw-engineer-2");
        fixture.write(EVENTS_FILE, text.as_bytes());
        assert_eq!(found(&fixture), ["reviewer-event-chain-broken"]);
    }

    #[test]
    fn files_are_as_the_events_saw_them() {
        let mut fixture = reviewed();
        fixture.write(OUTPUT, b"edited");
        assert_eq!(found(&fixture), ["reviewer-event-digest-mismatch:sw-engineer"; 2]);
        let mut fixture = reviewed();
        fixture.image.files.remove("specialists/sw-engineer-context.md");
        assert_eq!(found(&fixture), ["reviewer-event-digest-mismatch:sw-engineer"]);
    }

    #[test]
    fn a_context_is_the_frozen_one() {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.write("specialists/sw-engineer-context.md", b"another");
        fixture.review(ROLE, &response(ROLE, "1"));
        assert_eq!(found(&fixture), ["reviewer-event-digest-mismatch:sw-engineer"]);
        let mut fixture = reviewed();
        fixture.image.files.remove(BRIEFS_FILE);
        assert_eq!(found(&fixture), ["reviewer-event-digest-mismatch:sw-engineer"]);
    }

    #[test]
    fn only_triggered_roles_have_events() {
        let mut fixture = reviewed();
        fixture.routing.triggered_roles.clear();
        assert_eq!(found(&fixture), ["reviewer-role-not-triggered:sw-engineer"; 4]);
    }

    #[test]
    fn a_response_that_parses_needs_no_correction() {
        for (text, expected) in [(response(ROLE, "1"), vec!["reviewer-retry-unsupported:sw-engineer"]), ("nothing".to_owned(), vec![])] {
            let mut fixture = Fixture::new(&[ROLE]);
            fixture.write(OUTPUT, text.as_bytes());
            fixture.take(EventKind::Dispatched, ROLE, 1);
            fixture.take(EventKind::Started, ROLE, 1);
            let completed = Event { format: Some(ResponseFormat::Invalid), ..fixture.draft(EventKind::Completed, ROLE, 1) };
            fixture.append(completed).expect("in order");
            assert_eq!(found(&fixture), expected);
            fixture.promoted = true;
            assert_eq!(found(&fixture), Vec::<String>::new());
        }
    }

    #[test]
    fn contexts_name_the_prior_resolutions() {
        let mut fixture = reviewed();
        fixture.write("prior-resolutions.json", b"{}");
        assert_eq!(found(&fixture), ["prior-resolutions-not-delivered:sw-engineer"]);
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.write("prior-resolutions.json", b"{}");
        let digest = fixture.image.sha256("prior-resolutions.json").expect("there").to_owned();
        let context = format!("Review.\nprior-resolutions sha256:{digest}\n");
        fixture.freeze(ROLE, &context);
        fixture.review(ROLE, &response(ROLE, "1"));
        assert_eq!(found(&fixture), Vec::<String>::new());
    }
}
