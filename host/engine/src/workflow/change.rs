//! The change under judgement: which governed paths differ, and what that selects.

use code_polishy_core::{
    diagnostic::Failure,
    journal::Journal,
    patch::Change,
    plugin::{PluginIdentity, PluginKind},
    policy::{
        documentation::is_ordinary_documentation,
        model::{Boundary, Suite},
        modules::ChangedPath,
        scope::REPORT_FOLDERS,
    },
    selection::{self, Selection, SelectionFacts, SuiteChange},
    text::escape_line,
};

use crate::{
    git::{Status, Tree, changes, merge_base},
    workflow::{
        policies::{Policies, Side},
        working,
    },
    workspace::Workspace,
};

/// Everything that differs between two commits, under both policies.
pub struct ChangeSet {
    /// The base as the caller named it, for commands that the caller may type next.
    pub reference: String,
    /// The full id of the base commit.
    pub base: String,
    /// The full id of the candidate commit.
    pub candidate: String,
    /// Of both commits.
    pub policies: Policies,
    /// Governed changes, by path bytes.
    pub changes: Vec<Change>,
    /// The same paths, for ownership; with `status`, those of the working tree too.
    pub paths: Vec<ChangedPath>,
    /// BR-21 holds for the whole change.
    pub ordinary_documentation: bool,
}

impl ChangeSet {
    /// From the merge base of `reference` and HEAD to HEAD.
    pub fn since(workspace: &Workspace<'_>, reference: &str) -> Result<Self, Failure> {
        let (base, candidate) = range(workspace, reference)?;
        Ok(Self { reference: reference.to_owned(), ..Self::between(workspace, &base, &candidate)? })
    }

    /// The same with what the working tree adds, which another thread looks for meanwhile.
    pub fn with_status(workspace: &Workspace<'_>, reference: &str) -> Result<(Self, Status), Failure> {
        let (base, candidate) = range(workspace, reference)?;
        let policies = Policies::at(&workspace.repository, &base, &candidate)?;
        let (status, all) = std::thread::scope(|scope| {
            let scan = scope.spawn(|| working::status(workspace, &policies.governed));
            let all = changes(&workspace.repository, &base, &candidate);
            (scan.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), all)
        });
        let change = Self::of(policies, all?)?;
        Ok((Self { reference: reference.to_owned(), ..change }, status?))
    }

    /// The same, refused when the working tree has staged, unstaged or untracked governed paths.
    pub fn clean_since(workspace: &Workspace<'_>, reference: &str) -> Result<Self, Failure> {
        let (change, status) = Self::with_status(workspace, reference)?;
        if status.is_clean() { Ok(change) } else { Err(working::dirty(&status.paths())) }
    }

    /// From one commit to another.
    pub fn between(workspace: &Workspace<'_>, base: &str, candidate: &str) -> Result<Self, Failure> {
        let policies = Policies::at(&workspace.repository, base, candidate)?;
        Self::of(policies, changes(&workspace.repository, base, candidate)?)
    }

    fn of(policies: Policies, all: Vec<Change>) -> Result<Self, Failure> {
        refuse_tracked_reports(&policies.candidate.tree)?;
        let (base, candidate) = (policies.base.commit.clone(), policies.candidate.commit.clone());
        let changes: Vec<Change> = all.into_iter().filter(|change| policies.governed.tracked(&change.path)).collect();
        let paths = changes.iter().map(ChangedPath::from).collect();
        let ordinary_documentation = is_ordinary_documentation(&changes, &policies.base.policy, &policies.candidate.policy);
        Ok(Self { reference: base.clone(), base, candidate, policies, changes, paths, ordinary_documentation })
    }

    /// The same, with every governed path that the working tree changes (BR-35).
    #[must_use]
    pub fn with_working_tree(mut self, status: &Status) -> Self {
        if status.is_clean() {
            return self;
        }
        let documents = working::is_documentation(status, &self.policies.base.policy, &self.policies.candidate.policy);
        self.ordinary_documentation = documents && (self.changes.is_empty() || self.ordinary_documentation);
        self.paths.extend(working::changed_paths(status));
        self.paths.sort_by(|one, two| one.path.cmp(&two.path).then(two.below.cmp(&one.below)));
        self.paths.dedup_by(|one, two| one.path == two.path);
        self
    }

    /// Refuses a working tree with staged, unstaged or untracked governed paths.
    pub fn require_clean(&self, workspace: &Workspace<'_>) -> Result<(), Failure> {
        working::require_clean(workspace, &self.policies.governed)
    }

    /// What must be covered at the boundary, with these features asked for by tasks.
    pub fn select(&self, boundary: Boundary, requested: &[String]) -> Result<Selection, Failure> {
        selection::select(&self.facts(boundary, requested))
    }

    /// Features affected under either policy, whatever their level, sorted.
    pub fn affected(&self) -> Vec<String> {
        let sides = [&self.policies.base.policy, &self.policies.candidate.policy];
        let names = sides.into_iter().flat_map(|policy| selection::affected(policy, &self.paths, self.ordinary_documentation));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The journal, read only when a policy has a `behaviorReview` section (BR-34); `None` when there is none.
    pub fn journal(&self, workspace: &Workspace<'_>) -> Result<Option<Journal>, Failure> {
        if !self.policies.review_configured() {
            return Ok(None);
        }
        match workspace.review_store()? {
            None => Ok(None),
            Some(store) => super::capture::read_journal(&store),
        }
    }

    /// Suites of selected base features, or used by cited proofs, that the candidate changed or removed (BR-40).
    pub fn changed_suites(&self, workspace: &Workspace<'_>, selection: &Selection, cited: &[String]) -> Result<Vec<SuiteChange>, Failure> {
        let runner = |side: &Side, suite: &Suite| side.plugins(workspace).identity(PluginKind::SuiteRunner, &suite.runner);
        selection::changed_suites(
            &self.facts(selection.boundary, &[]),
            selection,
            cited,
            &|suite| runner(&self.policies.base, suite),
            &|suite| runner(&self.policies.candidate, suite),
        )
    }

    /// A suite of the candidate that may serve a proof, with its digest and its runner; or why there is none.
    pub fn eligible_suite(
        &self,
        workspace: &Workspace<'_>,
        name: &str,
    ) -> Result<Result<(Suite, String, PluginIdentity), String>, Failure> {
        let side = &self.policies.candidate;
        let Some(suite) = side.policy.suite(name) else {
            return Ok(Err(format!("the suite `{name}` is not in the candidate's policy")));
        };
        if let Some(reason) = suite.ineligible_because() {
            return Ok(Err(format!("the suite `{name}` may not serve a proof: {reason}")));
        }
        let runner = side.plugins(workspace).identity(PluginKind::SuiteRunner, &suite.runner)?;
        Ok(Ok((suite.clone(), selection::suite_sha256(suite, &runner), runner)))
    }

    fn facts<'a>(&'a self, boundary: Boundary, requested: &'a [String]) -> SelectionFacts<'a> {
        SelectionFacts {
            boundary,
            base: &self.policies.base.policy,
            candidate: &self.policies.candidate.policy,
            changes: &self.paths,
            ordinary_documentation: self.ordinary_documentation,
            requested,
        }
    }
}

/// The merge base of `reference` and HEAD, and HEAD.
fn range(workspace: &Workspace<'_>, reference: &str) -> Result<(String, String), Failure> {
    let candidate = workspace.repository.head()?;
    Ok((merge_base(&workspace.repository, reference, &candidate)?, candidate))
}

/// The engine's folders are never part of a candidate (2.3).
fn refuse_tracked_reports(candidate: &Tree) -> Result<(), Failure> {
    for folder in REPORT_FOLDERS {
        let below = candidate.entries_below(folder)?;
        let tracked = below.first().map(|(path, _)| path.as_str());
        let tracked = if candidate.entry(folder)?.is_some() { Some(folder) } else { tracked };
        if let Some(path) = tracked {
            let message = format!("the candidate tracks {}", escape_line(path));
            let next = "remove it from the index with git rm --cached, add the folder to .gitignore, and commit";
            return Err(Failure::usage("candidate.tracks-reports", message, next));
        }
    }
    Ok(())
}
