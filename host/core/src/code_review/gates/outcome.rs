//! What an ended command means (CR-133, CR-138, CR-143, CR-145, CR-228).

use super::record::{GateReason, GateStatus, Observation, ProofStatus, SourceMode, SourceProof, TestCounts};
use crate::plugin::{CaseOutcome, Outcome as RunnerOutcome, ProcessExit, TestCase, Verdict};

/// A command that ran, and the tree around it.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// How it ended.
    pub exit: ProcessExit,
    /// What its runner says; why the runner could not say anything; `None` without a runner, and after a timeout or a signal.
    pub verdict: Option<&'a Result<Verdict, String>>,
    /// The tree before it.
    pub before: &'a Observation,
    /// The tree after it; why it could not be seen.
    pub after: &'a Result<Observation, String>,
    /// The gate is the one of the tests, whose green is told with the proof that there is.
    pub tells_proof: bool,
    /// What proves where the tested code came from; `None` when the runner proves nothing.
    pub proof: Option<&'a SourceProof>,
    /// Python changed: green needs a proof of where it came from, even of a runner that has none.
    pub needs_proof: bool,
}

/// What the record says of a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What it gave.
    pub status: GateStatus,
    /// Null exactly for a pass.
    pub reason: Option<GateReason>,
    /// For people.
    pub detail: Option<String>,
    /// Null after a signal or a timeout.
    pub command_exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What a runner counted.
    pub tests: Option<TestCounts>,
    /// Where the tested code came from.
    pub source_proof: Option<SourceProof>,
}

impl Ended<'_> {
    /// The outcome. Time comes first, then the tree, then the runner, then the exit, then the proof.
    pub fn outcome(&self) -> Outcome {
        let (command_exit, signal) = match self.exit {
            ProcessExit::Code(code) => (Some(code), None),
            ProcessExit::Signal(signal) => (None, Some(signal)),
            ProcessExit::TimedOut => (None, None),
        };
        let verdict = self.verdict.and_then(|verdict| verdict.as_ref().ok());
        let tests = verdict.and_then(|verdict| verdict.cases.as_deref()).map(counts);
        let reason = self.reason(command_exit);
        let status = match reason {
            None => GateStatus::Pass,
            Some(GateReason::Timeout) => GateStatus::Timeout,
            Some(_) => GateStatus::Fail,
        };
        let free = || (self.tells_proof && command_exit == Some(0)).then(no_proof);
        let source_proof = self.proof.filter(|_| command_exit.is_some()).cloned().or_else(free);
        Outcome { status, reason, detail: self.detail(reason), command_exit, signal, tests, source_proof }
    }

    fn reason(&self, exit: Option<i32>) -> Option<GateReason> {
        if self.exit == ProcessExit::TimedOut {
            return Some(GateReason::Timeout);
        }
        if self.after.as_ref() != Ok(self.before) {
            return Some(GateReason::SourceDrift);
        }
        let green = exit == Some(0);
        let judged = match self.verdict {
            None => (!green).then_some(GateReason::CommandFailed),
            Some(Err(_)) => Some(GateReason::RunnerError),
            Some(Ok(verdict)) => match (verdict.outcome, green) {
                (RunnerOutcome::NoTests, _) => Some(GateReason::NoTestsExecuted),
                (RunnerOutcome::Passed, true) => None,
                (RunnerOutcome::Failed | RunnerOutcome::Broken, false) => Some(GateReason::CommandFailed),
                _ => Some(GateReason::RunnerContradiction),
            },
        };
        judged.or_else(|| self.unproven())
    }

    /// Why green does not count (CR-145, CR-228).
    fn unproven(&self) -> Option<GateReason> {
        match self.proof.map(|proof| proof.status) {
            Some(ProofStatus::Fail) => Some(GateReason::SourceProofFailed),
            Some(ProofStatus::Inconclusive) => Some(GateReason::SourceProofInconclusive),
            Some(ProofStatus::Pass | ProofStatus::None) | None => {
                let lacks = self.needs_proof && !self.proof.is_some_and(SourceProof::proves_python);
                lacks.then_some(GateReason::SourceProofMissing)
            }
        }
    }

    fn detail(&self, reason: Option<GateReason>) -> Option<String> {
        match (reason, self.after, self.verdict) {
            (Some(GateReason::SourceDrift), Err(why), _) => Some(why.clone()),
            (Some(GateReason::SourceDrift), Ok(after), _) if after.head != self.before.head => Some("HEAD moved".to_owned()),
            (Some(GateReason::SourceDrift), Ok(after), _) => Some(format!("changed: {}", some(&after.dirty))),
            (Some(GateReason::RunnerError), _, Some(Err(why))) => Some(why.clone()),
            (Some(GateReason::SourceProofFailed | GateReason::SourceProofInconclusive), ..) => self.proof.map(told),
            (_, _, Some(Ok(verdict))) => Some(verdict.summary.clone()).filter(|summary| !summary.trim().is_empty()),
            _ => None,
        }
    }
}

/// Why a command may not run on the tree as it is seen before; `None` when it may.
pub fn refusal(mode: SourceMode, expected_head: Option<&str>, snapshot: Option<&str>, seen: &Observation) -> Option<(GateReason, String)> {
    let dirty = || (GateReason::SourceDirty, format!("changed: {}", some(&seen.dirty)));
    match mode {
        SourceMode::Clean if seen.head.as_deref() != expected_head => {
            let head = seen.head.as_deref().unwrap_or("no commit");
            Some((GateReason::SourceHeadMismatch, format!("HEAD is {head}")))
        }
        SourceMode::LocalReviewMirror if seen.dirty.is_empty() && seen.snapshot_sha256.as_deref() != snapshot => {
            Some((GateReason::SourceHeadMismatch, "HEAD or the index of the mirror moved".to_owned()))
        }
        _ => (!seen.dirty.is_empty()).then(dirty),
    }
}

/// What a proof lacks, in one line: the worst first.
fn told(proof: &SourceProof) -> String {
    let told = |status: ProofStatus| {
        let origins = proof.origins.iter().filter(move |origin| origin.status == status);
        origins.filter_map(|origin| {
            let place = origin.path.as_ref().filter(|path| **path != origin.name).map(|path| format!(" from {path}")).unwrap_or_default();
            Some(format!("{}: {}{place}", origin.reason?.as_str(), origin.name))
        })
    };
    let all: Vec<String> = told(ProofStatus::Fail).chain(proof.errors.iter().cloned()).chain(told(ProofStatus::Inconclusive)).collect();
    some(&all)
}

/// A free-form command proves nothing about what it tested.
fn no_proof() -> SourceProof {
    SourceProof { status: ProofStatus::None, kind: None, origins: Vec::new(), processes: Vec::new(), errors: Vec::new() }
}

fn counts(cases: &[TestCase]) -> TestCounts {
    let with = |outcome| cases.iter().filter(|case| case.outcome == outcome).count() as u64;
    TestCounts {
        total: cases.len() as u64,
        passed: with(CaseOutcome::Passed),
        failed: with(CaseOutcome::Failed),
        errors: 0,
        skipped: with(CaseOutcome::Skipped),
    }
}

/// The first few paths.
fn some(paths: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(|path| crate::text::escape_line(path)).collect();
    match paths.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_review::{gates::ProofOrigin, source_proof::ProofReason};

    fn seen(dirty: &[&str]) -> Observation {
        let dirty = dirty.iter().map(|path| (*path).to_owned()).collect();
        Observation { head: Some("a".repeat(40)), dirty, top_level: "/review".to_owned(), snapshot_sha256: None }
    }

    fn verdict(outcome: RunnerOutcome) -> Result<Verdict, String> {
        Ok(Verdict { outcome, cases: None, summary: String::new() })
    }

    fn reason(exit: ProcessExit, verdict: Option<&Result<Verdict, String>>) -> Option<GateReason> {
        let (before, after) = (seen(&[]), Ok(seen(&[])));
        Ended { exit, verdict, before: &before, after: &after, tells_proof: false, proof: None, needs_proof: false }.outcome().reason
    }

    #[test]
    fn the_exit_decides_without_a_runner() {
        use GateReason as Reason;
        for (exit, expected) in [
            (ProcessExit::Code(0), None),
            (ProcessExit::Code(1), Some(Reason::CommandFailed)),
            (ProcessExit::Code(124), Some(Reason::CommandFailed)),
            (ProcessExit::Code(127), Some(Reason::CommandFailed)),
            (ProcessExit::Signal(9), Some(Reason::CommandFailed)),
            (ProcessExit::TimedOut, Some(Reason::Timeout)),
        ] {
            assert_eq!(reason(exit, None), expected, "{exit:?}");
        }
    }

    #[test]
    fn a_runner_and_its_exit_have_to_agree() {
        use GateReason as Reason;
        for (outcome, green, red) in [
            (RunnerOutcome::Passed, None, Some(Reason::RunnerContradiction)),
            (RunnerOutcome::Failed, Some(Reason::RunnerContradiction), Some(Reason::CommandFailed)),
            (RunnerOutcome::Broken, Some(Reason::RunnerContradiction), Some(Reason::CommandFailed)),
            (RunnerOutcome::NoTests, Some(Reason::NoTestsExecuted), Some(Reason::NoTestsExecuted)),
        ] {
            assert_eq!(reason(ProcessExit::Code(0), Some(&verdict(outcome))), green, "{outcome:?}");
            assert_eq!(reason(ProcessExit::Code(5), Some(&verdict(outcome))), red, "{outcome:?}");
        }
        let dead = Err("it trapped".to_owned());
        assert_eq!(reason(ProcessExit::Code(0), Some(&dead)), Some(Reason::RunnerError));
    }

    #[test]
    fn drift_outranks_the_exit_and_time_outranks_drift() {
        let before = seen(&[]);
        let drifted = Ok(seen(&["a.rs"]));
        let blind = Err("the folder is gone".to_owned());
        let ended = |exit, after| {
            Ended { exit, verdict: None, before: &before, after, tells_proof: true, proof: None, needs_proof: true }.outcome()
        };
        let outcome = ended(ProcessExit::Code(0), &drifted);
        assert_eq!((outcome.reason, outcome.command_exit), (Some(GateReason::SourceDrift), Some(0)));
        assert_eq!(outcome.detail.as_deref(), Some("changed: a.rs"));
        assert_eq!(ended(ProcessExit::Code(3), &drifted).command_exit, Some(3));
        assert_eq!(ended(ProcessExit::Code(0), &blind).detail.as_deref(), Some("the folder is gone"));
        assert_eq!(ended(ProcessExit::TimedOut, &drifted).status, GateStatus::Timeout);
    }

    #[test]
    fn green_tests_without_a_proof_say_so() {
        let (before, after) = (seen(&[]), Ok(seen(&[])));
        let ended = |needs_proof| Ended {
            exit: ProcessExit::Code(0),
            verdict: None,
            before: &before,
            after: &after,
            tells_proof: true,
            proof: None,
            needs_proof,
        };
        assert_eq!(ended(true).outcome().reason, Some(GateReason::SourceProofMissing));
        let outcome = ended(false).outcome();
        assert_eq!((outcome.status, outcome.source_proof.map(|proof| proof.status)), (GateStatus::Pass, Some(ProofStatus::None)));
    }

    /// C-109
    #[test]
    fn green_tests_count_with_their_proof() {
        let (before, after) = (seen(&[]), Ok(seen(&[])));
        let origin = |status, reason| ProofOrigin {
            name: "shop".to_owned(),
            path: Some("/elsewhere/shop.py".to_owned()),
            tracked: false,
            sha256: None,
            snapshot_member: false,
            status,
            reason,
        };
        use GateReason as Reason;
        for (status, reason, green, red) in [
            (ProofStatus::Pass, None, None, Some(Reason::CommandFailed)),
            (ProofStatus::Fail, Some(ProofReason::OriginOutsideWorktree), Some(Reason::SourceProofFailed), Some(Reason::CommandFailed)),
            (
                ProofStatus::Inconclusive,
                Some(ProofReason::ModuleNotImported),
                Some(Reason::SourceProofInconclusive),
                Some(Reason::CommandFailed),
            ),
        ] {
            let proof = SourceProof { status, origins: vec![origin(status, reason)], ..no_proof() };
            for (code, expected) in [(0, green), (1, red)] {
                let exit = ProcessExit::Code(code);
                let ended = Ended {
                    exit,
                    verdict: None,
                    before: &before,
                    after: &after,
                    tells_proof: true,
                    proof: Some(&proof),
                    needs_proof: false,
                };
                let outcome = ended.outcome();
                assert_eq!((outcome.reason, outcome.source_proof.as_ref()), (expected, Some(&proof)));
                let told = reason.filter(|_| code == 0).map(|reason| format!("{}: shop from /elsewhere/shop.py", reason.as_str()));
                assert_eq!(outcome.detail, told);
            }
        }
    }

    #[test]
    fn changed_python_is_proven_by_its_imports_alone() {
        let (before, after, exit) = (seen(&[]), Ok(seen(&[])), ProcessExit::Code(0));
        for (kind, expected) in [("pytest-import", None), ("cargo-manifest", Some(GateReason::SourceProofMissing))] {
            let proof = SourceProof { status: ProofStatus::Pass, kind: Some(kind.to_owned()), ..no_proof() };
            let ended =
                Ended { exit, verdict: None, before: &before, after: &after, tells_proof: true, proof: Some(&proof), needs_proof: true };
            assert_eq!(ended.outcome().reason, expected, "{kind}");
        }
    }

    #[test]
    fn a_command_runs_on_the_reviewed_tree_alone() {
        let head = "a".repeat(40);
        let clean = |seen: &Observation, head: &str| refusal(SourceMode::Clean, Some(head), None, seen).map(|(reason, _)| reason);
        assert_eq!(clean(&seen(&[]), &head), None);
        assert_eq!(clean(&seen(&["x"]), &head), Some(GateReason::SourceDirty));
        assert_eq!(clean(&seen(&["x"]), &"b".repeat(40)), Some(GateReason::SourceHeadMismatch));
        let mirror = |dirty: &[&str], digest: &str| {
            let seen = Observation { snapshot_sha256: Some(digest.to_owned()), ..seen(dirty) };
            refusal(SourceMode::LocalReviewMirror, None, Some("d"), &seen).map(|(reason, _)| reason)
        };
        assert_eq!(mirror(&[], "d"), None);
        assert_eq!(mirror(&["x"], "e"), Some(GateReason::SourceDirty));
        assert_eq!(mirror(&[], "e"), Some(GateReason::SourceHeadMismatch));
    }
}
