//! `start`: freezes what is reviewed in a new run directory (sections 2 and 4.1).

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::{artifact_bytes, digest_bytes, hex, read_strict},
    code_review::{
        codes,
        config::CONFIG_FILE,
        image::{MAX_FILE_BYTES, MAX_RAW_BYTES},
        run::{CallerContract, RUN_FILE, RevisedScope, RunRecord, target_label},
        t0::{GIT_STATE_FILE, MIRROR_FILE, PATH_ROLES_FILE, REVIEWED_COMMIT_FILE, SNAPSHOT_FILE},
        vocabulary::{PROTOCOL, Scope},
    },
    diagnostic::{Failure, FailureKind},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    blocked,
    config::Effective,
    git_state, mirror, operational,
    path_roles::path_roles,
    reports::Reports,
    run::Run,
    scope::{Capture, Texts, capture_commit, capture_local},
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

/// Under which terms a run is made.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// `--producer-id`; one is made when it is absent (CR-19).
    pub producer_id: Option<String>,
    /// `--independence-required`.
    pub independence_required: Option<String>,
    /// `--caller-contract`.
    pub caller_contract: Option<String>,
    /// `--caller-contract-evidence`.
    pub caller_contract_evidence: Option<String>,
    /// `--revised-scope-of`.
    pub revised_scope_of: Option<PathBuf>,
    /// `--waiver`.
    pub waiver: Option<String>,
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
        return start_pull_request(workspace, request, &terms, &effective, &reports);
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
            let code = failure.diagnostics.first().map_or("", |diagnostic| diagnostic.code.as_str());
            run.write("scope-error.txt", format!("{code}\n").as_bytes())?;
            Ok((run, StartOutcome::Refused(failure)))
        }
        Err(failure) => Err(failure),
    }
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
        self.write_texts(&texts)?;
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

    fn write_texts(&self, texts: &Texts) -> Result<(), Failure> {
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
            self.run.write(path, text.as_bytes())?;
        }
        Ok(())
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

/// A run of a pull request begins with its target alone; `import-pr` fills it.
fn start_pull_request(
    workspace: &Workspace<'_>,
    request: &StartRequest,
    terms: &Resolved,
    effective: &Effective,
    reports: &Reports,
) -> Result<(Run, StartOutcome), Failure> {
    let run = reports.create_run()?;
    let config_sha256 = digest_bytes(&artifact_bytes(&effective.config));
    let target = &request.targets[0];
    let record = RunRecord {
        scope: Scope::Pr,
        targets: vec![target.clone()],
        target_label: target_label(Scope::Pr, std::slice::from_ref(target), None, None),
        review_worktree: None,
        base_oid: None,
        head_oid: None,
        ..terms.base_record(workspace, config_sha256, &effective.origin)
    };
    let _lock = run.lock(&record)?;
    run.write_json(RUN_FILE, &record)?;
    run.write_json(CONFIG_FILE, &effective.config)?;
    run.write("pr-target.txt", format!("{target}\n").as_bytes())?;
    run.write_json(GIT_STATE_FILE, &git_state::observe(&workspace.repository)?)?;
    let started = Started {
        run_id: record.run_id,
        producer_id: record.producer_id,
        scope: Scope::Pr,
        base_oid: None,
        head_oid: None,
        review_worktree: None,
        files: 0,
        untracked: 0,
        diff_sha256: None,
        source_snapshot_sha256: None,
    };
    Ok((run, StartOutcome::Started(started)))
}

/// Terms whose parts fit together.
#[derive(Clone, Debug)]
pub struct Resolved {
    run_id: String,
    producer_id: String,
    independence: Option<String>,
    caller_contract: Option<CallerContract>,
    revised_scope: Option<RevisedScope>,
}

impl Terms {
    /// Checks the terms, and makes a producer id when there is none.
    ///
    /// # Errors
    /// Exit 2 `caller-contract-evidence-missing`, `waiver-run-invalid`, `usage-error`.
    pub fn resolve(&self, cwd: &Path) -> Result<Resolved, Failure> {
        for (flag, text) in [
            ("--producer-id", &self.producer_id),
            ("--independence-required", &self.independence_required),
            ("--caller-contract", &self.caller_contract),
            ("--waiver", &self.waiver),
        ] {
            if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
                return Err(usage(&codes::USAGE_ERROR, format!("the value of {flag} is blank"), format!("write it behind {flag}")));
            }
        }
        let caller_contract = match (&self.caller_contract, self.caller_contract_evidence.as_ref().filter(|text| !text.trim().is_empty())) {
            (None, None) => None,
            (Some(format), Some(evidence)) => Some(CallerContract { format: format.clone(), evidence: evidence.clone() }),
            _ => {
                let message = "a caller's format and the caller's words that ask for it come together";
                let next = "name the format with --caller-contract, and the words with --caller-contract-evidence";
                return Err(usage(&codes::CALLER_CONTRACT_EVIDENCE_MISSING, message, next));
            }
        };
        Ok(Resolved {
            run_id: uuid()?,
            producer_id: self.producer_id.clone().map_or_else(generated_producer, Ok)?,
            independence: self.independence_required.clone(),
            caller_contract,
            revised_scope: self.revised_scope(cwd)?,
        })
    }

    /// A waiver is given for a run that required independence (CR-63).
    fn revised_scope(&self, cwd: &Path) -> Result<Option<RevisedScope>, Failure> {
        let invalid = |message: String| {
            let next = "name a run that required independent review with --revised-scope-of, and the user's words with --waiver";
            usage(&codes::WAIVER_RUN_INVALID, message, next)
        };
        match (&self.revised_scope_of, &self.waiver) {
            (None, None) => Ok(None),
            (Some(run), Some(waiver)) => {
                let unknown =
                    |failure: Failure| invalid(failure.diagnostics.first().map(|first| first.message.clone()).unwrap_or_default());
                let original = Run::open(cwd, run).and_then(|run| run.record()).map_err(unknown)?;
                if !original.independence_required {
                    return Err(invalid(format!("the run {} required no independent review", original.run_id)));
                }
                Ok(Some(RevisedScope { original_run: original.run_id, waiver_evidence: waiver.clone() }))
            }
            _ => Err(invalid("a waiver and the run that it is for come together".to_owned())),
        }
    }
}

impl Resolved {
    fn record(&self, workspace: &Workspace<'_>, scope: Scope, capture: &Capture, place: Option<&Path>, effective: &Effective) -> RunRecord {
        RunRecord {
            scope,
            targets: capture.targets.clone(),
            target_label: target_label(scope, &capture.targets, capture.base.as_deref(), capture.head.as_deref()),
            review_worktree: place.map(|place| place.display().to_string()),
            base_oid: capture.base.clone(),
            head_oid: capture.head.clone(),
            ..self.base_record(workspace, digest_bytes(&artifact_bytes(&effective.config)), &effective.origin)
        }
    }

    /// Everything of a record that does not depend on the source; a caller fills in the rest.
    pub fn base_record(&self, workspace: &Workspace<'_>, config_sha256: String, config_origin: &str) -> RunRecord {
        RunRecord {
            schema_version: 1,
            protocol: PROTOCOL.to_owned(),
            run_id: self.run_id.clone(),
            producer_id: self.producer_id.clone(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            created_at: super::now(),
            scope: Scope::WorkingTree,
            targets: Vec::new(),
            target_label: String::new(),
            source_worktree: workspace.repository.root().display().to_string(),
            review_worktree: None,
            base_oid: None,
            head_oid: None,
            config_sha256,
            config_origin: config_origin.to_owned(),
            independence_required: self.independence.is_some(),
            independence_requirement_evidence: self.independence.clone(),
            caller_contract: self.caller_contract.clone(),
            revised_scope: self.revised_scope.clone(),
        }
    }
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
fn refuse_visible(workspace: &Workspace<'_>, cwd: &Path, place: &str) -> Result<(), Failure> {
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

fn generated_producer() -> Result<String, Failure> {
    Ok(format!("local-{}", hex(&random::<8>()?)))
}

/// A random UUID (version 4).
fn uuid() -> Result<String, Failure> {
    let mut bytes = random::<16>()?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex(&bytes);
    Ok([&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-"))
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES], Failure> {
    let mut bytes = [0; BYTES];
    let read = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes));
    read.map_err(|error| {
        operational(&codes::IO_ERROR, format!("the system gives no random bytes: {error}"), "make /dev/urandom readable")
    })?;
    Ok(bytes)
}
