//! The packet: S-43, S-44, S-46 (BR-42 to BR-46).

use std::fs;

use code_polishy_tests::{EVIDENCE, Flow, Project, digest, digest_without, sha256};
use serde_json::{Value, json};

use crate::{WORLD, keys};

const PACKET: &str = ".code-polishy-reports/behavior-review/packet.json";
const MARKER: &str = ".code-polishy-reports/behavior-review/prepare.json";

fn prepared() -> Flow {
    Flow::prepared(WORLD, Project::shop())
}

fn bytes(flow: &Flow) -> (Vec<u8>, Vec<u8>) {
    (flow.repo.read(PACKET), flow.repo.read(MARKER))
}

#[test]
fn s_43_prepare_twice_writes_equal_bytes() {
    let flow = prepared();
    let first = bytes(&flow);
    let again = flow.prepare().exits(0);
    assert_eq!(bytes(&flow), first);

    let packet = flow.packet();
    let id = packet["review_id"].as_str().unwrap();
    again.says(&format!("Behavior review prepared: {PACKET} (review {id})"));
    let elsewhere = prepared();
    assert_eq!(bytes(&elsewhere), first, "no path, clock or host enters the packet");
    let text = String::from_utf8(first.0).unwrap();
    assert!(text.ends_with("}\n") && text.starts_with("{\n  \"version\": 4,\n"), "pretty JSON with a final newline");
    for private in [flow.repo.area(""), flow.repo.root()] {
        assert!(!text.contains(private.to_str().unwrap()));
    }
}

#[test]
fn the_packet_digests_what_it_says() {
    let flow = prepared();
    let packet = flow.packet();
    assert_eq!(
        keys(&packet),
        [
            "version",
            "review_id",
            "base",
            "candidate",
            "follow_up",
            "intents",
            "intent_sha256",
            "task_requirements",
            "requirement_sha256",
            "selection",
            "selection_sha256",
            "decision_sha256",
            "patch",
            "patch_sha256",
            "final_state_evidence",
            "design_documents",
            "allowed_red_kinds",
            "instructions",
            "instructions_sha256",
            "result_schema",
            "result_path",
            "proof_directory",
        ]
    );
    assert_eq!((&packet["base"], &packet["candidate"]), (&json!(flow.base), &json!(flow.repo.head())));
    assert_eq!(packet["review_id"], format!("review-{}", &digest_without(&packet, &["review_id"])[..32]));
    assert_eq!((&packet["follow_up"], &packet["intents"][0]["position"]), (&Value::Null, &json!("original")));
    assert_eq!(packet["intent_sha256"], digest(&packet["intents"]));
    assert_eq!(packet["requirement_sha256"], digest(&packet["task_requirements"]));
    assert_eq!(packet["selection_sha256"], digest_without(&packet["selection"], &["boundary"]));
    assert_eq!(packet["instructions_sha256"], sha256(packet["instructions"].as_str().unwrap()));
    assert_eq!(packet["patch"], flow.repo.plain_diff(&["main", "HEAD"]));
    assert_eq!(packet["patch_sha256"], sha256(packet["patch"].as_str().unwrap()));
    assert_eq!(packet["proof_directory"].as_str().unwrap().trim_end_matches('/'), format!("{EVIDENCE}/proofs"));
    assert_eq!(packet["result_path"], format!("{EVIDENCE}/result.json"));

    let marker = flow.repo.evidence("prepare.json");
    let bound = ["version", "review_id", "base", "candidate", "selection_sha256", "requirement_sha256", "decision_sha256", "packet_sha256"];
    assert_eq!(keys(&marker), bound);
    assert_eq!(marker["packet_sha256"], sha256(flow.repo.read(PACKET)));
    for key in &bound[1..7] {
        assert_eq!(marker[key], packet[key], "{key}");
    }
}

#[test]
fn the_evidence_has_a_role_and_hunks_with_context_for_every_path() {
    let flow = prepared();
    let packet = flow.packet();
    let evidence = packet["final_state_evidence"]["paths"].as_array().unwrap();
    let roles: Vec<_> = evidence.iter().map(|entry| (entry["path"].as_str().unwrap(), entry["role"].as_str().unwrap())).collect();
    assert_eq!(roles, [("checkout/total.sh", "production-source"), ("tests/checkout/three.sh", "test")]);
    for entry in evidence {
        let path = entry["path"].as_str().unwrap();
        for hunk in entry["hunks"].as_array().unwrap() {
            let own = digest(&json!({"path": path, "patch": hunk["patch"]}));
            assert_eq!(hunk["sha256"], own);
            assert_eq!(hunk["id"], format!("hunk-{}", &own[..16]));
            let context = &hunk["source_context"];
            assert_eq!(context["available"], true);
            assert_eq!(context["content"], String::from_utf8(flow.repo.read(path)).unwrap(), "a short file is its own context");
            assert_eq!(context["sha256"], sha256(context["content"].as_str().unwrap()));
        }
    }
}

#[test]
fn the_document_of_prepare_names_the_packet() {
    let flow = Flow::changed(WORLD, Project::shop());
    let document = flow.review_action("prepare", &["--format", "json"]).exits(0).json();
    assert_eq!(
        (&document["protocol"], &document["action"], &document["state"]),
        (&json!("behavior-review/v1"), &json!("prepare"), &json!("prepared"))
    );
    let (member, packet) = (&document["packet"], flow.packet());
    for key in ["review_id", "base", "candidate", "selection", "result_path", "proof_directory"] {
        assert_eq!(member[key], packet[key], "{key}");
    }
    assert_eq!((&member["packet_path"], &member["packet_sha256"]), (&json!(PACKET), &json!(sha256(flow.repo.read(PACKET)))));
    assert_eq!(member["bytes"], flow.repo.read(PACKET).len());
}

#[test]
fn s_44_pinned_diff_options() {
    let flow = prepared();
    let expected = bytes(&flow);
    let trace = flow.repo.area("driver-ran");
    let driver = flow.repo.area("driver.sh");
    fs::write(&driver, format!("#!/bin/sh\ntouch '{}'\necho hostile\n", trace.display())).unwrap();
    std::process::Command::new("chmod").arg("+x").arg(&driver).status().unwrap();
    let driver = driver.to_str().unwrap();

    let settings = [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.algorithm", "patience"),
        ("diff.context", "9"),
        ("diff.renames", "copies"),
        ("diff.external", driver),
        ("diff.orderFile", "/dev/null"),
        ("diff.hostile.command", driver),
        ("diff.hostile.textconv", driver),
        ("diff.suppressBlankEmpty", "true"),
        ("core.abbrev", "4"),
        ("core.quotePath", "false"),
        ("core.autocrlf", "true"),
        ("core.attributesFile", driver),
        ("color.ui", "always"),
        ("color.diff", "always"),
    ];
    for (key, value) in settings {
        flow.repo.git(&["config", key, value]);
    }
    flow.repo.write(".git/info/attributes", "*.sh diff=hostile -text\n* binary\n");
    let own = settings
        .map(|(key, value)| flow.repo.git(&["config", "--file", flow.repo.area("home").join(".gitconfig").to_str().unwrap(), key, value]));
    assert_eq!(own.len(), settings.len());

    let mut command = flow.repo.command(&["behavior-review", "prepare", "--base", "main"]);
    command.env_remove("GIT_CONFIG_GLOBAL").env_remove("GIT_CONFIG_SYSTEM");
    command.env("GIT_EXTERNAL_DIFF", driver).env("GIT_DIFF_OPTS", "--unified=9");
    command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "diff.interHunkContext").env("GIT_CONFIG_VALUE_0", "40");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(bytes(&flow), expected);
    assert!(!trace.exists(), "a configured program ran");
    flow.repo.assert_no_worktree();
}

#[test]
fn s_46_a_request_captured_after_the_code_is_refused() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.change();
    flow.capture("Written after the code.\n").exits(0);
    let output = flow.repo.read_only(|| flow.prepare()).exits(1).names("after the fact");
    output.next();
    assert!(!flow.repo.has_evidence("packet.json"));
}

#[test]
fn prepare_needs_a_request_a_selection_and_a_clean_tree() {
    let nothing_captured = Flow::new(WORLD, Project::shop());
    nothing_captured.change();
    assert!(nothing_captured.repo.read_only(|| nothing_captured.prepare()).exits(1).next().contains("capture-intent"));

    let nothing_selected = Flow::new(WORLD, Project::shop());
    nothing_selected.capture("Stock plums.\n").exits(0);
    nothing_selected.repo.write("search/items.txt", "plum\n").commit("Stock plums");
    nothing_selected.repo.read_only(|| nothing_selected.prepare()).exits(1).next();

    let dirty = Flow::changed(WORLD, Project::shop());
    dirty.repo.write("search/items.txt", "plum\n");
    let output = dirty.repo.read_only(|| dirty.prepare()).exits(1).names("search/items.txt");
    output.next();
}

#[test]
fn a_later_correction_is_in_the_packet_by_its_position() {
    let flow = Flow::changed(WORLD, Project::shop());
    flow.repo.write("search/items.txt", "plum\n");
    flow.capture("Stock plums as well.\n").exits(0);
    flow.repo.commit("Stock plums");
    flow.capture("Thanks, and a last thing.\n").exits(0);
    flow.prepare().exits(0);
    let packet = flow.packet();
    let positions: Vec<_> = packet["intents"].as_array().unwrap().iter().map(|intent| intent["position"].as_str().unwrap()).collect();
    assert_eq!(positions, ["original", "correction", "after-candidate"]);
}
