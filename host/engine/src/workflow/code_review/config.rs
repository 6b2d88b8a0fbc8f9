//! The effective configuration of a run (CR-18).

use code_polishy_core::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{
        codes,
        config::{CodeReview, Config},
    },
    diagnostic::{Failure, FailureKind},
    policy::{
        load,
        model::{POLICY_FILE, Policy},
    },
};
use serde_json::Value;

use crate::{
    git::{Repository, Tree},
    workflow::policies::{policy_bytes, working_policy_bytes},
};

/// A configuration, with where it was read.
pub struct Effective {
    /// What `config.json` will hold.
    pub config: Config,
    /// `source-worktree`, `commit:<id>` or `defaults`.
    pub origin: String,
    /// The policy that it is a part of; `None` when there is no policy file.
    pub policy: Option<Policy>,
}

impl Effective {
    /// The one in the working file.
    ///
    /// # Errors
    /// Exit 2 `review-config-invalid`, every violation.
    pub fn of_worktree(repository: &Repository) -> Result<Self, Failure> {
        Self::read(working_policy_bytes(repository.root())?, "source-worktree".to_owned())
    }

    /// The one of a commit.
    ///
    /// # Errors
    /// As [`Self::of_worktree`]; operational `git.object`.
    pub fn of_commit(repository: &Repository, commit: &str) -> Result<Self, Failure> {
        Self::read(policy_bytes(&Tree::of(repository, commit)?, commit)?, format!("commit:{commit}"))
    }

    /// Digest of `config.json`.
    pub fn sha256(&self) -> String {
        digest_bytes(&artifact_bytes(&self.config))
    }

    fn read(bytes: Option<Vec<u8>>, origin: String) -> Result<Self, Failure> {
        let Some(bytes) = bytes else {
            let config = Config { schema_version: 1, code_review: CodeReview::default(), policy: Value::Null };
            return Ok(Self { config, origin: "defaults".to_owned(), policy: None });
        };
        let policy = load(&bytes).map_err(|mut diagnostics| {
            for diagnostic in &mut diagnostics {
                diagnostic.code = codes::REVIEW_CONFIG_INVALID.name.to_owned();
            }
            Failure::new(FailureKind::Usage, diagnostics)
        })?;
        let section = policy.code_review.clone().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        let code_review = serde_json::from_value(section).map_err(|error| invalid(&error))?;
        let whole = serde_json::from_slice(&bytes).map_err(|error| invalid(&error))?;
        Ok(Self { config: Config { schema_version: 1, code_review, policy: whole }, origin, policy: Some(policy) })
    }
}

fn invalid(error: &serde_json::Error) -> Failure {
    super::usage(&codes::REVIEW_CONFIG_INVALID, format!("the policy cannot be read: {error}"), "mend `.code-polishy.json`")
        .at_path(POLICY_FILE)
}
