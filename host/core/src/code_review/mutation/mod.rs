//! Generated reviews hold, and stop to hold when one value of one record is another: a change that nothing refuses is a hole in the checks,
//! or one of the free places whose reason is written down.

mod free;
mod gates;
mod handoff;
mod notes;
mod result;
mod run;
mod schemas;
mod shape;
mod tree;
mod words;

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use self::{
    free::{FREE, free_place, matches},
    run::Review,
    shape::Shape,
    tree::{Change, Mutation, mutations},
    words::RESULT_FILE,
};
use crate::{
    canonical::{artifact_bytes, canonical_json},
    code_review::{
        events::EVENTS_FILE,
        finalize::Prepared,
        gates::{CHECKS_LOG_FILE, GATES_FILE},
        handoff::{HANDOFF_FILE, HANDOFF_VALIDATION_FILE},
        notes::NOTES_FILE,
        run_manifest::RUN_MANIFEST_FILE,
        validation::{Validation, ValidationStatus},
        violation::Violation,
    },
};

/// Records that say what another record says, too: a violation there names the one that was changed as much as the one that was not.
const REPEATED: [(&str, &str); 17] = [
    (RESULT_FILE, NOTES_FILE),
    (RESULT_FILE, "evidence-index.json"),
    (RESULT_FILE, RUN_MANIFEST_FILE),
    ("run.json", RESULT_FILE),
    ("run.json", "config.json"),
    ("run.json", GATES_FILE),
    ("run.json", "git-state.start.json"),
    ("run.json", "local-source/review-worktree.json"),
    ("local-source/review-worktree.json", "local-source/source-snapshot.json"),
    ("local-source/review-worktree.json", "git-state.start.json"),
    ("local-source/review-worktree.json", "diff.patch"),
    ("local-source/review-worktree.json", GATES_FILE),
    ("direct-plan.json", "review-briefs.json"),
    ("direct-plan.json", "specialist-manifest.json"),
    ("checks/local-source-snapshot.json", GATES_FILE),
    (GATES_FILE, CHECKS_LOG_FILE),
    ("dependency-evidence.json", RESULT_FILE),
];

/// The codes of a validation, with their places.
fn told(validation: &Validation) -> Vec<String> {
    let place = |violation: &Violation| {
        let file = violation.file.clone().unwrap_or_default();
        format!("{} {file}{} {}", violation.token(), violation.pointer.clone().unwrap_or_default(), violation.message)
    };
    validation.violations.iter().map(place).collect()
}

/// Some violation names the record.
fn names(validation: &Validation, file: &str) -> bool {
    let is_repeated = |other: &str| REPEATED.contains(&(file, other));
    let named = |violation: &Violation| violation.file.as_deref().is_some_and(|place| place == file || is_repeated(place));
    validation.violations.iter().any(named)
}

fn record(review: &Review, path: &str) -> Value {
    serde_json::from_slice(review.fixture.image.bytes(path).expect(path)).expect(path)
}

/// Every record of a run that is one JSON value.
fn records(review: &Review) -> Vec<String> {
    review.fixture.image.files.keys().filter(|path| path.ends_with(".json")).cloned().collect()
}

/// What is wrong with the judgment of a changed record: nothing refuses the change, or what refuses it names another record.
fn hole(validation: &Validation, path: &str, mutation: &Mutation) -> Option<String> {
    let free = validation.violations.is_empty() && free_place(path, mutation).is_some();
    let told = || format!("{path}{} {:?}: {:?}", mutation.pointer, mutation.change, told(validation));
    (!free && !names(validation, path)).then(told)
}

/// Looks for holes at each place once; what is free in one review may be bound in another.
#[derive(Default)]
struct Search {
    seen: BTreeSet<(String, String, Change)>,
    used: BTreeSet<usize>,
    holes: Vec<String>,
}

impl Search {
    fn look(&mut self, path: &str, record: &Value, mut judge: impl FnMut(&Value) -> Validation) {
        for mutation in mutations(record) {
            let free = free_place(path, &mutation);
            let is_new = self.seen.insert((path.to_owned(), mutation.place(), mutation.change));
            if is_new || free.is_some() {
                let validation = judge(&mutation.record);
                self.holes.extend(hole(&validation, path, &mutation));
                self.used.extend(free.filter(|_| validation.violations.is_empty()));
            }
        }
    }

    /// There is no hole, and every place of these records that is said to be free is.
    fn assert_closed(&self, is_searched: impl Fn(&str) -> bool) {
        assert_eq!(self.holes, Vec::<String>::new());
        let unused = FREE.iter().enumerate().filter(|(index, free)| is_searched(free.file) && !self.used.contains(index));
        let bound: Vec<String> = unused.map(|(_, free)| format!("{} is not free: {}", free.pointer, free.why)).collect();
        assert_eq!(bound, Vec::<String>::new());
    }
}

#[test]
fn the_named_reviews_hold() {
    for shape in [Shape::plain(), Shape::rich(), Shape::clean()] {
        let validation = Review::of(&shape).judge();
        assert_eq!(validation.status, ValidationStatus::Pass, "{shape:?}: {:#?}", told(&validation));
    }
}

#[test]
fn no_change_of_a_record_goes_unseen() {
    let mut search = Search::default();
    for shape in [Shape::plain(), Shape::rich()] {
        let mut review = Review::of(&shape);
        for path in records(&review) {
            let record = record(&review, &path);
            search.look(&path, &record, |changed| review.judge_with(&path, &artifact_bytes(changed)));
        }
    }
    search.assert_closed(|file| file != HANDOFF_FILE);
}

/// Files that may be longer: nothing follows from them until the list of the run's files binds them.
const UNBOUND: [&str; 6] =
    ["diffstat.txt", "local-source/staged.patch", "status.txt", NOTES_FILE, "reproductions/*/stdout.txt", "reproductions/*/stderr.txt"];

/// Files that a run may lack: the first is written at the end, of the second nobody may have need.
const SPARE: [&str; 2] = ["evidence-index.json", "dependency-evidence.json"];

#[test]
fn no_file_of_a_run_goes_unseen() {
    let (mut gone, mut longer) = (BTreeSet::new(), BTreeSet::new());
    for shape in [Shape::rich(), Shape::plain()] {
        let mut review = Review::of(&shape);
        let files: Vec<String> = review.fixture.image.files.keys().cloned().collect();
        for path in files {
            if review.judge_without(&path).violations.is_empty() && !SPARE.contains(&path.as_str()) {
                gone.insert(path.clone());
            }
            let bytes = [review.fixture.image.bytes(&path).expect("content"), b"x\n"].concat();
            if review.judge_with(&path, &bytes).violations.is_empty() && !UNBOUND.iter().any(|pattern| matches(pattern, &path)) {
                longer.insert(path);
            }
        }
    }
    assert_eq!((gone, longer), (BTreeSet::new(), BTreeSet::new()));
}

#[test]
fn no_line_of_the_log_and_the_notes_goes_unseen() {
    const PROSE: &str = "It never gives up.\n";
    let mut holes = Vec::new();
    for shape in [Shape::rich(), Shape::plain()] {
        let mut review = Review::of(&shape);
        for path in [EVENTS_FILE, NOTES_FILE, "files.txt", "untracked.txt", "numstat.txt"] {
            let text = review.fixture.image.text(path).expect("text").to_owned();
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty() && **line != PROSE) {
                let fewer = [&lines[..index], &lines[index + 1..]].concat().concat();
                if review.judge_with(path, fewer.as_bytes()).violations.is_empty() {
                    holes.push(format!("{path}:{} gone: {line}", index + 1));
                }
            }
        }
    }
    assert_eq!(holes, Vec::<String>::new());
}

#[test]
fn no_value_of_an_event_goes_unseen() {
    let mut review = Review::of(&Shape::plain());
    let text = review.fixture.image.text(EVENTS_FILE).expect("text").to_owned();
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        for mutation in mutations(&serde_json::from_str(line).expect("an event")) {
            let changed = canonical_json(&mutation.record);
            let all: String =
                lines.iter().enumerate().map(|(at, line)| format!("{}\n", if at == index { &changed } else { *line })).collect();
            let validation = review.judge_with(EVENTS_FILE, all.as_bytes());
            assert!(names(&validation, EVENTS_FILE), "{}{} {:?}: {:?}", index + 1, mutation.pointer, mutation.change, told(&validation));
        }
    }
}

#[test]
fn no_value_of_a_hand_off_goes_unseen() {
    let mut search = Search::default();
    for shape in [Shape::plain(), Shape::rich()] {
        let mut review = Review::finalized(&shape);
        let validation = review.judge();
        assert_eq!(validation.status, ValidationStatus::Pass, "{:#?}", told(&validation));
        let prepared = review.prepared.clone().expect("finalized");
        search.look(HANDOFF_FILE, &prepared.handoff, |changed| {
            review.seal(&Prepared { handoff: changed.clone(), ..prepared.clone() });
            review.judge()
        });
    }
    search.assert_closed(|file| file == HANDOFF_FILE);
}

#[test]
fn no_value_of_what_ties_a_review_together_goes_unseen() {
    let mut review = Review::finalized(&Shape::plain());
    for path in [RUN_MANIFEST_FILE, HANDOFF_VALIDATION_FILE, RESULT_FILE] {
        let record = record(&review, path);
        let is_tie = |mutation: &&Mutation| {
            path != RESULT_FILE || ["/metadata/final_handoff", "/metadata/run_manifest"].iter().any(|tie| mutation.pointer.starts_with(tie))
        };
        for mutation in mutations(&record).iter().filter(is_tie) {
            let validation = review.judge_with(path, &artifact_bytes(&mutation.record));
            assert!(names(&validation, path), "{path}{} {:?}: {:?}", mutation.pointer, mutation.change, told(&validation));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_generated_review_holds_and_no_change_of_it(shape in Shape::any(), choices in prop::collection::vec(any::<prop::sample::Index>(), 8)) {
        let mut review = Review::of(&shape);
        let validation = review.judge();
        prop_assert_eq!(validation.status, ValidationStatus::Pass, "{:#?}", told(&validation));
        let paths = records(&review);
        for choice in choices {
            let path = choice.get(&paths);
            let mutations = mutations(&record(&review, path));
            let mutation = choice.get(&mutations);
            let validation = review.judge_with(path, &artifact_bytes(&mutation.record));
            prop_assert_eq!(hole(&validation, path, mutation), None);
        }
    }
}
