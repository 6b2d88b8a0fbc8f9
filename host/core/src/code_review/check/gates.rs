//! The step `gates`: five records that agree with themselves, their logs and the reviewed tree (CR-130 to CR-139, CR-144, CR-145).

mod history;
mod proof;

use crate::code_review::{
    codes::{self, Code},
    context::Context,
    gates::{
        CHECKS_LOG_FILE, FAILED_FILE, GATES, GATES_FILE, GateCheck, GateReason, GateStatus, Gates, LOCAL_SNAPSHOT_FILE, Observation,
        STATUS_FILE, SourceMode, SourceProof, changes_python,
    },
    image::RunImage,
    reading::record,
    t0::{MIRROR_FILE, PATH_ROLES_FILE, SnapshotKind, SourceSnapshot, T0},
    violation::{Sink, Violation},
    vocabulary::Scope,
};

/// Reads `gates.json` and derives again what it says of itself.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (image, Some(t0)) = (context.facts.image, &context.t0) else { return };
    let Some(gates) = record::<Gates>(image, GATES_FILE, &codes::MISSING_GATES_JSON, &codes::GATES_FIELDS_INVALID, sink) else { return };
    let mut judge = Judge { gates: &gates, image, t0, run_path: context.facts.run_path, sink };
    if judge.is_the_five() {
        judge.aggregates();
        judge.files();
        judge.source(context.facts.run_path);
        for (index, check) in gates.checks.iter().enumerate() {
            judge.check(index, check);
        }
        judge.pull_request(context);
        history::check(&gates, image, sink);
    }
    context.gates = Some(gates);
}

struct Judge<'j> {
    gates: &'j Gates,
    image: &'j RunImage,
    t0: &'j T0,
    run_path: &'j str,
    sink: &'j mut Sink,
}

impl Judge<'_> {
    fn refuse(&mut self, code: &Code, pointer: &str, subject: Option<&str>, message: impl Into<String>) {
        let hint = "run `code-polishy code-review gates` again: nobody edits its records";
        let mut violation = Violation::new(code, message, hint).at(GATES_FILE, pointer);
        violation.subject = subject.map(str::to_owned);
        self.sink.push(violation);
    }

    fn is_the_five(&mut self) -> bool {
        let ids: Vec<&str> = self.gates.checks.iter().map(|check| check.id.as_str()).collect();
        let same = ids == GATES && self.gates.checks_run == GATES;
        if !same {
            self.refuse(&codes::GATE_CHECK_SET_MISMATCH, "/checks", None, "the records are not the five gates in their order");
        }
        same
    }

    /// What follows from the five records (CR-135, CR-137).
    fn aggregates(&mut self) {
        let stated = self.gates;
        let derived = Gates::of(stated.checks.clone(), stated.source.clone());
        if stated.schema_version != derived.schema_version {
            self.refuse(&codes::GATES_FIELDS_INVALID, "/schema_version", None, "the version of the record is not 1");
        }
        if *stated != (Gates { schema_version: stated.schema_version, ..derived }) {
            self.refuse(&codes::GATES_AGGREGATE_MISMATCH, "/status", None, "status and counts do not follow from the records");
        }
    }

    /// The files that repeat the record for people and scripts (CR-137).
    fn files(&mut self) {
        let gates = self.gates;
        let copies = [(STATUS_FILE, gates.status_lines()), (FAILED_FILE, gates.failed_lines()), (CHECKS_LOG_FILE, gates.log_lines())];
        for (file, lines) in copies {
            if self.image.bytes(file) != Some(lines.as_bytes()) {
                let message = format!("`{file}` is missing, or does not say what `{GATES_FILE}` says");
                let hint = "run `code-polishy code-review gates` again: nobody edits its records";
                self.sink.push(Violation::new(&codes::GATES_AGGREGATE_MISMATCH, message, hint).subject(file).file(file));
            }
        }
    }

    /// The tree is the one of this run (CR-138, CR-139).
    fn source(&mut self, run_path: &str) {
        let (source, run) = (&self.gates.source, &self.t0.run);
        let local = matches!(run.scope, Scope::WorkingTree | Scope::Path);
        if (source.mode == SourceMode::LocalReviewMirror) != local {
            let message = format!("the scope `{}` has its gates run in the other mode", run.scope);
            self.refuse(&codes::GATE_SOURCE_MISMATCH, "/source/mode", None, message);
            return;
        }
        let code = if local { &codes::LOCAL_GATE_WORKTREE_MISMATCH } else { &codes::GATE_SOURCE_MISMATCH };
        if run.review_worktree.as_ref().is_some_and(|worktree| *worktree != source.worktree) {
            self.refuse(code, "/source/worktree", None, "the gates ran outside the review worktree");
        }
        if local {
            self.mirror(run_path);
        } else if source.expected_head != run.head_oid || source.expected_head.is_none() {
            self.refuse(&codes::GATE_SOURCE_MISMATCH, "/source/expected_head", None, "the expected head is not the reviewed commit");
        }
        let receipts = [&source.receipt_path, &source.receipt_sha256, &source.snapshot_path, &source.snapshot_sha256];
        let is_mixed = if local { source.expected_head.is_some() } else { receipts.into_iter().any(Option::is_some) };
        if is_mixed {
            self.refuse(&codes::GATE_SOURCE_MISMATCH, "/source", None, "the source has keys of the other mode");
        }
    }

    fn mirror(&mut self, run_path: &str) {
        let source = &self.gates.source;
        if run_path.strip_prefix(&source.worktree).is_some_and(|below| below.is_empty() || below.starts_with('/')) {
            let message = "the run, and with it what the gates left, lies inside the mirror";
            self.refuse(&codes::LOCAL_GATE_ARTIFACTS_OVERLAP_SOURCE, "/source/worktree", None, message);
        }
        let bound = |path: &Option<String>, digest: &Option<String>, wanted: &str| {
            path.as_deref() == Some(wanted) && digest.is_some() && digest.as_deref() == self.image.sha256(wanted)
        };
        if self.image.has("pr-routing.json") {
            let message = "a mirror's gates stand beside receipts of a pull request";
            self.refuse(&codes::LOCAL_GATE_SOURCE_RECEIPT_AMBIGUOUS, "/source", None, message);
        }
        if !bound(&source.receipt_path, &source.receipt_sha256, MIRROR_FILE) {
            self.refuse(
                &codes::LOCAL_GATE_RECEIPT_CHANGED,
                "/source/receipt_sha256",
                None,
                "the mirror's receipt is not the one that the gates saw",
            );
        }
        self.snapshot();
        if !bound(&source.snapshot_path, &source.snapshot_sha256, LOCAL_SNAPSHOT_FILE) {
            self.refuse(
                &codes::GATE_SOURCE_RECEIPT_MISSING,
                "/source/snapshot_sha256",
                None,
                "the snapshot of the mirror is not the one that the gates took",
            );
        }
    }

    /// What the gates saw of the mirror is what was mirrored, unless they say that it was dirty and ran nothing.
    fn snapshot(&mut self) {
        let seen = self.image.bytes(LOCAL_SNAPSHOT_FILE).map(serde_json::from_slice::<SourceSnapshot>);
        let (Some(Ok(seen)), Some(recorded)) = (seen, &self.t0.snapshot) else {
            let message = format!("`{LOCAL_SNAPSHOT_FILE}` is missing, or is no snapshot");
            return self.refuse(&codes::GATE_SOURCE_RECEIPT_MISSING, "/source/snapshot_path", None, message);
        };
        let surplus = seen.files.iter().find(|file| recorded.files.iter().all(|known| known.path != file.path));
        if let Some(file) = surplus.filter(|file| file.kind == SnapshotKind::Gitlink) {
            let message = format!("the submodule `{}` had changes in the mirror that are no part of the review", file.path);
            self.refuse(&codes::LOCAL_GATE_GITLINK_DIRTY, "/source/snapshot_path", Some(&file.path), message);
        }
        if (seen.files != recorded.files || seen.revision != recorded.revision) && self.gates.checks.iter().any(GateCheck::ran) {
            let message = "a gate ran on a mirror that was not what was mirrored";
            self.refuse(&codes::LOCAL_GATE_SOURCE_CHANGED, "/source/snapshot_path", None, message);
        }
    }

    fn check(&mut self, index: usize, check: &GateCheck) {
        let at = |key: &str| format!("/checks/{index}/{key}");
        let id = Some(check.id.as_str());
        if !reason_fits(check) {
            let message = format!("the {} gate's reason does not fit its status", check.id);
            self.refuse(&codes::GATE_CHECK_REASON_INVALID, &at("reason"), id, message);
        } else if !exit_fits(check) {
            let message = format!("the {} gate's exit does not fit its reason", check.id);
            self.refuse(&codes::GATE_CHECK_EXIT_CONFLICT, &at("command_exit"), id, message);
        }
        if check.gate_status == GateStatus::NotApplicable && check.detail.as_ref().is_none_or(|detail| detail.trim().is_empty()) {
            let message = format!("nothing says why the {} gate does not apply", check.id);
            self.refuse(&codes::GATE_CHECK_REASON_INVALID, &at("detail"), id, message);
        }
        self.logs(check, &at);
        if check.ran() {
            self.observed(check, &at);
        }
        let overlay = proof::overlay_fault(check, self.image, self.t0, self.run_path);
        if let Some(fault) = proof::fault(check, self.image, self.t0).or(overlay) {
            let message = format!("the {} gate: {fault}", check.id);
            self.refuse(&codes::GATE_SOURCE_PROOF_INVALID, &at("source_proof"), id, message);
        }
    }

    /// What ran left its logs, and every artifact is as it was.
    fn logs(&mut self, check: &GateCheck, at: &dyn Fn(&str) -> String) {
        let id = check.id.as_str();
        let names =
            [("command_path", &check.command_path, "command"), ("stdout", &check.stdout, "stdout"), ("stderr", &check.stderr, "stderr")];
        for (key, path, suffix) in names {
            let expected = format!("checks/{id}.{suffix}.txt");
            let there = path.as_deref() == Some(expected.as_str()) && self.image.has(&expected);
            if check.ran() && !there {
                let message = format!("the {id} gate ran, and `{expected}` is not kept");
                self.refuse(&codes::GATE_CHECK_LOG_MISSING, &at(key), Some(id), message);
            } else if there && !check.artifacts.contains_key(&expected) {
                let message = format!("the {id} gate has no digest of `{expected}`");
                self.refuse(&codes::GATE_ARTIFACT_DIGEST_MISMATCH, &at("artifacts"), Some(id), message);
            } else if path.is_some() && !there {
                let message = format!("the {id} gate names a file that it does not have");
                self.refuse(&codes::GATE_CHECK_LOG_MISSING, &at(key), Some(id), message);
            }
        }
        for (path, sha256) in &check.artifacts {
            if path.starts_with('/') || path.split('/').any(|segment| segment == "..") {
                let message = format!("the artifact `{path}` is outside the run");
                self.refuse(&codes::LOCAL_GATE_ARTIFACT_ESCAPE, &at("artifacts"), Some(id), message);
            } else if self.image.sha256(path) != Some(sha256) {
                let message = format!("the artifact `{path}` is not as the {id} gate left it");
                self.refuse(&codes::GATE_ARTIFACT_DIGEST_MISMATCH, &at("artifacts"), Some(id), message);
            }
        }
    }

    /// The tree was looked at before and after, and both looks agree unless drift is the reason.
    fn observed(&mut self, check: &GateCheck, at: &dyn Fn(&str) -> String) {
        let id = Some(check.id.as_str());
        let (Some(before), Some(after)) = (&check.before, &check.after) else {
            let message = format!("the tree was not looked at before and after the {} gate", check.id);
            return self.refuse(&codes::GATE_SOURCE_RECEIPT_MISSING, &at("before"), id, message);
        };
        let source = &self.gates.source;
        let is_source = |seen: &Observation| match source.mode {
            SourceMode::Clean => seen.dirty.is_empty() && seen.head.is_some() && seen.head == source.expected_head,
            SourceMode::LocalReviewMirror => {
                seen.dirty.is_empty() && seen.snapshot_sha256.is_some() && seen.snapshot_sha256 == source.snapshot_sha256
            }
        };
        let is_look = |seen: &Observation| {
            let foreign = if source.mode == SourceMode::Clean { &seen.snapshot_sha256 } else { &seen.head };
            seen.top_level == source.worktree && foreign.is_none()
        };
        // Who ran out of time was ended in the middle of its work.
        let ends_well = match check.reason {
            Some(GateReason::SourceDrift) => !is_source(after),
            Some(GateReason::Timeout) => true,
            _ => is_source(after),
        };
        let holds = is_source(before) && ends_well && is_look(before) && is_look(after);
        if !holds {
            let code = match source.mode {
                SourceMode::Clean => &codes::GATE_SOURCE_MISMATCH,
                SourceMode::LocalReviewMirror => &codes::LOCAL_GATE_SOURCE_CHANGED,
            };
            let message = format!("the {} gate did not run on the unchanged reviewed tree, and its record does not say so", check.id);
            self.refuse(code, &at("after"), id, message);
        }
    }

    /// The review gate looks at the whole change; green tests of changed Python prove what they tested (CR-132, CR-145, CR-228).
    fn pull_request(&mut self, context: &Context<'_>) {
        let run = &self.t0.run;
        let (Some(base), Some(head)) = (&run.base_oid, &run.head_oid) else { return };
        if run.scope != Scope::Pr {
            return;
        }
        let review = &self.gates.checks[4];
        let command = review.command_path.as_deref().and_then(|path| self.image.text(path)).map(str::trim_end);
        if command != Some(format!("git diff --check {base}...{head}").as_str()) {
            let message = "the review gate does not check the change between both full ids";
            self.refuse(&codes::PR_REVIEW_GATE_COMMAND_INVALID, "/checks/4/command_path", Some("review"), message);
        }
        let tests = &self.gates.checks[3];
        let proven = tests.source_proof.as_ref().is_some_and(SourceProof::proves_python);
        if tests.gate_status == GateStatus::Pass && !proven && changes_python(self.t0, context.facts.image.bytes(PATH_ROLES_FILE)) {
            let message = "production Python changed, and nothing proves that the tests ran it";
            self.refuse(&codes::PR_TESTS_SOURCE_PROOF_MISSING, "/checks/3/source_proof", Some("tests"), message);
        }
    }
}

/// Each status has its reasons (CR-133).
fn reason_fits(check: &GateCheck) -> bool {
    use GateReason as Reason;
    match (check.gate_status, check.reason) {
        (GateStatus::Pass, reason) => reason.is_none(),
        (GateStatus::MissingCommand, Some(reason)) => {
            matches!(reason, Reason::NoCommandConfigured | Reason::ProgramNotFound | Reason::PrerequisiteUnavailable)
        }
        (GateStatus::NotApplicable, Some(reason)) => reason == Reason::Declared,
        (GateStatus::Timeout, Some(reason)) => reason == Reason::Timeout,
        (GateStatus::Fail, Some(reason)) => !matches!(
            reason,
            Reason::NoCommandConfigured | Reason::ProgramNotFound | Reason::PrerequisiteUnavailable | Reason::Declared | Reason::Timeout
        ),
        (_, None) => false,
    }
}

/// Each reason has its exits (CR-133); a signal leaves none.
fn exit_fits(check: &GateCheck) -> bool {
    use GateReason as Reason;
    let exit = check.command_exit;
    match check.reason {
        None => exit == Some(0) && check.signal.is_none(),
        Some(Reason::CommandFailed) => exit.is_some_and(|exit| exit != 0) != (exit.is_none() && check.signal.is_some()),
        Some(Reason::SourceProofMissing | Reason::SourceProofFailed | Reason::SourceProofInconclusive) => exit == Some(0),
        Some(Reason::NoTestsExecuted | Reason::RunnerContradiction) => exit.is_some(),
        Some(Reason::SourceDrift | Reason::RunnerError) => true,
        Some(_) => exit.is_none(),
    }
}

#[cfg(test)]
mod tests;
