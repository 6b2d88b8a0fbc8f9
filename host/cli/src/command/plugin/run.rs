//! `plugin run`: one call, and everything that came of it.

use std::{
    fs, io,
    io::Read,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    diagnostic::Failure,
    plugin::{PluginFault, PluginFaultKind, PluginKind},
    plugin_case::{Answer, ArtifactAnswer, Call, Case, Input},
    text::escape_line,
};
use code_polishy_sandbox::{Asked, Level, Note};
use serde_json::json;

use super::{component::Component, cost};
use crate::{
    arguments::plugin::PluginRun,
    command::Context,
    exit::Exit,
    reply::Reply,
    view::{
        json::Protocol,
        lines::{FAINT, next, paint, quoted, size},
    },
};

/// Makes the call. A fault of the plugin ends the command as it ends every other, after what is known has been shown.
pub fn run(context: &Context, arguments: &PluginRun) -> Result<Reply, Failure> {
    let kind = PluginKind::from(arguments.kind);
    let input = read_input(context, arguments, kind)?;
    let component = Component::of_kind(Component::named(context, &arguments.plugin)?, kind).ok_or_else(|| {
        let message = format!("`{}` is no {kind} plugin", escape_line(&arguments.plugin.display().to_string()));
        Failure::usage("plugin.kind", message, "name a plugin of that kind, as `code-polishy plugin list` shows them")
    })?;
    let asked = context.setup.plugins.quiet_sandbox().ask(&component.source(kind, &arguments.limits.into()), &input)?;
    let written = match (&asked.answer, &arguments.out) {
        (Ok(Answer::Artifacts(artifacts)), Some(folder)) => write(&context.setup.path(folder), artifacts)?,
        _ => Vec::new(),
    };
    Ok(reply(&component.name, input.call(), asked, &written))
}

fn reply(plugin: &str, call: Call, asked: Asked, written: &[PathBuf]) -> Reply {
    let Asked { answer, log, figures, elapsed } = asked;
    let mut document = json!({
        "call": call,
        "answer": answer.as_ref().ok(),
        "log": log.iter().map(|note| json!({"level": word(note.level), "message": note.text})).collect::<Vec<_>>(),
        "written": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
    });
    cost::figures(&mut document, figures, elapsed);
    let told = log.iter().flat_map(logged);
    let mut lines: Vec<String> = answer.iter().flat_map(|answer| shown(answer, written)).chain(told).collect();
    lines.push(paint(FAINT, &cost::line(figures, elapsed)));
    let fault = match answer {
        Ok(Answer::Failure(failure)) => Failure::from(PluginFault {
            plugin: plugin.to_owned(),
            kind: PluginFaultKind::Refused,
            message: format!("{} ({})", failure.message, failure.code),
            next: if failure.hint.is_empty() { "mend what the plugin names".to_owned() } else { failure.hint },
            log: Vec::new(),
        }),
        Ok(_) => return Reply::lines(lines, Protocol::Plugin("run").done("answered", "run", &document)),
        Err(fault) => Failure::from(fault),
    };
    lines.push(next(fault.next_step()));
    let mut refused = Protocol::Plugin("run").refused(&fault);
    refused["run"] = document;
    let exit = Exit::from(fault.kind);
    Reply { fault: Some(fault), ..Reply::lines(lines, refused).ending(exit) }
}

/// The answer for people: JSON, but the files of a renderer by name and size.
fn shown(answer: &Answer, written: &[PathBuf]) -> Vec<String> {
    let Answer::Artifacts(artifacts) = answer else {
        let text = serde_json::to_string_pretty(answer).expect("answers have string keys");
        return text.lines().map(escape_line).collect();
    };
    let line = |(index, artifact): (usize, &ArtifactAnswer)| {
        let place = written.get(index).map(|path| format!(": {}", escape_line(&path.display().to_string()))).unwrap_or_default();
        format!("{} ({}, {}){place}", artifact.name, artifact.media_type, size(artifact.content.0.len()))
    };
    artifacts.iter().enumerate().map(line).collect()
}

fn logged(note: &Note) -> Vec<String> {
    std::iter::once(paint(FAINT, &format!("LOG {}:", word(note.level)))).chain(quoted(&note.text)).collect()
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

/// The host has checked the names: relative, plain, distinct on every file system.
fn write(folder: &Path, artifacts: &[ArtifactAnswer]) -> Result<Vec<PathBuf>, Failure> {
    let write = |artifact: &ArtifactAnswer| {
        let path = folder.join(&artifact.name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, &artifact.content.0));
        written.map(|()| path.clone()).map_err(|error| {
            let message = format!("cannot write `{}`: {error}", path.display());
            Failure::operational("plugin-run.unwritable", message, "make the folder writable, or name another one with --out")
        })
    };
    artifacts.iter().map(write).collect()
}

fn read_input(context: &Context, arguments: &PluginRun, kind: PluginKind) -> Result<Input, Failure> {
    let call = arguments.call.map(Call::from);
    let usual = call.unwrap_or_else(|| Call::usual(kind));
    let (bytes, name) = read(context, &arguments.input)?;
    let input = Case::read_input(&bytes, usual).map_err(|violation| Failure::from(*violation).at_path(&name))?.input;
    let is = input.call();
    if call.is_some_and(|call| call != is) || is.kind() != kind {
        let message = format!("the input is one of `{}` of a {}", is.name(), is.kind());
        let next = "give --call and the kind that the input is made for";
        return Err(Failure::usage("plugin-run.call", message, next).at_path(&name));
    }
    Ok(input)
}

/// The bytes, and what they are called in a diagnostic.
fn read(context: &Context, input: &Path) -> Result<(Vec<u8>, String), Failure> {
    let name = if input.as_os_str() == "-" { "standard input".to_owned() } else { input.display().to_string() };
    let mut bytes = Vec::new();
    let read = match input.as_os_str() == "-" {
        true => io::stdin().read_to_end(&mut bytes).map(drop),
        false => fs::read(context.setup.path(input)).map(|read| bytes = read),
    };
    match read {
        Ok(()) => Ok((bytes, name)),
        Err(error) => Err(Failure::usage("plugin-run.unreadable", format!("cannot read `{name}`: {error}"), "name a JSON file, or `-`")),
    }
}
