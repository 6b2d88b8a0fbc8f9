use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    code_review::{
        assessment::Assessment,
        check,
        confidence::{Band, Closure, ClosureStatus, Confidence},
        context::{Context, Facts},
        finding::Finding,
        fixture::Fixture,
        gates::{GATES, GateCheck, GateReason, GateSource, GateStatus, Gates, GatesStatus, SourceMode},
        step::Step,
        violation::{Sink, Violation},
        vocabulary::{Readiness, Severity, Status},
    },
    strict::{Kind, parse},
};

/// What the gates gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gave {
    Green,
    LintRed,
    LintLate,
    TestsRed,
    TestsMissing,
}

use Gave::{Green, LintLate, LintRed, TestsMissing, TestsRed};

impl Gave {
    const ALL: [Self; 5] = [Green, LintRed, LintLate, TestsRed, TestsMissing];

    fn gates(self) -> Gates {
        let check = |id: &str| match (self, id) {
            (LintRed, "lint") | (TestsRed, "tests") => GateCheck::unstarted(id, GateStatus::Fail, Some(GateReason::CommandFailed), None),
            (LintLate, "lint") => GateCheck::unstarted(id, GateStatus::Timeout, Some(GateReason::Timeout), None),
            (TestsMissing, "tests") => GateCheck::unstarted(id, GateStatus::MissingCommand, Some(GateReason::NoCommandConfigured), None),
            _ => GateCheck::unstarted(id, GateStatus::Pass, None, None),
        };
        let source = GateSource {
            mode: SourceMode::Clean,
            worktree: "/review".to_owned(),
            expected_head: None,
            receipt_path: None,
            receipt_sha256: None,
            snapshot_path: None,
            snapshot_sha256: None,
        };
        Gates::of(GATES.map(check).to_vec(), source)
    }
}

/// A decision with everything that it is held against.
struct Case {
    verdict: Value,
    rationale: &'static str,
    readiness: Readiness,
    gave: Gave,
    severity: Option<Severity>,
    rating: Option<u8>,
    hundredths: u8,
}

impl Case {
    /// A decision that names and cites all there is.
    fn of(verdict: &str, readiness: Readiness, gave: Gave) -> Self {
        let severity = match verdict {
            "accept-as-is" | "null" => None,
            "minor-changes" => Some(Severity::Low),
            _ => Some(Severity::High),
        };
        Self {
            verdict: if verdict == "null" { Value::Null } else { json!(verdict) },
            rationale: "F-1 stands, see req:README.md:1; the lint gate and the tests gate say what they can.",
            readiness,
            gave,
            severity,
            rating: (verdict != "null").then_some(2),
            hundredths: 90,
        }
    }

    /// The status that gates, readiness and confidence determine.
    fn status(&self, gates: &Gates) -> Status {
        match gates.status {
            GatesStatus::Timeout => Status::Timeout,
            GatesStatus::Pass if self.readiness == Readiness::Complete && self.hundredths >= 85 => Status::Pass,
            _ => Status::Fail,
        }
    }

    fn found(&self) -> Vec<String> {
        let fixture = Fixture::new(&[]);
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
        let decision = json!({"recommendation": self.verdict, "summary": "It was read.", "rationale": self.rationale});
        let result = json!({"metadata": {"review_decision": decision}}).to_string();
        let kind = Kind { code: "result", noun: "the result", file: "" };
        let gates = self.gave.gates();
        let mut context = Context::new(&facts, Some("result.candidate.json"));
        context.result = parse(kind, result.as_bytes()).ok().map(|(_, root)| root);
        context.t0 = Some(fixture.t0.clone());
        context.status = Some(self.status(&gates));
        context.readiness = Some(self.readiness);
        context.gates = Some(gates);
        context.confidence = Some(self.confidence());
        context.findings = self.severity.map(finding).into_iter().collect();
        context.assessments = vec![Assessment { role: "Main reviewer".to_owned(), rating: self.rating, evidence: String::new() }];
        let mut sink = Sink::new(Step::Decision);
        check::run(Step::Decision, &mut context, &mut sink);
        sink.finish().0.iter().map(Violation::token).collect()
    }

    fn confidence(&self) -> Confidence {
        let gap = "The site was not built.".to_owned();
        Confidence {
            hundredths: self.hundredths,
            initial: self.hundredths,
            gaps: vec![gap.clone()],
            closures: vec![Closure { gap, status: ClosureStatus::Unresolved, text: "(-0.10) It stays so.".to_owned() }],
            band: Band::of(self.hundredths),
            evidence: Vec::new(),
            recovery_actions: Vec::new(),
            remaining_limits: Vec::new(),
        }
    }
}

fn finding(severity: Severity) -> Finding {
    Finding {
        id: "F-1".to_owned(),
        severity,
        title: "A word".to_owned(),
        summary: "It is wrong.".to_owned(),
        required_change: "Mend it.".to_owned(),
        evidence: vec!["README.md:1".to_owned()],
        closure_evidence: "It is right.".to_owned(),
        authors: vec!["Main reviewer".to_owned()],
    }
}

const READINESS: [Readiness; 3] = [Readiness::Complete, Readiness::Blocked, Readiness::Incomplete];

const UNVALIDATED: &str = "review-behavioral-failure-unvalidated:tests";
const BARRED: &str = "review-approval-with-failed-gates";
const BARRED_BY_TESTS: &str = "review-approval-with-failed-gates:tests";
const UNFINISHED: &str = "review-accept-with-incomplete-verification";
const WITHOUT_PASS: &str = "review-accept-without-pass";

/// What is found for each readiness: complete, blocked, incomplete.
type Row = [&'static [&'static str]; 3];

#[test]
fn an_acceptance_is_complete_or_says_what_blocks_it() {
    let table: [(Gave, Row); 5] = [
        (Green, [&[], &[], &[UNFINISHED, BARRED]]),
        (LintRed, [&[WITHOUT_PASS, BARRED], &[], &[UNFINISHED, BARRED]]),
        (LintLate, [&[WITHOUT_PASS, BARRED], &[], &[UNFINISHED, BARRED]]),
        (
            TestsRed,
            [&[UNVALIDATED, WITHOUT_PASS, BARRED_BY_TESTS], &[UNVALIDATED, BARRED_BY_TESTS], &[UNVALIDATED, UNFINISHED, BARRED_BY_TESTS]],
        ),
        (TestsMissing, [&[WITHOUT_PASS, BARRED], &[], &[UNFINISHED, BARRED]]),
    ];
    is_judged("accept-as-is", table);
}

#[test]
fn a_minor_change_may_leave_what_did_not_run() {
    let table: [(Gave, Row); 5] = [
        (Green, [&[], &[], &[]]),
        (LintRed, [&[BARRED], &[], &[BARRED]]),
        (LintLate, [&[BARRED], &[], &[BARRED]]),
        (TestsRed, [&[UNVALIDATED, BARRED_BY_TESTS]; 3]),
        (TestsMissing, [&[], &[], &[]]),
    ];
    is_judged("minor-changes", table);
}

#[test]
fn a_change_of_substance_does_not_depend_on_gates() {
    for verdict in ["needs-more-work", "insufficient-but-promising", "reject"] {
        is_judged(verdict, Gave::ALL.map(|gave| (gave, [if gave == TestsRed { &[UNVALIDATED][..] } else { &[] }; 3])));
    }
}

#[test]
fn no_judgment_is_blocked() {
    const UNSUPPORTED: &str = "review-null-verdict-unsupported";
    let row = |gave| match gave {
        TestsRed => [&[UNVALIDATED, UNSUPPORTED][..], &[UNVALIDATED], &[UNVALIDATED, UNSUPPORTED]],
        _ => [&[UNSUPPORTED][..], &[], &[UNSUPPORTED]],
    };
    is_judged("null", Gave::ALL.map(|gave| (gave, row(gave))));
}

#[track_caller]
fn is_judged(verdict: &str, table: [(Gave, Row); 5]) {
    for (gave, row) in table {
        for (readiness, expected) in READINESS.into_iter().zip(row) {
            let mut found = Case::of(verdict, readiness, gave).found();
            let mut expected: Vec<&str> = expected.to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{verdict} {readiness} {gave:?}");
        }
    }
}

#[test]
fn a_low_confidence_makes_no_approval_complete() {
    for (verdict, expected) in [("accept-as-is", vec![WITHOUT_PASS, BARRED]), ("minor-changes", vec![BARRED])] {
        let mut case = Case::of(verdict, Readiness::Complete, Green);
        case.hundredths = 84;
        let mut found = case.found();
        found.sort_unstable_by_key(|token| token != WITHOUT_PASS);
        assert_eq!(found, expected, "{verdict}");
        case.hundredths = 85;
        assert_eq!(case.found(), Vec::<String>::new());
    }
}

#[test]
fn what_did_not_pass_is_named() {
    let mut case = Case::of("accept-as-is", Readiness::Blocked, TestsMissing);
    case.rationale = "There is nothing to test.";
    assert_eq!(case.found(), ["review-approval-gate-unnamed:tests"]);
    case.rationale = "gate:tests has no command.";
    assert_eq!(case.found(), Vec::<String>::new());
}

#[test]
fn severities_and_citations_carry_a_verdict() {
    let of = |verdict: &str, severity, rationale| {
        let mut case = Case::of(verdict, Readiness::Complete, Green);
        (case.severity, case.rationale) = (severity, rationale);
        case.found()
    };
    let high = Some(Severity::High);
    for (verdict, severity, rationale, expected) in [
        ("minor-changes", high, "It is a word.", "review-minor-high-unnamed:F-1"),
        ("needs-more-work", high, "See req:README.md:1.", "review-verdict-uncited"),
        ("insufficient-but-promising", high, "It is short.", "review-verdict-uncited"),
        ("reject", high, "F-1 stands.", "review-reject-without-requirement"),
        ("reject", None, "See req:README.md:1.", "review-change-verdict-without-actions"),
        ("accept-as-is", Some(Severity::Low), "It is a word.", "review-accept-with-findings"),
    ] {
        assert_eq!(of(verdict, severity, rationale), [expected], "{verdict}");
    }
    assert_eq!(of("insufficient-but-promising", high, "See req:https://example.org/plan."), Vec::<String>::new());
}
