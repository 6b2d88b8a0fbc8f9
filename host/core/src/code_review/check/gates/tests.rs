use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::code_review::t0::SnapshotFile;
use crate::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{fixture::Fixture, step::Step, vocabulary::Role},
};

/// The digests of what each gate leaves.
fn artifacts(id: &str) -> BTreeMap<String, String> {
    ["command", "stdout", "stderr"].map(|kind| (format!("checks/{id}.{kind}.txt"), digest_bytes(b"true\n"))).into()
}

/// Five green gates on a clean commit.
fn green() -> (Fixture, Value) {
    let mut fixture = Fixture::new(&[Role::SwEngineer]);
    let head = "a".repeat(40);
    (fixture.t0.run.scope, fixture.t0.run.head_oid) = (Scope::Commit, Some(head.clone()));
    fixture.t0.run.review_worktree = Some("/review".to_owned());
    let seen = json!({"head": head, "dirty": [], "top_level": "/review", "snapshot_sha256": null});
    let check = |id: &str| {
        json!({
            "id": id, "gate_status": "pass", "reason": null, "detail": null, "command_exit": 0, "signal": null, "duration_ms": 5,
            "runner": null, "command_path": format!("checks/{id}.command.txt"), "stdout": format!("checks/{id}.stdout.txt"),
            "stderr": format!("checks/{id}.stderr.txt"), "truncated": false, "environment": {}, "tests": null, "source_proof": null,
            "before": seen, "after": seen, "artifacts": artifacts(id)
        })
    };
    let gates = json!({
        "schema_version": 1, "status": "pass", "checks_run": GATES, "checks_failed": [], "failed_count": 0, "checks_not_applicable": [],
        "checks": GATES.map(check),
        "source": {"mode": "clean", "worktree": "/review", "expected_head": head, "receipt_path": null, "receipt_sha256": null,
            "snapshot_path": null, "snapshot_sha256": null}
    });
    for id in GATES {
        for kind in ["command", "stdout", "stderr"] {
            fixture.write(&format!("checks/{id}.{kind}.txt"), b"true\n");
        }
    }
    (fixture, gates)
}

fn found(fixture: &mut Fixture, gates: &Value) -> Vec<String> {
    fixture.write(GATES_FILE, &artifact_bytes(gates));
    let copies: Gates = serde_json::from_value(gates.clone()).expect("a record");
    for (file, lines) in [(STATUS_FILE, copies.status_lines()), (FAILED_FILE, copies.failed_lines()), (CHECKS_LOG_FILE, copies.log_lines())]
    {
        fixture.write(file, lines.as_bytes());
    }
    fixture.found(&[Step::Gates])
}

#[test]
fn five_green_gates_hold() {
    let (mut fixture, gates) = green();
    assert_eq!(found(&mut fixture, &gates), Vec::<String>::new());
}

#[test]
fn each_departure_has_its_code() {
    let departures = [
        ("/status", json!("fail"), "gates-aggregate-mismatch"),
        ("/checks/0/id", json!("style"), "gate-check-set-mismatch"),
        ("/checks/0/reason", json!("command-failed"), "gate-check-reason-invalid:lint"),
        ("/checks/0/command_exit", json!(1), "gate-check-exit-conflict:lint"),
        ("/checks/1/stdout", json!(null), "gate-check-log-missing:format"),
        ("/checks/2/artifacts", json!({"checks/x.txt": "0"}), "gate-artifact-digest-mismatch:types"),
        ("/checks/2/artifacts", json!({"../x": "0"}), "local-gate-artifact-escape:types"),
        ("/checks/3/before", json!(null), "gate-source-receipt-missing:tests"),
        ("/checks/3/after/dirty", json!(["a.rs"]), "gate-source-mismatch:tests"),
        ("/source/expected_head", json!("b"), "gate-source-mismatch"),
        ("/source/worktree", json!("/source"), "gate-source-mismatch"),
        ("/source/mode", json!("local-review-mirror"), "gate-source-mismatch"),
    ];
    for (pointer, value, code) in departures {
        let (mut fixture, mut gates) = green();
        *gates.pointer_mut(pointer).expect("there") = value;
        let found = found(&mut fixture, &gates);
        assert!(found.iter().any(|token| token == code), "{pointer}: {found:?}");
    }
}

#[test]
fn a_gate_fails_for_its_reason_and_the_aggregates_follow() {
    let (mut fixture, mut gates) = green();
    let patch = json!({"gate_status": "fail", "reason": "source-drift", "command_exit": 0});
    for (key, value) in patch.as_object().expect("an object") {
        gates["checks"][0][key] = value.clone();
    }
    gates["checks"][0]["after"]["dirty"] = json!(["a.rs"]);
    (gates["status"], gates["checks_failed"], gates["failed_count"]) = (json!("fail"), json!(["lint"]), json!(1));
    assert_eq!(found(&mut fixture, &gates), Vec::<String>::new());
    gates["checks"][0]["after"]["dirty"] = json!([]);
    assert_eq!(found(&mut fixture, &gates), ["gate-source-mismatch:lint"]);
}

#[test]
fn nothing_is_inapplicable_without_a_reason() {
    let (mut fixture, mut gates) = green();
    let types = &mut gates["checks"][2];
    (types["gate_status"], types["reason"], types["command_exit"]) = (json!("not-applicable"), json!("declared"), json!(null));
    gates["checks_not_applicable"] = json!(["types"]);
    assert_eq!(found(&mut fixture, &gates), ["gate-check-reason-invalid:types"]);
    gates["checks"][2]["detail"] = json!("the compiler checks types");
    assert_eq!(found(&mut fixture, &gates), Vec::<String>::new());
}

#[test]
fn the_copies_say_what_the_record_says() {
    let (mut fixture, gates) = green();
    assert_eq!(found(&mut fixture, &gates), Vec::<String>::new());
    assert_eq!(fixture.image.text(STATUS_FILE), Some("lint:pass\nformat:pass\ntypes:pass\ntests:pass\nreview:pass\n"));
    for file in [STATUS_FILE, FAILED_FILE, CHECKS_LOG_FILE] {
        let right = fixture.image.files.remove(file).expect("written");
        assert_eq!(fixture.found(&[Step::Gates]), [format!("gates-aggregate-mismatch:{file}")]);
        fixture.write(file, b"lint\n");
        assert_eq!(fixture.found(&[Step::Gates]), [format!("gates-aggregate-mismatch:{file}")]);
        fixture.image.files.insert(file.to_owned(), right);
    }
}

#[test]
fn who_ran_out_of_time_may_leave_the_tree_in_disorder() {
    let (mut fixture, mut gates) = green();
    let patch = json!({"gate_status": "timeout", "reason": "timeout", "command_exit": null, "signal": null});
    gates["checks"][0].as_object_mut().expect("an object").extend(patch.as_object().expect("an object").clone());
    gates["checks"][0]["after"]["dirty"] = json!(["a.rs"]);
    (gates["status"], gates["checks_failed"], gates["failed_count"]) = (json!("timeout"), json!(["lint"]), json!(1));
    assert_eq!(found(&mut fixture, &gates), Vec::<String>::new());
}

/// C-142: a failure that was archived is not hidden by another command.
#[test]
fn an_archived_failure_is_replaced_by_its_own_command_alone() {
    let (mut fixture, gates) = green();
    let mut failed = gates["checks"][0].clone();
    (failed["gate_status"], failed["reason"], failed["command_exit"]) = (json!("fail"), json!("command-failed"), json!(1));
    fixture.write("gate-attempts/001/gates.checks.jsonl", format!("{failed}\n").as_bytes());
    fixture.write("gate-attempts/001/checks/lint.command.txt", b"true\n");
    assert_eq!(found(&mut fixture, &gates), Vec::<String>::new());
    fixture.write("gate-attempts/001/checks/lint.command.txt", b"make lint\n");
    assert_eq!(found(&mut fixture, &gates), ["gate-check-status-invalid:lint"]);
    let mut explained = gates.clone();
    explained["checks"][0]["detail"] = json!("changed command: the target was renamed");
    assert_eq!(found(&mut fixture, &explained), Vec::<String>::new());
    fixture.write("gate-attempts/001/gates.checks.jsonl", b"{}\n");
    assert_eq!(found(&mut fixture, &gates), ["gates-fields-invalid"]);
}

/// Gives the review gate this command.
fn command(fixture: &mut Fixture, gates: &mut Value, line: &str) {
    fixture.write("checks/review.command.txt", line.as_bytes());
    gates["checks"][4]["artifacts"]["checks/review.command.txt"] = json!(digest_bytes(line.as_bytes()));
}

/// Five green gates on the head of a pull request that changes this path.
fn pull_request(path: &str) -> (Fixture, Value) {
    let (mut fixture, gates) = green();
    let (base, head) = ("b".repeat(40), "a".repeat(40));
    (fixture.t0.run.scope, fixture.t0.run.base_oid) = (Scope::Pr, Some(base.clone()));
    (fixture.t0.tracked, fixture.t0.inspection_set) = (vec![path.to_owned()], vec![path.to_owned()]);
    let role = json!({"path": path, "base": "production-source", "candidate": "production-source"});
    fixture.write(PATH_ROLES_FILE, &artifact_bytes(&json!({"schema_version": 1, "paths": [role]})));
    let mut gates = gates;
    command(&mut fixture, &mut gates, &format!("git diff --check {base}...{head}\n"));
    (fixture, gates)
}

/// C-114
#[test]
fn the_review_gate_of_a_pull_request_has_both_full_ids() {
    let (mut fixture, mut gates) = pull_request("src/a.rs");
    assert_eq!(found(&mut fixture, &gates), Vec::<String>::new());
    for line in ["git diff --check\n", "git diff --check bbbbbbb...aaaaaaa\n"] {
        command(&mut fixture, &mut gates, line);
        assert_eq!(found(&mut fixture, &gates), ["pr-review-gate-command-invalid:review"]);
    }
}

/// Keeps this as a file of the tests gate.
fn keep(fixture: &mut Fixture, gates: &mut Value, path: &str, bytes: &[u8]) {
    fixture.write(path, bytes);
    gates["checks"][3]["artifacts"][path] = json!(digest_bytes(bytes));
}

/// The tests ran under pytest, and prove where `a` came from.
fn proven(fixture: &mut Fixture, gates: &mut Value) {
    let file = |named: &str, path: &str| json!({"named": named, "path": path, "tracked": true, "sha256": digest_bytes(path.as_bytes())});
    let saw = |path: &str| json!({"path": format!("/review/{path}"), "sha256": digest_bytes(path.as_bytes())});
    let module = json!({"name": "a", "without_file": false, "files": [saw("src/a.py")]});
    let record = json!({"schema_version": 1, "process": "main", "role": "single", "executed": 1, "workers": [], "modules": [module],
        "tests": [saw("tests/test_a.py")]});
    let seen = json!({"kind": "pytest-import", "modules": ["a"],
        "records": [{"process": "main", "path": "checks/tests.source-proof.main.json"}]});
    let files = [file("/review/src/a.py", "src/a.py"), file("/review/tests/test_a.py", "tests/test_a.py")];
    let facts = json!({"schema_version": 1, "seen": seen, "files": files, "faults": []});
    keep(fixture, gates, "checks/tests.source-proof.json", &artifact_bytes(&facts));
    keep(fixture, gates, "checks/tests.source-proof.main.json", &artifact_bytes(&record));
    keep(fixture, gates, "checks/tests.command.txt", b"python -m pytest # imports: a\n");
    let origin = |name: &str, path: &str| {
        json!({"name": name, "path": path, "tracked": true, "sha256": digest_bytes(path.as_bytes()), "snapshot_member": false,
            "status": "pass", "reason": null})
    };
    let origins = [origin("a", "src/a.py"), origin("tests/test_a.py", "tests/test_a.py")];
    gates["checks"][3]["runner"] = json!("pytest");
    gates["checks"][3]["source_proof"] =
        json!({"status": "pass", "kind": "pytest-import", "origins": origins, "processes": ["main"], "errors": []});
}

/// C-112, CR-228
#[test]
fn changed_python_wants_a_proof_of_what_was_tested() {
    let (mut fixture, mut gates) = pull_request("src/a.py");
    assert_eq!(found(&mut fixture, &gates), ["pr-tests-source-proof-missing:tests"]);
    proven(&mut fixture, &mut gates);
    assert_eq!(found(&mut fixture, &gates), Vec::<String>::new());
}

/// An edited proof is refused: it follows from what is kept, or it is none.
#[test]
fn a_proof_follows_from_what_is_kept() {
    let proof = "/checks/3/source_proof";
    for (pointer, value) in [
        ("/origins/0/status", json!("fail")),
        ("/origins/0/path", json!("src/b.py")),
        ("/origins", json!([])),
        ("/processes", json!(["main", "gw0"])),
        ("/errors", json!(["all is well"])),
        ("/kind", json!("cargo-manifest")),
        ("/status", json!("inconclusive")),
    ] {
        let (mut fixture, mut gates) = pull_request("src/a.rs");
        proven(&mut fixture, &mut gates);
        *gates.pointer_mut(&format!("{proof}{pointer}")).expect("there") = value;
        assert_eq!(found(&mut fixture, &gates), ["gate-source-proof-invalid:tests"], "{pointer}");
    }
    type Change = fn(&mut Fixture, &mut Value);
    let changes: [Change; 7] = [
        |_, gates| gates["checks"][3]["source_proof"] = Value::Null,
        |_, gates| gates["checks"][3]["runner"] = json!("tap"),
        |_, gates| gates["checks"][3]["runner"] = json!("cargo"),
        |fixture, gates| keep(fixture, gates, "checks/tests.command.txt", b"python -m pytest # imports: a, b\n"),
        |fixture, gates| keep(fixture, gates, "checks/tests.source-proof.main.json", b"{}\n"),
        |fixture, gates| keep(fixture, gates, "checks/tests.source-proof.json", b"{}\n"),
        |fixture, gates| {
            fixture.image.files.remove("checks/tests.source-proof.json");
            gates["checks"][3]["artifacts"].as_object_mut().expect("an object").remove("checks/tests.source-proof.json");
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let (mut fixture, mut gates) = pull_request("src/a.rs");
        proven(&mut fixture, &mut gates);
        change(&mut fixture, &mut gates);
        assert_eq!(found(&mut fixture, &gates), ["gate-source-proof-invalid:tests"], "{number}");
    }
    let (mut fixture, mut gates) = green();
    gates["checks"][0]["source_proof"] = json!({"status": "pass", "kind": null, "origins": [], "processes": [], "errors": []});
    assert_eq!(found(&mut fixture, &gates), ["gate-source-proof-invalid:lint"]);
}

/// Green gates on a mirror of one file.
fn mirror() -> (Fixture, Value) {
    let (mut fixture, mut gates) = green();
    let file = SnapshotFile { path: "src/a.rs".to_owned(), kind: SnapshotKind::File, sha256: Some(digest_bytes(b"a")), executable: false };
    let snapshot = SourceSnapshot {
        schema_version: 1,
        repository: "/source".to_owned(),
        scope_paths: Vec::new(),
        revision: None,
        index_sha256: digest_bytes(b""),
        files: vec![file],
    };
    fixture.t0.run.scope = Scope::WorkingTree;
    fixture.t0.run.review_worktree = Some("/review".to_owned());
    fixture.write(MIRROR_FILE, b"{}\n");
    fixture.t0.snapshot = Some(snapshot.clone());
    see(&mut fixture, &mut gates, &snapshot);
    (fixture, gates)
}

/// Makes this what the gates saw of the mirror.
fn see(fixture: &mut Fixture, gates: &mut Value, snapshot: &SourceSnapshot) {
    fixture.write(LOCAL_SNAPSHOT_FILE, &artifact_bytes(snapshot));
    let sha256 = fixture.image.sha256(LOCAL_SNAPSHOT_FILE).expect("written").to_owned();
    gates["source"] = json!({"mode": "local-review-mirror", "worktree": "/review", "expected_head": null, "receipt_path": MIRROR_FILE,
        "receipt_sha256": digest_bytes(b"{}\n"), "snapshot_path": LOCAL_SNAPSHOT_FILE, "snapshot_sha256": sha256});
    let seen = json!({"head": null, "dirty": [], "top_level": "/review", "snapshot_sha256": sha256});
    for check in gates["checks"].as_array_mut().expect("an array") {
        (check["before"], check["after"]) = (seen.clone(), seen.clone());
    }
}

#[test]
fn gates_ran_on_what_was_mirrored() {
    let (mut fixture, gates) = mirror();
    assert_eq!(found(&mut fixture, &gates), Vec::<String>::new());
    let snapshot = fixture.t0.snapshot.clone().expect("a mirror");
    type Change = fn(&mut SourceSnapshot);
    let changes: [(Change, &[&str]); 3] = [
        (|snapshot| snapshot.files[0].sha256 = Some(digest_bytes(b"b")), &["local-gate-source-changed"]),
        (|snapshot| snapshot.revision = Some("d".repeat(40)), &["local-gate-source-changed"]),
        (
            |snapshot| {
                let module = SnapshotFile { path: "vendor".to_owned(), kind: SnapshotKind::Gitlink, sha256: None, executable: false };
                snapshot.files.push(module);
            },
            &["local-gate-gitlink-dirty:vendor", "local-gate-source-changed"],
        ),
    ];
    for (change, expected) in changes {
        let (mut fixture, mut gates) = mirror();
        let mut other = snapshot.clone();
        change(&mut other);
        see(&mut fixture, &mut gates, &other);
        let mut found = found(&mut fixture, &gates);
        found.sort_unstable();
        assert_eq!(found, expected);
    }
    let (mut fixture, gates) = mirror();
    fixture.image.files.remove(LOCAL_SNAPSHOT_FILE);
    let mut found = found(&mut fixture, &gates);
    found.dedup();
    assert_eq!(found, ["gate-source-receipt-missing"]);
}
