//! Limits and bindings of the journal: S-24 (BR-28, BR-30, BR-66).

use std::process::Stdio;
use std::time::Duration;
use std::{fs, thread};

use code_polishy_tests::{Flow, INTENT, Project, digest_without, policy, sha256};
use serde_json::{Value, json};

use crate::WORLD;
use crate::journal::{JOURNAL, assert_valid_chains, capture, require};

const MAX_BYTES: usize = 4 * 1024 * 1024;
const MAX_INTENT: usize = 64 * 1024;

fn shop() -> Flow {
    Flow::new(WORLD, Project::shop())
}

fn ids(journal: &Value, entries: std::ops::Range<usize>) -> Value {
    journal["entries"].as_array().unwrap()[entries].iter().map(|entry| entry["id"].clone()).collect()
}

#[test]
fn s_24_the_129th_intent_and_requirement_are_refused() {
    let flow = shop();
    for number in 1..=128 {
        capture(&flow.repo, &["--feature", "checkout"], &format!("Request {number}.\n")).exits(0);
    }
    assert_valid_chains(&flow.repo.json(JOURNAL));
    flow.repo.read_only(|| flow.capture("Request 129.\n")).exits(1).names("128").next();
    flow.repo.read_only(|| require(&flow.repo, "main", &["search"])).exits(1).names("128").next();
    require(&flow.repo, "main", &["checkout"]).exits(0);
    flow.change();
    flow.status(&[]).exits(0);
    flow.prepare().exits(0);
}

#[test]
fn s_24_a_journal_one_byte_over_4_mib_is_refused() {
    let flow = shop();
    let size = || flow.repo.read(JOURNAL).len();
    flow.capture("a").exits(0);
    let first = size();
    flow.capture("a").exits(0);
    let around = size() - first - 1;
    // As many of the longest intents as fit, and one that leaves no more room than the longest needs.
    let longest = MAX_BYTES / (MAX_INTENT + around) - 1;
    write_journal(&flow, longest, &"a".repeat(MAX_INTENT));
    flow.capture(&"a".repeat((MAX_BYTES - size() - around) / 2)).exits(0);
    let room = MAX_BYTES - size() - around;
    flow.repo.read_only(|| flow.capture(&"b".repeat(room + 1))).exits(1).names("4194304").next();
    flow.capture(&"b".repeat(room)).exits(0);
    assert_eq!(size(), MAX_BYTES);
    flow.repo.read_only(|| flow.capture("c")).exits(1);
    flow.change();
    flow.status(&[]).exits(0);
}

/// Makes a journal of this many times the intent, chained here, over the state of its first entry.
fn write_journal(flow: &Flow, count: usize, intent: &str) {
    let mut journal = flow.repo.json(JOURNAL);
    let mut entry = journal["entries"][0].clone();
    entry["intent"] = json!(intent);
    entry["intent_sha256"] = json!(sha256(intent));
    let mut previous = String::new();
    let chained = (0..count).map(|_| {
        entry["previous_entry_sha256"] = json!(previous);
        previous = digest_without(&entry, &["id", "entry_sha256"]);
        entry["id"] = json!(format!("intent-{}", &previous[..32]));
        entry["entry_sha256"] = json!(previous);
        entry.clone()
    });
    journal["entries"] = chained.collect();
    flow.repo.write(JOURNAL, serde_json::to_string_pretty(&journal).unwrap() + "\n");
}

#[test]
fn requirements_bind_the_entries_of_their_base() {
    let flow = shop();
    capture(&flow.repo, &["--feature", "checkout"], INTENT).exits(0);
    flow.capture("Before the code too.\n").exits(0);
    let inner = flow.change();
    capture(&flow.repo, &["--feature", "search"], "A correction.\n").exits(0);
    require(&flow.repo, "main", &["search"]).exits(0);
    require(&flow.repo, &inner, &["checkout"]).exits(0);

    let journal = flow.repo.json(JOURNAL);
    assert_valid_chains(&journal);
    let bound = |index: usize| (journal["requirements"][index]["task_base"].clone(), journal["requirements"][index]["intent_ids"].clone());
    assert_eq!(bound(0), (json!(flow.base), ids(&journal, 0..1)), "a capture binds its own entry");
    assert_eq!(bound(1), (json!(inner), ids(&journal, 2..3)));
    assert_eq!(bound(2), (json!(flow.base), ids(&journal, 0..3)), "require binds all from the first at its base");
    assert_eq!(bound(3), (json!(inner), ids(&journal, 2..3)));
}

#[test]
fn a_corrupt_journal_is_an_error_and_no_state() {
    let flow = Flow::accepted(WORLD, Project::shop());
    flow.repo.write(JOURNAL, "{}\n");
    for output in [flow.status(&[]), flow.prepare(), flow.finalize(), flow.prove("other"), flow.merge_gate(&[]), flow.checkpoint_gate(&[])]
    {
        output.exits(2).never_says("BEHAVIOR REVIEW:").names("intent-journal.json");
    }
    flow.capture("More.\n").exits(2);
    require(&flow.repo, "main", &["search"]).exits(2);
    assert!(!flow.repo.path(".code-polishy-reports/merge-gate").exists());
    flow.repo.run(&["behavior-review", "cleanup"]).exits(0);
}

#[test]
fn a_requested_feature_that_is_defined_nowhere_is_an_error_and_no_state() {
    let flow = shop();
    flow.repo.policy(&policy::with_features(&[policy::feature("payments", "merge"), policy::feature("checkout", "merge")]));
    flow.repo.write("payments/pay.sh", "pay() { :; }\n");
    let mut policy = policy::with_features(&[policy::feature("checkout", "merge")]);
    policy["verification"]["behaviorReview"]["features"].as_array_mut().unwrap().push(json!({
        "name": "payments", "description": "What is paid.", "paths": ["payments/**"], "suites": ["checkout-contract"],
    }));
    flow.repo.policy(&policy).commit("Mean to take payments");
    capture(&flow.repo, &["--feature", "payments"], INTENT).exits(0);
    flow.repo.git(&["reset", "--quiet", "--hard", "main"]);
    flow.change();
    for output in [flow.status(&[]), flow.prepare(), flow.merge_gate(&[])] {
        output.exits(2).never_says("BEHAVIOR REVIEW:").names("payments");
    }
}

/// Ancestry is asked of the commit graph in process (BR-24), and a plugin is no process either.
#[test]
fn the_review_starts_no_process_but_suites() {
    let flow = Flow::changed(WORLD, Project::shop());
    flow.repo.write("request.ignored", "A correction.\n");
    let capture = ["behavior-review", "capture-intent", "--intent-file", "request.ignored", "--feature", "checkout"];
    let since = |action| ["behavior-review", action, "--base", "main"];
    for arguments in [&capture[..], &since("status"), &[&since("require")[..], &["--feature", "search"]].concat(), &since("prepare")] {
        assert!(!starts_processes(&flow, arguments), "{arguments:?}");
    }
    assert!(starts_processes(&flow, &flow.proof_arguments("three")), "what is asked sees suites");
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]).behavior("preserved", &[], &["search"]));
    for arguments in [&since("finalize")[..], &since("status"), &["behavior-review", "cleanup"]] {
        assert!(!starts_processes(&flow, arguments), "{arguments:?}");
    }
}

/// Whether a successful command has had children: the kernel adds up the page faults of those that ended, and each has some.
fn starts_processes(flow: &Flow, arguments: &[&str]) -> bool {
    let mut command = flow.repo.command(arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let stat = format!("/proc/{}/stat", child.id());
    // An ended process keeps its counts until it is waited for.
    let faults = loop {
        let text = fs::read_to_string(&stat).unwrap();
        let fields: Vec<&str> = text.rsplit_once(") ").unwrap().1.split(' ').collect();
        if fields[0] == "Z" {
            break fields[8].to_owned();
        }
        thread::sleep(Duration::from_millis(5));
    };
    assert!(child.wait().unwrap().success(), "{arguments:?}");
    faults != "0"
}
