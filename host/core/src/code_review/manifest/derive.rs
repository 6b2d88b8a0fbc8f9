//! The manifest that the log and the retained responses give (CR-66): written after every event, and derived again by every validation.

use super::{Attempt, EvidenceLevel, Manifest, Pass, PassMode};
use crate::code_review::{
    events::{Event, EventKind, EventLog, ResponseFormat},
    image::RunImage,
    response::{self, Fault, FaultKind, MAX_RESPONSE_BYTES, Response},
    routing::{Plan, PlanKind, Routing},
    run::RunRecord,
    vocabulary::{Role, Severity},
};

/// What a manifest is derived from.
#[derive(Clone, Copy)]
pub struct Sources<'s> {
    /// `run.json`.
    pub run: &'s RunRecord,
    /// Digest of `diff.patch`.
    pub review_input_sha256: &'s str,
    /// `review-routing.json`.
    pub routing: &'s Routing,
    /// The frozen plan.
    pub plan: &'s Plan,
    /// The event log.
    pub log: &'s EventLog,
    /// The run: its responses, role cards and plan.
    pub image: &'s RunImage,
}

/// The manifest, and what it could not take up.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// With a pass for every role whose response counts and parses.
    pub manifest: Manifest,
    /// Their responses, in the same order.
    pub responses: Vec<Response>,
    /// Roles without a pass, each with the reason.
    pub gaps: Vec<(Role, PassGap)>,
}

/// Why a triggered role has no pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PassGap {
    /// Nobody was asked.
    Missing,
    /// No response was joined.
    Unfinished,
    /// The response is gone.
    OutputMissing(String),
    /// The role card is gone.
    CardMissing,
    /// The response at this path does not parse.
    Response(String, Vec<Fault>),
}

/// Where the retained card of a role lies.
pub fn card_path(role: Role) -> String {
    format!("role-cards/{role}/ROLE.md")
}

/// Where a plan of this kind lies.
pub fn plan_path(kind: PlanKind) -> &'static str {
    match kind {
        PlanKind::Direct => "direct-plan.json",
        PlanKind::Batched => "inspection-plan.json",
    }
}

/// Derives the manifest.
pub fn derive(sources: Sources<'_>) -> Derived {
    let Sources { run, routing, plan, log, image, .. } = sources;
    let plan_path = plan_path(plan.plan_kind);
    let mut derived = Derived {
        manifest: Manifest {
            schema_version: 10,
            manifest_kind: plan.plan_kind,
            review_run_id: run.run_id.clone(),
            producer_id: run.producer_id.clone(),
            review_input_sha256: sources.review_input_sha256.to_owned(),
            plan_path: plan_path.to_owned(),
            plan_sha256: image.sha256(plan_path).unwrap_or_default().to_owned(),
            events_sha256: log.sha256.clone(),
            passes: Vec::new(),
        },
        responses: Vec::new(),
        gaps: Vec::new(),
    };
    for role in &routing.triggered_roles {
        match pass(sources, *role) {
            Ok((pass, response)) => {
                derived.manifest.passes.push(pass);
                derived.responses.push(response);
            }
            Err(gap) => derived.gaps.push((*role, gap)),
        }
    }
    derived
}

fn pass(sources: Sources<'_>, role: Role) -> Result<(Pass, Response), PassGap> {
    let events: Vec<&Event> = sources.log.events.iter().filter(|event| event.role == role).collect();
    if events.is_empty() {
        return Err(PassGap::Missing);
    }
    let joined = events.iter().find(|event| event.event == EventKind::Joined).ok_or(PassGap::Unfinished)?;
    let (Some(output_path), Some(output_sha256)) = (&joined.output_path, &joined.output_sha256) else { return Err(PassGap::Unfinished) };
    let bytes = sources.image.bytes(output_path).ok_or_else(|| PassGap::OutputMissing(output_path.clone()))?;
    let role_card_sha256 = sources.image.sha256(&card_path(role)).ok_or(PassGap::CardMissing)?.to_owned();
    let response =
        read(bytes, output_path, role, joined.mode, sources.plan).map_err(|faults| PassGap::Response(output_path.clone(), faults))?;
    let attempts = attempts(&events);
    let selected = joined.attempt.and_then(|number| attempts.iter().find(|attempt| attempt.attempt == number));
    let dispatched = events.iter().find(|event| event.event == EventKind::Dispatched && event.attempt == joined.attempt);
    let blocking = response.findings.iter().filter(|finding| finding.severity >= Severity::High).count();
    let pass = Pass {
        role,
        axis: axis(role, sources.routing),
        trigger: sources.routing.trigger_reasons.get(&role).map(|reasons| reasons.join("; ")).unwrap_or_default(),
        mode: joined.mode,
        evidence_level: selected.map_or(EvidenceLevel::Substituted, |attempt| attempt.evidence_level),
        confidence: serde_json::json!(f64::from(response.confidence) / 100.0),
        blocking_findings: u32::try_from(blocking).unwrap_or(u32::MAX),
        output_path: output_path.clone(),
        output_sha256: output_sha256.clone(),
        context_sha256: dispatched.and_then(|event| event.context_sha256.clone()),
        role_card_sha256,
        selected_attempt: selected.map(|attempt| attempt.attempt),
        attempts,
    };
    Ok((pass, response))
}

/// The signal of the role when there is one, else the role.
fn axis(role: Role, routing: &Routing) -> String {
    let signal = format!("axis_{}", role.as_str().replace('-', "_"));
    if routing.signals.contains_key(&signal) { signal } else { role.as_str().to_owned() }
}

/// Reads a response in the form that its name says; what it cites of the plan must be what was frozen (CR-70, CR-221).
///
/// # Errors
/// Everything that is wrong, in order.
pub fn read(bytes: &[u8], path: &str, role: Role, mode: PassMode, plan: &Plan) -> Result<Response, Vec<Fault>> {
    let form = |message: String| vec![Fault { kind: FaultKind::Form, message, line: None }];
    if bytes.len() > MAX_RESPONSE_BYTES {
        return Err(form(format!("it has more than {MAX_RESPONSE_BYTES} bytes")));
    }
    let response = if path.ends_with(".json") {
        response::json(bytes)?
    } else {
        let text = std::str::from_utf8(bytes).map_err(|_| form("it is not UTF-8".to_owned()))?;
        response::text(text, role, mode == PassMode::Substituted)?
    };
    let cited = response.findings.iter().flat_map(|finding| &finding.evidence).filter(|cited| !cited.base);
    let foreign = cited.filter(|cited| {
        let frozen = plan.files.iter().find(|file| file.path == cited.path);
        frozen.is_some_and(|file| file.sha256.as_deref() != Some(cited.source_sha256.as_str()))
    });
    let foreign: Vec<Fault> =
        foreign.flat_map(|cited| form(format!("it cites `{}` with another digest than the frozen one", cited.path))).collect();
    if foreign.is_empty() { Ok(response) } else { Err(foreign) }
}

/// The attempts of a role's events, in order.
fn attempts(events: &[&Event]) -> Vec<Attempt> {
    let firsts = events.iter().filter(|event| event.event == EventKind::Dispatched);
    firsts.filter_map(|first| Some(attempt(first, first.attempt?, events))).collect()
}

fn attempt(first: &Event, number: u32, events: &[&Event]) -> Attempt {
    let own: Vec<&Event> = events.iter().copied().filter(|event| event.attempt == Some(number)).collect();
    let find = |kind: EventKind| own.iter().copied().find(|event| event.event == kind);
    let at = |kind: EventKind| find(kind).map(|event| event.at.clone());
    let completed = find(EventKind::Completed);
    let attested = |kind: EventKind| find(kind).is_some_and(|event| event.evidence == EvidenceLevel::Attested);
    let chain = [EventKind::Delivered, EventKind::Started, EventKind::Completed, EventKind::Joined];
    let observed = own.iter().rev().map(|event| &event.observed).find(|observed| !observed.is_null());
    let outcome = match completed.and_then(|event| event.format) {
        _ if find(EventKind::Joined).is_some() => "joined",
        _ if find(EventKind::Refused).is_some() => "refused",
        Some(ResponseFormat::Invalid) => "invalid",
        _ => "open",
    };
    Attempt {
        attempt: number,
        mode: first.mode,
        reviewer_id: first.reviewer_id.clone(),
        outcome: outcome.to_owned(),
        started_at: at(EventKind::Started),
        completed_at: at(EventKind::Completed),
        evidence_level: if chain.into_iter().all(attested) { EvidenceLevel::Attested } else { EvidenceLevel::Recorded },
        output_path: completed.and_then(|event| event.output_path.clone()),
        output_sha256: completed.and_then(|event| event.output_sha256.clone()),
        retry_reason: first.retry_reason.map(|reason| reason.as_str().to_owned()),
        observed: observed.cloned().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::code_review::{
        events::{Event, EventKind, ResponseFormat, RetryReason},
        fixture::{Fixture, response},
        manifest::{EvidenceLevel, PassGap, PassMode},
        vocabulary::Role,
    };

    const ROLE: Role = Role::SwEngineer;

    #[test]
    fn a_pass_says_what_its_events_and_its_response_say() {
        let mut fixture = Fixture::new(&[ROLE, Role::Scientist]);
        fixture.review(ROLE, &response(ROLE, "1"));
        fixture.review(Role::Scientist, &response(Role::Scientist, "2"));
        let manifest = fixture.derived().manifest;
        let [pass, scientist] = manifest.passes.as_slice() else { panic!("two passes") };
        assert_eq!((pass.axis.as_str(), scientist.axis.as_str(), pass.trigger.as_str()), ("sw-engineer", "axis_scientist", "one; two"));
        assert_eq!((pass.confidence.clone(), pass.blocking_findings, pass.selected_attempt), (json!(0.9), 0, Some(1)));
        assert_eq!((pass.evidence_level, pass.mode), (EvidenceLevel::Recorded, PassMode::Spawned));
        assert_eq!(pass.attempts[0].started_at.as_deref(), Some("2026-01-01T00:02:00Z"));
        assert_eq!(pass.context_sha256.as_deref(), fixture.image.sha256("specialists/sw-engineer-context.md"));
        assert_eq!(manifest.events_sha256, fixture.log.sha256);
    }

    #[test]
    fn a_substitute_keeps_the_attempts_before_it() {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.take(EventKind::Dispatched, ROLE, 1);
        assert_eq!(fixture.derived().gaps, [(ROLE, PassGap::Unfinished)]);
        fixture.take(EventKind::Refused, ROLE, 1);
        fixture.substitute(ROLE, &response(ROLE, "1"));
        let pass = fixture.derived().manifest.passes.remove(0);
        assert_eq!((pass.selected_attempt, pass.context_sha256, pass.evidence_level), (None, None, EvidenceLevel::Substituted));
        assert_eq!((pass.attempts.len(), pass.attempts[0].outcome.as_str()), (1, "refused"));
    }

    #[test]
    fn the_second_attempt_counts_when_it_was_joined() {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.write("specialists/sw-engineer.attempt-1.md", b"text");
        fixture.write("specialists/sw-engineer.attempt-2.md", response(ROLE, "3").as_bytes());
        fixture.take(EventKind::Dispatched, ROLE, 1);
        fixture.take(EventKind::Started, ROLE, 1);
        let completed = Event { format: Some(ResponseFormat::Invalid), ..fixture.draft(EventKind::Completed, ROLE, 1) };
        fixture.append(completed).expect("in order");
        let second = Event { retry_reason: Some(RetryReason::FormatCorrection), ..fixture.draft(EventKind::Dispatched, ROLE, 2) };
        fixture.append(second).expect("supported");
        for event in [EventKind::Started, EventKind::Completed, EventKind::Joined] {
            fixture.take(event, ROLE, 2);
        }
        let pass = fixture.derived().manifest.passes.remove(0);
        let outcomes: Vec<&str> = pass.attempts.iter().map(|attempt| attempt.outcome.as_str()).collect();
        assert_eq!((pass.selected_attempt, outcomes), (Some(2), vec!["invalid", "joined"]));
        assert_eq!(pass.output_path, "specialists/sw-engineer.attempt-2.md");
        assert_eq!(pass.attempts[1].retry_reason.as_deref(), Some("format-correction"));
    }
}
