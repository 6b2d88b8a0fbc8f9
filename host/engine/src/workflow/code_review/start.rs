//! `start`: freezes what is reviewed in a new run directory (sections 2 and 4.1).

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::{digest_bytes, read_strict},
    code_review::{
        codes,
        config::CONFIG_FILE,
        image::{MAX_FILE_BYTES, MAX_RAW_BYTES},
        run::{RUN_FILE, RunRecord},
        t0::{GIT_STATE_FILE, MIRROR_FILE, PATH_ROLES_FILE, REVIEWED_COMMIT_FILE, SNAPSHOT_FILE},
        vocabulary::Scope,
    },
    diagnostic::{Failure, FailureKind},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    blocked,
    config::Effective,
    git_state, mirror,
    path_roles::path_roles,
    pull_request,
    reports::Reports,
    run::Run,
    scope::{Capture, Texts, capture_commit, capture_local},
    terms::Terms,
    usage,
};
use crate::{
    git::{add_review_tree, is_ignored},
    input::contained_path,
    workspace::Workspace,
};

/// What `start` is asked for.
#[derive(Clone, Debug)]
pub struct StartRequest {
    /// `--scope`, as written.
    pub scope: String,
    /// `--target`, as written.
    pub targets: Vec<String>,
    /// `--base`.
    pub base: Option<String>,
    /// `--review-worktree`: `auto`, `none` or an absolute path.
    pub review_worktree: String,
    /// `--reports-dir`.
    pub reports_dir: Option<PathBuf>,
    /// `--ci-rollup`.
    pub ci_rollup: Option<PathBuf>,
    /// What `import-pr` is asked for too.
    pub terms: Terms,
}

/// A started run: the fields of its document (section 3.1).
#[derive(Clone, Debug, Serialize)]
pub struct Started {
    /// The run's id.
    pub run_id: String,
    /// Who drives it.
    pub producer_id: String,
    /// What is reviewed.
    pub scope: Scope,
    /// What it is compared with.
    pub base_oid: Option<String>,
    /// The reviewed commit, or HEAD.
    pub head_oid: Option<String>,
    /// Where it is read; absolute.
    pub review_worktree: Option<String>,
    /// Number of changed tracked paths.
    pub files: usize,
    /// Number of untracked paths.
    pub untracked: usize,
    /// Digest of `diff.patch`; null before a pull request is collected.
    pub diff_sha256: Option<String>,
    /// Digest of the snapshot of a mirror.
    pub source_snapshot_sha256: Option<String>,
}

impl Started {
    /// Of a pull request before it is imported.
    fn uncollected(record: RunRecord) -> Self {
        Self {
            run_id: record.run_id,
            producer_id: record.producer_id,
            scope: record.scope,
            base_oid: None,
            head_oid: None,
            review_worktree: None,
            files: 0,
            untracked: 0,
            diff_sha256: None,
            source_snapshot_sha256: None,
        }
    }
}

/// How `start` ended once its run existed.
pub enum StartOutcome {
    /// The run is ready.
    Started(Started),
    /// The source cannot be reviewed; `scope-error.txt` says so (exit 1).
    Refused(Failure),
}

/// Starts a run; `cwd` is where the caller's paths start.
///
/// # Errors
/// Exit 2, and nothing was written; exit 3; exit 130.
pub fn start(workspace: &Workspace<'_>, cwd: &Path, request: &StartRequest) -> Result<(Run, StartOutcome), Failure> {
    let scope = Scope::parse(&request.scope).ok_or_else(|| invalid_scope(&request.scope))?;
    check_request(scope, request)?;
    let terms = request.terms.resolve(cwd)?;
    let effective = Effective::of_worktree(&workspace.repository)?;
    let configured = effective.config.code_review.reports_dir.as_deref();
    let reports = Reports::of(workspace, cwd, request.reports_dir.as_deref(), configured)?;
    if scope == Scope::Pr {
        let (run, record) = pull_request::begin(workspace, &request.targets[0], &terms, &effective, &reports)?;
        return Ok((run, StartOutcome::Started(Started::uncollected(record))));
    }
    let capture = match scope {
        Scope::Commit => capture_commit(&workspace.repository, &request.targets[0], request.base.as_deref())?,
        _ => capture_local(&workspace.repository, cwd, &request.targets, reports.inside())?,
    };
    let rollup = rollup(cwd, request, &capture)?;
    refuse_visible(workspace, cwd, &request.review_worktree)?;
    workspace.interrupt.check()?;
    let run = reports.create_run()?;
    let place = match request.review_worktree.as_str() {
        "auto" => Some(run.review_worktree()),
        "none" => None,
        place => Some(PathBuf::from(place)),
    };
    let record = terms.record(workspace, scope, &capture, place.as_deref(), &effective);
    let _lock = run.lock(&record)?;
    run.write_json(RUN_FILE, &record)?;
    run.write_json(CONFIG_FILE, &effective.config)?;
    if let Some(rollup) = rollup {
        run.write_json("ci-rollup.json", &rollup)?;
    }
    let started = Starting { workspace, run: &run, record: &record, capture: &capture, place: place.as_deref() }.collect(&effective);
    match started {
        Ok(started) => Ok((run, StartOutcome::Started(started))),
        Err(failure) if failure.kind == FailureKind::Blocked => {
            write_scope_error(&run, &failure)?;
            Ok((run, StartOutcome::Refused(failure)))
        }
        Err(failure) => Err(failure),
    }
}

/// Keeps why the source cannot be reviewed: one code.
///
/// # Errors
/// Exit 3.
pub(super) fn write_scope_error(run: &Run, failure: &Failure) -> Result<(), Failure> {
    let code = failure.diagnostics.first().map_or("", |diagnostic| diagnostic.code.as_str());
    run.write("scope-error.txt", format!("{code}\n").as_bytes())
}

struct Starting<'a> {
    workspace: &'a Workspace<'a>,
    run: &'a Run,
    record: &'a RunRecord,
    capture: &'a Capture,
    place: Option<&'a Path>,
}

impl Starting<'_> {
    fn collect(&self, effective: &Effective) -> Result<Started, Failure> {
        let Self { workspace, run, record, capture, place } = *self;
        capture.require_inspectable(record.scope)?;
        run.write_json(GIT_STATE_FILE, &git_state::observe(&workspace.repository)?)?;
        let texts = capture.texts(workspace.repository.root())?;
        write_texts(run, &texts)?;
        let roles = path_roles(workspace, capture, effective.policy.as_ref())?;
        run.write_json(PATH_ROLES_FILE, &roles)?;
        workspace.interrupt.check()?;
        let source_snapshot_sha256 = match (record.scope, place) {
            (Scope::Commit, Some(place)) => self.check_out(place).map(|()| None)?,
            (_, Some(place)) => Some(self.mirror(&texts, place)?),
            (_, None) => None,
        };
        workspace.interrupt.check()?;
        Ok(Started {
            run_id: record.run_id.clone(),
            producer_id: record.producer_id.clone(),
            scope: record.scope,
            base_oid: record.base_oid.clone(),
            head_oid: record.head_oid.clone(),
            review_worktree: record.review_worktree.clone(),
            files: capture.changes.len(),
            untracked: capture.untracked.len(),
            diff_sha256: Some(digest_bytes(texts.diff.as_bytes())),
            source_snapshot_sha256,
        })
    }

    /// The worktree of a commit (CR-33).
    fn check_out(&self, place: &Path) -> Result<(), Failure> {
        add_review_tree(&self.workspace.repository, place, self.capture.head.as_deref())?;
        let head = self.capture.head.as_deref().unwrap_or_default();
        self.run.write(REVIEWED_COMMIT_FILE, format!("{head}\n").as_bytes())
    }

    /// The mirror of a working tree, with its receipts; the digest of the snapshot.
    fn mirror(&self, texts: &Texts, place: &Path) -> Result<String, Failure> {
        let (receipt, snapshot) = mirror::make(&self.workspace.repository, self.capture, texts, place)?;
        for (path, text) in [
            ("local-source/status.txt", &texts.status),
            ("local-source/diff.patch", &texts.diff),
            ("local-source/staged.patch", &texts.staged),
        ] {
            self.run.write(path, text.as_bytes())?;
        }
        self.run.write_json(MIRROR_FILE, &receipt)?;
        Ok(digest_bytes(&self.run.write_json(SNAPSHOT_FILE, &snapshot)?))
    }
}

/// Writes the texts that keep a change.
///
/// # Errors
/// Exit 1 `limit-exceeded`; exit 3.
pub(super) fn write_texts(run: &Run, texts: &Texts) -> Result<(), Failure> {
    let most = MAX_RAW_BYTES;
    if texts.diff.len() as u64 > most {
        let message = format!("the diff has {} bytes, and {most} is the most", texts.diff.len());
        return Err(blocked(&codes::LIMIT_EXCEEDED, message, "review parts of the change, with --scope path").at_path("diff.patch"));
    }
    for (path, text) in [
        ("status.txt", &texts.status),
        ("diff.patch", &texts.diff),
        ("files.txt", &texts.files),
        ("untracked.txt", &texts.untracked),
        ("numstat.txt", &texts.numstat),
        ("diffstat.txt", &texts.diffstat),
    ] {
        run.write(path, text.as_bytes())?;
    }
    Ok(())
}

fn check_request(scope: Scope, request: &StartRequest) -> Result<(), Failure> {
    let wrong = |message: &str, next: &str| Err(usage(&codes::USAGE_ERROR, message, next));
    match (scope, request.targets.len()) {
        (Scope::Path, 0) | (Scope::Commit, 0) | (Scope::Pr, 0) => {
            let next = "name what is reviewed with --target";
            return Err(usage(&codes::MISSING_REQUIRED, format!("the scope {scope} needs a target"), next));
        }
        (Scope::Commit | Scope::Pr, 2..) => return wrong("this scope has one target", "start one run for each target"),
        (Scope::WorkingTree, 1..) => return wrong("the scope working-tree has no target", "leave --target out, or use --scope path"),
        _ => {}
    }
    if scope != Scope::Commit && request.base.is_some() {
        return wrong("--base is for the scope commit", "leave --base out");
    }
    if scope != Scope::Commit && request.ci_rollup.is_some() {
        return wrong("--ci-rollup is for the scope commit", "leave --ci-rollup out");
    }
    match request.review_worktree.as_str() {
        "auto" => Ok(()),
        "none" if scope == Scope::Commit => Ok(()),
        "none" => wrong("only the scope commit can do without a review worktree", "leave --review-worktree out"),
        place if Path::new(place).is_absolute() => Ok(()),
        _ => wrong("--review-worktree is `auto`, `none` or an absolute path", "name one of them"),
    }
}

/// A review worktree inside the repository must be ignored, as the reports are (CR-31).
///
/// # Errors
/// Exit 2 `usage-error`; exit 3.
pub(super) fn refuse_visible(workspace: &Workspace<'_>, cwd: &Path, place: &str) -> Result<(), Failure> {
    match contained_path(workspace.repository.root(), cwd, Path::new(place)) {
        Some(relative) if Path::new(place).is_absolute() && !is_ignored(&workspace.repository, &relative)? => {
            let message = format!("git does not ignore the place of the review worktree, `{relative}`");
            Err(usage(&codes::USAGE_ERROR, message, "name a place outside the repository, or leave --review-worktree out"))
        }
        _ => Ok(()),
    }
}

fn invalid_scope(word: &str) -> Failure {
    let words: Vec<&str> = Scope::WORDS.iter().map(|(word, _)| *word).collect();
    usage(&codes::INVALID_SCOPE, format!("`{word}` is no scope"), format!("use one of {}", words.join(", ")))
}

/// What a caller exported about a commit's checks.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Rollup {
    commit: String,
    status_check_rollup: Value,
}

fn rollup(cwd: &Path, request: &StartRequest, capture: &Capture) -> Result<Option<Rollup>, Failure> {
    const NEXT: &str = "export the checks of the reviewed commit again";
    let Some(file) = &request.ci_rollup else { return Ok(None) };
    let place = cwd.join(file);
    let unreadable = |error: std::io::Error| usage(&codes::USAGE_ERROR, format!("cannot read {}: {error}", place.display()), NEXT);
    let mut bytes = Vec::new();
    File::open(&place).map_err(unreadable)?.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    let rollup: Rollup = read_strict(&bytes, codes::USAGE_ERROR.name, NEXT).map_err(|diagnostic| Failure::from(*diagnostic))?;
    if Some(&rollup.commit) != capture.head.as_ref() {
        let message = format!("the checks are those of `{}`, not of the reviewed commit", rollup.commit);
        return Err(usage(&codes::CI_ROLLUP_COMMIT_MISMATCH, message, NEXT));
    }
    Ok(Some(rollup))
}
