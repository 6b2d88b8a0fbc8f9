//! `require`: asks for features after the request, bound to it (contract 4.4).

use code_polishy_core::{diagnostic::Failure, journal::Journal, packet::FOLDER, policy::scope::Governed};
use serde::Serialize;

use crate::{
    git::Ancestry,
    workflow::{
        capture::{JOURNAL_FILE, lock_journal, read_journal, resolve},
        policies::{Side, working_policy},
        working,
    },
    workspace::Workspace,
};

/// What is required: the typed member of 2.2.
#[derive(Clone, Debug, Serialize)]
pub struct Required {
    /// The newest requirement of that base.
    pub id: String,
    /// The task's base.
    pub task_base: String,
    /// Entries it is bound to.
    pub intent_ids: Vec<String>,
    /// Its features.
    pub features: Vec<String>,
    /// Digest of the record.
    pub requirement_sha256: String,
    /// Repository-relative.
    pub journal_path: String,
}

/// Appends a requirement, or finds the features already required for the base (BR-30).
pub fn require(workspace: &Workspace<'_>, reference: &str, operands: &[String]) -> Result<Required, Failure> {
    let base = workspace.repository.resolve(reference)?;
    let head = Side::at(&workspace.repository, &workspace.repository.head()?)?;
    let features = resolve(operands, &head.policy, working_policy(workspace.repository.root())?.as_ref())?;
    working::require_clean(workspace, &Governed::new(head.own.as_ref(), head.own.as_ref()))?;
    if !Ancestry::of(&workspace.repository, &head.commit)?.contains(&base)? {
        return Err(unrelated(reference, "it is not in the history of HEAD"));
    }
    if workspace.review_store()?.is_none() {
        return Err(unrelated(reference, "no request was captured"));
    }
    let lock = lock_journal(workspace)?;
    let mut journal = read_journal(lock.store())?.ok_or_else(|| unrelated(reference, "no request was captured"))?;
    let entries = entries_of(&journal, &base).ok_or_else(|| unrelated(reference, "no request was captured there"))?;
    let index = match newest_covering(&journal, &base, &features) {
        Some(index) => index,
        None => {
            let index = journal.append_requirement(&base, entries, features);
            lock.store().write(JOURNAL_FILE, &journal.to_bytes()?)?;
            index
        }
    };
    let requirement = &journal.requirements[index];
    Ok(Required {
        id: requirement.id.clone(),
        task_base: requirement.task_base.clone(),
        intent_ids: requirement.intent_ids.clone(),
        features: requirement.features.clone(),
        requirement_sha256: requirement.requirement_sha256.clone(),
        journal_path: format!("{FOLDER}/{JOURNAL_FILE}"),
    })
}

/// All entries from the first captured at the base to the last.
fn entries_of(journal: &Journal, base: &str) -> Option<std::ops::Range<usize>> {
    let first = journal.entries.iter().position(|entry| entry.captured_at_commit == base)?;
    Some(first..journal.entries.len())
}

/// The newest requirement of the base, when the base's requirements already name every feature.
fn newest_covering(journal: &Journal, base: &str, features: &[String]) -> Option<usize> {
    let of_base = || journal.requirements.iter().enumerate().filter(|(_, requirement)| requirement.task_base == base);
    let named = |feature: &String| of_base().any(|(_, requirement)| requirement.features.contains(feature));
    if features.iter().all(named) { of_base().next_back().map(|(index, _)| index) } else { None }
}

fn unrelated(reference: &str, reason: &str) -> Failure {
    Failure::blocked(
        "require.unrelated-base",
        format!("`{reference}` is no task base: {reason}"),
        "name the commit at which the request was captured; a review needs its request from before the code",
    )
}
