//! Replays every cited proof; nothing ever stands in for a replay (BR-63, BR-64).

use std::time::{Duration, Instant};

use code_polishy_core::{
    canonical::digest_json,
    diagnostic::{Diagnostic, Failure, FailureKind},
    gate::{
        plan::Category,
        report::{Attempt, CommandReport, CommandStatus, FailureCategory, Finding, Report},
    },
    proof::{CaseCounts, Proof},
};

use crate::{
    event::Event,
    parallel::in_order,
    workflow::{
        gate::{Gate, finding, not_started, runs::Run},
        guard::Guard,
        prove::{Plan, Runs},
        standing::Judged,
    },
};

/// Replays up to `--jobs` proofs at a time; the report keeps id order. Wrong outcomes are findings, faults are operational.
pub fn replay(gate: &Gate<'_>, judged: &Judged, report: &mut Report, run: &Run) -> Result<Vec<Finding>, Failure> {
    let proofs: Vec<&Proof> = judged.proofs.values().flatten().map(|valid| &valid.proof).collect();
    let allowed = gate.change.policies.allowed_red_kinds();
    let plans = proofs
        .iter()
        .map(|proof| Ok((*proof, Plan::replay(gate.workspace, gate.change, proof, &allowed)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let guard = Guard::take(gate.workspace, &gate.change.policies.governed, &gate.change.base, &gate.change.base)?;
    let (workspace, jobs) = (gate.workspace, gate.request.jobs);
    let work = |_: usize, (proof, plan): &(&Proof, Plan)| {
        workspace.observer.on(&Event::Started { name: &proof.id });
        let started = Instant::now();
        (Runs::of(workspace, plan, &guard), started.elapsed())
    };
    let outcomes = in_order(jobs, &plans, work, |(outcome, _)| outcome.is_ok());
    let mut findings = Vec::new();
    let mut fault = None;
    for ((proof, _), outcome) in plans.iter().zip(outcomes) {
        let index = report.commands.len();
        let sha256 = digest_json(proof);
        let mut command = not_started(index, &proof.id, Category::BehaviorProofReplay, sha256);
        if let Some((outcome, duration)) = outcome {
            match settle(gate, proof, &outcome, duration, run, &mut command)? {
                Settled::Held => {}
                Settled::Refuted(finding) => findings.push(finding),
                Settled::Fault(failure) => fault = fault.or(Some(failure)),
            }
        }
        report.commands.push(command);
    }
    fault.map_or(Ok(findings), Err)
}

enum Settled {
    Held,
    Refuted(Finding),
    Fault(Failure),
}

fn settle(
    gate: &Gate<'_>,
    proof: &Proof,
    outcome: &Result<Runs, Failure>,
    duration: Duration,
    run: &Run,
    command: &mut CommandReport,
) -> Result<Settled, Failure> {
    let refusal = match outcome {
        Ok(runs) => wrong_outcome(proof, runs),
        Err(failure) => failure.diagnostics.first().cloned(),
    };
    let category = match outcome {
        Err(failure) if failure.kind == FailureKind::Interrupted => Some(FailureCategory::Canceled),
        Err(failure) if failure.kind != FailureKind::Blocked => Some(FailureCategory::Operational),
        _ => refusal.as_ref().map(|_| FailureCategory::CommandExit),
    };
    let log = replay_log(outcome);
    let name = format!("{:03}-replay-{}.log", command.index, proof.id);
    let (log_path, log_sha256) = run.write_log(&name, &log)?;
    command.status = if refusal.is_some() { CommandStatus::Failed } else { CommandStatus::Passed };
    command.attempts.push(Attempt {
        number: 1,
        status: command.status,
        failure_category: category,
        exit_status: outcome.as_ref().ok().map(|runs| runs.candidate.run.exit_status),
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        resource_wait_ms: 0,
        cases: outcome.as_ref().ok().and_then(|runs| CaseCounts::of(&runs.candidate.run.verdict)),
        log_path: log_path.clone(),
        log_sha256,
        truncated: false,
    });
    let observer = gate.workspace.observer;
    let (Some(refusal), Some(category)) = (refusal, category) else {
        observer.on(&Event::Passed { name: &proof.id, duration });
        return Ok(Settled::Held);
    };
    observer.on(&Event::Failed { name: &proof.id, category, tail: &refusal.message, log_path: &log_path });
    Ok(match outcome {
        Err(failure) if failure.kind != FailureKind::Blocked => Settled::Fault(failure.clone()),
        _ => Settled::Refuted(finding("policy.behaviorProof", &proof.id, &refusal)),
    })
}

/// The replay must prove what the record says, to the case.
fn wrong_outcome(proof: &Proof, runs: &Runs) -> Option<Diagnostic> {
    match &runs.outcome {
        Err(refusal) => Some(Diagnostic::new(&refusal.code, format!("the replay does not hold: {}", refusal.message), RECORD_AGAIN)),
        Ok(proved) if proved.red_kind != proof.red_kind || proved.flipped_cases != proof.flipped_cases => {
            Some(Diagnostic::new("proof.replay", "the replay proves something else than the record", RECORD_AGAIN))
        }
        Ok(_) => None,
    }
}

const RECORD_AGAIN: &str = "find out why the proof does not hold, mend the candidate, and review it again";

fn replay_log(outcome: &Result<Runs, Failure>) -> Vec<u8> {
    let mut log = Vec::new();
    match outcome {
        Err(failure) => failure.diagnostics.iter().for_each(|diagnostic| log.extend(format!("{}\n", diagnostic.message).bytes())),
        Ok(runs) => {
            let sections = [("control", runs.control.as_ref()), ("baseline", Some(&runs.baseline)), ("candidate", Some(&runs.candidate))];
            for (name, finished) in sections.into_iter().filter_map(|(name, finished)| Some((name, finished?))) {
                log.extend(format!("=== {name}\n").bytes());
                log.extend(&finished.log);
            }
        }
    }
    log
}
