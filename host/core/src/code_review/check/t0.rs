//! The step `t0`: what collection wrote is there, holds together, and still is what is reviewed (section 4.1).

mod identity;

use std::collections::{BTreeMap, BTreeSet};

use super::shape::check_producer;
use crate::{
    code_review::{
        codes::{self, Code},
        config::{CONFIG_FILE, Config},
        context::{Context, Facts},
        reading::record,
        run::{RUN_FILE, RunRecord},
        t0::{
            GIT_STATE_FILE, MIRROR_FILE, MirrorReceipt, Numstat, PATH_ROLES_FILE, PathRolesRecord, REVIEWED_COMMIT_FILE, SNAPSHOT_FILE,
            SnapshotFile, SourceSnapshot, T0,
            lists::{read_numstat, read_paths},
        },
        violation::{Sink, Violation},
        vocabulary::Scope,
    },
    policy::code_review::run_config_faults,
};

const START_AGAIN: &str = "receipts are never repaired: restore the run as it was written, or start a new one";
const RAW_FILES: [&str; 4] = ["diff.patch", "diffstat.txt", "status.txt", GIT_STATE_FILE];

/// Checks the step.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let t0 = read(context.facts, sink);
    if let (None, Some(t0)) = (context.result_file, &t0) {
        check_producer(&t0.run, context.facts, sink);
    }
    if sink.is_clean() {
        context.t0 = t0;
    }
}

fn read(facts: &Facts<'_>, sink: &mut Sink) -> Option<T0> {
    let image = facts.image;
    let missing = &codes::MISSING_T0_ARTIFACT;
    let run = record::<RunRecord>(image, RUN_FILE, missing, &codes::RUN_JSON_INVALID, sink);
    let config = read_config(facts, sink);
    for path in RAW_FILES.into_iter().filter(|path| !image.has(path)) {
        sink.push(absent(path));
    }
    let lists = Lists::read(facts, sink);
    let (run, config, lists) = (run?, config?, lists?);
    identity::check(&run, facts, sink);
    let receipts = Receipts::read(&run, facts, sink)?;
    let inspection_set = lists.inspection_set(&run, receipts.snapshot.as_ref(), sink);
    receipts.check(&run, &inspection_set, facts, sink);
    check_path_roles(&inspection_set, facts, sink);
    Some(T0 {
        reviewed_commit: reviewed_commit(&run, facts, sink),
        review_input_sha256: image.sha256("diff.patch")?.to_owned(),
        run,
        config,
        tracked: lists.tracked,
        untracked: lists.untracked,
        numstat: lists.numstat,
        inspection_set,
        mirror: receipts.mirror,
        snapshot: receipts.snapshot,
    })
}

fn absent(path: &str) -> Violation {
    Violation::new(&codes::MISSING_T0_ARTIFACT, format!("`{path}` is missing"), START_AGAIN).subject(path).file(path)
}

/// The copy must be as a policy would be read: later steps compile its patterns.
fn read_config(facts: &Facts<'_>, sink: &mut Sink) -> Option<Config> {
    let invalid = &codes::RUN_JSON_INVALID;
    let config = record::<Config>(facts.image, CONFIG_FILE, &codes::MISSING_T0_ARTIFACT, invalid, sink)?;
    let faults = run_config_faults(facts.image.bytes(CONFIG_FILE)?);
    for fault in &faults {
        let mut violation = Violation::new(invalid, fault.message.clone(), START_AGAIN).subject(CONFIG_FILE);
        violation.line = fault.line;
        sink.push(violation.at(CONFIG_FILE, fault.pointer.clone()));
    }
    faults.is_empty().then_some(config)
}

/// What changed, by name and size.
struct Lists {
    tracked: Vec<String>,
    untracked: Vec<String>,
    numstat: Vec<Numstat>,
}

impl Lists {
    fn read(facts: &Facts<'_>, sink: &mut Sink) -> Option<Self> {
        let tracked = list(facts, "files.txt", read_paths, sink);
        let untracked = list(facts, "untracked.txt", read_paths, sink);
        let numstat = list(facts, "numstat.txt", read_numstat, sink);
        let lists = Self { tracked: tracked?, untracked: untracked?, numstat: numstat? };
        let sized: Vec<&str> = lists.numstat.iter().map(|row| row.path.as_str()).collect();
        if sized != lists.changed() {
            let message = "`numstat.txt` does not have one row for each path of `files.txt` and `untracked.txt`, in byte order";
            sink.push(disagrees("numstat.txt", message));
        }
        Some(lists)
    }

    fn changed(&self) -> Vec<&str> {
        let paths: BTreeSet<&str> = self.tracked.iter().chain(&self.untracked).map(String::as_str).collect();
        paths.into_iter().collect()
    }

    /// CR-29: what changed, or below explicit paths what is there.
    fn inspection_set(&self, run: &RunRecord, snapshot: Option<&SourceSnapshot>, sink: &mut Sink) -> Vec<String> {
        let changed = self.changed();
        if !changed.is_empty() {
            return changed.into_iter().map(str::to_owned).collect();
        }
        let members: Vec<String> = match (run.scope, snapshot) {
            (Scope::Path, Some(snapshot)) => snapshot.files.iter().map(|file| file.path.clone()).collect(),
            _ => Vec::new(),
        };
        if members.is_empty() {
            let message = "nothing changed, and no explicit path has files";
            sink.push(Violation::new(&codes::REVIEW_SCOPE_EMPTY, message, "start a run on a change").file("files.txt"));
        }
        members
    }
}

fn list<T>(facts: &Facts<'_>, path: &str, read: impl FnOnce(&str) -> Result<T, (u32, String)>, sink: &mut Sink) -> Option<T> {
    let Some(text) = facts.image.text(path) else {
        sink.push(absent(path));
        return None;
    };
    match read(text) {
        Ok(list) => Some(list),
        Err((line, reason)) => {
            let violation = Violation::new(&codes::REVIEW_DIFF_DIGEST_MISMATCH, format!("`{path}`: {reason}"), START_AGAIN);
            sink.push(violation.subject(path).line(path, line));
            None
        }
    }
}

fn disagrees(path: &str, message: impl Into<String>) -> Violation {
    Violation::new(&codes::REVIEW_DIFF_DIGEST_MISMATCH, message, START_AGAIN).subject(path).file(path)
}

/// The receipts of a mirror, for the scopes that have one.
struct Receipts {
    mirror: Option<MirrorReceipt>,
    snapshot: Option<SourceSnapshot>,
}

impl Receipts {
    fn read(run: &RunRecord, facts: &Facts<'_>, sink: &mut Sink) -> Option<Self> {
        if !matches!(run.scope, Scope::WorkingTree | Scope::Path) {
            return Some(Self { mirror: None, snapshot: None });
        }
        let (missing, invalid) = (&codes::MISSING_T0_ARTIFACT, &codes::REVIEW_MIRROR_RECEIPT_INVALID);
        for path in ["local-source/status.txt", "local-source/diff.patch", "local-source/staged.patch"] {
            if !facts.image.has(path) {
                sink.push(absent(path));
            }
        }
        let mirror = record::<MirrorReceipt>(facts.image, MIRROR_FILE, missing, invalid, sink);
        let snapshot = record::<SourceSnapshot>(facts.image, SNAPSHOT_FILE, missing, invalid, sink);
        Some(Self { mirror: Some(mirror?), snapshot: Some(snapshot?) })
    }

    fn check(&self, run: &RunRecord, inspection_set: &[String], facts: &Facts<'_>, sink: &mut Sink) {
        let (Some(mirror), Some(snapshot)) = (&self.mirror, &self.snapshot) else { return };
        let digest = |path: &str| facts.image.sha256(path).unwrap_or_default();
        let scope_paths: &[String] = if run.scope == Scope::Path { &run.targets } else { &[] };
        let revision = &run.head_oid;
        for (file, key, holds) in [
            (MIRROR_FILE, "source_worktree", mirror.source_worktree == run.source_worktree),
            (MIRROR_FILE, "review_worktree", Some(&mirror.review_worktree) == run.review_worktree.as_ref()),
            (MIRROR_FILE, "revision", mirror.revision == *revision),
            (MIRROR_FILE, "scope_paths", mirror.scope_paths == scope_paths),
            (MIRROR_FILE, "status_sha256", mirror.status_sha256 == digest("local-source/status.txt")),
            (SNAPSHOT_FILE, "repository", snapshot.repository == run.source_worktree),
            (SNAPSHOT_FILE, "scope_paths", snapshot.scope_paths == scope_paths),
            (SNAPSHOT_FILE, "revision", snapshot.revision == *revision),
            (SNAPSHOT_FILE, "index_sha256", snapshot.index_sha256 == mirror.index_sha256),
            (SNAPSHOT_FILE, "files", snapshot.files.iter().map(|file| &file.path).eq(inspection_set)),
        ] {
            if !holds {
                let message = format!("`{key}` is not what the other receipts of the run say");
                let violation = Violation::new(&codes::REVIEW_MIRROR_RECEIPT_INVALID, message, START_AGAIN);
                sink.push(violation.subject(key).at(file, format!("/{key}")));
            }
        }
        for (path, sha256) in
            [("diff.patch", &mirror.diff_sha256), ("local-source/diff.patch", &mirror.diff_sha256), ("status.txt", &mirror.status_sha256)]
        {
            if digest(path) != *sha256 {
                sink.push(disagrees(path, format!("`{path}` has another digest than the mirror's receipt records")));
            }
        }
        check_mirror(snapshot, facts, sink);
    }
}

/// The mirror is what reviewers read: it still has the bytes of its snapshot. Of a promoted run the recorded index counts.
fn check_mirror(snapshot: &SourceSnapshot, facts: &Facts<'_>, sink: &mut Sink) {
    let mismatch = |message: String| {
        let hint = "undo what changed the review worktree, or start a new run; a review changes no source";
        Violation::new(&codes::REVIEW_MIRROR_MISMATCH, message, hint)
    };
    let Some(now) = facts.mirror else {
        if !facts.promoted {
            sink.push(mismatch("the review worktree is gone".to_owned()).file(MIRROR_FILE));
        }
        return;
    };
    let now: BTreeMap<&str, &SnapshotFile> = now.files.iter().map(|file| (file.path.as_str(), file)).collect();
    for (index, file) in snapshot.files.iter().enumerate().filter(|(_, file)| now.get(file.path.as_str()) != Some(file)) {
        let violation = mismatch(format!("`{}` in the review worktree is not what was captured", file.path));
        sink.push(violation.subject(&file.path).at(SNAPSHOT_FILE, format!("/files/{index}")));
    }
}

fn check_path_roles(inspection_set: &[String], facts: &Facts<'_>, sink: &mut Sink) {
    let code: &Code = &codes::REVIEW_SCOPE_CLASSIFICATION_MISSING;
    let Some(roles) = record::<PathRolesRecord>(facts.image, PATH_ROLES_FILE, code, code, sink) else { return };
    let known: BTreeSet<&str> = roles.paths.iter().map(|role| role.path.as_str()).collect();
    for path in inspection_set.iter().filter(|path| !known.contains(path.as_str())) {
        let message = format!("`{path}` has no part in `{PATH_ROLES_FILE}`");
        sink.push(Violation::new(code, message, START_AGAIN).subject(path).at(PATH_ROLES_FILE, "/paths"));
    }
    if roles.paths.len() != known.len() || !roles.paths.is_sorted_by(|one, other| one.path < other.path) {
        let message = "the paths are not in byte order, each once";
        sink.push(Violation::new(code, message, START_AGAIN).subject(PATH_ROLES_FILE).at(PATH_ROLES_FILE, "/paths"));
    }
}

/// What is reviewed, as far as receipts say: without a review worktree only the gates observe it (CR-33).
fn reviewed_commit(run: &RunRecord, facts: &Facts<'_>, sink: &mut Sink) -> Option<String> {
    if run.scope != Scope::Commit {
        return run.head_oid.clone();
    }
    if run.review_worktree.is_none() {
        if facts.image.has(REVIEWED_COMMIT_FILE) {
            let message = format!("`{REVIEWED_COMMIT_FILE}` is of a review worktree, and `{RUN_FILE}` names none");
            let violation = Violation::new(&codes::RUN_JSON_INVALID, message, START_AGAIN);
            sink.push(violation.subject(RUN_FILE).at(RUN_FILE, "/review_worktree"));
        }
        return None;
    }
    let head = run.head_oid.clone()?;
    match facts.image.text(REVIEWED_COMMIT_FILE) {
        None => sink.push(absent(REVIEWED_COMMIT_FILE)),
        Some(text) if text == format!("{head}\n") => return Some(head),
        Some(_) => {
            let message = format!("`{REVIEWED_COMMIT_FILE}` does not hold `head_oid` of `{RUN_FILE}`");
            let violation = Violation::new(&codes::REVIEW_COMMIT_SHA_UNBOUND, message, START_AGAIN);
            sink.push(violation.line(REVIEWED_COMMIT_FILE, 1));
        }
    }
    None
}
