//! The step `independence`: where it is required, every pass is attested; a waiver names what it waives (CR-63, CR-220).

use serde_json::{Value, json};

use crate::{
    code_review::{
        codes,
        confidence::{ClosureStatus, WAIVER_GAP},
        context::Context,
        manifest::EvidenceLevel,
        run::{RUN_FILE, RunRecord},
        violation::{Sink, Violation},
    },
    strict::{Node, quoted},
};

/// Checks the requirement and the waiver.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (Some(t0), Some(routing), Some(manifest)) = (&context.t0, &context.routing, &context.manifest) else { return };
    let hint = "have the passes attested by an adapter, or ask the user to waive the requirement in a revised run";
    let code = &codes::INDEPENDENT_REVIEW_REQUIRED_FOR_COMPLETION;
    if t0.run.independence_required && !manifest.is_independent(&routing.triggered_roles) {
        if routing.triggered_roles.is_empty() {
            sink.push(Violation::new(code, "independent review is required, and no role is triggered", hint));
        }
        for role in &routing.triggered_roles {
            let level = manifest.passes.iter().find(|pass| pass.role == *role).map(|pass| pass.evidence_level);
            if level != Some(EvidenceLevel::Attested) {
                let shown = level.map_or("nothing", EvidenceLevel::as_str);
                let message = format!("independent review is required, and the pass of `{role}` is {shown}, not attested");
                sink.push(Violation::new(code, message, hint).subject(role.as_str()));
            }
        }
    }
    if let Some(message) = waiver_fault(&t0.run) {
        let hint = "start the revised run with --revised-scope-of and the user's words in --waiver";
        sink.push(Violation::new(&codes::INDEPENDENCE_WAIVER_INVALID, message, hint).at(RUN_FILE, "/revised_scope"));
    }
}

/// Why the waiver of a run is none.
fn waiver_fault(run: &RunRecord) -> Option<&'static str> {
    let revised = run.revised_scope.as_ref()?;
    if revised.waiver_evidence.trim().is_empty() {
        Some("the waiver does not say in which words the user gave it")
    } else if revised.original_run.trim().is_empty() || revised.original_run == run.run_id {
        Some("the waiver does not name the run whose requirement it waives")
    } else if run.independence_required {
        Some("this run waives the requirement of independent review and makes it at once")
    } else {
        None
    }
}

/// What metadata says about independence; a part of the step `reported` (CR-207).
pub(super) fn reported(context: &Context<'_>, sink: &mut Sink) {
    let (Some(mirror), Some(metadata)) = (context.mirror(), context.metadata()) else { return };
    let file = context.result_file.unwrap_or_default();
    let wanted = [
        ("independence_required", json!(mirror.independence_required)),
        ("independence_requirement_evidence", json!(mirror.independence_requirement_evidence)),
        ("independence_satisfied", json!(mirror.independence_satisfied)),
    ];
    for (key, value) in wanted.iter().filter(|(key, value)| metadata.get(key).map_or(Value::Null, Node::value) != *value) {
        let message = format!("{} is not what the run gives: {value}", quoted(key));
        let hint = "copy it from the output of `code-polishy code-review validate --manifest-only`";
        let violation = Violation::new(&codes::INDEPENDENCE_METADATA_MISMATCH, message, hint).subject(*key);
        sink.push(violation.at(file, format!("/metadata/{key}")));
    }
}

/// A waiver is disclosed as a gap, which this run cannot close (CR-63, CR-226); a part of the step `reported`.
pub(super) fn disclosed(context: &Context<'_>, sink: &mut Sink) {
    let (Some(t0), Some(confidence)) = (&context.t0, &context.confidence) else { return };
    let is_open = confidence.closures.iter().any(|closure| closure.gap == WAIVER_GAP && closure.status != ClosureStatus::Closed);
    if t0.run.revised_scope.is_some() && !(confidence.gaps.iter().any(|gap| gap == WAIVER_GAP) && is_open) {
        let message = format!("a waiver demands the open gap {}", quoted(WAIVER_GAP));
        let hint = format!("declare it in these words, and leave it open: {WAIVER_GAP}");
        let violation = Violation::new(&codes::INDEPENDENCE_WAIVER_INVALID, message, hint);
        sink.push(violation.at(context.result_file.unwrap_or_default(), "/metadata/confidence_gaps"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::code_review::{
        confidence::{Band, Closure, ClosureStatus, Confidence, WAIVER_GAP},
        events::{AdapterAnswer, Attestation, Event, EventKind},
        fixture::{Fixture, response},
        run::RevisedScope,
        step::Step,
        vocabulary::Role,
    };

    const ROLE: Role = Role::SwEngineer;
    const STEPS: [Step; 3] = [Step::ReviewerEvents, Step::Manifest, Step::Independence];

    fn attested(steps: &[EventKind]) -> Fixture {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.t0.run.independence_required = true;
        fixture.write("specialists/sw-engineer.attempt-1.md", response(ROLE, "1").as_bytes());
        fixture.write("receipts/sw-engineer.json", b"{}");
        let receipt_sha256 = fixture.image.sha256("receipts/sw-engineer.json").map(str::to_owned);
        for event in [EventKind::Dispatched, EventKind::Delivered, EventKind::Started, EventKind::Completed, EventKind::Joined] {
            let mut draft = fixture.draft(event, ROLE, 1);
            if steps.contains(&event) {
                let adapter = AdapterAnswer { name: "receipts".to_owned(), sha256: "a".repeat(64), answer: Attestation::Attested };
                let receipt_path = Some("receipts/sw-engineer.json".to_owned());
                draft = Event { adapter: Some(adapter), receipt_path, receipt_sha256: receipt_sha256.clone(), ..draft };
            }
            fixture.append(draft).expect("in order");
        }
        fixture
    }

    #[test]
    fn only_attested_passes_satisfy_the_requirement() {
        let whole = [EventKind::Delivered, EventKind::Started, EventKind::Completed, EventKind::Joined];
        assert_eq!(attested(&whole).found(&STEPS), Vec::<String>::new());
        assert_eq!(attested(&whole[..3]).found(&STEPS), ["independent-review-required-for-completion:sw-engineer"]);
        let mut relaxed = attested(&[]);
        relaxed.t0.run.independence_required = false;
        assert_eq!(relaxed.found(&STEPS), Vec::<String>::new());
        let mut nobody = Fixture::new(&[]);
        nobody.t0.run.independence_required = true;
        assert_eq!(nobody.found(&STEPS), ["independent-review-required-for-completion"]);
    }

    #[test]
    fn a_waiver_names_its_run_and_its_words() {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.review(ROLE, &response(ROLE, "1"));
        let own = fixture.t0.run.run_id.clone();
        let mut with = |original_run: &str, waiver: &str| {
            let (original_run, waiver_evidence) = (original_run.to_owned(), waiver.to_owned());
            fixture.t0.run.revised_scope = Some(RevisedScope { original_run, waiver_evidence });
            fixture.found(&STEPS)
        };
        assert_eq!(with("an earlier run", "Go on without."), Vec::<String>::new());
        assert_eq!(with("an earlier run", " "), ["independence-waiver-invalid"]);
        assert_eq!(with(&own, "Go on without."), ["independence-waiver-invalid"]);
    }

    #[test]
    fn metadata_repeats_what_was_required_and_reached() {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.review(ROLE, &response(ROLE, "1"));
        fixture.copy_metadata();
        let steps = [Step::ReviewerEvents, Step::Manifest, Step::Reported];
        assert_eq!(fixture.found(&steps), Vec::<String>::new());
        fixture.metadata["independence_satisfied"] = json!(true);
        fixture.metadata["independence_required"] = json!(null);
        let expected = ["independence_required", "independence_satisfied"].map(|key| format!("independence-metadata-mismatch:{key}"));
        assert_eq!(fixture.found(&steps), expected);
    }

    #[test]
    fn a_waiver_is_disclosed_as_an_open_gap() {
        let with = |gap: &str, status: ClosureStatus| {
            let mut fixture = Fixture::new(&[]);
            fixture.copy_metadata();
            let (original_run, waiver_evidence) = ("an earlier run".to_owned(), "Go on without.".to_owned());
            fixture.t0.run.revised_scope = Some(RevisedScope { original_run, waiver_evidence });
            fixture.confidence = Some(Confidence {
                hundredths: 90,
                initial: 90,
                gaps: vec![gap.to_owned()],
                closures: vec![Closure { gap: gap.to_owned(), status, text: "(-0.10) As the user wished.".to_owned() }],
                band: Band::of(90),
                evidence: Vec::new(),
                recovery_actions: Vec::new(),
                remaining_limits: Vec::new(),
            });
            fixture.found(&[Step::ReviewerEvents, Step::Manifest, Step::Reported])
        };
        assert_eq!(with(WAIVER_GAP, ClosureStatus::Unresolved), Vec::<String>::new());
        assert_eq!(with(WAIVER_GAP, ClosureStatus::Closed), ["independence-waiver-invalid"]);
        assert_eq!(with("Another gap.", ClosureStatus::Unresolved), ["independence-waiver-invalid"]);
    }
}
