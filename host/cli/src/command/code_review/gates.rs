//! `code-review gates`.

use code_polishy_core::{
    code_review::{
        gates::{GateCheck, GateReason, GateStatus, GatesStatus, WorktreeReset},
        source_proof::ProofReason,
    },
    diagnostic::Failure,
    text::escape_line,
};
use code_polishy_engine::workflow::code_review::gates::{GatesRequest, GatesRun, gates};

use crate::{
    arguments::code_review::Gates,
    command::Context,
    exit::Exit,
    reply::Reply,
    view::{
        json::{code_review, word},
        lines::{BAD, GOOD, OPEN, list, next, paint},
        refused,
    },
};

/// Runs the gates.
pub fn run(context: &Context, arguments: &Gates) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let request = GatesRequest {
        run: arguments.run.clone(),
        worktree: arguments.worktree.clone(),
        expected_head: arguments.expected_head.clone(),
        options: arguments.options()?,
        timeout_seconds: arguments.timeout_seconds,
        pytest: arguments.pytest()?,
        overlay: arguments.overlay.clone(),
        changed_command: arguments.changed_command.clone(),
        reset_worktree: arguments.reset_worktree,
    };
    let (run, ran) = gates(&workspace, &context.setup.cwd, &request)?;
    let path = run.text();
    let ran = match ran {
        Ok(ran) => ran,
        Err(failure) => return Ok(refused("gates", &path, failure)),
    };
    let document = code_review("gates", &word(&ran.status), Some(&path), &ran);
    let exit = match ran.status {
        GatesStatus::Pass => Exit::Done,
        GatesStatus::Fail => Exit::Blocked,
        GatesStatus::Timeout => Exit::TimedOut,
    };
    Ok(Reply::lines(lines(&ran, &path), document).ending(exit))
}

fn lines(ran: &GatesRun, path: &str) -> Vec<String> {
    let mut lines: Vec<String> = ran.resets.iter().map(reset).collect();
    lines.extend(ran.checks.iter().flat_map(|check| [vec![line(check)], proof(check)].concat()));
    lines.extend(ran.archived.iter().map(|folder| format!("earlier answers: {}", escape_line(&format!("{path}/{folder}")))));
    lines.push(format!("record: {}", escape_line(&format!("{path}/{}", ran.gates))));
    let (style, step) = match ran.status {
        GatesStatus::Pass => (GOOD, None),
        GatesStatus::Fail => {
            (BAD, Some("read the logs in `checks/`, mend what is not the change's fault, and run the same commands again"))
        }
        GatesStatus::Timeout => (BAD, Some("make the command end by itself, or raise --timeout-seconds, and run the same commands again")),
    };
    lines.push(format!("gates: {}", paint(style, &word(&ran.status).to_uppercase())));
    lines.extend(step.map(|step| next(&advice(&ran.checks).unwrap_or_else(|| step.to_owned()))));
    lines
}

/// What to do about the first gate that does not pass, when it is known exactly.
fn advice(checks: &[GateCheck]) -> Option<String> {
    let first = checks.iter().find(|check| check.is_failing_or_absent())?;
    match first.reason? {
        GateReason::SourceProofFailed | GateReason::SourceProofInconclusive => {
            let (proof, seen) = (first.source_proof.as_ref()?, first.after.as_ref()?);
            Some(ProofReason::first(proof)?.advice(proof.kind.as_deref(), &seen.top_level))
        }
        // Nothing of pytest ran.
        GateReason::CommandFailed if ProofReason::first(first.source_proof.as_ref()?)? == ProofReason::WorkerProofMissing => {
            Some("see `checks/tests.stderr.txt`; pytest has to be in the Python that --pytest-python names".to_owned())
        }
        GateReason::SourceDrift => Some(
            "have git ignore what the command leaves, or commit it, and start a new run; --reset-worktree lets the other gates run"
                .to_owned(),
        ),
        _ => None,
    }
}

/// What counts against the proof of the tests, where the reason of a changed command stands in the place of it.
fn proof(check: &GateCheck) -> Vec<String> {
    const SHOWN: usize = 10;
    let Some(proof) = check.source_proof.as_ref().filter(|_| check.changed_command().is_some()) else { return Vec::new() };
    let origins = proof.origins.iter().filter_map(|origin| {
        let place = origin.path.as_deref().filter(|path| *path != origin.name).map(|path| format!(" from {path}")).unwrap_or_default();
        Some(format!("{}: {}{place}", origin.reason?.as_str(), origin.name))
    });
    let mut lines: Vec<String> = origins.chain(proof.errors.iter().cloned()).map(|line| format!("  {}", escape_line(&line))).collect();
    if lines.len() > SHOWN {
        let more = lines.len() - SHOWN;
        lines.truncate(SHOWN);
        lines.push(format!("  and {more} more in the record"));
    }
    lines
}

fn reset(reset: &WorktreeReset) -> String {
    let when = reset.after.as_deref().map_or("before the gates".to_owned(), |gate| format!("after the {gate} gate"));
    let touched: Vec<&String> = reset.restored.iter().chain(&reset.removed).collect();
    format!("worktree reset {when}: {}", list(&touched))
}

fn line(check: &GateCheck) -> String {
    let style = match check.gate_status {
        GateStatus::Pass => GOOD,
        GateStatus::Fail | GateStatus::Timeout => BAD,
        GateStatus::MissingCommand | GateStatus::NotApplicable => OPEN,
    };
    let exit = check.command_exit.filter(|exit| *exit != 0).map(|exit| format!("exit {exit}"));
    let signal = check.signal.map(|signal| format!("signal {signal}"));
    let reason = check.reason.as_ref().map(word);
    let why: Vec<String> = reason.into_iter().chain(exit).chain(signal).collect();
    let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join(", ")) };
    let detail = check.detail.as_deref().map(|detail| format!(": {}", escape_line(detail))).unwrap_or_default();
    format!("{}: {}{why}{detail}", check.id, paint(style, check.gate_status.as_str()))
}
