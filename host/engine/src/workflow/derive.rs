//! Everything that a packet binds, derived from the repository: once to prepare, again to check (BR-42, BR-46).

use std::collections::BTreeSet;

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::Failure,
    journal::{Entry, Journal, MAX_INTENT_BYTES},
    packet::{DesignDocument, EntryFacts, MAX_DOCUMENT_BYTES, Packet, PacketFacts, PacketIntent, Position, positioned},
    policy::{documentation::design_documents_for, model::Boundary, modules::Impact},
    selection::Selection,
    text::escape_line,
};

use crate::{
    git::{Ancestry, Blob, Tree, patch},
    workflow::{
        change::ChangeSet,
        roles::{roles, stricter},
    },
    workspace::Workspace,
};

/// What a task and the policies ask of a change.
pub struct Demand {
    /// The journal; `None` when no policy asks for one, or none exists.
    pub journal: Option<Journal>,
    /// What the review must cover.
    pub selection: Selection,
}

impl Demand {
    /// Reads the journal and selects at the boundary.
    pub fn of(workspace: &Workspace<'_>, change: &ChangeSet, boundary: Boundary) -> Result<Self, Failure> {
        let journal = change.journal(workspace)?;
        let requested = journal.as_ref().map(Journal::requested_features).unwrap_or_default();
        Ok(Self { selection: change.select(boundary, &requested)?, journal })
    }
}

/// Builds the packet of a selected change. The selection must not be empty.
pub fn packet(workspace: &Workspace<'_>, change: &ChangeSet, demand: Demand, follow_up: Option<String>) -> Result<Packet, Failure> {
    let journal = demand.journal.ok_or_else(no_request)?;
    let intents = intents(workspace, change, &journal)?;
    let roles = roles(workspace, &change.policies, &change.changes)?;
    Ok(Packet::build(PacketFacts {
        base: change.base.clone(),
        candidate: change.candidate.clone(),
        follow_up,
        intents,
        requirements: journal.requirements,
        selection: demand.selection,
        patches: patch(&change.changes, change.policies.base.tree.blobs())?,
        roles: roles.into_iter().map(stricter).collect(),
        documents: documents(change)?,
        allowed_red_kinds: change.policies.allowed_red_kinds(),
        instructions: instructions(change)?,
        result_schema: code_polishy_core::schema::result(),
    }))
}

/// Every entry at its position (BR-31, BR-32).
pub fn intents(workspace: &Workspace<'_>, change: &ChangeSet, journal: &Journal) -> Result<Vec<PacketIntent>, Failure> {
    let history = Ancestry::of(&workspace.repository, &change.base)?;
    let before = journal.entries.iter().map(|entry| history.contains(&entry.captured_at_commit)).collect::<Result<Vec<_>, _>>()?;
    // The same walk goes on: what is before the base is not visited again (BR-24).
    history.join(&change.candidate)?;
    let facts = journal.entries.iter().zip(before).map(|(entry, at_or_before_base)| {
        Ok(EntryFacts {
            at_or_before_base,
            in_candidate_history: at_or_before_base || history.contains(&entry.captured_at_commit)?,
            is_candidate: entry.captured_at_commit == change.candidate,
            holds_base_content: !at_or_before_base && entry.clean && holds_base_content(workspace, change, entry)?,
        })
    });
    positioned(journal, &facts.collect::<Result<Vec<_>, Failure>>()?)
}

/// Originals that are older than the base: entries of a finished task belong to `cleanup`.
pub fn older_originals(packet: &Packet) -> Vec<String> {
    let older = |intent: &&PacketIntent| intent.position == Position::Original && intent.captured_at_commit != packet.base;
    packet.intents.iter().filter(older).map(|intent| intent.id.clone()).collect()
}

/// Whether the entry's commit holds, at every changed path, what the base holds. A commit that is gone holds nothing.
fn holds_base_content(workspace: &Workspace<'_>, change: &ChangeSet, entry: &Entry) -> Result<bool, Failure> {
    let Ok(tree) = Tree::of(&workspace.repository, &entry.captured_at_commit) else { return Ok(false) };
    for changed in &change.changes {
        if tree.entry(&changed.path)? != changed.old {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Documents that either policy maps to a changed path, at the candidate, or the base's marked as deleted (3.4).
fn documents(change: &ChangeSet) -> Result<Vec<DesignDocument>, Failure> {
    let [base, candidate] = [&change.policies.base, &change.policies.candidate];
    let impacts = [base, candidate].map(|side| Impact::of(&side.policy, &change.paths));
    let paths: BTreeSet<String> = design_documents_for(&[(&base.policy, &impacts[0]), (&candidate.policy, &impacts[1])]);
    let mut documents = Vec::new();
    for path in paths {
        let content = match document(&candidate.tree, &path)? {
            Some(content) => content,
            None => match document(&base.tree, &path)? {
                Some(content) => format!("[deleted by the candidate; this is the base's content]\n\n{content}"),
                None => continue,
            },
        };
        documents.push(DesignDocument { sha256: digest_bytes(content.as_bytes()), path, content });
    }
    Ok(documents)
}

fn document(tree: &Tree, path: &str) -> Result<Option<String>, Failure> {
    let refuse = |reason: String| {
        Failure::blocked("packet.document", format!("the design document {} {reason}", escape_line(path)), "mend the document and commit")
    };
    match tree.file_at_most(path, MAX_DOCUMENT_BYTES)? {
        None => Ok(None),
        Some(Blob::Larger(size)) => Err(refuse(format!("has {size} bytes, over {MAX_DOCUMENT_BYTES}"))),
        Some(Blob::Whole(bytes)) => String::from_utf8(bytes).map(Some).map_err(|_| refuse("is not valid UTF-8".to_owned())),
    }
}

/// The organisation's instructions, from the base commit only; `None` where it has none (5.5).
fn instructions(change: &ChangeSet) -> Result<Option<String>, Failure> {
    let base = &change.policies.base;
    let Some(path) = base.policy.verification.behavior_review.as_ref().and_then(|review| review.instructions.as_ref()) else {
        return Ok(None);
    };
    let refuse = |reason: String| {
        let message = format!("the reviewer instructions {} {reason} at the base", escape_line(path));
        Failure::usage("policy.instructions", message, "commit the file that `verification.behaviorReview.instructions` names")
    };
    if base.tree.entry(path)?.is_none() {
        return Ok(None);
    }
    match base.tree.file_at_most(path, MAX_INTENT_BYTES)? {
        None => Err(refuse("are no regular file".into())),
        Some(Blob::Larger(size)) => Err(refuse(format!("have {size} bytes, over {MAX_INTENT_BYTES},"))),
        Some(Blob::Whole(bytes)) => match String::from_utf8(bytes) {
            Ok(text) if !text.trim().is_empty() => Ok(Some(text)),
            _ => Err(refuse("are blank or not valid UTF-8".into())),
        },
    }
}

fn no_request() -> Failure {
    Failure::blocked(
        "intent.none",
        "a review is selected and no request was captured",
        "review needs the original request: capture it at the task's base, before the code, with `code-polishy behavior-review capture-intent --intent-file -`",
    )
}
