//! Digests of journal records. A full journal is digested twice in every capture, so it must cost little.
//!
//! The records here declare their keys in the order of RFC 8785, so that plain JSON is canonical already.

use std::{collections::BTreeMap, ops::Range};

use serde::Serialize;

use super::{Entry, Requirement};
use crate::canonical::{ArrayDigest, digest_ordered, ordered_json};

#[derive(Serialize)]
struct EntryRecord<'a> {
    candidate_state_sha256: &'a str,
    captured_at_commit: &'a str,
    clean: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry_sha256: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    intent: &'a str,
    intent_sha256: &'a str,
    previous_entry_sha256: &'a str,
    requirements_head_sha256: &'a str,
    rewritten: bool,
}

#[derive(Serialize)]
struct RequirementRecord<'a> {
    entries_head_sha256: &'a str,
    features: &'a [String],
    intent_ids: &'a [String],
    intents_sha256: &'a str,
    previous_requirement_sha256: &'a str,
    task_base: &'a str,
}

impl<'a> EntryRecord<'a> {
    fn whole(entry: &'a Entry) -> Self {
        Self { entry_sha256: Some(&entry.entry_sha256), id: Some(&entry.id), ..Self::content(entry) }
    }

    fn content(entry: &'a Entry) -> Self {
        Self {
            candidate_state_sha256: &entry.candidate_state_sha256,
            captured_at_commit: &entry.captured_at_commit,
            clean: entry.clean,
            entry_sha256: None,
            id: None,
            intent: &entry.intent,
            intent_sha256: &entry.intent_sha256,
            previous_entry_sha256: &entry.previous_entry_sha256,
            requirements_head_sha256: &entry.requirements_head_sha256,
            rewritten: entry.rewritten,
        }
    }
}

/// Digest of an entry without its id and its own digest.
pub(super) fn entry(entry: &Entry) -> String {
    digest_ordered(&EntryRecord::content(entry))
}

/// Digest of a requirement without its id and its own digest.
pub(super) fn requirement(requirement: &Requirement) -> String {
    digest_ordered(&RequirementRecord {
        entries_head_sha256: &requirement.entries_head_sha256,
        features: &requirement.features,
        intent_ids: &requirement.intent_ids,
        intents_sha256: &requirement.intents_sha256,
        previous_requirement_sha256: &requirement.previous_requirement_sha256,
        task_base: &requirement.task_base,
    })
}

/// Digests of the runs of entries that requirements bind. Runs with the same first entry share their work.
pub(super) struct Runs<'a> {
    entries: &'a [Entry],
    by_first: BTreeMap<usize, ArrayDigest>,
}

impl<'a> Runs<'a> {
    pub(super) fn of(entries: &'a [Entry]) -> Self {
        Self { entries, by_first: BTreeMap::new() }
    }

    /// Digest of the array of these entries.
    pub(super) fn digest(&mut self, range: Range<usize>) -> String {
        let run = self.by_first.entry(range.start).or_default();
        if run.len() > range.len() {
            *run = ArrayDigest::default();
        }
        for entry in &self.entries[range.start + run.len()..range.end] {
            run.push(&ordered_json(&EntryRecord::whole(entry)));
        }
        run.digest()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::canonical::{canonical_json, digest_json};

    fn an_entry(intent: String) -> Entry {
        Entry {
            id: "intent-1".into(),
            captured_at_commit: "c".into(),
            candidate_state_sha256: "s".into(),
            clean: true,
            rewritten: false,
            intent,
            intent_sha256: "i".into(),
            requirements_head_sha256: String::new(),
            previous_entry_sha256: "p".into(),
            entry_sha256: "e".into(),
        }
    }

    fn without(value: &impl Serialize, keys: &[&str]) -> String {
        let mut value = serde_json::to_value(value).expect("JSON");
        keys.iter().for_each(|key| drop(value.as_object_mut().expect("an object").shift_remove(*key)));
        digest_json(&value)
    }

    proptest! {
        #[test]
        fn plain_json_of_the_records_is_canonical(intent in "[\\x00-\\u{ffff}\u{10000}-\u{10ffff}]{0,20}") {
            let sample = an_entry(intent.clone());
            prop_assert_eq!(ordered_json(&EntryRecord::whole(&sample)), canonical_json(&sample));
            prop_assert_eq!(entry(&sample), without(&sample, &["id", "entry_sha256"]));
            let sample = Requirement {
                id: "requirement-1".into(),
                task_base: "t".into(),
                intent_ids: vec!["intent-1".into(), intent],
                intents_sha256: "i".into(),
                features: vec!["a".into()],
                entries_head_sha256: "e".into(),
                previous_requirement_sha256: String::new(),
                requirement_sha256: "r".into(),
            };
            prop_assert_eq!(requirement(&sample), without(&sample, &["id", "requirement_sha256"]));
        }

        #[test]
        fn a_run_has_the_digest_of_its_array(ranges in prop::collection::vec((0_usize..6, 0_usize..6), 1..12)) {
            let entries: Vec<Entry> = (0..6).map(|number| an_entry(format!("request {number}"))).collect();
            let mut runs = Runs::of(&entries);
            for (one, other) in ranges {
                let range = one.min(other)..one.max(other);
                prop_assert_eq!(runs.digest(range.clone()), digest_json(&&entries[range]));
            }
        }
    }
}
