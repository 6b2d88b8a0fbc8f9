//! The script of `docs/harness.md`, as a harness runs it: packet in, one object out, stored, finalized.

use std::path::PathBuf;

use code_polishy_tests::{Flow, Output, Project};

use crate::WORLD;

/// Answers from the packet alone, and looks at what else it was given.
const REVIEWER: &str = r#"
import json, os, sys
assert os.listdir() == [] and os.environ["HOME"] == os.getcwd(), "an empty folder"
assert not set(os.environ) - {"PATH", "LANG", "HOME", "LC_CTYPE"}, "a clean environment"
packet = json.load(sys.stdin)
result = {key: packet[key] for key in ["version", "review_id", "base", "candidate", "intent_sha256", "selection_sha256", "decision_sha256"]}
assert set(packet["result_schema"]["required"]) - set(result) == {"behaviors", "findings", "final_state_findings"}
result["behaviors"] = [
    {
        "before": "A total adds two amounts.",
        "after": "A total adds every amount.",
        "classification": "requested",
        "proof_ids": ["three"],
        "scope": {"features": [feature["name"]], "full_candidate": False},
    }
    for feature in packet["selection"]["features"]
]
result["findings"] = []
result["final_state_findings"] = []
json.dump(result, sys.stdout)
"#;

fn script() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/review.py")
}

/// Runs the script with these arguments; the reviewer's command is Python with this program.
fn review(flow: &Flow, options: &[&str], reviewer: &str) -> Output {
    let mut command = flow.repo.program("python3", &[]);
    let binary = flow.repo.command(&[]);
    for (name, value) in binary.get_envs().filter_map(|(name, value)| Some((name, value?))) {
        command.env(name, value);
    }
    command.arg(script()).args(["--base", "main", "--polishy"]).arg(binary.get_program());
    command.args(options).args(["python3", "-c", reviewer]);
    Output::new("review.py".to_owned(), command.output().expect("python3 runs"))
}

fn prepared() -> Flow {
    let flow = Flow::prepared(WORLD, Project::shop());
    flow.prove("three").exits(0);
    flow
}

#[test]
fn a_packet_goes_in_and_an_accepted_review_comes_out() {
    let flow = prepared();
    let output = review(&flow, &[], REVIEWER).exits(0);
    assert!(output.stdout.starts_with("Behavior review finalized: "), "{output}");
    flow.merge_gate(&[]).exits(0);
    let again = review(&flow, &[], REVIEWER).exits(1).names("reviewed once");
    assert!(again.next().starts_with("code-polishy behavior-review finalize"), "{again}");
}

#[test]
fn a_proof_that_the_reviewer_names_is_made_before_finalizing_again() {
    let flow = Flow::prepared(WORLD, Project::shop());
    review(&flow, &[], REVIEWER).exits(1).names("three").names("regression-proof");
    assert!(flow.repo.has_evidence("result.json"));
    flow.prove("three").exits(0);
    flow.finalize().exits(0);
}

#[test]
fn a_refusal_goes_to_the_caller_and_another_review_needs_a_reason() {
    let flow = prepared();
    let strict = REVIEWER.replace(r#"result["findings"] = []"#, r#"result["findings"] = ["The total of no amounts fails."]"#);
    let refused = review(&flow, &[], &strict).exits(1);
    assert_eq!(refused.next(), "report the findings to the caller; another review needs its authorization");
    flow.prepare().exits(1);
    flow.review_action("prepare", &["--follow-up", "The caller asked for a second look."]).exits(0);
    flow.prove("three").exits(0);
    review(&flow, &[], REVIEWER).exits(0);
}

#[test]
fn anything_but_one_object_is_refused_in_words_and_not_stored() {
    let flow = prepared();
    let answers = [
        ("", "printed nothing"),
        ("print()", "printed nothing"),
        ("print('Here is the review:')", "printed no JSON"),
        ("print('```json\\n{}\\n```')", "printed no JSON"),
        ("print('{} {}')", "something after its first JSON value"),
        ("print('{}\\nDone.')", "something after its first JSON value"),
        ("print('[]')", "no object"),
        ("print('{\"version\": ')", "printed no JSON"),
        ("import sys; sys.stdout.buffer.write(b'{\\xff}')", "printed no JSON"),
        ("print(' ' * 300000)", "more than 262144 bytes"),
        ("print('{}'); raise SystemExit(4)", "exit status 4"),
    ];
    let before = flow.repo.reports();
    for (program, words) in answers {
        let output = review(&flow, &[], program).exits(3).names(words);
        assert!(output.stdout.is_empty(), "{output}");
        output.next();
        assert_eq!(before, flow.repo.reports(), "stored after {program}");
    }
    review(&flow, &["--timeout", "1"], "import os, time; os.close(1); time.sleep(600)").exits(3).names("longer than 1 s");
    assert_eq!(before, flow.repo.reports());
}

#[test]
fn usage_and_preconditions_come_before_the_reviewer() {
    let flow = Flow::changed(WORLD, Project::shop());
    let unprepared = review(&flow, &[], "raise SystemExit('asked')").exits(1).names("no review is prepared");
    assert_eq!(unprepared.next(), "code-polishy behavior-review prepare --base main");
    let bare = flow.repo.program("python3", &[script().to_str().expect("a plain path")]).output().expect("python3 runs");
    Output::new("review.py".to_owned(), bare).exits(2).names("name the reviewer's command");
}

#[test]
fn only_variables_that_are_passed_reach_the_reviewer() {
    let flow = prepared();
    let sees_only_its_own = "import os; raise SystemExit(0 if os.environ.get('REVIEWER_KEY') == 'k' and 'OTHER' not in os.environ else 9)";
    let mut command = flow.repo.program("python3", &[]);
    command.env("REVIEWER_KEY", "k").env("OTHER", "o").arg(script());
    command.args(["--pass", "REVIEWER_KEY", "python3", "-c", sees_only_its_own]);
    Output::new("review.py".to_owned(), command.output().expect("python3 runs")).exits(3).names("printed nothing");
}
