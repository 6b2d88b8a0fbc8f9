//! The canonical patch: S-42, S-47, S-48 (BR-44, BR-45).

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use code_polishy_tests::{Flow, INTENT, Project};
use serde_json::{Value, json};

use crate::WORLD;

/// Selects the full candidate, so that every changed path is reviewed.
fn full() -> Flow {
    let edit = |policy: &mut Value| policy["verification"]["behaviorReview"] = json!({"defaultRequiredAt": "merge", "features": []});
    Flow::new(WORLD, Project::shop().with_policy(edit))
}

fn paths(packet: &Value) -> Vec<String> {
    let entries = packet["final_state_evidence"]["paths"].as_array().unwrap();
    entries.iter().map(|entry| entry["path"].as_str().unwrap().to_owned()).collect()
}

/// A packet of what `change` makes of the base that `before` made.
fn packet(before: impl FnOnce(&Flow), change: impl FnOnce(&Flow)) -> (Flow, Value) {
    let flow = full();
    before(&flow);
    flow.repo.commit("Prepare the ground");
    flow.repo.git(&["branch", "--force", "main"]);
    flow.capture(INTENT).exits(0);
    change(&flow);
    flow.repo.commit("Change it");
    flow.prepare().exits(0);
    let packet = flow.packet();
    (flow, packet)
}

#[test]
fn s_42_names_are_literal_and_quoted_as_git_quotes_them() {
    let odd = [
        "with space.txt",
        "quote\".txt",
        "tab\t.txt",
        "back\\slash.txt",
        "ümlaut.txt",
        "[id].txt",
        ":colon.txt",
        "star*.txt",
        "new\nline.txt",
    ];
    let (flow, packet) = packet(|_| {}, |flow| odd.iter().for_each(|name| drop(flow.repo.write(name, "text\n").path(name))));
    assert_eq!(packet["patch"], flow.repo.plain_diff(&["main", "HEAD"]));
    let mut expected = odd.map(str::to_owned);
    expected.sort();
    assert_eq!(paths(&packet), expected);
    flow.status(&[]).exits(0).never_says("line.txt");
}

#[test]
fn s_47_text_in_every_shape_is_the_diff_of_git() {
    let long: String = (0..400).map(|line| format!("line {line}\n")).collect();
    let (flow, packet) = packet(
        |flow| {
            flow.repo.write("crlf.txt", "one\r\ntwo\r\n").write("open.txt", "one\ntwo").write("closed.txt", "one\ntwo\n");
            flow.repo.write("long.txt", &long).write("gone.txt", "gone\n").write("empties.txt", "full\n");
        },
        |flow| {
            flow.repo.write("crlf.txt", "one\r\n2\r\n").write("open.txt", "one\ntwo\n").write("closed.txt", "one\n2");
            flow.repo.write("long.txt", long.replace("line 30\n", "").replace("line 300\n", "line 300\nline 300 and a half\n"));
            flow.repo.remove("gone.txt").write("empties.txt", "").write("new.txt", "new\n");
        },
    );
    assert_eq!(packet["patch"], flow.repo.plain_diff(&["main", "HEAD"]));
}

#[test]
fn s_47_an_opaque_change_has_one_hunk_to_cite() {
    let (flow, packet) = packet(
        |flow| {
            flow.repo.write("image.bin", b"\x89PNG\0one").write("mode.txt", "same\n").link("link", "README.md");
        },
        |flow| {
            flow.repo.write("image.bin", b"\x89PNG\0two");
            fs::set_permissions(flow.repo.path("mode.txt"), fs::Permissions::from_mode(0o755)).unwrap();
            fs::remove_file(flow.repo.path("link")).unwrap();
            flow.repo.link("link", "run-tests.sh").write("latin.txt", b"caf\xe9\n").write("empty.txt", "");
        },
    );
    assert_eq!(paths(&packet), ["empty.txt", "image.bin", "latin.txt", "link", "mode.txt"]);
    let reviewer = flow.reviewer();
    for path in ["image.bin", "link", "mode.txt"] {
        assert_eq!(reviewer.hunks(path).len(), 1, "{path}");
    }
    let patch = packet["patch"].as_str().unwrap();
    assert!(patch.contains("caf\\xe9") && patch.contains("image.bin"), "{patch}");
    for path in ["image.bin", "link", "mode.txt"] {
        let cited =
            flow.reviewer().whole("preserved", &[]).residue(path).edit(|result| result["final_state_findings"][0]["line"] = json!(1));
        flow.review(cited);
        flow.finalize().exits(1).names(path).names("correction-residue");
        flow.review_action("prepare", &["--follow-up", path]).exits(0);
    }
}

#[test]
fn s_48_two_clones_give_equal_hunks() {
    let flow = Flow::prepared(WORLD, Project::shop());
    let elsewhere = Flow::changed(WORLD, Project::shop());
    elsewhere.repo.git(&["config", "core.autocrlf", "input"]);
    elsewhere.prepare().exits(0);
    assert_eq!(flow.packet()["final_state_evidence"], elsewhere.packet()["final_state_evidence"]);
}
