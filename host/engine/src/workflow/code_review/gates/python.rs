//! The interpreter that runs pytest when none is named.

use std::path::{Path, PathBuf};

use code_polishy_core::code_review::run::RunRecord;

use crate::{environment::passed, process::resolve, workspace::Workspace};

/// The active virtual environment, else `.venv` of the invoking checkout, else `python3`; absolute.
pub(super) fn find(workspace: &Workspace<'_>, run: &RunRecord) -> Option<String> {
    let variable = |wanted: &str| workspace.environment.iter().find(|(name, _)| name == wanted).map(|(_, value)| PathBuf::from(value));
    let source = Path::new(&run.source_worktree);
    let environments = variable("VIRTUAL_ENV").into_iter().chain([source.join(".venv")]);
    let python = environments.map(|folder| folder.join("bin/python")).find(|python| python.is_absolute() && python.is_file());
    let environment = passed(workspace.environment.iter().cloned(), &[], &[]);
    python.or_else(|| resolve("python3", source, source, &environment))?.to_str().map(str::to_owned)
}
