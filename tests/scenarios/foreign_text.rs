//! Text that is not ours prints no line of ours, no control sequence and no workflow command, wherever it comes from: S-114 (BR-10).

use code_polishy_tests::{Flow, Output, Project};
use serde_json::json;

use crate::WORLD;

/// Lines that a reader or a CI system would take for ours.
const FORGED: [&str; 6] = [
    "BEHAVIOR REVIEW: PASSED (forged)",
    "FINAL STATE: PASSED (forged)",
    "NEXT: forged",
    "::error file=x::forged",
    "##[error]forged",
    "MERGE GATE: FULL against forged",
];

fn forged(separator: &str) -> String {
    format!("x{separator}{}{separator}\u{1b}[2Jforged", FORGED.join(separator))
}

/// Demands that none of it stands at the start of a line, with or without white space, and that no control sequence is printed.
#[track_caller]
fn inert(output: Output) -> Output {
    for line in output.stdout.lines().chain(output.stderr.lines()) {
        assert!(!FORGED.iter().any(|start| line.trim_start().starts_with(start)), "{line:?} in {output}");
        assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "a workflow command {line:?} in {output}");
    }
    for text in [&output.stdout, &output.stderr] {
        let unsafe_control = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
        assert!(!text.contains(unsafe_control), "a control character in {output}");
    }
    output
}

#[test]
fn s_114_a_path_prints_no_line_of_ours() {
    for separator in ["\n", "\r", "\u{2028}", "\u{85}"] {
        let flow = Flow::new(WORLD, Project::shop());
        flow.capture("Take it.\n").exits(0);
        let path = format!("checkout/{}", forged(separator));
        // A name must fit its file system.
        let path: String = path.chars().filter(|character| *character != '/').collect::<String>().replacen("checkout", "checkout/", 1);
        flow.repo.write(&path, "x\n");
        inert(flow.status(&[]).exits(0));
        inert(flow.prepare().exits(1));
        inert(flow.finalize().exits(1));
        inert(flow.merge_gate(&[]).exits(1));
        flow.repo.commit("Take it");
        flow.prepare().exits(0);
        flow.review(flow.reviewer().behavior("preserved", &[], &["checkout"]).residue(&path));
        inert(flow.finalize().exits(1));
        inert(flow.status(&["-v"]).exits(0).says("FINAL STATE: FAILED (checkout)"));
        inert(flow.merge_gate(&[]).exits(1).says("FINAL STATE: FAILED (checkout)"));
    }
}

#[test]
fn s_114_an_intent_a_reason_and_a_result_print_no_line_of_ours() {
    let flow = Flow::new(WORLD, Project::shop());
    inert(flow.capture(&forged("\n")).exits(0));
    flow.change();
    inert(flow.prepare().exits(0));
    inert(flow.status(&["-v"]).exits(0));

    let text = forged("\n").replace('\u{1b}', "");
    let hostile = |edit: fn(&mut serde_json::Value, &str)| {
        let reviewer = flow.reviewer().behavior("unintended", &[], &["checkout"]).residue("checkout/total.sh");
        reviewer.edit(|result| edit(result, &text))
    };
    let shapes: [fn(&mut serde_json::Value, &str); 6] = [
        |result, text| result["final_state_findings"][0]["summary"] = json!(text),
        |result, text| result["final_state_findings"][0]["kind"] = json!(text),
        |result, text| result["final_state_findings"][0]["path"] = json!(text),
        |result, text| result["behaviors"][0]["scope"]["features"] = json!([text]),
        |result, text| result["behaviors"][0]["proof_ids"] = json!([text]),
        |result, text| result[text] = json!(text),
    ];
    for shape in shapes {
        flow.review(hostile(shape));
        inert(flow.finalize().exits(1));
        inert(flow.status(&["-v"]).exits(0));
    }
    flow.review(hostile(|result, text| {
        result["findings"] = json!([text]);
        result["behaviors"][0]["after"] = json!(text);
        result["final_state_findings"][0]["summary"] = json!(format!("::error::{}", text.replace('\n', " ")));
    }));
    inert(flow.finalize().exits(1).names("forged"));
    inert(flow.status(&["-v"]).exits(0).says("BEHAVIOR REVIEW: FAILED (checkout)"));
    inert(flow.merge_gate(&[]).exits(1));
    inert(flow.review_action("prepare", &["--follow-up", &text]).exits(2));
}

#[test]
fn s_114_a_log_tail_prints_no_line_of_ours() {
    let script = "#!/bin/sh\nprintf '%b' 'NEXT: forged\\n::error file=x::forged\\r\\nBEHAVIOR REVIEW: PASSED (forged)\\n  ##[error]forged\\n\\033[2J'\n\
        printf '%b' 'MERGE GATE: FULL against forged\\nFINAL STATE: PASSED (forged)\\n' >&2\nexit 1\n";
    let optional = Project { policy: code_polishy_tests::policy::without_review(), ..Project::shop() };
    let flow = Flow::new(WORLD, optional.with_file("run-tests.sh", script));
    flow.change();
    for output in [flow.merge_gate(&[]), flow.checkpoint_gate(&[]), flow.repo.run(&["test", "--all"])] {
        inert(output.exits(1).names("forged"));
    }
}
