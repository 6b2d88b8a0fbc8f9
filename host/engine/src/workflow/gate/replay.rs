//! Replays every cited proof; nothing ever stands in for a replay (BR-63, BR-64).

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use code_polishy_core::{
    diagnostic::{Diagnostic, Failure, FailureKind},
    gate::report::{Attempt, CommandReport, CommandStatus, FailureCategory, Finding},
    proof::{CaseCounts, Proof},
};

use crate::{
    event::Event,
    parallel::stream,
    workflow::{
        gate::{Course, Gate, finding, milliseconds},
        guard::Guard,
        prove::{Bench, Finished, Place, Plan, Runs},
        standing::Judged,
    },
};

/// The replayed proofs of an accepted review, by id.
pub fn proofs(judged: &Judged) -> Vec<&Proof> {
    judged.proofs.values().flatten().map(|valid| &valid.proof).collect()
}

/// Replays up to `--jobs` proofs at a time, reported in id order. Wrong outcomes are findings, faults are operational.
pub fn replay(gate: &Gate<'_>, judged: &Judged, course: &mut Course<'_>) -> Result<(), Failure> {
    let allowed = gate.change.policies.allowed_red_kinds();
    let plan = |proof| Ok((proof, Plan::replay(gate.workspace, gate.change, proof, &allowed)?));
    let plans = proofs(judged).into_iter().map(plan).collect::<Result<Vec<(&Proof, Plan)>, Failure>>()?;
    let guard = Guard::take(gate.workspace, &gate.change.policies.governed, &gate.change.base, &gate.change.base)?;
    let (workspace, bench) = (gate.workspace, Bench::new(gate.workspace, &guard)?);
    let work = |_: usize, (proof, plan): &(&Proof, Plan)| {
        workspace.observer.on(&Event::Started { name: &proof.id });
        let started = Instant::now();
        let outcome = bench.runs(plan);
        workspace.observer.on(&Event::Ended { name: &proof.id });
        Replayed { refusal: refusal(proof, &outcome), outcome, duration: started.elapsed() }
    };
    let go_on = |replayed: &Replayed| replayed.refusal.is_none();
    stream(gate.request.jobs, &plans, work, go_on, |index, replayed| settle(gate, plans[index].0, replayed, index, course))
}

struct Replayed {
    outcome: Result<Runs, Failure>,
    /// Why it does not hold.
    refusal: Option<Diagnostic>,
    duration: Duration,
}

impl Replayed {
    fn category(&self) -> Option<FailureCategory> {
        match &self.outcome {
            Err(failure) if failure.kind == FailureKind::Interrupted => Some(FailureCategory::Canceled),
            Err(failure) if failure.kind != FailureKind::Blocked => Some(FailureCategory::Operational),
            _ => self.refusal.as_ref().map(|_| FailureCategory::CommandExit),
        }
    }

    /// The runs that took place; the control may be one of another proof too.
    fn finished(&self) -> &[(Place, Arc<Finished>)] {
        self.outcome.as_ref().map_or(&[], |runs| &runs.finished)
    }

    fn log(&self) -> Vec<u8> {
        let faults = self.outcome.as_ref().err().into_iter().flat_map(|failure| &failure.diagnostics);
        let mut log: Vec<u8> = faults.flat_map(|diagnostic| format!("{}\n", diagnostic.message).into_bytes()).collect();
        for (place, finished) in self.finished() {
            log.extend(format!("=== {}\n", place.name()).bytes());
            log.extend(&finished.log);
        }
        log
    }

    fn attempt(&self, log_path: &str, log_sha256: String) -> Attempt {
        let category = self.category();
        let candidate = self.outcome.as_ref().ok().and_then(|runs| runs.at(Place::Candidate)).map(|finished| &finished.run);
        Attempt {
            number: 1,
            status: if category.is_none() { CommandStatus::Passed } else { CommandStatus::Failed },
            failure_category: category,
            exit_status: candidate.map(|run| run.exit_status),
            duration_ms: milliseconds(self.duration),
            resource_wait_ms: milliseconds(self.finished().iter().map(|(_, finished)| finished.waited).sum()),
            cases: candidate.and_then(|run| CaseCounts::of(&run.verdict)),
            log_path: log_path.to_owned(),
            log_sha256,
            truncated: self.finished().iter().any(|(_, finished)| finished.truncated),
        }
    }
}

fn settle(gate: &Gate<'_>, proof: &Proof, replayed: Replayed, index: usize, course: &mut Course<'_>) -> Result<(), Failure> {
    let (log_path, log_sha256) = course.run.write_log(&format!("{index:03}-replay-{}.log", proof.id), &replayed.log())?;
    let attempt = replayed.attempt(&log_path, log_sha256);
    let command: &mut CommandReport = &mut course.report.commands[index];
    command.status = attempt.status;
    command.attempts.push(attempt);
    let (category, observer) = (replayed.category(), gate.workspace.observer);
    let (Some(refusal), Some(category)) = (replayed.refusal, category) else {
        observer.on(&Event::Passed { name: &proof.id, duration: replayed.duration });
        return Ok(());
    };
    observer.on(&Event::Failed { name: &proof.id, category, why: "", failed: &[], tail: &refusal.message, log_path: &log_path });
    let rule = match category {
        FailureCategory::CommandExit => "policy.behaviorProof".to_owned(),
        fault => format!("gate.{}", fault.name()),
    };
    course.report.findings.push(Finding { path: log_path, ..finding(&rule, &proof.id, &refusal) });
    if category == FailureCategory::CommandExit {
        course.state = course.state.clone().refuted();
    } else if let Err(failure) = replayed.outcome {
        course.fault.get_or_insert(failure);
    }
    Ok(())
}

/// Why the replay is no pass: it must prove what the record says, to the case.
fn refusal(proof: &Proof, outcome: &Result<Runs, Failure>) -> Option<Diagnostic> {
    let refuse = |code: &str, message: String| Some(Diagnostic::new(code, message, RECORD_AGAIN));
    match outcome {
        Err(failure) => failure.diagnostics.first().cloned(),
        Ok(runs) => match &runs.outcome {
            Err(refusal) => refuse(&refusal.code, format!("the replay does not hold: {}", refusal.message)),
            Ok(proved) if proved.red_kind != proof.red_kind || proved.flipped_cases != proof.flipped_cases => {
                refuse("proof.replay", "the replay proves something else than the record".to_owned())
            }
            Ok(_) => None,
        },
    }
}

const RECORD_AGAIN: &str = "find out why the proof does not hold, mend the candidate, and review it again";
