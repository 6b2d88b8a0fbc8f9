//! `code-review complete`.

use code_polishy_core::{
    code_review::{codes, completion::Accepted},
    diagnostic::Failure,
    text::escape_line,
};
use code_polishy_engine::workflow::code_review::complete::{CompleteRequest, Delivered, Outcome, Refused, complete};

use crate::{
    arguments::{Format, code_review::Complete},
    command::Context,
    exit::Exit,
    reply::{Human, Reply},
    view::json::{code_review, word},
};

/// Hands over the report of a promoted run: its bytes, and nothing else, unless the caller is a program.
pub fn run(context: &Context, arguments: &Complete) -> Result<Reply, Failure> {
    if context.console.format() == Format::Json && !arguments.nested {
        let next = "add --nested for programs, or leave out --format json";
        return Err(Failure::usage(codes::USAGE_ERROR.name, "a report is no JSON document", next));
    }
    let workspace = context.setup.workspace()?;
    let accepted = Accepted { index: arguments.accept_index_change.clone(), operation: arguments.accept_operation_change.clone() };
    let request = CompleteRequest {
        run: arguments.run.clone(),
        producer_id: super::producer_id(arguments.producer_id.as_ref()),
        accepted,
        report: arguments.report.clone(),
    };
    let (run, outcome) = complete(&workspace, &context.setup.cwd, &request)?;
    let path = run.text();
    Ok(match outcome {
        Outcome::Complete(delivered) if arguments.nested => nested(&path, &delivered),
        Outcome::Complete(delivered) => {
            Reply::exact(delivered.report.clone(), code_review("complete", "complete", Some(&path), &delivered))
        }
        Outcome::Refused(refused) => refusal(&path, &refused),
    })
}

fn nested(run: &str, delivered: &Delivered) -> Reply {
    let lines = vec![
        "status: complete".to_owned(),
        format!("result: {}", escape_line(&delivered.result)),
        format!("final: {}", escape_line(&delivered.final_path)),
        format!("final sha256: {}", delivered.final_sha256),
        format!("review: {}", escape_line(&delivered.review_status)),
        format!("change: {}", word(&delivered.change_readiness)),
    ];
    Reply::lines(lines, code_review("complete", "complete", Some(run), delivered))
}

/// Standard output stays empty, so that nobody takes a part of a report for the report (CR-175).
fn refusal(run: &str, refused: &Refused) -> Reply {
    let mut document = code_review("complete", "fail", Some(run), refused);
    if refused.blocked.is_some() {
        document["status"] = "blocked".into();
    }
    let violations = &refused.validation.violations;
    let strongest = violations.iter().find(|violation| violation.next_action == refused.validation.next_action);
    let reason = strongest.map(|violation| escape_line(&violation.token())).unwrap_or_default();
    let lines = vec![format!("Review handoff blocked: {reason}"), format!("Retained evidence: {}. Review not complete.", escape_line(run))];
    Reply { human: Human::Errors(lines), ..Reply::lines(Vec::new(), document).ending(Exit::Blocked) }
}
