//! `code-review finalize`.

use std::path::Path;

use code_polishy_core::{
    code_review::{
        codes,
        confidence::hundredths,
        finalize::{Edit, Said},
        handoff::Branch,
        result::FollowUp,
        validation::ValidationStatus,
        vocabulary::{Severity, Status},
    },
    diagnostic::Failure,
    text::escape_line,
};
use code_polishy_engine::workflow::code_review::finalize::{DraftRequest, FinalizeRequest, Finalized, draft_handoff, finalize};
use serde_json::json;

use crate::{
    arguments::code_review::Finalize,
    command::Context,
    exit::Exit,
    reply::Reply,
    view::{
        json::{code_review, word},
        lines::next,
        refused, validation,
    },
};

/// Finalizes a run. A failed gate in a result that holds is no failure of the command (CR-170).
pub fn run(context: &Context, arguments: &Finalize) -> Result<Reply, Failure> {
    if let Some(file) = &arguments.draft_handoff {
        return drafted(context, arguments, file);
    }
    let workspace = context.setup.workspace()?;
    let request = FinalizeRequest {
        run: arguments.run.clone(),
        producer_id: super::producer_id(arguments.producer_id.as_ref()),
        branch: branch(&arguments.branch)?,
        close_decision: arguments.close_decision.clone(),
        metadata: arguments.metadata.clone(),
        handoff: arguments.handoff.clone(),
        said: said(arguments)?,
        renderers: arguments.renderer.clone(),
        promote: arguments.promote,
    };
    let (run, finalized) = finalize(&workspace, &context.setup.cwd, &request)?;
    let path = run.text();
    Ok(match finalized {
        Ok(finalized) => {
            let status = word(&finalized.validation.status);
            let exit = if finalized.validation.status == ValidationStatus::Pass { Exit::Done } else { Exit::Blocked };
            Reply::lines(lines(&finalized, &path), code_review("finalize", &status, Some(&path), &finalized)).ending(exit)
        }
        Err(failure) => refused("finalize", &path, failure),
    })
}

/// The caller's contract is a matter of the run, and no word of the command line.
fn branch(word: &str) -> Result<Branch, Failure> {
    let known = [Branch::Assessed, Branch::Closed, Branch::Unavailable];
    known.into_iter().find(|branch| branch.as_str() == word).ok_or_else(|| {
        Failure::usage(codes::USAGE_ERROR.name, format!("`{word}` is no branch"), "use assessed, closed or unavailable with --branch")
    })
}

fn drafted(context: &Context, arguments: &Finalize, file: &Path) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let request = DraftRequest { run: arguments.run.clone(), metadata: arguments.metadata.clone(), file: file.to_owned() };
    let (run, draft) = draft_handoff(&workspace, &context.setup.cwd, &request)?;
    let draft = draft.display().to_string();
    let lines = vec![format!("draft: {}", escape_line(&draft)), next("check the draft, then finalize with --handoff")];
    Ok(Reply::lines(lines, code_review("finalize", "drafted", Some(&run.text()), &json!({"draft": draft}))))
}

fn said(arguments: &Finalize) -> Result<Said, Failure> {
    let usage = |message: String, next: &str| Failure::usage(codes::USAGE_ERROR.name, message, next);
    let status = arguments.status.as_ref().map(|status| {
        Status::parse(status).ok_or_else(|| usage(format!("`{status}` is no status"), "use pass, fail or timeout with --status"))
    });
    if let Some(confidence) = arguments.confidence.as_ref().filter(|confidence| hundredths(confidence).is_none()) {
        let message = format!("`{confidence}` is no confidence");
        return Err(usage(message, "give a number from 0 to 1 with at most two decimals, such as 0.86"));
    }
    let follow_up = arguments.follow_up.iter().map(|text| match text.split_once('=') {
        Some((id, text)) if !id.is_empty() => Ok(FollowUp { id: id.to_owned(), text: text.to_owned() }),
        _ => Err(usage(format!("`{text}` names nothing that it follows from"), "write --follow-up ID=TEXT")),
    });
    let counts = [
        (Severity::Critical, arguments.critical),
        (Severity::High, arguments.high),
        (Severity::Medium, arguments.medium),
        (Severity::Low, arguments.low),
    ];
    Ok(Said {
        status: status.transpose()?,
        confidence: arguments.confidence.clone(),
        counts: counts.into_iter().filter_map(|(severity, count)| Some((severity, count?))).collect(),
        extra_checks_failed: arguments.extra_check_failed.clone(),
        recommendations: arguments.recommendation.clone(),
        follow_up: follow_up.collect::<Result<_, _>>()?,
    })
}

fn lines(finalized: &Finalized, run: &str) -> Vec<String> {
    let mut lines: Vec<String> = finalized.edits.iter().map(edited).collect();
    lines.extend(validation::found(&finalized.validation.violations, &finalized.validation.warnings, &finalized.validation.not_run));
    lines.extend(finalized.steps.iter().map(|stage| {
        let code = stage.code.map(|code| format!(" ({code})")).unwrap_or_default();
        format!("{}: {}{code}", word(&stage.step), word(&stage.status))
    }));
    let places = [("candidate", &finalized.candidate), ("result", &finalized.result)];
    lines.extend(places.iter().filter_map(|(label, place)| Some(format!("{label}: {}", escape_line(place.as_deref()?)))));
    if let Some(readiness) = &finalized.change_readiness {
        lines.push(format!("change: {}", word(readiness)));
    }
    lines.push(next(&step(finalized, run)));
    lines
}

fn edited(edit: &Edit) -> String {
    let place = edit.pointer.clone().or_else(|| edit.line.map(|line| format!(":{line}"))).unwrap_or_default();
    format!("written over: {}{}", edit.file, escape_line(&place))
}

fn step(finalized: &Finalized, run: &str) -> String {
    let violations = &finalized.validation.violations;
    let strongest = violations.iter().find(|violation| violation.next_action == finalized.validation.next_action);
    match (strongest, finalized.promoted) {
        (Some(violation), _) => validation::action(violation),
        (None, true) => format!("code-polishy code-review complete --run {}", escape_line(run)),
        (None, false) if finalized.validation.status == ValidationStatus::Pass => "finalize again with --promote".to_owned(),
        (None, false) => "repair what the steps before need, then finalize again".to_owned(),
    }
}
