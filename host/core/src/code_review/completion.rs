//! `complete`: whether the change may proceed, what the user accepted of the checkout, and the record of a completion (section 14).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    t0::GitState,
    vocabulary::{Readiness, Status, Verdict},
};

/// `completion.json`: that a promoted result was handed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Completion {
    /// 1.
    pub schema_version: u32,
    /// Digest of `result.json`.
    pub result_sha256: String,
    /// Digest of `run-manifest.json`.
    pub run_manifest_sha256: String,
    /// Digest of `final.md`.
    pub final_sha256: String,
    /// The checkout at the completion.
    pub git_state: GitState,
    /// The user's reason for a changed index.
    pub index_change_accepted: Option<String>,
    /// The user's reason for a merge, rebase or the like that was begun, continued or ended; it covers the index too.
    pub operation_change_accepted: Option<String>,
    /// Whether the change may proceed.
    pub change_readiness: ChangeReadiness,
    /// RFC 3339, UTC.
    pub completed_at: String,
}

impl Completion {
    /// It says the same, whenever it was written.
    pub fn is_same(&self, other: &Self) -> bool {
        let later = Self { completed_at: other.completed_at.clone(), git_state: other.git_state.clone(), ..self.clone() };
        later == *other && self.git_state.is_same(&other.git_state)
    }
}

/// What the user accepted of the checkout's state (CR-211).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// A changed index.
    pub index: Option<String>,
    /// A changed operation; the index with it, which finishing an operation rewrites.
    pub operation: Option<String>,
}

impl Accepted {
    /// What is accepted now, or else was accepted by an earlier completion whose result and git state are these.
    #[must_use]
    pub fn or_earlier(self, earlier: Option<&Completion>, result_sha256: &str, live: &GitState) -> Self {
        let holds = |completion: &&Completion| completion.result_sha256 == result_sha256 && completion.git_state.is_same(live);
        let earlier = earlier.filter(holds);
        Self {
            index: self.index.or_else(|| earlier?.index_change_accepted.clone()),
            operation: self.operation.or_else(|| earlier?.operation_change_accepted.clone()),
        }
    }
}

/// Whether the change may proceed: told apart from whether its review is complete (CR-170).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeReadiness {
    /// Accepted as it is, every gate passed, nothing in the way.
    Ready,
    /// The verification is blocked.
    Blocked,
    /// Something is left to do.
    NotReady,
}

impl ChangeReadiness {
    /// Of an assessed review; `blockers` says whether it has operational blockers.
    pub fn of(verdict: Option<Verdict>, status: Status, readiness: Readiness, blockers: bool) -> Self {
        match () {
            () if verdict == Some(Verdict::AcceptAsIs) && status == Status::Pass && !blockers => Self::Ready,
            () if readiness == Readiness::Blocked => Self::Blocked,
            () => Self::NotReady,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(index: &str) -> GitState {
        GitState {
            schema_version: 1,
            source_worktree: "/source".to_owned(),
            observed_at: "2026-01-01T00:00:00Z".to_owned(),
            head: None,
            merge_head: None,
            rebase_head: None,
            cherry_pick_head: None,
            revert_head: None,
            unmerged_paths: Vec::new(),
            index_sha256: index.to_owned(),
        }
    }

    fn completion() -> Completion {
        Completion {
            schema_version: 1,
            result_sha256: "r".to_owned(),
            run_manifest_sha256: "m".to_owned(),
            final_sha256: "f".to_owned(),
            git_state: state("1"),
            index_change_accepted: Some("staged for the next commit".to_owned()),
            operation_change_accepted: None,
            change_readiness: ChangeReadiness::NotReady,
            completed_at: "2026-01-01T00:00:00Z".to_owned(),
        }
    }

    #[test]
    fn an_accepted_change_holds_for_this_result_and_this_state() {
        let earlier = completion();
        let later = GitState { observed_at: "2026-02-01T00:00:00Z".to_owned(), ..state("1") };
        let held = |result: &str, live: &GitState| Accepted::default().or_earlier(Some(&earlier), result, live).index.is_some();
        assert!(held("r", &later));
        assert!(!held("s", &later) && !held("r", &state("2")));
        let now = Accepted { index: Some("new".to_owned()), operation: None };
        assert_eq!(now.clone().or_earlier(Some(&earlier), "r", &later), now);
        assert_eq!(Accepted::default().or_earlier(None, "r", &later), Accepted::default());
    }

    #[test]
    fn only_an_accepted_change_with_every_gate_is_ready() {
        use ChangeReadiness::{Blocked, NotReady, Ready};
        let accept = Some(Verdict::AcceptAsIs);
        for (verdict, status, readiness, blockers, expected) in [
            (accept, Status::Pass, Readiness::Complete, false, Ready),
            (accept, Status::Pass, Readiness::Complete, true, NotReady),
            (accept, Status::Fail, Readiness::Complete, false, NotReady),
            (accept, Status::Fail, Readiness::Blocked, false, Blocked),
            (Some(Verdict::MinorChanges), Status::Pass, Readiness::Complete, false, NotReady),
            (None, Status::Fail, Readiness::Blocked, false, Blocked),
        ] {
            assert_eq!(ChangeReadiness::of(verdict, status, readiness, blockers), expected, "{verdict:?} {status:?} {readiness:?}");
        }
    }
}
