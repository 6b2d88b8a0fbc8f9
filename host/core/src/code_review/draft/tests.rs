use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    Draft, NoDraft,
    known::{Known, RECORDS},
    over,
};
use crate::{
    canonical::digest_bytes,
    code_review::{
        check,
        context::{Context, Facts},
        fixture::{Fixture, SOURCE, response},
        gates::Gates,
        image::ImageFile,
        notes::NOTES_FILE,
        outline::Outline,
        prior::{PriorResolution, PriorResolutions, ResolutionVerdict},
        pull_request::PullRequest,
        step::Step,
        t0::GIT_STATE_FILE,
        violation::Sink,
        vocabulary::{Role, Scope},
    },
    strict::{Kind, parse},
};

const ROLE: Role = Role::SwEngineer;
const CHANGE: &str = "Stop | retry\n## Findings\nat three \\ four, see <br> |";

/// A run whose reviewer has ended, with what its result says; `None` before there is one.
struct Case {
    fixture: Fixture,
    pull_request: Option<PullRequest>,
    prior: Option<PriorResolutions>,
    metadata: Option<Value>,
    gates: Option<Gates>,
}

impl Case {
    /// Routed and reviewed by this role, or by the parent alone.
    fn new(roles: &[Role]) -> Self {
        let mut fixture = Fixture::new(roles);
        for role in roles {
            fixture.review(*role, &response(*role, "3"));
        }
        fixture.t0.reviewed_commit = Some("c".repeat(40));
        fixture.routing.mechanical_risk_evidence = vec!["files=1".to_owned()];
        fixture.write("checks/tests.command.txt", b"cargo test\n");
        Self { fixture, pull_request: None, prior: None, metadata: None, gates: None }
    }

    fn judged(mut self, metadata: Value) -> Self {
        self.metadata = Some(metadata);
        self.gates = Some(gates());
        self
    }

    fn pull_request(mut self) -> Self {
        self.fixture.t0.run.scope = Scope::Pr;
        self.pull_request = Some(PullRequest {
            number: 7,
            url: "https://forge.example/acme/tool/pull/7".to_owned(),
            title: "a | b".to_owned(),
            author: Some("mira".to_owned()),
            status_checks: None,
            head_oid: "c".repeat(40),
            base_oid: "b".repeat(40),
            item_ids: vec!["T1#finding-1".to_owned(), "T1#finding-2".to_owned()],
            unresolved_threads: vec!["T1".to_owned()],
            threads_unavailable: true,
            fallback: Some(vec!["mergeability".to_owned(), "reviews".to_owned()]),
        });
        self
    }

    /// What this does with what the steps before the notes leave, beside these notes.
    fn with<T>(&self, notes: &str, act: impl FnOnce(Context<'_>) -> T) -> T {
        let (resolved, cards, mut image) = (BTreeMap::new(), BTreeMap::new(), self.fixture.image.clone());
        let bytes = notes.as_bytes();
        let file = ImageFile { size: bytes.len() as u64, sha256: digest_bytes(bytes), content: Some(bytes.to_vec()) };
        image.files.insert(NOTES_FILE.to_owned(), file);
        let facts = Facts {
            image: &image,
            run_path: "/run",
            producer_id: None,
            git_state: None,
            prior: None,
            mirror: None,
            role_cards: &cards,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: None,
            promoted: false,
        };
        let mut context = Context::new(&facts, Some("result.candidate.json"));
        let derived = self.fixture.derived();
        context.t0 = Some(self.fixture.t0.clone());
        context.pr = self.pull_request.clone();
        context.prior = self.prior.clone();
        context.routing = Some(self.fixture.routing.clone());
        context.manifest = Some(derived.manifest);
        context.responses = derived.responses;
        context.gates = self.gates.clone();
        context.notes = Some(Outline::read(notes));
        if let Some(metadata) = &self.metadata {
            let result = json!({"confidence": 0.9, "metadata": metadata}).to_string();
            let kind = Kind { code: "result", noun: "the result", file: "" };
            context.result = Some(parse(kind, result.as_bytes()).expect("JSON").1);
            for step in RECORDS {
                check::run(step, &mut context, &mut Sink::new(step));
            }
        }
        act(context)
    }

    fn try_draft(&self, notes: &str) -> Result<Draft, NoDraft> {
        self.with(notes, |context| over(&Known { context }, notes))
    }

    fn draft(&self, notes: &str) -> Draft {
        self.try_draft(notes).expect("a draft")
    }

    /// What the steps of the notes find in this text.
    fn found(&self, notes: &str) -> Vec<String> {
        self.with(notes, |mut context| {
            let mut found = Vec::new();
            for step in [Step::Notes, Step::NotesData, Step::ActionTable, Step::Reported, Step::PriorEvidence] {
                let mut sink = Sink::new(step);
                check::run(step, &mut context, &mut sink);
                let of_notes = sink.finish().0.into_iter().filter(|violation| violation.file.as_deref() == Some(NOTES_FILE));
                found.extend(of_notes.map(|violation| violation.token()));
            }
            found
        })
    }
}

/// A result with a finding whose texts would make markup of their own, an action of the project, and a gap.
fn metadata() -> Value {
    let finding = json!({"id": "F-1", "severity": "high", "title": "Endless # retry", "summary": "## Scope\n\nIt never\n- gives up.",
        "required_change": CHANGE, "evidence": ["src/a.rs:3 `a|b`", "- a list"], "closure_evidence": "A test.", "authors": ["Software engineer"]});
    let blocker = json!({"id": "B-1", "title": "Freeze", "required_change": "Wait.", "evidence": ["docs/plan.md:1"],
        "authors": ["Software engineer"]});
    json!({
        "review_decision": {"recommendation": "needs-more-work", "summary": "It retries\n\n# without end.", "rationale": "F-1 | stands."},
        "review_findings": [finding],
        "operational_blockers": [blocker],
        "reviewer_assessments": [{"role": "Software engineer", "rating": 3, "evidence": "specialists/sw-engineer.attempt-1.md"}],
        "confidence_gaps": ["No staging.", "- No list."],
        "confidence_gap_closures": [
            {"gap": "No staging.", "status": "unresolved", "rationale": "(-0.04) None\nexists."},
            {"gap": "- No list.", "status": "closed", "evidence": "(-0.00) Read."},
        ],
        "confidence_recovery": {"initial_confidence": 0.94, "final_confidence": 0.9, "status": "fair", "evidence": ["The suite ran."],
            "recovery_actions": ["1. Replayed it."], "remaining_limits": []},
    })
}

/// A result of the parent alone that finds nothing.
fn accepted() -> Value {
    let mut metadata = metadata();
    metadata["review_decision"]["recommendation"] = json!("accept-as-is");
    metadata["review_findings"] = json!([]);
    metadata["operational_blockers"] = json!([]);
    metadata["reviewer_assessments"] = json!([{"role": "Main reviewer", "rating": 1, "evidence": "review-notes.md"}]);
    metadata
}

fn gates() -> Gates {
    let text = r#"{"schema_version": 1, "status": "pass", "checks_run": ["tests"], "checks_failed": [], "failed_count": 0,
        "checks_not_applicable": [], "checks": [{"id": "tests", "gate_status": "pass", "reason": null, "detail": "changed command: the flag was wrong",
        "command_exit": 0, "signal": null, "duration_ms": 1, "runner": null, "command_path": "checks/tests.command.txt",
        "stdout": null, "stderr": null, "truncated": false, "environment": {"SEED": "7"}, "tests": null, "source_proof": null,
        "before": null, "after": null, "artifacts": {}}], "source": {"mode": "local-review-mirror", "worktree": "/w",
        "expected_head": null, "receipt_path": null, "receipt_sha256": null, "snapshot_path": null, "snapshot_sha256": null}}"#;
    serde_json::from_str(text).expect("gates")
}

/// Closes every gap as an author does: with a word of the list that it gives, or with a sentence behind its label.
fn authored(draft: &Draft) -> String {
    let mut text = draft.text.clone();
    for open in &draft.left {
        let gap = format!("<!-- to write: {} -->", open.what);
        let label = open.what.split_once(": ").map(|(label, _)| format!("{label}: ")).unwrap_or_default();
        let words = match open.what.as_str() {
            what if what.starts_with("one of fix,") => "fix".to_owned(),
            what if what.starts_with("one of Required,") => "Implemented; verify".to_owned(),
            what if what.starts_with("addressed,") => "refuted".to_owned(),
            what if what.starts_with("Prior finding") => format!("{label}refuted; it was read again"),
            what if what.starts_with("Verification readiness") => format!("{label}complete"),
            _ => format!("{label}What the author saw."),
        };
        text = text.replacen(&gap, &words, 1);
    }
    text
}

fn gaps(draft: &Draft) -> Vec<(&str, &str)> {
    draft.left.iter().map(|open| (open.section.as_str(), open.what.split([':', ',']).next().expect("a word"))).collect()
}

/// C-134
#[test]
fn a_draft_passes_once_its_gaps_are_filled() {
    for case in
        [Case::new(&[ROLE]).judged(metadata()), Case::new(&[ROLE]).judged(metadata()).pull_request(), Case::new(&[]).judged(accepted())]
    {
        let draft = case.draft("");
        assert!(!draft.left.is_empty());
        assert_ne!(case.found(&draft.text), Vec::<String>::new(), "gaps are no text");
        let written = authored(&draft);
        assert_eq!(case.found(&written), Vec::<String>::new(), "{written}");
        assert_eq!(case.draft(&written).text, written, "nothing is left to fill");
    }
}

/// C-134
#[test]
fn what_only_the_author_knows_is_left_open() {
    let draft = Case::new(&[ROLE]).judged(metadata()).draft("");
    let action = "Review Findings and Merge Blocks";
    let expected = [
        (action, "one of Required"),
        (action, "one of Required"),
        ("Review Snapshot", "one of fix"),
        ("Files Inspected", "Docstring style"),
        ("Files Inspected", "Comment policy"),
        ("Files Inspected", "Simplicity and readability"),
        ("Files Inspected", "Reproducibility"),
        ("No-Finding Residual Risks", "what may still be wrong; `none` only without a gap"),
    ];
    assert_eq!(gaps(&draft), expected);
    let lines: Vec<&str> = draft.text.lines().collect();
    for open in &draft.left {
        assert!(lines[open.line as usize - 1].contains(&open.what), "{open:?}");
    }
}

/// C-134
#[test]
fn gaps_are_closed_when_their_words_are_known() {
    let mut case = Case::new(&[ROLE]);
    let first = case.draft("");
    assert!(gaps(&first).contains(&("Decision Summary", "Summary")) && first.text.contains("- `src/a.rs`"));
    assert!(!first.text.contains("Review Findings and Merge Blocks"), "nothing is known of actions");
    let noted = first.text.replace("<!-- to write: Summary: ", "Summary: mine\n\n<!-- mine: ");
    case = case.judged(metadata());
    let second = case.draft(&noted);
    assert!(second.text.contains("Summary: mine\n") && !second.text.contains("Summary: It retries"), "{}", second.text);
    assert!(second.text.contains("\nRationale: F-1 | stands.\n") && second.text.contains("| Suggestion | major revision |"));
    let fresh = case.draft("").text;
    assert_eq!(case.draft(&first.text).text, fresh, "a draft in two steps is the draft in one");
}

/// C-134
#[test]
fn every_line_of_the_author_stays() {
    let case = Case::new(&[ROLE]).judged(metadata()).pull_request();
    let notes = "Preamble\r\n\r\n## Mine\r\n\r\nown\r\n## Online Review Triage\n\n| Item | Disposition | Evidence |\n| --- | --- | --- |\n\
                 | T1#finding-2 | refuted | src/a.rs:4 |\n\nand more\n## Scope\n- an item\n\n\n## Files Inspected\n\n1. src/a.rs: whole\n## Decision Summary";
    let draft = case.draft(notes);
    let mut rest = draft.text.split_inclusive('\n');
    for line in notes.split_inclusive('\n') {
        assert!(rest.any(|found| found.trim_end_matches('\n') == line.trim_end_matches('\n')), "{line:?} in {}", draft.text);
    }
    assert_eq!(draft.text.matches("src/a.rs: whole").count() + draft.text.matches("- `src/a.rs`").count(), 1);
    let first = draft.text.find("| T1#finding-1 |").expect("added");
    assert!(first < draft.text.find("| T1#finding-2 | refuted").expect("kept"));
    assert_eq!(case.draft(&draft.text), draft, "a second draft has nothing to add");
    assert_eq!(case.found(&authored(&draft)), Vec::<String>::new(), "{}", authored(&draft));
}

#[test]
fn a_missing_row_gets_its_place() {
    let case = Case::new(&[ROLE]).judged(metadata());
    let whole = authored(&case.draft(""));
    for line in whole.lines().filter(|line| line.starts_with("| ") && !line.contains("---") && !line.starts_with("| F-1")) {
        if line.starts_with("| Field") || line.starts_with("| Finding") {
            continue;
        }
        let without = whole.replacen(&format!("{line}\n"), "", 1);
        let again = authored(&case.draft(&without));
        assert_eq!(again, whole, "{line}");
    }
    let legend = crate::code_review::snapshot::LEGEND;
    let again = case.draft(&whole.replacen(legend, "", 1)).text;
    assert!(again.contains(&format!(" |\n\n{legend}\n")), "{again}");
}

#[test]
fn what_happened_around_the_review_is_told_in_the_scope() {
    let mut case = Case::new(&[ROLE]).judged(metadata()).pull_request();
    let id = "d".repeat(40);
    let state = json!({"schema_version": 1, "source_worktree": "/source", "observed_at": "2026-01-01T00:00:00Z", "head": null,
        "merge_head": id, "rebase_head": null, "cherry_pick_head": null, "revert_head": id, "unmerged_paths": [], "index_sha256": ""});
    case.fixture.write(GIT_STATE_FILE, state.to_string().as_bytes());
    let rejected = PriorResolution {
        finding_id: "P--1".to_owned(),
        title: Some("Old".to_owned()),
        verdict: ResolutionVerdict::Rejected,
        sha: None,
        why: "It was wrong.".to_owned(),
        evidence: Vec::new(),
    };
    case.prior = Some(PriorResolutions { sha256: "e".repeat(64), resolutions: vec![rejected] });
    let draft = case.draft("");
    for line in [format!("merge {id}"), format!("revert {id}")] {
        assert!(draft.text.contains(&format!("\n\nIn-progress operation: {line}; left untouched\n")), "{}", draft.text);
    }
    assert!(draft.text.contains(&format!("Prior resolutions: {}, 1 entries", "e".repeat(64))));
    let open: Vec<&str> = gaps(&draft).into_iter().filter(|(section, _)| *section == "Scope").map(|(_, what)| what).collect();
    assert_eq!(open, ["Prior finding P-1"]);
    assert_eq!(case.found(&authored(&draft).replace("P-1:", "P--1:")), Vec::<String>::new());
}

#[test]
fn a_fence_that_is_never_closed_is_not_written_into() {
    let case = Case::new(&[ROLE]).judged(metadata());
    for open in ["## Scope\n\n```\nfn main() {}\n", "<!-- a comment\n", "## Findings\n\n<pre>\n"] {
        assert_eq!(case.try_draft(open), Err(NoDraft::Unclosed), "{open}");
    }
    assert!(case.try_draft("## Scope\n\n```\nfn main() {}\n```\n").is_ok());
}

#[test]
fn a_record_that_cannot_be_read_leaves_a_gap() {
    let mut metadata = metadata();
    metadata["review_findings"][0]["severity"] = json!("grave");
    metadata["review_decision"] = json!({"recommendation": null});
    let draft = Case::new(&[ROLE]).judged(metadata).draft("");
    let left = gaps(&draft);
    for open in [
        ("Findings", "each finding under its id"),
        ("Decision Summary", "Recommendation"),
        ("Review Snapshot", "what the verdict suggests"),
    ] {
        assert!(left.contains(&open), "{open:?} in {left:?}");
    }
    assert!(!draft.text.contains("No confirmed findings remain."));
}

#[test]
fn a_parent_that_is_alone_rates() {
    let case = Case::new(&[]);
    let draft = case.draft("");
    assert!(
        draft.text.contains("## Main Reviewer Assessment\n\nSource rating version: 1\n\n<!-- to write: Rating: 1 to 5"),
        "{}",
        draft.text
    );
    assert!(draft.text.contains("## Specialist Passes\n\nnone\n"));
    let rated = case.judged(accepted()).draft(&draft.text).text;
    assert!(rated.contains("\nRating: 1\n") && rated.contains("| Reviewers | Main reviewer [1]. |"), "{rated}");
    assert!(rated.contains(&format!("- `{SOURCE}`")));
}
