//! What the bundled renderers make of reports of real gates, and of large and hostile ones; pages are looked at in a real browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use code_polishy_core::plugin::{PluginHost, PluginKind, PluginSource};
use code_polishy_sandbox::Sandbox;
use code_polishy_tests::{Flow, Output, Project, sha256};
use serde_json::{Value, json};

use crate::WORLD;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

/// The shop of the crate, whose runner knows cases, under all renderers of people's pages.
fn shop() -> Project {
    Project::cargo().with_policy(|policy| {
        policy["tests"]["suites"][0]["runner"] = json!("cargo");
        policy["tests"]["suites"][0]["argv"] = json!(["cargo", "test", "--offline"]);
        policy["reports"] = json!({"renderers": ["html", "github"], "strict": true});
    })
}

/// What a gate rendered, by the end of its path.
fn rendered(flow: &Flow, gate: &Output, end: &str) -> String {
    let paths = gate.stdout.lines().filter_map(|line| line.strip_prefix("RENDER: "));
    let path = paths.into_iter().find(|path| path.ends_with(end)).unwrap_or_else(|| panic!("nothing rendered is {end}: {gate}"));
    String::from_utf8(flow.repo.read(path)).unwrap()
}

#[test]
fn a_gate_shows_what_ran_and_what_turned_green() {
    let flow = Flow::accepted(WORLD, shop());
    let gate = flow.merge_gate(&[]).exits(0);
    let report = flow.repo.json(&gate.after("GATE REPORT: "));
    let replay = &report["commands"][0];
    assert_eq!((&replay["name"], &replay["category"]), (&json!("three"), &json!("behavior-proof-replay")));
    assert_eq!(replay["proof"], json!({"red_kind": "failed", "flipped_cases": ["tests/three.rs (shop)::adds_three"]}));
    assert!(report["commands"][1].get("proof").is_none(), "an ordinary command proves nothing");

    let page = rendered(&flow, &gate, "/renders/html/report.html");
    for shown in ["<title>Merge gate passed", "From red to green", "tests/three.rs (shop)::adds_three", "Proof replays"] {
        assert!(page.contains(shown), "{shown}");
    }
    let summary = rendered(&flow, &gate, "/renders/github/summary.md");
    assert!(summary.starts_with("## ✅ Merge gate passed\n"), "{summary}");
    assert!(summary.contains("| `tests/three.rs (shop)::adds_three` | 🟥 red | ✅ green |"), "{summary}");
    let annotations = rendered(&flow, &gate, "/renders/github/annotations.txt");
    assert_eq!(annotations, "::notice title=Merge gate passed::2 commands passed against main\n");
    assert_eq!(flow.repo.run_read_only(&["report", "--renderer", "html"]).exits(0).stdout, page);
}

/// The lines of the page that publish what `github` made, as a job would run them.
fn publish(flow: &Flow) -> (String, String) {
    let page = fs::read_to_string(format!("{SOURCES}docs/renderers.md")).unwrap();
    let lines = page.split_once("  run: |\n").and_then(|(_, rest)| rest.split_once("```")).expect("a block of YAML").0;
    let summary = flow.repo.area("home").join("summary.md");
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", lines]).current_dir(flow.repo.root()).env("GITHUB_STEP_SUMMARY", &summary);
    let log = run(&mut shell, "the page's lines do not run, or jq is missing: apt-get install jq");
    (log, fs::read_to_string(summary).unwrap())
}

#[test]
fn a_blocked_gate_names_the_next_step() {
    let flow = Flow::changed(WORLD, shop());
    let gate = flow.merge_gate(&[]).exits(1);
    let next = gate.next();
    let page = rendered(&flow, &gate, "/renders/html/report.html");
    assert!(page.contains("<title>Merge gate blocked") && page.contains(&format!("<code>{next}</code>")), "{page}");
    let summary = rendered(&flow, &gate, "/renders/github/summary.md");
    assert!(summary.contains(&format!("**Next:** `{next}`")), "{summary}");
    let annotations = rendered(&flow, &gate, "/renders/github/annotations.txt");
    assert!(annotations.starts_with("::error file=.code-polishy.json,title=checkout (policy.behaviorReview)::"), "{annotations}");
    assert!(annotations.ends_with(&format!("%0ANext: {next}\n")), "{annotations}");
    assert_eq!(publish(&flow), (annotations, summary), "the page says how to publish them");
}

/// One file of what the component makes of this report.
fn draw(renderer: &str, report: &str) -> Vec<u8> {
    let sandbox = Sandbox::new(Some(Path::new(WORLD.scratch).join("renderers")));
    let source = PluginSource { name: renderer.to_owned(), kind: PluginKind::ReportRenderer, pinned: None, options: "{}".to_owned() };
    let renderer = sandbox.report_renderer(&source).expect("bundled");
    renderer.render(report).expect("rendered").swap_remove(0).content
}

fn recorded(name: &str) -> String {
    fs::read_to_string(format!("{SOURCES}plugins/reading/reports/{name}.json")).expect("a recorded report")
}

/// A gate that stopped after ten thousand cases, two thousand commands and a thousand findings, all with long names.
fn large() -> String {
    let word = "a-name-that-goes-on-and-on-".repeat(8);
    let cases: Vec<_> = (0..10_000).map(|case| format!("tests/{word}.rs (shop)::case_{case:05}")).collect();
    let replay = json!({"name": format!("{word}-proof"), "category": "behavior-proof-replay", "status": "passed",
        "proof": {"red_kind": "failed", "flipped_cases": cases}, "attempts": []});
    let command = |index: usize| {
        let status = if index == 1_999 { "failed" } else { "passed" };
        json!({"name": format!("{word}{index}"), "category": "test", "status": status,
            "attempts": [{"number": 1, "status": status, "duration_ms": index, "log_path": format!("{word}.log")}]})
    };
    let commands: Vec<Value> = [replay].into_iter().chain((0..2_000).map(command)).collect();
    let finding = |index: usize| {
        json!({"rule": "gate.command-exit", "path": format!("src/{word}.rs"), "line": index, "subject": format!("{word}{index}"),
            "message": word, "remedy": "mend it", "next": format!("mend {index}")})
    };
    let findings: Vec<Value> = (0..1_000).map(finding).collect();
    json!({"protocol": "code-polishy-report/v1", "gate": "merge", "status": "failed", "candidate": "2".repeat(40),
        "commands": commands, "findings": findings})
    .to_string()
}

#[test]
fn large_reports_are_drawn_within_the_limits_of_a_call() {
    let report = large();
    let reports = [("html", &report), ("github", &report), ("markdown", &report), ("handoff-html", &large_handoff())];
    for (renderer, report) in reports {
        let one = draw(renderer, report);
        assert!(one == draw(renderer, report), "`{renderer}` draws the same twice");
        assert!(one.len() < 4 << 20, "`{renderer}` drew {} bytes", one.len());
    }
}

/// The hand-off of a review that found five hundred items, all with long names.
fn large_handoff() -> String {
    let word = "a-name-that-goes-on-and-on-".repeat(8);
    let mut handoff: Value = serde_json::from_str(&handoff("needs-more-work")).unwrap();
    let item = handoff["tables"][1]["rows"][0].clone();
    let items = (0..500).map(|index| {
        let mut item = item.clone();
        item["cells"] = json!([format!("F-{index}"), word, vec![format!("src/{word}.rs:{index} {word}"); 10].join("; "), "Required"]);
        item["title"] = json!(word);
        item
    });
    handoff["tables"][1]["rows"] = items.collect();
    handoff.to_string()
}

fn handoff(name: &str) -> String {
    fs::read_to_string(format!("{SOURCES}plugins/handoff/tests/{name}.json")).expect("a recorded hand-off")
}

/// Pages of recorded reports and hand-offs and of large ones, in a folder of their own.
fn pages() -> PathBuf {
    let folder = Path::new(WORLD.scratch).join("pages");
    fs::create_dir_all(&folder).unwrap();
    for name in ["passed", "blocked", "failed", "checkpoint", "proofs", "empty", "hostile"] {
        fs::write(folder.join(format!("{name}.html")), draw("html", &recorded(name))).unwrap();
    }
    fs::write(folder.join("large.html"), draw("html", &large())).unwrap();
    for name in ["needs-more-work", "accept-as-is", "unavailable", "closed"] {
        fs::write(folder.join(format!("handoff-{name}.html")), draw("handoff-html", &handoff(name))).unwrap();
    }
    fs::write(folder.join("handoff-large.html"), draw("handoff-html", &large_handoff())).unwrap();
    folder
}

/// The audit with its packages, as locked, kept between runs.
fn auditor() -> PathBuf {
    let source = Path::new(SOURCES).join("tests/browser");
    let lock = fs::read(source.join("package-lock.json")).unwrap();
    let folder = Path::new(WORLD.scratch).join(format!("browser-{}", &sha256(&lock)[..12]));
    fs::create_dir_all(&folder).unwrap();
    for name in ["audit.mjs", "package.json", "package-lock.json"] {
        fs::copy(source.join(name), folder.join(name)).unwrap();
    }
    // npm writes this file last.
    if !folder.join("node_modules/.package-lock.json").exists() {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&folder);
        run(&mut npm, "npm is missing or cannot reach its registry: apt-get install nodejs npm");
    }
    folder
}

fn run(command: &mut Command, help: &str) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{help} ({error})"));
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{help}\n{said}");
    said
}

#[test]
fn pages_are_accessible_and_inert_in_a_browser() {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    assert!(Path::new(&browser).exists(), "{browser} is missing: apt-get install chromium, or name another with CHROMIUM");
    let mut node = Command::new("node");
    node.arg("audit.mjs").arg(pages()).current_dir(auditor());
    let said = run(&mut node, "a page has a fault, or node is missing: apt-get install nodejs");
    assert!(said.ends_with(" looks, 0 faults\n"), "{said}");
}
