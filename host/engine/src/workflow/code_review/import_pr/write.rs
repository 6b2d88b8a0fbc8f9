//! Writing the run of a pull request: what was taken and found, then the checkout with its receipts (CR-38, CR-216).

use std::path::Path;

use code_polishy_core::{
    code_review::{
        codes,
        config::CONFIG_FILE,
        prior::{PRIOR_FILE, PriorRecord},
        pull_request::{
            command,
            export::{COMMENTS_FILE, Export, Metadata, PR_FILE, REVIEWS_FILE, THREADS_FILE},
            fault::{COMMAND_FAILURE_FILE, CollectionFault, ERROR_FILE},
            intake::Intake,
            online::{Online, SUMMARY_FILE, THREADS_ERROR_FILE, UNRESOLVED_FILE},
            receipt::*,
        },
        run::{RUN_FILE, RunRecord, target_label},
        t0::PATH_ROLES_FILE,
        vocabulary::Scope,
    },
    diagnostic::Failure,
};
use serde::Serialize;

use super::{
    ImportRequest, Stop,
    checkout::{self, Made},
    fetched::Fetched,
    observe,
};
use crate::{
    git::Repository,
    input::contained_path,
    workflow::code_review::{blocked, prior, run::Run, start::write_texts},
    workspace::Workspace,
};

/// A run that is being filled.
pub(super) struct Writing<'w> {
    pub(super) workspace: &'w Workspace<'w>,
    pub(super) cwd: &'w Path,
    pub(super) request: &'w ImportRequest,
    pub(super) run: &'w Run,
    pub(super) intake: &'w Intake,
    pub(super) fetched: &'w Fetched,
}

impl Writing<'_> {
    /// Writes what was taken and found, also of a collection that ends early; what earlier runs settled.
    pub(super) fn collected(&self) -> Result<Option<PriorRecord>, Failure> {
        let Self { run, intake, fetched, .. } = *self;
        self.write(PR_FILE, intake.metadata.as_ref())?;
        if let (Some(online), Some(export)) = (&intake.online, &intake.export) {
            self.online(online, export)?;
        }
        self.write(ROUTING_FILE, fetched.routing.as_ref())?;
        self.write(REMOTE_FILE, fetched.remote.as_ref())?;
        self.write(TARGET_BRANCH_FILE, fetched.target.as_ref())?;
        self.write(HEAD_FETCH_FILE, fetched.head.as_ref())?;
        if let Some(change) = &fetched.change {
            write_texts(run, &change.texts)?;
            run.write_json(PATH_ROLES_FILE, &change.roles)?;
        }
        let prior = prior::resolutions(run)?;
        self.write(PRIOR_FILE, prior.as_ref())?;
        Ok(prior)
    }

    fn online(&self, online: &Online, export: &Export) -> Result<(), Failure> {
        for (file, elements) in [
            (COMMENTS_FILE, &online.comments),
            (REVIEWS_FILE, &online.reviews),
            (THREADS_FILE, &online.threads),
            (UNRESOLVED_FILE, &online.unresolved()),
        ] {
            self.run.write_json(file, elements)?;
        }
        if let Some(error) = &export.review_threads_error {
            self.run.write(THREADS_ERROR_FILE, format!("{error}\n").as_bytes())?;
        }
        self.run.write_json(SUMMARY_FILE, &online.summary(export)).map(drop)
    }

    /// Makes the checkout and writes its receipts; the place of the worktree.
    pub(super) fn check_out(&self, record: &RunRecord, adjacent: &Path, collected_as: &str) -> Result<String, Stop> {
        let Self { workspace, cwd, request, run, .. } = *self;
        let Some(metadata) = &self.intake.metadata else { return Ok(String::new()) };
        let head = &metadata.head_ref_oid;
        let reports = contained_path(workspace.repository.root(), cwd, run.reports());
        let look = || observe::checkout(&workspace.repository, cwd, reports.as_deref());
        let before = look()?;
        workspace.interrupt.check()?;
        let places = checkout::places(workspace, &request.review_worktree, adjacent, collected_as);
        let Made { place, location } = match checkout::make(workspace, cwd, places, head)? {
            Ok(made) => made,
            Err(obstruction) => {
                let fault = obstruction.fault();
                let (preflight, state) = obstruction.receipts(head);
                run.write_json(PREFLIGHT_FILE, &preflight)?;
                run.write_json(CHECKOUT_STATE_FILE, &state)?;
                return Err(fault.into());
            }
        };
        let current = Repository::open(&place)?.head_as_is()?;
        let after = look()?;
        if after != before {
            let message = "the checkout changed while the pull request was imported";
            return Err(blocked(&codes::REVIEW_SOURCE_CHANGED_DURING_CAPTURE, message, "import again when nothing else writes").into());
        }
        run.write_json(PREFLIGHT_FILE, &checkout::preflight(&before, current.clone(), head))?;
        run.write_json(CHECKOUT_STATE_FILE, &checkout::state(CheckoutStatus::CheckoutVerified, ISOLATED))?;
        run.write_json(SOURCE_CONTEXT_FILE, &SourceContext { before, after })?;
        let worktree = place.display().to_string();
        self.identity(record, metadata, &worktree)?;
        run.write_json(CHECKOUT_FILE, &receipt(metadata, &worktree, location, current.unwrap_or_default()))?;
        Ok(worktree)
    }

    /// The run is now about verified commits, under the configuration of the base (CR-18).
    fn identity(&self, record: &RunRecord, metadata: &Metadata, worktree: &str) -> Result<(), Failure> {
        let Some(change) = &self.fetched.change else { return Ok(()) };
        let effective = &change.effective;
        self.run.write_json(CONFIG_FILE, &effective.config)?;
        let record = RunRecord {
            target_label: target_label(Scope::Pr, &[metadata.number.to_string()], None, None),
            review_worktree: Some(worktree.to_owned()),
            base_oid: Some(metadata.base_ref_oid.clone()),
            head_oid: Some(metadata.head_ref_oid.clone()),
            config_sha256: effective.sha256(),
            config_origin: effective.origin.clone(),
            ..record.clone()
        };
        self.run.write_json(RUN_FILE, &record).map(drop)
    }

    fn write(&self, path: &str, record: Option<&impl Serialize>) -> Result<(), Failure> {
        match record {
            Some(record) => self.run.write_json(path, record).map(drop),
            None => Ok(()),
        }
    }
}

/// Keeps why a collection ended (CR-46).
pub(super) fn fault(run: &Run, fault: &CollectionFault) -> Result<(), Failure> {
    if let Some(command) = &fault.command {
        run.write_json(COMMAND_FAILURE_FILE, command)?;
    }
    run.write(ERROR_FILE, format!("{}\n", fault.token()).as_bytes())
}

fn receipt(metadata: &Metadata, worktree: &str, location: Location, local_head: String) -> LocalCheckout {
    let Metadata { base_ref_oid: base, head_ref_oid: head, .. } = metadata;
    LocalCheckout {
        status: "checked-out".to_owned(),
        worktree: worktree.to_owned(),
        expected_head: head.clone(),
        local_head,
        method: METHOD.to_owned(),
        command: command::checkout(worktree, head),
        mode: "review".to_owned(),
        diff_source: DIFF_SOURCE.to_owned(),
        diff_command: command::diff(base, head),
        location,
        local_branch: String::new(),
        force_policy: NEVER.to_owned(),
    }
}
