//! The records of the gates of a generated review.

use serde_json::{Value, json};

use super::shape::{Red, Shape};
use crate::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{
        fixture::Fixture,
        gates::{CHECKS_LOG_FILE, FAILED_FILE, GATES, GATES_FILE, Gates, LOCAL_SNAPSHOT_FILE, STATUS_FILE},
        t0::MIRROR_FILE,
    },
};

/// Writes `gates.json`, and the logs of what ran.
pub(super) fn write(fixture: &mut Fixture, shape: &Shape) {
    let head = fixture.t0.run.head_oid.clone();
    let digest = |path: &str| fixture.image.sha256(path).map(str::to_owned);
    let (receipt, snapshot) = (digest(MIRROR_FILE), digest(LOCAL_SNAPSHOT_FILE));
    let seen = json!({
        "head": head.clone().filter(|_| shape.commit), "dirty": [], "top_level": "/review", "snapshot_sha256": snapshot
    });
    let source = json!({
        "mode": if shape.commit { "clean" } else { "local-review-mirror" }, "worktree": "/review",
        "expected_head": head.filter(|_| shape.commit),
        "receipt_path": receipt.as_ref().map(|_| MIRROR_FILE), "receipt_sha256": receipt,
        "snapshot_path": snapshot.as_ref().map(|_| LOCAL_SNAPSHOT_FILE), "snapshot_sha256": snapshot
    });
    let checks: Vec<Value> = GATES.iter().map(|id| check(fixture, shape, id, &seen)).collect();
    let gates = Gates::of(serde_json::from_value(json!(checks)).expect("checks"), serde_json::from_value(source).expect("a source"));
    fixture.write(GATES_FILE, &artifact_bytes(&gates));
    for (file, lines) in [(STATUS_FILE, gates.status_lines()), (FAILED_FILE, gates.failed_lines()), (CHECKS_LOG_FILE, gates.log_lines())] {
        fixture.write(file, lines.as_bytes());
    }
}

fn check(fixture: &mut Fixture, shape: &Shape, id: &str, seen: &Value) -> Value {
    let mut check = json!({
        "id": id, "gate_status": "pass", "reason": null, "detail": null, "command_exit": 0, "signal": null, "duration_ms": 5,
        "runner": null, "command_path": format!("checks/{id}.command.txt"), "stdout": format!("checks/{id}.stdout.txt"),
        "stderr": format!("checks/{id}.stderr.txt"), "truncated": false, "environment": {}, "tests": null, "source_proof": null,
        "before": seen, "after": seen, "artifacts": {}
    });
    let mut set = |values: Value| check.as_object_mut().expect("an object").extend(values.as_object().expect("an object").clone());
    let is_red = shape.red.gate() == Some(id) || shape.red == Red::Inapplicable && id == "format";
    let unstarted = json!({
        "command_exit": null, "duration_ms": null, "command_path": null, "stdout": null, "stderr": null, "before": null, "after": null
    });
    match shape.red {
        Red::Lint | Red::Tests if is_red => set(json!({"gate_status": "fail", "reason": "command-failed", "command_exit": 2})),
        Red::Timeout if is_red => set(json!({"gate_status": "timeout", "reason": "timeout", "command_exit": null})),
        Red::Drift if is_red => {
            let drifted = json!({
                "head": seen["head"], "dirty": ["src/a.rs"], "top_level": "/review",
                "snapshot_sha256": (!shape.commit).then(|| "0".repeat(64))
            });
            set(json!({"gate_status": "fail", "reason": "source-drift", "after": drifted}));
        }
        Red::Types if is_red => {
            set(unstarted);
            set(json!({"gate_status": "missing-command", "reason": "no-command-configured"}));
        }
        Red::Inapplicable if is_red => {
            set(unstarted);
            set(json!({"gate_status": "not-applicable", "reason": "declared", "detail": "the linter checks the format"}));
        }
        _ => {}
    }
    if check["stdout"].is_null() {
        return check;
    }
    for (kind, text) in [("command", format!("run {id}\n")), ("stdout", format!("{id} is done\n")), ("stderr", String::new())] {
        let path = format!("checks/{id}.{kind}.txt");
        fixture.write(&path, text.as_bytes());
        check["artifacts"][&path] = json!(digest_bytes(text.as_bytes()));
    }
    check
}
