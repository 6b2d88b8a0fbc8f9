//! `code-review validate`.

use code_polishy_core::{code_review::validation::ValidationStatus, diagnostic::Failure};
use code_polishy_engine::workflow::code_review::validate::{ValidateRequest, validate};

use crate::{
    arguments::code_review::Validate,
    command::Context,
    exit::Exit,
    reply::Reply,
    view::{
        json::{code_review, word},
        validation,
    },
};

/// Judges a run.
pub fn run(context: &Context, arguments: &Validate) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let request = ValidateRequest {
        run: arguments.run.clone(),
        producer_id: super::producer_id(arguments.producer_id.as_ref()),
        result: arguments.result.clone(),
        manifest_only: arguments.manifest_only,
    };
    let (run, judged) = validate(&workspace, &context.setup.cwd, &request)?;
    let path = run.text();
    let status = word(&judged.validation.status);
    let document = code_review("validate", &status, Some(&path), &judged);
    let exit = if judged.validation.status == ValidationStatus::Pass { Exit::Done } else { Exit::Blocked };
    Ok(Reply::lines(validation::lines(&judged.validation), document).ending(exit))
}
