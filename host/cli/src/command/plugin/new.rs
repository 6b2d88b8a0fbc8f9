//! `plugin new`: a project that builds and passes its check.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use code_polishy_core::{diagnostic::Failure, plugin::PluginKind, policy::names::identifier_fault, text::escape_line};
use serde_json::json;

use crate::{
    arguments::plugin::PluginNew,
    command::Context,
    reply::Reply,
    template::Project,
    view::{
        json::Protocol,
        lines::{count, next},
    },
};

/// Names that a package or module of some language cannot have.
const RESERVED: [&str; 12] =
    ["alloc", "build", "code-polishy-sdk", "core", "import", "lambda", "proc-macro", "self", "std", "super", "test", "wit-world"];

/// Writes the project into a folder that is absent or empty.
pub fn run(context: &Context, arguments: &PluginNew) -> Result<Reply, Failure> {
    let (name, kind) = (arguments.name.as_str(), PluginKind::from(arguments.kind));
    check_name(name)?;
    let language = arguments.lang;
    let files = Project { name, kind, language }.files();
    if files.is_empty() {
        let message = format!("there is no {language} template of a {kind}");
        return Err(Failure::usage("plugin.no-template", message, "choose another --lang, such as rust"));
    }
    let shown = arguments.dir.clone().unwrap_or_else(|| PathBuf::from(name));
    let folder = context.setup.path(&shown);
    make(&folder)?;
    for (path, text) in &files {
        write(&folder.join(path), text).map_err(|error| unwritable(&folder.join(path), &error))?;
    }
    let shown = escape_line(&shown.display().to_string());
    let lines = vec![
        format!("{name} ({kind} in {language}): {} in {shown}", count(files.len(), "file")),
        next(&format!("code-polishy plugin build {shown} --dist {shown}/dist")),
    ];
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    let project =
        json!({"name": name, "kind": kind, "language": language.to_string(), "folder": folder.display().to_string(), "files": paths});
    Ok(Reply::lines(lines, Protocol::Plugin("new").done("written", "project", &project)))
}

/// A plugin's name is a package's name too, and packages have no dots.
fn check_name(name: &str) -> Result<(), Failure> {
    let fault = match identifier_fault(name) {
        Some(fault) => fault,
        None if name.contains('.') => "has a dot",
        None if RESERVED.contains(&name) => "is a word of its own in some language",
        None => return Ok(()),
    };
    let message = format!("the name `{}` {fault}", escape_line(name));
    Err(Failure::usage("plugin-new.name", message, "name it with lower-case words separated by `-`, such as `tap-lite`"))
}

fn make(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut entries = fs::read_dir(folder).map_err(|error| unwritable(folder, &error))?;
    if entries.next().is_none() {
        return Ok(());
    }
    let message = format!("the folder `{}` is not empty", folder.display());
    Err(Failure::usage("plugin-new.not-empty", message, "name a folder with --dir that is absent or empty"))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::File::create_new(path).and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot write to `{}`: {error}", path.display());
    Failure::operational("plugin-new.unwritable", message, "make the folder writable, or name another one with --dir")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_of_a_package_in_every_language() {
        for name in ["tap-lite", "a1", "x-2"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in ["", "Tap", "tap_lite", "-a", "a-", "a--b", "../a", "a.b", "test", "1a", &"a".repeat(81)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
