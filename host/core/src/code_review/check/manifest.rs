//! The step `manifest`: the retained manifest is the derived one, every role's pass is there, its response parses, its card is the installed one
//! (CR-49, CR-66, CR-67, CR-207).

use crate::{
    canonical::artifact_bytes,
    code_review::{
        codes,
        context::Context,
        manifest::{MANIFEST_FILE, Sources, card_path, derive},
        violation::{Sink, Violation},
        vocabulary::Role,
    },
};

/// Derives the manifest and compares.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (Some(t0), Some(routing), Some(plan), Some(log)) = (&context.t0, &context.routing, &context.plan, &context.events) else { return };
    let image = context.facts.image;
    let review_input_sha256 = &t0.review_input_sha256;
    let derived = derive(Sources { run: &t0.run, review_input_sha256, routing, plan, log, image });
    let wanted = artifact_bytes(&derived.manifest);
    match image.bytes(MANIFEST_FILE) {
        None => sink.push(
            Violation::new(
                &codes::SPECIALIST_MANIFEST_MISSING,
                format!("`{MANIFEST_FILE}` is missing"),
                "run `code-polishy code-review route`",
            )
            .file(MANIFEST_FILE),
        ),
        Some(bytes) if bytes != wanted => sink.push(
            Violation::new(
                &codes::MANIFEST_DERIVATION_MISMATCH,
                "the manifest is not what events, responses, plan and routing give",
                "restore it; `code-polishy code-review reviewer-event` writes it, nobody edits it",
            )
            .file(MANIFEST_FILE),
        ),
        Some(_) => {}
    }
    derived.gaps.iter().flat_map(|(role, gap)| gap.violations(*role)).for_each(|violation| sink.push(violation));
    cards(context, &routing.triggered_roles, sink);
    context.manifest = Some(derived.manifest);
    context.responses = derived.responses;
}

/// Every triggered role's card is retained, and that of a candidate is the installed one (CR-67, CR-210).
fn cards(context: &Context<'_>, roles: &[Role], sink: &mut Sink) {
    for role in roles {
        let path = card_path(*role);
        let Some(retained) = context.facts.image.bytes(&path) else {
            let hint = "restore the card that `code-polishy code-review route` copied";
            let violation = Violation::new(&codes::ROLE_CARD_MISSING, format!("`{path}` is missing"), hint);
            sink.push(violation.subject(role.as_str()).file(path));
            continue;
        };
        let installed = context.facts.role_cards.get(role).map(Vec::as_slice);
        if !context.facts.promoted && installed != Some(retained) {
            let message = format!("the card of `{role}` is not the installed one");
            let violation = Violation::new(&codes::ROLE_CARD_MISMATCH, message, "install the card that the run used, or start a new run");
            sink.push(violation.subject(role.as_str()).file(path));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::code_review::{
        events::EventKind,
        fixture::{Fixture, response},
        manifest::MANIFEST_FILE,
        step::Step,
        vocabulary::Role,
    };

    const ROLE: Role = Role::SwEngineer;

    fn reviewed(text: &str) -> Fixture {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.review(ROLE, text);
        fixture
    }

    fn found(fixture: &Fixture) -> Vec<String> {
        fixture.found(&[Step::ReviewerEvents, Step::Manifest])
    }

    #[test]
    fn the_derived_manifest_holds() {
        assert_eq!(found(&reviewed(&response(ROLE, "1"))), Vec::<String>::new());
    }

    #[test]
    fn an_edited_manifest_is_no_manifest() {
        let mut fixture = reviewed(&response(ROLE, "1"));
        let text = fixture.image.text(MANIFEST_FILE).expect("written").replace("recorded", "attested");
        fixture.write(MANIFEST_FILE, text.as_bytes());
        assert_eq!(found(&fixture), ["manifest-derivation-mismatch"]);
        let mut fixture = reviewed(&response(ROLE, "1"));
        let spaced = fixture.image.text(MANIFEST_FILE).expect("written").to_owned() + "\n";
        fixture.write(MANIFEST_FILE, spaced.as_bytes());
        assert_eq!(found(&fixture), ["manifest-derivation-mismatch"]);
        fixture.image.files.remove(MANIFEST_FILE);
        assert_eq!(found(&fixture), ["specialist-manifest-missing"]);
    }

    #[test]
    fn every_triggered_role_has_a_finished_pass() {
        let mut fixture = Fixture::new(&[ROLE, Role::QaSpecialist]);
        fixture.take(EventKind::Dispatched, ROLE, 1);
        assert_eq!(found(&fixture), ["manifest-pass-unfinished:sw-engineer", "manifest-pass-missing:qa-specialist"]);
    }

    #[test]
    fn a_response_that_is_gone_is_named() {
        let mut fixture = reviewed(&response(ROLE, "1"));
        fixture.image.files.remove("specialists/sw-engineer.attempt-1.md");
        assert_eq!(found(&fixture), ["manifest-derivation-mismatch", "manifest-output-missing:sw-engineer"]);
    }

    #[test]
    fn faults_of_a_response_have_their_codes() {
        let unrated = response(ROLE, "1").replace("Rating: 1", "Rating: 7").replace("0.9", "1.9");
        let expected = ["review-assessment-content-invalid:sw-engineer", "reviewer-response-invalid:sw-engineer"];
        assert_eq!(found(&reviewed(&unrated)), expected);
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.substitute(ROLE, &response(ROLE, "1").replace("role_id: sw-engineer", "Hello"));
        assert_eq!(found(&fixture), ["reviewer-response-role-missing:sw-engineer"]);
    }

    #[test]
    fn what_a_response_cites_of_the_plan_is_the_frozen_file() {
        let record = |digest: &str| {
            let place = format!(r#"{{"path": "src/a.rs", "start_line": 1, "end_line": 1, "source_sha256": "{digest}"}}"#);
            let rest = r#""severity": "low", "title": "t", "summary": "s", "required_change": "r", "closure_evidence": "c""#;
            format!("\n## Reviewer Findings\n\n```json\n[{{\"id\": \"R-1\", {rest}, \"evidence\": [{place}]}}]\n```\n")
        };
        let frozen = crate::canonical::digest_bytes(b"source");
        assert_eq!(found(&reviewed(&(response(ROLE, "1") + &record(&frozen)))), Vec::<String>::new());
        let foreign = reviewed(&(response(ROLE, "1") + &record(&"0".repeat(64))));
        assert_eq!(found(&foreign), ["reviewer-response-invalid:sw-engineer"]);
    }

    #[test]
    fn cards_are_the_installed_ones_until_the_promotion() {
        let mut fixture = reviewed(&response(ROLE, "1"));
        fixture.cards.insert(ROLE, b"another".to_vec());
        assert_eq!(found(&fixture), ["role-card-mismatch:sw-engineer"]);
        fixture.promoted = true;
        assert_eq!(found(&fixture), Vec::<String>::new());
        fixture.image.files.remove("role-cards/sw-engineer/ROLE.md");
        assert_eq!(found(&fixture), ["manifest-derivation-mismatch", "role-card-missing:sw-engineer"]);
    }
}
