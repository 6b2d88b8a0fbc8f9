//! What was asked, in two hash chains: intents and requirements (contract 4.1, BR-23).

mod digest;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    canonical::{artifact_bytes, derived_id, digest_bytes, read_strict},
    diagnostic::{Diagnostic, Failure, FailureKind},
};

/// The only version that is read and written.
pub const VERSION: u32 = 3;
/// Bytes of a journal file.
pub const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// Bytes of one intent, and of reviewer instructions.
pub const MAX_INTENT_BYTES: u64 = 64 * 1024;
/// Entries of a journal, and requirements of a journal.
pub const MAX_RECORDS: usize = 128;

/// The file `intent-journal.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Journal {
    /// Always 3.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// Oldest first, at least one.
    #[schemars(length(min = 1, max = MAX_RECORDS))]
    pub entries: Vec<Entry>,
    /// Oldest first.
    #[schemars(length(max = MAX_RECORDS))]
    pub requirements: Vec<Requirement>,
}

/// One captured request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// `intent-` and 32 hex digits.
    #[schemars(regex(pattern = "^intent-[0-9a-f]{32}$"))]
    pub id: String,
    /// HEAD at capture.
    pub captured_at_commit: String,
    /// Digest of the candidate state (4.2).
    pub candidate_state_sha256: String,
    /// The candidate had no staged, unstaged or untracked governed path.
    pub clean: bool,
    /// History was rewritten since the entry before (BR-29).
    pub rewritten: bool,
    /// The exact text, not blank, at most 65536 bytes.
    #[schemars(length(max = MAX_INTENT_BYTES), regex(pattern = r"\S"))]
    pub intent: String,
    /// Digest of its UTF-8 bytes.
    pub intent_sha256: String,
    /// Digest of the newest requirement at capture; empty before the first.
    pub requirements_head_sha256: String,
    /// Digest of the entry before; empty for the first.
    pub previous_entry_sha256: String,
    /// Digest of this record without `id` and without this field.
    pub entry_sha256: String,
}

/// One request for features.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// `requirement-` and 32 hex digits.
    #[schemars(regex(pattern = "^requirement-[0-9a-f]{32}$"))]
    pub id: String,
    /// The commit that the task started from.
    pub task_base: String,
    /// The entries that it is bound to, oldest first.
    #[schemars(length(min = 1, max = MAX_RECORDS), extend("uniqueItems" = true))]
    pub intent_ids: Vec<String>,
    /// Digest of the array of those entries.
    pub intents_sha256: String,
    /// Canonical names, sorted, unique, at least one.
    #[schemars(length(min = 1, max = 128), extend("uniqueItems" = true))]
    pub features: Vec<String>,
    /// Digest of the newest entry when it was made.
    pub entries_head_sha256: String,
    /// Digest of the requirement before; empty for the first.
    pub previous_requirement_sha256: String,
    /// Digest of this record without `id` and without this field.
    pub requirement_sha256: String,
}

/// What a new entry records beside its place in the chain.
#[derive(Clone, Debug)]
pub struct Capture {
    /// HEAD.
    pub commit: String,
    /// Digest of the candidate state (4.2).
    pub candidate_state_sha256: String,
    /// No governed path differs from HEAD.
    pub clean: bool,
    /// The caller said that history was rewritten.
    pub rewritten: bool,
    /// The exact text, already checked by [`intent_text`].
    pub intent: String,
}

/// Checks the text of an intent: UTF-8, not blank, at most 64 KiB. It is kept exactly.
pub fn intent_text(bytes: &[u8]) -> Result<String, Failure> {
    let refuse =
        |code: &str, message: &str| Err(Failure::usage(code, message, "give the request as plain UTF-8 text of at most 65536 bytes"));
    if bytes.len() as u64 > MAX_INTENT_BYTES {
        return refuse("intent.too-large", "the intent is larger than 65536 bytes");
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return refuse("intent.not-utf8", "the intent is not valid UTF-8");
    };
    if text.chars().all(char::is_whitespace) {
        return refuse("intent.blank", "the intent is blank");
    }
    Ok(text.to_owned())
}

impl Journal {
    /// A journal before its first entry; it is never written like this.
    pub fn empty() -> Self {
        Self { version: VERSION, entries: Vec::new(), requirements: Vec::new() }
    }

    /// Reads and validates a journal whole (BR-23). Any fault is a usage failure that names the record.
    pub fn read(bytes: &[u8]) -> Result<Self, Failure> {
        let journal: Self = read_strict(bytes, "journal.malformed", RESTORE).map_err(|fault| Failure::from(*fault))?;
        journal.validate()?;
        Ok(journal)
    }

    /// The file's bytes; refuses a journal over its limits.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Failure> {
        for (what, count) in [("intents", self.entries.len()), ("requirements", self.requirements.len())] {
            if count > MAX_RECORDS {
                return Err(full(format!("the journal already holds {MAX_RECORDS} {what}")));
            }
        }
        self.validate()?;
        let bytes = artifact_bytes(self);
        if bytes.len() as u64 > MAX_BYTES {
            return Err(full(format!("the journal would be {} bytes, over its limit of {MAX_BYTES}", bytes.len())));
        }
        Ok(bytes)
    }

    /// Appends an entry and returns its index.
    pub fn append_entry(&mut self, capture: Capture) -> usize {
        let mut entry = Entry {
            id: String::new(),
            captured_at_commit: capture.commit,
            candidate_state_sha256: capture.candidate_state_sha256,
            clean: capture.clean,
            rewritten: capture.rewritten,
            intent_sha256: digest_bytes(capture.intent.as_bytes()),
            intent: capture.intent,
            requirements_head_sha256: self.requirements_head().to_owned(),
            previous_entry_sha256: self.entries_head().to_owned(),
            entry_sha256: String::new(),
        };
        entry.entry_sha256 = digest::entry(&entry);
        entry.id = derived_id("intent", &entry.entry_sha256);
        self.entries.push(entry);
        self.entries.len() - 1
    }

    /// Appends a requirement for these entries and features, and returns its index.
    pub fn append_requirement(&mut self, task_base: &str, entries: std::ops::Range<usize>, features: Vec<String>) -> usize {
        let bound = &self.entries[entries];
        let mut requirement = Requirement {
            id: String::new(),
            task_base: task_base.to_owned(),
            intent_ids: bound.iter().map(|entry| entry.id.clone()).collect(),
            intents_sha256: digest::Runs::of(bound).digest(0..bound.len()),
            features,
            entries_head_sha256: self.entries_head().to_owned(),
            previous_requirement_sha256: self.requirements_head().to_owned(),
            requirement_sha256: String::new(),
        };
        requirement.requirement_sha256 = digest::requirement(&requirement);
        requirement.id = derived_id("requirement", &requirement.requirement_sha256);
        self.requirements.push(requirement);
        self.requirements.len() - 1
    }

    /// Features asked for by any requirement (BR-33), sorted, unique.
    pub fn requested_features(&self) -> Vec<String> {
        let mut names: Vec<String> = self.requirements.iter().flat_map(|requirement| requirement.features.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    fn entries_head(&self) -> &str {
        self.entries.last().map_or("", |entry| &entry.entry_sha256)
    }

    fn requirements_head(&self) -> &str {
        self.requirements.last().map_or("", |requirement| &requirement.requirement_sha256)
    }

    fn validate(&self) -> Result<(), Failure> {
        let mut faults = Vec::new();
        if self.version != VERSION {
            faults.push(fault("journal.version", "/version".into(), format!("version {} is not {VERSION}", self.version)));
        }
        if self.entries.is_empty() {
            faults.push(fault("journal.empty", "/entries".into(), "a journal has at least one entry".into()));
        }
        self.check_entries(&mut faults);
        self.check_requirements(&mut faults);
        if faults.is_empty() { Ok(()) } else { Err(Failure::new(FailureKind::Usage, faults)) }
    }

    fn check_entries(&self, faults: &mut Vec<Diagnostic>) {
        if self.entries.len() > MAX_RECORDS {
            faults.push(fault("journal.too-many", "/entries".into(), format!("more than {MAX_RECORDS} intents")));
        }
        let seen_by: Vec<Option<usize>> = self.requirements.iter().map(|requirement| self.entries_seen_by(requirement)).collect();
        let mut previous = "";
        for (index, entry) in self.entries.iter().enumerate() {
            let mut refuse = |code: &str, message: &str| {
                faults.push(fault(code, format!("/entries/{index}"), format!("entry {index} ({}): {message}", entry.id)));
            };
            if entry.intent.len() as u64 > MAX_INTENT_BYTES || entry.intent.chars().all(char::is_whitespace) {
                refuse("journal.text", "the intent is blank or over 65536 bytes");
            }
            if entry.intent_sha256 != digest_bytes(entry.intent.as_bytes()) {
                refuse("journal.edited", "the intent is not the one that was captured");
            }
            if entry.entry_sha256 != digest::entry(entry) || entry.id != derived_id("intent", &entry.entry_sha256) {
                refuse("journal.edited", "the record is not the one that was written");
            }
            if entry.previous_entry_sha256 != previous {
                refuse("journal.broken-chain", "the record before it is missing, moved or edited");
            }
            let before = seen_by.iter().filter(|seen| seen.is_some_and(|count| count <= index)).count();
            let head = before.checked_sub(1).map_or("", |last| self.requirements[last].requirement_sha256.as_str());
            if entry.requirements_head_sha256 != head {
                refuse("journal.broken-chain", "the requirements before it are missing, moved or edited");
            }
            previous = &entry.entry_sha256;
        }
    }

    fn check_requirements(&self, faults: &mut Vec<Diagnostic>) {
        if self.requirements.len() > MAX_RECORDS {
            faults.push(fault("journal.too-many", "/requirements".into(), format!("more than {MAX_RECORDS} requirements")));
        }
        let mut previous = "";
        let mut seen_before = 0;
        let mut runs = digest::Runs::of(&self.entries);
        for (index, requirement) in self.requirements.iter().enumerate() {
            let mut refuse = |code: &str, message: &str| {
                faults.push(fault(code, format!("/requirements/{index}"), format!("requirement {index} ({}): {message}", requirement.id)));
            };
            if requirement.requirement_sha256 != digest::requirement(requirement)
                || requirement.id != derived_id("requirement", &requirement.requirement_sha256)
            {
                refuse("journal.edited", "the record is not the one that was written");
            }
            if requirement.previous_requirement_sha256 != previous {
                refuse("journal.broken-chain", "the record before it is missing, moved or edited");
            }
            if requirement.features.is_empty() || !requirement.features.is_sorted_by(|one, two| one < two) {
                refuse("journal.features", "its features are not sorted, unique and at least one");
            }
            match self.entries_seen_by(requirement) {
                Some(seen) if seen >= seen_before => {
                    if !self.binds_entries(requirement, seen, &mut runs) {
                        refuse("journal.broken-reference", "the intents it names are missing, moved or edited");
                    }
                    seen_before = seen;
                }
                _ => refuse("journal.broken-chain", "the intents before it are missing, moved or edited"),
            }
            previous = &requirement.requirement_sha256;
        }
    }

    /// How many entries existed when the requirement was made.
    fn entries_seen_by(&self, requirement: &Requirement) -> Option<usize> {
        self.entries.iter().position(|entry| entry.entry_sha256 == requirement.entries_head_sha256).map(|index| index + 1)
    }

    fn binds_entries(&self, requirement: &Requirement, seen: usize, runs: &mut digest::Runs<'_>) -> bool {
        let Some(first) = requirement.intent_ids.first() else { return false };
        let Some(start) = self.entries.iter().position(|entry| entry.id == *first) else { return false };
        let end = start + requirement.intent_ids.len();
        end <= seen
            && self.entries[start..end].iter().map(|entry| &entry.id).eq(&requirement.intent_ids)
            && runs.digest(start..end) == requirement.intents_sha256
    }
}

const RESTORE: &str =
    "restore the journal from the workspace that wrote it, or run `code-polishy behavior-review cleanup` and capture the request again";

fn fault(code: &str, pointer: String, message: String) -> Diagnostic {
    Diagnostic::new(code, message, RESTORE).at_pointer(pointer)
}

fn full(message: String) -> Failure {
    Failure::blocked("journal.full", message, "finish the task, then run `code-polishy behavior-review cleanup`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture(intent: &str) -> Capture {
        Capture {
            commit: "a".repeat(40),
            candidate_state_sha256: digest_bytes(b"state"),
            clean: true,
            rewritten: false,
            intent: intent.to_owned(),
        }
    }

    fn sample() -> Journal {
        let mut journal = Journal::empty();
        journal.append_entry(capture("first"));
        journal.append_requirement(&"a".repeat(40), 0..1, vec!["checkout".into()]);
        journal.append_entry(capture("second"));
        journal.append_entry(capture("third"));
        journal.append_requirement(&"a".repeat(40), 0..3, vec!["auth".into(), "search".into()]);
        journal
    }

    #[test]
    fn what_is_written_is_read_back() {
        let journal = sample();
        let bytes = journal.to_bytes().expect("within limits");
        assert_eq!(Journal::read(&bytes).expect("valid"), journal);
        assert_eq!(journal.requested_features(), ["auth", "checkout", "search"]);
        assert!(journal.entries[0].id.starts_with("intent-") && journal.entries[0].id.len() == 39);
    }

    #[test]
    fn every_edit_of_a_record_is_found_and_named() {
        let good = serde_json::to_value(sample()).expect("value");
        for list in ["entries", "requirements"] {
            let count = good[list].as_array().expect("array").len();
            for index in 0..count {
                for key in good[list][index].as_object().expect("object").keys().cloned().collect::<Vec<_>>() {
                    let mut edited = good.clone();
                    let value = &mut edited[list][index][&key];
                    *value = match value {
                        serde_json::Value::Bool(old) => (!*old).into(),
                        serde_json::Value::Array(_) => serde_json::json!(["other"]),
                        _ => "other".into(),
                    };
                    let failure = Journal::read(&serde_json::to_vec(&edited).expect("bytes")).expect_err(&format!("{list}/{index}/{key}"));
                    assert!(
                        failure.diagnostics.iter().any(|d| d.pointer == format!("/{list}/{index}")),
                        "{list}/{index}/{key}: {failure:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn removed_and_reordered_records_are_found() {
        let good = sample();
        for index in 0..2 {
            let mut cut = good.clone();
            cut.entries.remove(index);
            assert!(cut.validate().is_err(), "entry {index} removed");
            let mut swapped = good.clone();
            swapped.entries.swap(index, index + 1);
            assert!(swapped.validate().is_err(), "entries {index} swapped");
        }
        let mut cut = good.clone();
        cut.requirements.remove(0);
        assert!(cut.validate().is_err());
        let mut swapped = good;
        swapped.requirements.swap(0, 1);
        assert!(swapped.validate().is_err());
    }

    #[test]
    fn the_limits_hold() {
        let mut journal = Journal::empty();
        for _ in 0..=MAX_RECORDS {
            journal.append_entry(capture("again"));
        }
        assert_eq!(journal.to_bytes().expect_err("full").kind, FailureKind::Blocked);
        assert!(intent_text(&[b'x'; 65_537]).is_err());
        assert!(intent_text(" \n\u{a0}\t".as_bytes()).is_err());
        assert!(intent_text(&[0xff]).is_err());
        assert_eq!(intent_text(b"\x1b[31mred\n").expect("kept exactly"), "\u{1b}[31mred\n");
    }
}
