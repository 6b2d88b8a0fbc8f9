//! Who started the run on what: `run.json`, its configuration, and the state of git at that moment.

use serde::de::DeserializeOwned;

use super::START_AGAIN;
use crate::code_review::{
    codes,
    config::CONFIG_FILE,
    context::Facts,
    events::Moment,
    image::RunImage,
    run::{RUN_FILE, RunRecord, is_digest, is_object_id, target_label},
    t0::{GIT_STATE_FILE, GitState, MIRROR_FILE, MirrorReceipt},
    violation::{Sink, Violation},
    vocabulary::{PROTOCOL, Scope},
};

/// Holds `run.json` against itself, its configuration and the state of git.
pub(super) fn check(run: &RunRecord, facts: &Facts<'_>, sink: &mut Sink) {
    record(run, facts, sink);
    git_state(run, facts.image, sink);
}

fn record(run: &RunRecord, facts: &Facts<'_>, sink: &mut Sink) {
    let mut refuse = |key: &str, message: String| {
        let violation = Violation::new(&codes::RUN_JSON_INVALID, message, START_AGAIN);
        sink.push(violation.subject(RUN_FILE).at(RUN_FILE, format!("/{key}")));
    };
    let is_id = |id: &Option<String>| id.as_deref().is_none_or(is_object_id);
    let local = matches!(run.scope, Scope::WorkingTree | Scope::Path);
    for (key, holds, message) in [
        ("protocol", run.protocol == PROTOCOL, "the protocol is another one"),
        ("tool_version", !run.tool_version.trim().is_empty(), "the version is blank"),
        ("created_at", Moment::parse(&run.created_at).is_some(), "this is no moment like 2026-01-31T12:00:00Z"),
        ("targets", are_targets(run), "the targets are not those of the scope"),
        ("base_oid", is_id(&run.base_oid), "`base_oid` is no full object id"),
        ("head_oid", is_id(&run.head_oid), "`head_oid` is no full object id"),
        ("base_oid", !local || run.base_oid == run.head_oid, "working files are compared with `head_oid` alone"),
        ("config_origin", is_origin(&run.config_origin), "a configuration is of the checkout, a commit or the defaults"),
        (
            "independence_requirement_evidence",
            run.independence_required == run.independence_requirement_evidence.is_some(),
            "a requirement and the words that make it come together",
        ),
    ] {
        if !holds {
            refuse(key, message.to_owned());
        }
    }
    if run.scope != Scope::Pr {
        let label = target_label(run.scope, &run.targets, run.base_oid.as_deref(), run.head_oid.as_deref());
        if run.target_label != label {
            refuse("target_label", format!("the label of this scope is `{label}`"));
        }
    }
    if facts.image.sha256(CONFIG_FILE) != Some(&run.config_sha256) {
        let message = format!("`{CONFIG_FILE}` has another digest than `{RUN_FILE}` records");
        sink.push(Violation::new(&codes::RUN_FILE_CHANGED, message, START_AGAIN).subject(CONFIG_FILE).file(CONFIG_FILE));
    }
}

/// None of a working tree; sorted paths, each once; one commit or range. That of a pull request is judged with its receipts.
fn are_targets(run: &RunRecord) -> bool {
    let told = run.targets.iter().all(|target| !target.trim().is_empty());
    let fit = match run.scope {
        Scope::WorkingTree => run.targets.is_empty(),
        Scope::Path => !run.targets.is_empty() && run.targets.is_sorted_by(|one, other| one < other),
        Scope::Commit => run.targets.len() == 1,
        Scope::Pr => true,
    };
    told && fit
}

/// `source-worktree`, `commit:<id>` or `defaults`.
fn is_origin(origin: &str) -> bool {
    ["source-worktree", "defaults"].contains(&origin) || origin.strip_prefix("commit:").is_some_and(is_object_id)
}

/// The state of git was observed at this start; what changed of it since is a step of its own.
fn git_state(run: &RunRecord, image: &RunImage, sink: &mut Sink) {
    let Some(state) = read::<GitState>(image, GIT_STATE_FILE) else { return };
    let local = matches!(run.scope, Scope::WorkingTree | Scope::Path);
    let staged = read::<MirrorReceipt>(image, MIRROR_FILE).map(|mirror| mirror.index_sha256);
    for (key, holds) in [
        ("source_worktree", state.source_worktree == run.source_worktree),
        ("observed_at", Moment::parse(&state.observed_at).is_some()),
        ("head", if local { state.head == run.head_oid } else { state.head.as_deref().is_none_or(is_object_id) }),
        ("index_sha256", staged.map_or(is_digest(&state.index_sha256), |staged| staged == state.index_sha256)),
    ] {
        if !holds {
            let message = format!("`{key}` is not what the other receipts of the start say");
            let violation = Violation::new(&codes::RUN_JSON_INVALID, message, START_AGAIN);
            sink.push(violation.subject(GIT_STATE_FILE).at(GIT_STATE_FILE, format!("/{key}")));
        }
    }
}

/// A record that is damaged is reported where it is judged.
fn read<T: DeserializeOwned>(image: &RunImage, path: &str) -> Option<T> {
    serde_json::from_slice(image.bytes(path)?).ok()
}
