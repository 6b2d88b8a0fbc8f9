//! The receipts of a collection: what was selected, fetched before and checked out, each with closed fields (CR-38).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::nullable;

/// One token: the target as it was given.
pub const TARGET_FILE: &str = "pr-target.txt";
/// [`PrRouting`].
pub const ROUTING_FILE: &str = "pr-routing.json";
/// [`RemoteSelection`].
pub const REMOTE_FILE: &str = "remote-selection.json";
/// [`TargetBranch`].
pub const TARGET_BRANCH_FILE: &str = "target-branch.json";
/// [`HeadFetch`].
pub const HEAD_FETCH_FILE: &str = "pr-head-fetch.json";
/// [`WorktreePreflight`].
pub const PREFLIGHT_FILE: &str = "worktree-preflight.json";
/// [`LocalCheckout`].
pub const CHECKOUT_FILE: &str = "local-checkout.json";
/// [`CheckoutState`].
pub const CHECKOUT_STATE_FILE: &str = "checkout-state.json";
/// [`SourceContext`].
pub const SOURCE_CONTEXT_FILE: &str = "source-worktree-context.json";

/// The only force policy.
pub const NEVER: &str = "never";
/// `local_state` of a verified checkout.
pub const ISOLATED: &str = "isolated-exact-pr-head; main-worktree-unchanged";
/// How the checkout is made.
pub const METHOD: &str = "git-detached-review-worktree";
/// Where the diff comes from.
pub const DIFF_SOURCE: &str = "verified-local-checkout";

/// `pr-routing.json`: which repository and which commits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrRouting {
    /// The address in `pr.json`.
    pub pr_url: String,
    /// `OPEN`.
    pub pr_state: String,
    /// Full id.
    pub base_oid: String,
    /// Full id.
    pub head_oid: String,
    /// `pr_url`: the base repository is the one of the address.
    pub base_identity_source: String,
    /// True.
    pub local_checkout_required: bool,
    /// Where the head comes from.
    pub route: Route,
    /// `never`.
    pub force_policy: String,
}

/// Where the head of a pull request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// A branch of the base repository.
    SameRepository,
    /// A branch of another one.
    Fork,
}

/// `remote-selection.json`: which remote of the checkout is the base repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoteSelection {
    /// Its name.
    pub remote: String,
    /// Its address without credentials.
    pub url: String,
    /// The host of the pull request's address.
    pub expected_host: String,
    /// The repository of the pull request's address.
    pub expected_repository: String,
    /// True.
    pub matched: bool,
}

/// `target-branch.json`: the branch that the pull request is to be merged into, as the checkout has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetBranch {
    /// `fetched`.
    pub status: String,
    /// The local ref that follows it.
    pub remote_ref: String,
    /// Full id of that ref.
    pub local_head: String,
    /// Full id of `pr.json`.
    pub expected_base_oid: String,
    /// How the two are related.
    pub relation: Relation,
}

/// How a target branch is related to the base that a forge named; a diverged one is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The same commit.
    MatchesPrMetadata,
    /// The base is an ancestor: others were merged meanwhile.
    Advanced,
}

/// `pr-head-fetch.json`: the head, as the checkout has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadFetch {
    /// The local ref that it was fetched into.
    pub remote_ref: String,
    /// Full id of that ref.
    pub local_head: String,
    /// Full id of `pr.json`.
    pub expected_head_oid: String,
    /// True.
    pub head_matches_pr_metadata: bool,
}

/// `worktree-preflight.json`: nothing stood in the way of the checkout (CR-216).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorktreePreflight {
    /// `after-checkout`.
    pub phase: String,
    /// What was found.
    pub status: PreflightStatus,
    /// Full id of the review worktree's HEAD; null when there is none.
    #[serde(deserialize_with = "nullable")]
    pub current_head: Option<String>,
    /// Full id of `pr.json`.
    pub expected_head: String,
    /// Unmerged paths; empty.
    pub unmerged: Vec<String>,
    /// Paths in the way; empty.
    pub overlap: Vec<String>,
}

/// What stood in the way of a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PreflightStatus {
    /// Nothing.
    Clean,
    /// Nothing: it is there already.
    AlreadyAtPrHead,
    /// Nothing: what is dirty in the invoking checkout is somewhere else.
    SafeUnrelatedDirtyPaths,
    /// Something is where it should go; the collection failed.
    Obstructed,
    /// Unmerged paths; the collection failed.
    Unmerged,
}

impl PreflightStatus {
    /// The checkout could be made.
    pub fn is_clear(self) -> bool {
        !matches!(self, Self::Obstructed | Self::Unmerged)
    }
}

/// `local-checkout.json`: the reviewed tree and where its diff comes from; written last (CR-40, CR-41, CR-216).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LocalCheckout {
    /// `checked-out`.
    pub status: String,
    /// Absolute.
    pub worktree: String,
    /// Full id of `pr.json`.
    pub expected_head: String,
    /// Full id of the worktree's HEAD.
    pub local_head: String,
    /// `git-detached-review-worktree`.
    pub method: String,
    /// An equivalent command for readers (CR-214).
    pub command: String,
    /// `review`.
    pub mode: String,
    /// `verified-local-checkout`.
    pub diff_source: String,
    /// An equivalent command for readers (CR-214).
    pub diff_command: String,
    /// Where the worktree lies.
    pub location: Location,
    /// Empty: the worktree is detached.
    pub local_branch: String,
    /// `never`.
    pub force_policy: String,
}

/// Where a review worktree lies (CR-40).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Location {
    /// Beside the run, as it was named while it was collected.
    ReportAdjacent,
    /// In the folder for temporary files.
    TemporaryFallback,
}

/// The end of the name of every review worktree.
pub const WORKTREE_SUFFIX: &str = "-review-worktree";

impl Location {
    /// A worktree of this location may have this path.
    pub fn fits(self, worktree: &str) -> bool {
        let Some(stem) = worktree.strip_suffix(WORKTREE_SUFFIX).filter(|_| worktree.starts_with('/')) else { return false };
        let name = stem.rsplit('/').next().unwrap_or_default();
        let is_hex = |text: &str| text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let is_fallback = name.strip_prefix("code-review-").is_some_and(is_hex);
        !name.is_empty() && is_fallback == (self == Self::TemporaryFallback)
    }
}

/// `checkout-state.json` (CR-216).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckoutState {
    /// What became of the checkout.
    pub status: CheckoutStatus,
    /// `isolated-exact-pr-head; main-worktree-unchanged` for a verified checkout.
    pub local_state: String,
    /// `preserved-for-review`.
    pub worktree_lifecycle: String,
}

/// What became of a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckoutStatus {
    /// It has exactly the head.
    CheckoutVerified,
    /// Something is where it should go; the collection failed.
    Obstructed,
    /// Unmerged paths; the collection failed.
    Unmerged,
}

/// `source-worktree-context.json`: the invoking checkout before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceContext {
    /// Before the collection.
    pub before: SourceObservation,
    /// After it: the same.
    pub after: SourceObservation,
}

/// The invoking checkout at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceObservation {
    /// Full id; null when unborn.
    #[serde(deserialize_with = "nullable")]
    pub head: Option<String>,
    /// The branch's short name; null when detached.
    #[serde(deserialize_with = "nullable")]
    pub branch: Option<String>,
    /// In byte order.
    pub dirty_paths: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worktree_is_where_its_location_says() {
        let (adjacent, fallback) = ("/r/2026-01-02T03-04-05-000006Z-review-worktree", "/tmp/code-review-0123456789abcdef-review-worktree");
        assert!(Location::ReportAdjacent.fits(adjacent) && Location::TemporaryFallback.fits(fallback));
        assert!(!Location::TemporaryFallback.fits(adjacent) && !Location::ReportAdjacent.fits(fallback));
        for wrong in ["r/x-review-worktree", "/r/x", "/r/-review-worktree"] {
            assert!(!Location::ReportAdjacent.fits(wrong), "{wrong}");
        }
    }
}
