//! `code-review route`.

use code_polishy_core::{
    canonical::artifact_bytes,
    code_review::routing::{Statement, Statements},
    diagnostic::Failure,
    text::escape_line,
};
use code_polishy_engine::workflow::code_review::route::{ContextSummary, RouteOutcome, RouteRequest, Routed, route};
use serde_json::json;

use crate::{
    arguments::code_review::Route,
    command::Context,
    exit::Exit,
    reply::{Human, Reply},
    view::{
        json::{Protocol, code_review, word},
        refused,
    },
};

/// Routes a run.
pub fn run(context: &Context, arguments: &Route) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let request = RouteRequest {
        run: arguments.run.clone(),
        tier: arguments.tier.clone(),
        signals: arguments.signals.clone(),
        selections: arguments.select.clone(),
        batch_bytes: arguments.batch_bytes,
        mechanical_only: arguments.mechanical_only,
    };
    let (run, outcome) = route(&workspace, &context.setup.cwd, &request)?;
    let path = run.text();
    Ok(match outcome {
        RouteOutcome::Routed(routed) => Reply::lines(lines(&routed), code_review("route", "routed", Some(&path), &routed)),
        RouteOutcome::Mechanical(routed) => Reply::lines(lines(&routed), code_review("route", "mechanical", Some(&path), &routed)),
        RouteOutcome::Unstated(failure, template) => unstated(&path, failure, &template),
        RouteOutcome::Refused(failure) => refused("route", &path, failure),
    })
}

/// The file to fill in alone on standard output, so that it can be kept as it is.
fn unstated(run: &str, failure: Failure, template: &Statements) -> Reply {
    let mut document = Protocol::CodeReview("route").refused(&failure);
    document["run"] = run.into();
    document["signals_template"] = json!(template);
    let failure = failure.with_next("");
    Reply { human: Human::Exact(artifact_bytes(template)), fault: Some(failure), ..Reply::lines(Vec::new(), document).ending(Exit::Usage) }
}

fn lines(routed: &Routed) -> Vec<String> {
    let mut lines = vec![
        format!("mechanical tier: {}", routed.mechanical_risk_tier),
        format!("because: {}", escape_line(&routed.mechanical_risk_evidence.join(", "))),
    ];
    lines.extend(routed.signals_template.iter().flatten().filter_map(|(signal, statement)| mandatory(signal, statement)));
    lines.extend(routed.risk_tier.map(|tier| format!("risk tier: {tier}")));
    lines.extend(routed.triggered_roles.as_ref().map(|roles| {
        let names: Vec<&str> = roles.iter().map(|role| role.as_str()).collect();
        format!("reviewers: {}", if names.is_empty() { "none; the parent inspects everything".to_owned() } else { names.join(", ") })
    }));
    lines.extend(routed.plan.as_ref().map(|plan| {
        let (kind, files, batches) = (word(&plan.plan_kind), plan.files, plan.batches);
        format!("plan: {} ({kind}, paths: {files}, batches: {batches})", plan.path)
    }));
    lines.extend(routed.contexts.iter().map(context));
    lines
}

fn mandatory(signal: &str, statement: &Statement) -> Option<String> {
    statement.value.map(|_| format!("must be true: {signal} ({})", escape_line(&statement.evidence)))
}

fn context(context: &ContextSummary) -> String {
    let ContextSummary { role, context_path, context_sha256, batches } = context;
    let batches = if batches.is_empty() { String::new() } else { format!(", batches: {}", batches.len()) };
    format!("context of {role}: {context_path} (sha256 {context_sha256}{batches})")
}
