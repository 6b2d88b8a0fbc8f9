//! What the checkout already has of a pull request: its repository, its target branch, its head, and the change between the two (CR-39).

use code_polishy_core::{
    code_review::{
        codes,
        pull_request::{
            export::Metadata,
            fault::CollectionFault,
            identity::{PullAddress, Repository as Forge, without_credentials},
            intake::Intake,
            receipt::{HeadFetch, NEVER, PrRouting, Relation, RemoteSelection, Route, TargetBranch},
        },
        t0::PathRolesRecord,
        vocabulary::Scope,
    },
    diagnostic::Failure,
};

use super::{ImportRequest, Stop};
use crate::{
    git::{Ancestry, Remote, Repository, Tip},
    workflow::code_review::{
        config::Effective,
        path_roles::path_roles,
        scope::{Capture, Texts, capture_commit},
    },
    workspace::Workspace,
};

/// What was found, as far as it was.
#[derive(Default)]
pub(super) struct Fetched {
    /// Which repository and which commits.
    pub(super) routing: Option<PrRouting>,
    /// The remote of the pull request's repository.
    pub(super) remote: Option<RemoteSelection>,
    /// The branch that it is to be merged into.
    pub(super) target: Option<TargetBranch>,
    /// Its head.
    pub(super) head: Option<HeadFetch>,
    /// What it changes.
    pub(super) change: Option<Change>,
}

/// What a pull request changes, and under which configuration it is reviewed.
pub(super) struct Change {
    /// Of the verified base.
    pub(super) effective: Effective,
    /// The texts that keep it.
    pub(super) texts: Texts,
    /// The parts of its paths.
    pub(super) roles: PathRolesRecord,
}

impl Fetched {
    /// Finds everything, in the order in which one thing depends on the other.
    pub(super) fn look(&mut self, workspace: &Workspace<'_>, request: &ImportRequest, intake: &Intake) -> Result<(), Stop> {
        let Some(metadata) = &intake.metadata else { return Ok(()) };
        let looking = Looking { repository: &workspace.repository, request, metadata };
        self.routing = Some(looking.routing());
        let remote = self.remote.insert(looking.remote()?).remote.clone();
        self.target = Some(looking.target(&remote)?);
        self.head = Some(looking.head(&remote)?);
        workspace.interrupt.check()?;
        self.change = Some(looking.change(workspace)?);
        Ok(())
    }
}

struct Looking<'l> {
    repository: &'l Repository,
    request: &'l ImportRequest,
    metadata: &'l Metadata,
}

impl Looking<'_> {
    fn routing(&self) -> PrRouting {
        let Metadata { url, state, base_ref_oid, head_ref_oid, is_cross_repository, .. } = self.metadata;
        PrRouting {
            pr_url: url.clone(),
            pr_state: state.clone(),
            base_oid: base_ref_oid.clone(),
            head_oid: head_ref_oid.clone(),
            base_identity_source: "pr_url".to_owned(),
            local_checkout_required: true,
            route: if *is_cross_repository { Route::Fork } else { Route::SameRepository },
            force_policy: NEVER.to_owned(),
        }
    }

    /// The named remote, or of all that lead to the repository `origin`, else the first by name.
    fn remote(&self) -> Result<RemoteSelection, Stop> {
        let Some(PullAddress { repository: expected, .. }) = PullAddress::read(&self.metadata.url) else {
            return Err(CollectionFault::new(&codes::PR_METADATA_INVALID, "the address names no repository").about("url").into());
        };
        let leads = |remote: &&Remote| Forge::of_remote(&remote.url).as_ref() == Some(&expected);
        let shown = format!("{}/{}", expected.host, expected.name);
        let remotes = self.repository.remotes();
        let remote = match &self.request.remote {
            Some(name) => match remotes.iter().find(|remote| remote.name == *name) {
                None => return Err(CollectionFault::new(&codes::REMOTE_NOT_FOUND, format!("there is no remote `{name}`")).into()),
                Some(remote) if !leads(&remote) => {
                    let message = format!("the remote `{name}` does not lead to {shown}");
                    return Err(CollectionFault::new(&codes::REMOTE_MISMATCH, message).into());
                }
                Some(remote) => remote,
            },
            None => {
                let mut fitting: Vec<&Remote> = remotes.iter().filter(leads).collect();
                fitting.sort_by_key(|remote| (remote.name != "origin", remote.name.clone()));
                let none = || CollectionFault::new(&codes::REMOTE_NOT_FOUND, format!("no remote leads to {shown}"));
                fitting.into_iter().next().ok_or_else(none)?
            }
        };
        Ok(RemoteSelection {
            remote: remote.name.clone(),
            url: without_credentials(&remote.url),
            expected_host: expected.host,
            expected_repository: expected.name,
            matched: true,
        })
    }

    /// The followed branch is the recorded base, or has it in its history. One that is behind it was not fetched since.
    fn target(&self, remote: &str) -> Result<TargetBranch, Stop> {
        let Metadata { base_ref_name, base_ref_oid: base, .. } = self.metadata;
        let name = self.request.target_ref.clone().unwrap_or_else(|| format!("refs/remotes/{remote}/{base_ref_name}"));
        let not_fetched = |message: String| Stop::from(CollectionFault::new(&codes::TARGET_NOT_FETCHED, message));
        let Some(Tip { name, commit }) = self.repository.tip(&name)? else {
            return Err(not_fetched(format!("the ref `{name}` of the target branch is not here")));
        };
        if !self.repository.has_commit(base) {
            return Err(not_fetched(format!("the base {base} is not here")));
        }
        let relation = match () {
            () if commit == *base => Relation::MatchesPrMetadata,
            () if self.contains(&commit, base)? => Relation::Advanced,
            () if self.contains(base, &commit)? => return Err(not_fetched(format!("`{name}` is older than the base {base}"))),
            () => {
                let message = format!("the base {base} is not in the history of `{name}`");
                return Err(CollectionFault::new(&codes::TARGET_DIVERGED, message).into());
            }
        };
        Ok(TargetBranch { status: "fetched".to_owned(), remote_ref: name, local_head: commit, expected_base_oid: base.clone(), relation })
    }

    /// A history that breaks off says nothing.
    fn contains(&self, tip: &str, commit: &str) -> Result<bool, Stop> {
        let contains = Ancestry::of(self.repository, tip).and_then(|history| history.contains(commit));
        contains.map_err(|failure| if failure.diagnostics.iter().any(is_of_objects) { self.broken(&failure) } else { failure.into() })
    }

    fn head(&self, remote: &str) -> Result<HeadFetch, Stop> {
        let expected = &self.metadata.head_ref_oid;
        let mut tips = Vec::new();
        for name in self.head_refs(remote) {
            tips.extend(self.repository.tip(&name)?);
        }
        let Some(tip) = tips.iter().find(|tip| tip.commit == *expected).or(tips.first()) else {
            let message = format!("no ref of the head is here, such as `{}`", self.head_refs(remote)[0]);
            return Err(CollectionFault::new(&codes::HEAD_NOT_FETCHED, message).into());
        };
        if tip.commit != *expected {
            let message = format!("`{}` is {}, and the export names {expected}", tip.name, tip.commit);
            return Err(CollectionFault::new(&codes::HEAD_MISMATCH, message).into());
        }
        Ok(HeadFetch {
            remote_ref: tip.name.clone(),
            local_head: tip.commit.clone(),
            expected_head_oid: expected.clone(),
            head_matches_pr_metadata: true,
        })
    }

    /// Where a head is fetched to; the branch of a fork is none of the base repository's.
    fn head_refs(&self, remote: &str) -> Vec<String> {
        let Metadata { number, head_ref_name, is_cross_repository, .. } = self.metadata;
        if let Some(name) = &self.request.head_ref {
            return vec![name.clone()];
        }
        let mut names = vec![
            format!("refs/remotes/{remote}/pull/{number}/head"),
            format!("refs/pull/{number}/head"),
            format!("refs/remotes/{remote}/merge-requests/{number}/head"),
        ];
        if !is_cross_repository {
            names.push(format!("refs/remotes/{remote}/{head_ref_name}"));
        }
        names
    }

    fn change(&self, workspace: &Workspace<'_>) -> Result<Change, Stop> {
        let Metadata { base_ref_oid: base, head_ref_oid: head, .. } = self.metadata;
        let effective = Effective::of_commit(self.repository, base)?;
        let read = || -> Result<(Capture, Texts), Failure> {
            let capture = capture_commit(self.repository, &format!("{base}...{head}"), None)?;
            let texts = capture.texts(self.repository.root())?;
            Ok((capture, texts))
        };
        let (capture, texts) = read().map_err(|failure| self.broken(&failure))?;
        capture.require_inspectable(Scope::Pr)?;
        let roles = path_roles(workspace, &capture, None)?;
        Ok(Change { effective, texts, roles })
    }

    fn broken(&self, failure: &Failure) -> Stop {
        let message = failure.diagnostics.first().map_or("the repository cannot be read", |first| first.message.as_str());
        CollectionFault::new(&codes::DIFF_UNAVAILABLE, message).into()
    }
}

/// The diagnostic is about commits or what they hold.
fn is_of_objects(diagnostic: &code_polishy_core::diagnostic::Diagnostic) -> bool {
    ["git.graph", "git.object"].contains(&diagnostic.code.as_str())
}
