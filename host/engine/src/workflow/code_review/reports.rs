//! Where runs are kept (CR-11), and the names of new ones (CR-12).

use std::{
    fs,
    path::{Path, PathBuf},
};

use code_polishy_core::{code_review::codes, diagnostic::Failure};

use super::{operational, run::Run, usage};
use crate::{git::is_ignored, input::contained_path, store::Store, workspace::Workspace};

/// The folder when nobody says otherwise, relative to the repository.
pub const DEFAULT: &str = ".code-polishy-reports/code-review";

/// A reports folder that may be written to; nothing is made before a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reports {
    /// Trusted: the repository's root, or a folder of the caller's outside.
    base: PathBuf,
    /// Below the base, with `/`.
    relative: String,
    /// Repository-relative, when it is inside.
    inside: Option<String>,
}

impl Reports {
    /// The folder of `--reports-dir`, which starts at `cwd`, else the configured one, which starts at the repository's root, else [`DEFAULT`].
    ///
    /// # Errors
    /// Exit 2 `reports-dir-not-ignored`: it is in the repository and git would see it, or it is the repository itself.
    pub fn of(workspace: &Workspace<'_>, cwd: &Path, flag: Option<&Path>, configured: Option<&str>) -> Result<Self, Failure> {
        let root = workspace.repository.root();
        let place = match flag {
            Some(flag) => cwd.join(flag),
            None => root.join(configured.unwrap_or(DEFAULT)),
        };
        match contained_path(root, cwd, &place) {
            Some(relative) => {
                if relative == ".git" || relative.starts_with(".git/") || !is_ignored(&workspace.repository, &relative)? {
                    return Err(not_ignored(&relative));
                }
                Ok(Self { base: root.to_owned(), inside: Some(relative.clone()), relative })
            }
            None if place == root || root.starts_with(&place) => Err(not_ignored(&place.display().to_string())),
            None => Ok(Self { base: place, relative: String::new(), inside: None }),
        }
    }

    /// The folder, repository-relative, when it is inside.
    pub fn inside(&self) -> Option<&str> {
        self.inside.as_deref()
    }

    /// Where it is, or will be; absolute.
    pub fn path(&self) -> PathBuf {
        self.base.join(&self.relative)
    }

    /// Makes a new run named after this moment.
    ///
    /// # Errors
    /// Exit 3: the folder cannot be made, or the name is taken.
    pub fn create_run(&self) -> Result<Run, Failure> {
        if self.inside.is_none() {
            let failed = |error| operational(&codes::IO_ERROR, format!("cannot make {}: {error}", self.base.display()), "make it writable");
            fs::create_dir_all(&self.base).map_err(failed)?;
        }
        let base = self.base.canonicalize().map_err(|error| {
            operational(&codes::IO_ERROR, format!("cannot find {}: {error}", self.base.display()), "make the reports folder readable")
        })?;
        let store = Store::create(&base, &self.relative)?;
        let name = run_name();
        if store.child(&name, false)?.is_some() {
            return Err(operational(&codes::RUN_NAME_EXHAUSTED, format!("the run `{name}` exists already"), "run the command again"));
        }
        store.child(&name, true)?;
        Ok(Run::at(base.join(&self.relative), name))
    }
}

/// `<YYYY-MM-DDTHH-MM-SS-ffffffZ>`, UTC.
fn run_name() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%S-%6fZ").to_string()
}

fn not_ignored(folder: &str) -> Failure {
    let next = format!("add `/{folder}/` to .gitignore, or name a folder outside the repository with --reports-dir");
    usage(&codes::REPORTS_DIR_NOT_IGNORED, format!("git does not ignore the reports folder `{folder}`"), next).at_path(folder)
}
