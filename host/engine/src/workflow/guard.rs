//! Notices when a suite changes what it is judged by (BR-58).

use code_polishy_core::{canonical::digest_bytes, diagnostic::Failure, packet::FOLDER, policy::scope::Governed};

use crate::{store::digest_tree, workflow::working, workspace::Workspace};

/// What must stay as it is while suites run.
pub struct Guard {
    governed: Governed,
    reference: String,
    base: String,
    state_sha256: String,
    configuration_sha256: String,
    evidence_sha256: String,
}

impl Guard {
    /// Takes HEAD, the resolved base, the primary tree's state, the repository's configuration and the evidence folder.
    pub fn take(workspace: &Workspace<'_>, governed: &Governed, base: &str, reference: &str) -> Result<Self, Failure> {
        Ok(Self {
            state_sha256: working::state(workspace, governed, None)?.sha256,
            configuration_sha256: configuration(workspace),
            evidence_sha256: digest_tree(workspace.repository.root(), FOLDER)?,
            governed: governed.clone(),
            reference: reference.to_owned(),
            base: base.to_owned(),
        })
    }

    /// Compares; the state's digest holds HEAD. A difference outranks every other outcome.
    pub fn check(&self, workspace: &Workspace<'_>) -> Result<(), Failure> {
        let what = if working::state(workspace, &self.governed, None)?.sha256 != self.state_sha256 {
            "HEAD or the working tree changed"
        } else if workspace.repository.resolve(&self.reference)? != self.base {
            "the base reference moved"
        } else if configuration(workspace) != self.configuration_sha256 {
            "the repository's configuration changed"
        } else if digest_tree(workspace.repository.root(), FOLDER)? != self.evidence_sha256 {
            "the review's evidence changed"
        } else {
            return Ok(());
        };
        Err(changed(what))
    }
}

/// The refusal.
pub fn changed(what: &str) -> Failure {
    Failure::blocked(
        "candidate.changed",
        format!("candidate changed: {what} while the suite ran"),
        "make the suite leave the repository alone, then try again",
    )
}

/// The configuration of the repository and of this worktree, as bytes.
fn configuration(workspace: &Workspace<'_>) -> String {
    let repository = &workspace.repository;
    let files = [repository.common_dir().join("config"), repository.git_dir().join("config.worktree")];
    let bytes: Vec<u8> = files.iter().flat_map(|file| std::fs::read(file).unwrap_or_default()).collect();
    digest_bytes(&bytes)
}
