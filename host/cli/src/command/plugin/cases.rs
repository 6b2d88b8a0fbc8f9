//! An author's own cases: what goes in, and what must come back.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::artifact_bytes,
    diagnostic::{Diagnostic, Failure, FailureKind},
    plugin::{PluginFault, PluginKind, PluginSource},
    plugin_case::{Answer, Case, Difference, accepted, differences},
};
use code_polishy_sandbox::{Asked, Sandbox};

use crate::command::Context;

/// Bytes of a case file; the largest input of a call fits.
const MAX_BYTES: u64 = 64 << 20;

/// Cases of a folder, all of them readable and of one kind.
pub struct Cases(Vec<CaseFile>);

struct CaseFile {
    /// The file's name without its ending.
    name: String,
    path: PathBuf,
    bytes: Vec<u8>,
    case: Case,
}

/// What became of a case.
pub struct Outcome {
    /// The case's name.
    pub name: String,
    /// Its result.
    pub result: CaseResult,
}

/// How a case ended.
pub enum CaseResult {
    /// The answer is the expected one.
    Passed,
    /// The answer was written as the expected one.
    Accepted,
    /// The answer is another.
    Differs(Vec<Difference>),
    /// The case does not say what it expects.
    Unexpecting,
    /// The second call gave another answer.
    Unsteady,
    /// There is no answer.
    Faulty(PluginFault),
}

impl CaseResult {
    /// Whether it speaks for the plugin.
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Passed | Self::Accepted)
    }
}

impl Cases {
    /// Reads every `.json` file of the folder, by name.
    ///
    /// # Errors
    /// Usage, with every violation and its file: no case, one that cannot be read, one for another kind of plugin.
    pub fn read(context: &Context, folder: &Path, kind: PluginKind) -> Result<Self, Failure> {
        let at = context.setup.path(folder);
        let mut files = json_files(&at).map_err(|error| unreadable(folder, &error))?;
        files.sort();
        let (mut cases, mut violations) = (Vec::new(), Vec::new());
        for path in files {
            match CaseFile::read(&path, kind) {
                Ok(case) => cases.push(case),
                Err(violation) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    violations.push(violation.at_path(folder.join(name).display().to_string()));
                }
            }
        }
        if !violations.is_empty() {
            return Err(Failure::new(FailureKind::Usage, violations));
        }
        if cases.is_empty() {
            let message = format!("the folder `{}` has no `.json` file", folder.display());
            return Err(Failure::usage("plugin-case.none", message, "write a case, as docs/plugins.md shows"));
        }
        Ok(Self(cases))
    }

    /// Makes each call twice. With `accept`, an answer that is not the expected one is written into its case.
    ///
    /// # Errors
    /// The plugin cannot be loaded, or a case cannot be written.
    pub fn run(&self, sandbox: &Sandbox, source: &PluginSource, accept: bool) -> Result<Vec<Outcome>, Failure> {
        let outcome = |file: &CaseFile| {
            let result = match answer(sandbox, source, &file.case)? {
                Err(result) => result,
                Ok(answer) => file.compare(answer, accept)?,
            };
            Ok(Outcome { name: file.name.clone(), result })
        };
        self.0.iter().map(outcome).collect()
    }
}

/// The answer that both calls gave.
fn answer(sandbox: &Sandbox, source: &PluginSource, case: &Case) -> Result<Result<Answer, CaseResult>, PluginFault> {
    let (Asked { answer: first, .. }, Asked { answer: second, .. }) =
        (sandbox.ask(source, &case.input)?, sandbox.ask(source, &case.input)?);
    Ok(match first {
        Err(fault) => Err(CaseResult::Faulty(fault)),
        Ok(first) if Ok(&first) == second.as_ref() => Ok(first),
        Ok(_) => Err(CaseResult::Unsteady),
    })
}

impl CaseFile {
    fn read(path: &Path, kind: PluginKind) -> Result<Self, Box<Diagnostic>> {
        let refused = |code: &str, message: String| Box::new(Diagnostic::new(code, message, "mend the file, or remove it"));
        let size = fs::metadata(path).map(|metadata| metadata.len()).unwrap_or_default();
        if size > MAX_BYTES {
            return Err(refused("plugin-case.too-large", format!("it has {size} bytes and may have {MAX_BYTES}")));
        }
        let bytes = fs::read(path).map_err(|error| refused("plugin-case.unreadable", format!("cannot read it: {error}")))?;
        let case = Case::read(&bytes)?;
        let call = case.input.call();
        if call.kind() != kind {
            let message = format!("`{}` is a call of a {}, and the plugin is a {kind}", call.name(), call.kind());
            return Err(Box::new(refused("plugin-case.kind", message).at_pointer("/call")));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, path: path.to_owned(), bytes, case })
    }

    fn compare(&self, answer: Answer, accept: bool) -> Result<CaseResult, Failure> {
        match &self.case.expect {
            Some(expected) if *expected == answer => Ok(CaseResult::Passed),
            _ if accept => self.accept(&answer).map(|()| CaseResult::Accepted).map_err(|error| unwritable(&self.path, &error)),
            Some(expected) => Ok(CaseResult::Differs(differences(expected, &answer))),
            None => Ok(CaseResult::Unexpecting),
        }
    }

    /// Who reads meanwhile sees the old or the new file whole.
    fn accept(&self, answer: &Answer) -> io::Result<()> {
        let document = accepted(&self.bytes, answer).ok_or_else(|| io::Error::other("it is no object"))?;
        let beside = self.path.with_extension("json.new");
        fs::write(&beside, artifact_bytes(&document))?;
        fs::rename(&beside, &self.path)
    }
}

fn json_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let is_case = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json") && path.is_file();
    Ok(entries.into_iter().map(|entry| entry.path()).filter(is_case).collect())
}

fn unreadable(folder: &Path, error: &io::Error) -> Failure {
    Failure::usage(
        "plugin-case.unreadable",
        format!("cannot read the folder `{}`: {error}", folder.display()),
        "name the folder of the cases",
    )
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::operational("plugin-case.unwritable", format!("cannot write `{}`: {error}", path.display()), "make the file writable")
}
