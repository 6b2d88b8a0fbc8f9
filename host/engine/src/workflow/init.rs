//! `init`: a starting policy from what the repository holds. It never overwrites one (contract 2, 2.3).

mod cargo;
mod facts;
mod folder;
mod propose;

use std::{fs::Permissions, io::Write, os::unix::fs::PermissionsExt, path::Path};

use code_polishy_core::{
    canonical::artifact_bytes,
    diagnostic::{Failure, FailureKind},
    gate::report::{PROTOCOL, VERSION},
    policy::{load, model::POLICY_FILE, scope::REPORT_FOLDERS},
};
use serde::Serialize;

pub use propose::{FoundModule, FoundSuite};

use crate::{
    input::{InputFault, read_contained},
    workspace::Workspace,
};

const IGNORE_FILE: &str = ".gitignore";
const MAX_IGNORE_BYTES: u64 = 1024 * 1024;

/// The document of `init`.
#[derive(Clone, Debug, Serialize)]
pub struct Initialized {
    /// `code-polishy-report/v1`.
    pub protocol: &'static str,
    /// Always 1.
    pub version: u32,
    /// Always `init`.
    pub command: &'static str,
    /// Always `written`.
    pub status: &'static str,
    /// Repository-relative paths of the files that were made or changed.
    pub written: Vec<String>,
    /// How the repository's tests run.
    pub suites: Vec<FoundSuite>,
    /// Who owns what.
    pub modules: Vec<FoundModule>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// The next step.
    pub next: String,
}

/// Looks, decides, and writes the policy and the lines of `.gitignore` that are missing.
pub fn init(workspace: &Workspace<'_>) -> Result<Initialized, Failure> {
    let root = workspace.repository.root();
    refuse_existing(root)?;
    let proposal = propose::propose(&facts::read(root)?);
    let policy = artifact_bytes(&proposal.policy);
    load(&policy).map_err(|diagnostics| Failure::new(FailureKind::Operational, diagnostics))?;
    let ignored = with_report_folders(&read_ignore(root)?);
    let mut written = Vec::new();
    // The policy comes last: while it is absent, the command can be run again.
    if let Some(ignored) = ignored {
        write(root, IGNORE_FILE, ignored.as_bytes(), Existing::Replace)?;
        written.push(IGNORE_FILE.to_owned());
    }
    write(root, POLICY_FILE, &policy, Existing::Keep)?;
    written.push(POLICY_FILE.to_owned());
    let next = match proposal.suites.is_empty() {
        true => format!("add a suite to `tests.suites` of {POLICY_FILE}, then commit {}", written.join(" and ")),
        false => format!("read {POLICY_FILE}, try `code-polishy test --all`, then commit {}", written.join(" and ")),
    };
    Ok(Initialized {
        protocol: PROTOCOL,
        version: VERSION,
        command: "init",
        status: "written",
        written,
        suites: proposal.suites,
        modules: proposal.modules,
        notes: proposal.notes,
        next,
    })
}

fn refuse_existing(root: &Path) -> Result<(), Failure> {
    match root.join(POLICY_FILE).symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => {
            Err(Failure::operational("init.unreadable", format!("{POLICY_FILE} cannot be looked at: {error}"), "check the folder's rights"))
        }
        Ok(_) => Err(exists()),
    }
}

fn exists() -> Failure {
    let next = format!("edit {POLICY_FILE}; to start anew, remove it and run `code-polishy init` again");
    Failure::blocked("init.exists", format!("{POLICY_FILE} exists, and init never overwrites it"), next).at_path(POLICY_FILE)
}

fn read_ignore(root: &Path) -> Result<String, Failure> {
    let refuse = |reason: String| {
        let next = format!(
            "make it a regular UTF-8 file, or add {} to it yourself",
            REPORT_FOLDERS.map(|folder| format!("`{folder}/`")).join(" and ")
        );
        Failure::blocked("init.ignore-file", format!("{IGNORE_FILE} {reason}"), next).at_path(IGNORE_FILE)
    };
    match read_contained(root, IGNORE_FILE, MAX_IGNORE_BYTES) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| refuse("is not valid UTF-8".to_owned())),
        Err(InputFault::Absent) => Ok(String::new()),
        Err(fault) => Err(refuse(fault.to_string())),
    }
}

/// The file with the engine's folders in it; `None` when they are there already.
fn with_report_folders(ignored: &str) -> Option<String> {
    let is_there = |folder: &str| ignored.lines().any(|line| line.trim_end().trim_start_matches('/').trim_end_matches('/') == folder);
    let missing: Vec<&str> = REPORT_FOLDERS.into_iter().filter(|folder| !is_there(folder)).collect();
    if missing.is_empty() {
        return None;
    }
    let mut text = ignored.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for folder in missing {
        text.push_str(&format!("{folder}/\n"));
    }
    Some(text)
}

/// What becomes of a file of that name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Existing {
    Keep,
    Replace,
}

/// Writes a file of the work tree whole or not at all. Unlike evidence it is everybody's to read, and keeps the rights that it has.
fn write(root: &Path, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Failure> {
    let fault = |error: &std::io::Error| {
        Failure::operational("init.write", format!("{name} cannot be written: {error}"), "check the disk and the folder's rights")
    };
    let place = root.join(name);
    let rights = place.symlink_metadata().map_or_else(|_| Permissions::from_mode(0o666), |file| file.permissions());
    let mut file =
        tempfile::Builder::new().prefix(".code-polishy-").permissions(rights).tempfile_in(root).map_err(|error| fault(&error))?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(|error| fault(&error))?;
    let persisted = match existing {
        Existing::Keep => file.persist_noclobber(place),
        Existing::Replace => file.persist(place),
    };
    match persisted {
        Err(refused) if refused.error.kind() == std::io::ErrorKind::AlreadyExists => Err(exists()),
        Err(refused) => Err(fault(&refused.error)),
        Ok(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
