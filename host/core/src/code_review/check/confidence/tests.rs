use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    code_review::{
        check,
        confidence::{NO_PROOF_GAP, THREADS_GAP, changed_gap, fallback_gap, substitute_gap},
        context::{Context, Facts},
        fixture::{Fixture, response},
        gates::{GATES, GateCheck, GateSource, GateStatus, Gates, SourceMode},
        pull_request::PullRequest,
        step::Step,
        violation::{Sink, Violation},
        vocabulary::{Role, Status},
    },
    strict::{Kind, parse},
};

/// A confidence of 0.89 with these gaps; the first one deducts it all.
fn stated(gaps: &[String]) -> Value {
    let closure = |(index, gap): (usize, &String)| {
        let amount = if index == 0 { "(-0.09)" } else { "(-0.00)" };
        json!({"gap": gap, "status": "unresolved", "rationale": format!("{amount} It stays so.")})
    };
    json!({
        "confidence": 0.89,
        "checks_failed": [],
        "metadata": {
            "confidence_gaps": gaps,
            "confidence_gap_closures": gaps.iter().enumerate().map(closure).collect::<Vec<_>>(),
            "confidence_recovery": {
                "initial_confidence": 0.8,
                "final_confidence": 0.89,
                "status": "cautious-low",
                "evidence": ["It was read."],
                "recovery_actions": ["It was read again."],
                "remaining_limits": ["(-0.02) The site was not seen."]
            }
        }
    })
}

/// What surrounds a confidence.
#[derive(Default)]
struct Around {
    pull_request: Option<PullRequest>,
    gates: Option<Gates>,
    substituted: bool,
}

fn found(around: &Around, result: &Value) -> Vec<String> {
    let mut fixture = Fixture::new(&[Role::SwEngineer]);
    if around.substituted {
        fixture.substitute(Role::SwEngineer, &response(Role::SwEngineer, "1"));
    }
    let (resolved, cards) = (BTreeMap::new(), BTreeMap::new());
    let facts = Facts {
        image: &fixture.image,
        run_path: "/run",
        producer_id: None,
        git_state: None,
        mirror: None,
        role_cards: &cards,
        prior: None,
        reviewed_tree: false,
        resolved: &resolved,
        rendered: None,
        promoted: false,
    };
    let mut context = Context::new(&facts, Some("result.candidate.json"));
    let kind = Kind { code: "result", noun: "the result", file: "" };
    context.result = parse(kind, result.to_string().as_bytes()).ok().map(|(_, root)| root);
    context.status = Some(Status::Fail);
    context.pr = around.pull_request.clone();
    context.gates = around.gates.clone();
    context.manifest = Some(fixture.derived().manifest);
    let mut sink = Sink::new(Step::Confidence);
    check::run(Step::Confidence, &mut context, &mut sink);
    sink.finish().0.iter().map(Violation::token).collect()
}

fn pull_request(threads_unavailable: bool, fallback: Option<&[&str]>) -> Around {
    let pull_request = PullRequest {
        number: 7,
        url: "https://forge.example/acme/tool/pull/7".to_owned(),
        title: "Add a cart".to_owned(),
        author: None,
        status_checks: None,
        head_oid: "c".repeat(40),
        base_oid: "b".repeat(40),
        item_ids: Vec::new(),
        unresolved_threads: Vec::new(),
        threads_unavailable,
        fallback: fallback.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect()),
    };
    Around { pull_request: Some(pull_request), ..Around::default() }
}

/// Gates that passed; the detail is that of the linter's.
fn gates(detail: Option<&str>) -> Around {
    let mut checks = GATES.map(|id| GateCheck::unstarted(id, GateStatus::Pass, None, None));
    checks[0].detail = detail.map(str::to_owned);
    let source = GateSource {
        mode: SourceMode::Clean,
        worktree: "/review".to_owned(),
        expected_head: None,
        receipt_path: None,
        receipt_sha256: None,
        snapshot_path: None,
        snapshot_sha256: None,
    };
    Around { gates: Some(Gates::of(checks.to_vec(), source)), ..Around::default() }
}

const NOTHING: [&str; 0] = [];

/// The facts demand each of these gaps, and that it is never closed.
#[track_caller]
fn is_demanded(around: &Around, gaps: &[String]) {
    assert_eq!(found(around, &stated(gaps)), NOTHING);
    for index in 0..gaps.len() {
        let mut fewer = gaps.to_vec();
        fewer[index] = "Something else.".to_owned();
        assert_eq!(found(around, &stated(&fewer)), ["canonical-confidence-gap-missing"]);
        let mut closed = stated(gaps);
        let share = if index == 0 { "(-0.09)" } else { "(-0.00)" };
        closed["metadata"]["confidence_gap_closures"][index] =
            json!({"gap": gaps[index], "status": "closed", "evidence": format!("{share} It was read.")});
        let mut found = found(around, &closed);
        found.retain(|token| token != "confidence-closure-invalid");
        assert_eq!(found, ["canonical-confidence-gap-closed"]);
    }
}

/// C-23
#[test]
fn unread_threads_leave_their_gap() {
    is_demanded(&pull_request(true, None), &[THREADS_GAP.to_owned()]);
}

/// C-24
#[test]
fn the_fallback_leaves_its_gap_and_has_a_cap() {
    let around = pull_request(false, Some(&["mergeability", "reviews"]));
    let gap = "Public HTTPS PR metadata fallback omitted evidence: mergeability, reviews.".to_owned();
    assert_eq!(gap, fallback_gap(&["mergeability".to_owned(), "reviews".to_owned()]));
    is_demanded(&around, std::slice::from_ref(&gap));
    let mut high = stated(&[gap]);
    (high["confidence"], high["metadata"]["confidence_recovery"]["final_confidence"]) = (json!(0.90), json!(0.9));
    high["metadata"]["confidence_recovery"]["status"] = json!("fair");
    high["metadata"]["confidence_recovery"]["remaining_limits"] = json!(["(-0.01) The site was not seen."]);
    assert_eq!(found(&around, &high), ["pr-public-fallback-confidence-cap-exceeded"]);
    assert_eq!(found(&pull_request(false, None), &high), NOTHING);
}

#[test]
fn substitutes_unproven_tests_and_changed_commands_leave_their_gaps() {
    is_demanded(&Around { substituted: true, ..Around::default() }, &[substitute_gap("Software engineer")]);
    is_demanded(&gates(None), &[NO_PROOF_GAP.to_owned()]);
    is_demanded(&gates(Some("changed command: it was renamed")), &[NO_PROOF_GAP.to_owned(), changed_gap("lint")]);
}

#[test]
fn each_departure_has_its_code() {
    let gaps = ["The site was not built.".to_owned()];
    let recovery = "/metadata/confidence_recovery";
    let closure = "/metadata/confidence_gap_closures/0";
    for (pointer, value, codes) in [
        (
            "/confidence".to_owned(),
            json!(0.9),
            vec!["confidence-final-mismatch", "confidence-band-mismatch", "confidence-deduction-sum-mismatch"],
        ),
        ("/confidence".to_owned(), json!(0.895), vec!["confidence-precision-invalid"]),
        ("/confidence".to_owned(), json!("0.89"), vec!["confidence-precision-invalid"]),
        (format!("{recovery}/status"), json!("fair"), vec!["confidence-band-mismatch"]),
        (format!("{recovery}/status"), json!("good"), vec!["confidence-recovery-invalid"]),
        (format!("{recovery}/evidence"), json!([]), vec!["confidence-recovery-invalid"]),
        (format!("{recovery}/remaining_limits"), json!([]), vec!["confidence-deduction-sum-mismatch", "confidence-limits-missing"]),
        (format!("{recovery}/remaining_limits/0"), json!("(-0.2) Unseen."), vec!["confidence-deduction-missing"]),
        ("/metadata/confidence_gaps".to_owned(), json!([]), vec!["confidence-gaps-required", "confidence-closure-undeclared"]),
        ("/metadata/confidence_gaps".to_owned(), json!([gaps[0], gaps[0]]), vec!["confidence-gap-duplicate"]),
        ("/metadata/confidence_gaps".to_owned(), json!([gaps[0], "Another."]), vec!["confidence-closure-missing"]),
        (format!("{closure}/gap"), json!("Another."), vec!["confidence-closure-missing", "confidence-closure-undeclared"]),
        (format!("{closure}/status"), json!("closed"), vec!["confidence-closure-invalid"]),
    ] {
        let mut result = stated(&gaps);
        *result.pointer_mut(&pointer).expect("there") = value.clone();
        let mut found = found(&Around::default(), &result);
        found.dedup();
        for code in codes {
            assert!(found.iter().any(|token| token == code), "{pointer} {value}: {found:?}");
        }
    }
    assert_eq!(found(&Around::default(), &stated(&gaps)), NOTHING);
}

/// Every score from nothing to certainty adds up in one way only.
#[test]
fn every_score_has_one_sum_and_one_band() {
    for hundredths in 0..=100_u32 {
        let band = match hundredths {
            0..=80 => "not-acceptable-failed",
            81..=84 => "very-questionable",
            85..=89 => "cautious-low",
            _ => "fair",
        };
        let number = json!(f64::from(hundredths) / 100.0);
        let mut result = stated(&["The site was not built.".to_owned()]);
        let missing = 100 - hundredths;
        let share = if missing == 100 { "1.00".to_owned() } else { format!("0.{missing:02}") };
        (result["confidence"], result["metadata"]["confidence_recovery"]["final_confidence"]) = (number.clone(), number);
        result["metadata"]["confidence_recovery"]["status"] = json!(band);
        result["metadata"]["confidence_recovery"]["remaining_limits"] = json!(["(-0.00) The site was not seen."]);
        result["metadata"]["confidence_gap_closures"][0]["rationale"] = json!(format!("(-{share}) It stays so."));
        result["checks_failed"] = match hundredths {
            0..=80 => json!(["confidence-not-acceptable"]),
            81..=84 => json!(["confidence-very-questionable"]),
            _ => json!([]),
        };
        let found = found(&Around::default(), &result);
        // A whole point cannot be written as one deduction of the form (-0.NN).
        let expected: &[&str] = if hundredths == 0 { &["confidence-deduction-missing"] } else { &[] };
        assert_eq!(found, expected, "{hundredths}");
    }
}
