//! `behavior-review capture-intent`.

use std::path::Path;

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::workflow::capture::{CaptureRequest, IntentSource, capture};

use crate::{
    arguments::CaptureIntent,
    command::Context,
    reply::Reply,
    view::{human, json::Protocol},
};

/// Keeps the words of a request.
pub fn run(context: &Context, arguments: &CaptureIntent) -> Result<Reply, Failure> {
    let source = match arguments.intent_file.as_path() {
        path if path == Path::new("-") => IntentSource::Standard,
        path => IntentSource::File(path.to_owned()),
    };
    let request = CaptureRequest { source, features: arguments.feature.clone(), rewritten: arguments.rewritten };
    let captured = capture(&context.setup.workspace()?, &request, &context.setup.cwd)?;
    let document = Protocol::Review("capture-intent").done("captured", "capture", &captured);
    Ok(Reply::lines(human::captured(&captured), document))
}
