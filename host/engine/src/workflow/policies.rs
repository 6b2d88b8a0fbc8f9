//! The policies that count: of the base commit and of the candidate commit, never of the working file (BR-11).

use std::path::{Path, PathBuf};

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::{Diagnostic, Failure, FailureKind},
    patch::EntryMode,
    policy::{
        load::{load, load_for_pinning},
        model::{POLICY_FILE, Policy, RedKind},
        scope::Governed,
    },
};

use crate::{
    git::{Blob, Repository, Tree},
    input::{InputFault, read_contained},
    plugins::{Origin, PluginSet},
    workspace::Workspace,
};

/// Bytes of a policy file.
const MAX_POLICY_BYTES: u64 = 4 * 1024 * 1024;

/// A commit with its policy.
pub struct Side {
    /// The commit.
    pub commit: String,
    /// Its tree.
    pub tree: Tree,
    /// `None` when the commit has no policy file.
    pub own: Option<Policy>,
    /// The policy, the empty one when there is none.
    pub policy: Policy,
    /// Digest of the policy file; empty when there is none.
    pub sha256: String,
    /// Where the components of its pins lie, when they are not those of the tree.
    pub files: Option<PathBuf>,
}

impl Side {
    /// Reads the policy of a commit.
    ///
    /// # Errors
    /// Usage, with every violation, when the file is there and cannot be read as a policy.
    pub fn at(repository: &Repository, commit: &str) -> Result<Self, Failure> {
        let tree = Tree::of(repository, commit)?;
        let bytes = policy_bytes(&tree, commit)?;
        let own = bytes.as_deref().map(|bytes| parse(load(bytes), commit)).transpose()?;
        Ok(Self {
            commit: commit.to_owned(),
            tree,
            policy: own.clone().unwrap_or_default(),
            own,
            sha256: bytes.as_deref().map(digest_bytes).unwrap_or_default(),
            files: None,
        })
    }

    /// Before the first commit: nothing, without a policy.
    pub fn empty(repository: &Repository) -> Self {
        let tree = Tree::empty(repository);
        Self { commit: String::new(), tree, own: None, policy: Policy::default(), sha256: String::new(), files: None }
    }

    /// The plugins that this side pins.
    pub fn plugins<'a>(&'a self, workspace: &'a Workspace<'_>) -> PluginSet<'a> {
        let origin = self.files.as_deref().map_or(Origin::Tree(&self.tree), Origin::Files);
        PluginSet { host: workspace.plugins, policy: &self.policy, origin, places: &workspace.places }
    }
}

/// Base and candidate.
pub struct Policies {
    /// The base commit's.
    pub base: Side,
    /// The candidate commit's.
    pub candidate: Side,
    /// Which paths count under both.
    pub governed: Governed,
}

impl Policies {
    /// Reads both policies.
    pub fn at(repository: &Repository, base: &str, candidate: &str) -> Result<Self, Failure> {
        let (base, candidate) = (Side::at(repository, base)?, Side::at(repository, candidate)?);
        let governed = Governed::new(base.own.as_ref(), candidate.own.as_ref());
        Ok(Self { base, candidate, governed })
    }

    /// Whether any side has a `behaviorReview` section: without one no journal is read (BR-34).
    pub fn review_configured(&self) -> bool {
        [&self.base, &self.candidate].into_iter().any(|side| side.policy.verification.behavior_review.is_some())
    }

    /// Kinds of red that every side with a `behaviorReview` section allows.
    pub fn allowed_red_kinds(&self) -> Vec<RedKind> {
        let sides = [&self.base, &self.candidate].map(|side| side.policy.verification.behavior_review.as_ref());
        let allows = |kind: &RedKind| sides.iter().flatten().all(|review| review.allowed_red_kinds.contains(kind));
        [RedKind::Failed, RedKind::Broken].into_iter().filter(allows).collect()
    }

    /// Names of every feature of both sides, sorted, unique.
    pub fn configured_features(&self) -> Vec<String> {
        let mut names: Vec<String> =
            [&self.base, &self.candidate].into_iter().flat_map(|side| side.policy.features()).map(|feature| feature.name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// The policy in the working file, for commands that say so; `None` when there is no file.
pub fn working_policy(root: &Path) -> Result<Option<Policy>, Failure> {
    working_policy_bytes(root)?.map(|bytes| parse(load(&bytes), "the working file")).transpose()
}

/// The same, where a suite or a report may name a plugin that is not pinned yet.
pub fn policy_for_pinning(root: &Path) -> Result<Option<Policy>, Failure> {
    working_policy_bytes(root)?.map(|bytes| parse(load_for_pinning(&bytes), "the working file")).transpose()
}

/// The bytes of the working file; `None` when there is none.
pub(crate) fn working_policy_bytes(root: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match read_contained(root, POLICY_FILE, MAX_POLICY_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(InputFault::Absent) => Ok(None),
        Err(fault) => Err(unreadable(&fault.to_string(), "the working file")),
    }
}

/// The policy file of a tree; `None` when there is none. `commit` is for messages.
pub(crate) fn policy_bytes(tree: &Tree, commit: &str) -> Result<Option<Vec<u8>>, Failure> {
    match tree.entry(POLICY_FILE)? {
        None => Ok(None),
        Some(entry) if matches!(entry.mode, EntryMode::Link | EntryMode::Gitlink) => Err(unreadable("is no regular file", commit)),
        Some(_) => match tree.file_at_most(POLICY_FILE, MAX_POLICY_BYTES)? {
            Some(Blob::Whole(bytes)) => Ok(Some(bytes)),
            Some(Blob::Larger(size)) => Err(unreadable(&format!("has {size} bytes, over {MAX_POLICY_BYTES}"), commit)),
            None => Ok(None),
        },
    }
}

fn parse(read: Result<Policy, Vec<Diagnostic>>, place: &str) -> Result<Policy, Failure> {
    read.map_err(|mut diagnostics| {
        for diagnostic in &mut diagnostics {
            diagnostic.message = format!("{} (policy of {place})", diagnostic.message);
        }
        Failure::new(FailureKind::Usage, diagnostics)
    })
}

fn unreadable(reason: &str, place: &str) -> Failure {
    Failure::usage("policy.unreadable", format!("the policy of {place} {reason}"), "make `.code-polishy.json` a regular file and commit it")
        .at_path(POLICY_FILE)
}
