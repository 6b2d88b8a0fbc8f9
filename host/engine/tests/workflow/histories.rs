//! Where requests stand after any sequence of git operations (BR-31, BR-32), against what the git program says of the same history.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use code_polishy_core::packet::Position;
use code_polishy_core::policy::model::Boundary;
use code_polishy_engine::workflow::{
    capture::{CaptureRequest, IntentSource, capture},
    change::ChangeSet,
    derive::{Demand, intents},
};
use proptest::{prelude::*, sample::select};

use super::{Heard, Host, Sample, git_support::git_in, workspace};

const POLICY: &str = r#"{"version": 4, "verification": {"behaviorReview": {}}}"#;
/// Written on the branch; `shared` on `main` too.
const WORK: [&str; 3] = ["code/a", "code/b", "shared"];
const MAIN: [&str; 2] = ["main", "shared"];
const REQUEST: &str = "request.ignored";

#[derive(Clone, Copy, Debug)]
enum Step {
    Capture,
    /// Before the work that it is about is committed.
    CaptureOverWork(&'static str),
    Work(&'static str),
    /// Takes the content of `main` back.
    Undo(&'static str),
    Empty,
    MoveMain(&'static str),
    MergeMain,
    Rebase,
    Amend,
    Squash,
    Checkpoint,
    /// Commits that nothing refers to are gone.
    Prune,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => Just(Step::Capture),
        1 => select(&WORK).prop_map(Step::CaptureOverWork),
        4 => select(&WORK).prop_map(Step::Work),
        1 => select(&WORK).prop_map(Step::Undo),
        3 => Just(Step::Empty),
        2 => select(&MAIN).prop_map(Step::MoveMain),
        1 => Just(Step::MergeMain),
        2 => Just(Step::Rebase),
        1 => Just(Step::Amend),
        1 => Just(Step::Squash),
        1 => Just(Step::Checkpoint),
        1 => Just(Step::Prune),
    ]
}

type Files = BTreeMap<String, String>;

/// A request as the test saw it being made.
struct Request {
    commit: String,
    clean: bool,
    on_main: bool,
    /// Work that was there: committed, or under way.
    work: BTreeSet<String>,
}

struct History {
    sample: Sample,
    requests: Vec<Request>,
    count: usize,
}

impl History {
    fn new() -> Self {
        let sample = Sample::new();
        sample.write(".gitignore", ".code-polishy-reports/\n*.ignored\n").write(".code-polishy.json", POLICY);
        for path in WORK.iter().chain(&MAIN) {
            sample.write(path, "start\n");
        }
        sample.commit("start");
        sample.git(["switch", "-q", "-c", "topic"]);
        Self { sample, requests: Vec::new(), count: 0 }
    }

    /// A text that was never there before.
    fn new_text(&mut self, what: &str) -> String {
        self.count += 1;
        format!("{what} {}\n", self.count)
    }

    fn commit(&mut self) {
        let message = self.new_text("commit");
        self.sample.commit(&message);
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.sample.git(arguments).trim().to_owned()
    }

    fn holds(&self, arguments: &[&str]) -> bool {
        git_in(self.sample.root(), arguments).status.success()
    }

    fn is_ancestor(&self, one: &str, other: &str) -> bool {
        self.holds(&["merge-base", "--is-ancestor", one, other])
    }

    /// The files of a commit; `None` when it is gone.
    fn files(&self, commit: &str) -> Option<Files> {
        let entry = |line: &str| line.split_once('\t').map(|(blob, path)| (path.to_owned(), blob.to_owned())).unwrap();
        self.holds(&["cat-file", "-e", commit]).then(|| self.git(&["ls-tree", "-r", commit]).lines().map(entry).collect())
    }

    fn work_at(&self, commit: &str, paths: impl IntoIterator<Item = String>) -> BTreeSet<String> {
        paths.into_iter().map(|path| self.git(&["show", &format!("{commit}:{path}")])).filter(|text| text.starts_with("work")).collect()
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Capture => self.capture(BTreeSet::new()),
            Step::CaptureOverWork(path) => {
                let text = self.new_text("work");
                self.sample.write(path, &text);
                if !self.requests.is_empty() {
                    self.capture([text.trim().to_owned()].into());
                }
                self.commit();
            }
            Step::Work(path) => {
                let text = self.new_text("work");
                self.sample.write(path, text);
                self.commit();
            }
            Step::Undo(path) => {
                self.git(&["checkout", "-q", "main", "--", path]);
                self.commit();
            }
            Step::Empty => self.commit(),
            Step::MoveMain(path) => {
                let text = self.new_text("main");
                self.git(&["switch", "-q", "main"]);
                self.sample.write(path, text);
                self.commit();
                self.git(&["switch", "-q", "topic"]);
            }
            Step::MergeMain => drop(self.git(&["merge", "-q", "--no-edit", "-X", "ours", "main"])),
            Step::Rebase => drop(self.git(&["rebase", "-q", "-X", "theirs", "main"])),
            Step::Amend if self.is_ancestor("HEAD", "main") => {}
            Step::Amend => {
                let message = self.new_text("commit");
                self.git(&["commit", "-q", "--amend", "--allow-empty", "-m", &message]);
            }
            Step::Squash => {
                let base = self.git(&["merge-base", "main", "HEAD"]);
                self.git(&["reset", "-q", "--soft", &base]);
                self.commit();
            }
            Step::Checkpoint => drop(self.git(&["branch", "-f", "checkpoint"])),
            Step::Prune => {
                self.git(&["reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"]);
                self.git(&["prune", "--expire=now"]);
            }
        }
    }

    fn capture(&mut self, under_way: BTreeSet<String>) {
        let text = self.new_text("request");
        self.sample.write(REQUEST, text);
        let commit = self.git(&["rev-parse", "HEAD"]);
        let rewritten = self.requests.last().is_some_and(|last| !self.is_ancestor(&last.commit, "HEAD"));
        let request = CaptureRequest { source: IntentSource::File(PathBuf::from(REQUEST)), features: Vec::new(), rewritten };
        let (host, heard) = (Host::new(), Heard::default());
        capture(&workspace(&self.sample, &host, &heard), &request, self.sample.root()).unwrap();
        let clean = under_way.is_empty();
        let mut work = self.work_at(&commit, WORK.map(str::to_owned));
        work.extend(under_way);
        self.requests.push(Request { clean, on_main: self.is_ancestor(&commit, "main"), work, commit });
    }

    /// What BR-31 and BR-32 say, in the words of the git program.
    fn expected(&self, request: &Request, base: &str, candidate: &str, changed: &[String]) -> Position {
        let base_files = self.files(base).unwrap();
        let holds_base = |files: Files| changed.iter().all(|path| files.get(path) == base_files.get(path));
        let before = self.is_ancestor(&request.commit, base);
        if before || (request.commit != candidate && request.clean && self.files(&request.commit).is_some_and(holds_base)) {
            Position::Original
        } else if request.commit == candidate {
            Position::AfterCandidate
        } else if self.is_ancestor(&request.commit, candidate) {
            Position::Correction
        } else {
            Position::Rewritten
        }
    }

    fn check_all(&self) {
        self.check("main");
        if self.holds(&["rev-parse", "--verify", "-q", "checkpoint"]) {
            self.check("checkpoint");
        }
    }

    fn check(&self, reference: &str) {
        let bases = self.git(&["merge-base", "--all", reference, "HEAD"]);
        let candidate = self.git(&["rev-parse", "HEAD"]);
        if bases.lines().count() != 1 || bases == candidate || self.requests.is_empty() {
            return;
        }
        let (old, new) = (self.files(&bases).unwrap(), self.files(&candidate).unwrap());
        let changed: Vec<String> = new.keys().filter(|path| old.get(*path) != new.get(*path)).cloned().collect();
        let positions: Vec<_> = self.requests.iter().map(|request| self.expected(request, &bases, &candidate, &changed)).collect();
        let own_work = self.work_at(&candidate, changed);

        let serves = |(request, position): (&Request, &Position)| *position == Position::Original && request.clean;
        let may_be_reviewed = self.requests.iter().zip(&positions).any(serves);
        assert_eq!(self.found(reference), may_be_reviewed.then(|| positions.clone()), "against {reference}");
        // The same without the rule's words: no request serves that was made over the change, and none is lost that was made on `main`.
        for (request, position) in self.requests.iter().zip(&positions) {
            let after_the_fact = !request.work.is_disjoint(&own_work);
            assert!(!(after_the_fact && serves((request, position))), "after the fact, and original against {reference}");
            assert!(reference != "main" || !request.on_main || *position == Position::Original, "made on main, and not original");
        }
    }

    /// Where the engine sees the requests; `None` when it refuses all of them as after the fact.
    fn found(&self, reference: &str) -> Option<Vec<Position>> {
        let (host, heard) = (Host::new(), Heard::default());
        let workspace = workspace(&self.sample, &host, &heard);
        let change = ChangeSet::since(&workspace, reference).unwrap();
        let journal = Demand::of(&workspace, &change, Boundary::Merge).unwrap().journal.unwrap();
        match intents(&workspace, &change, &journal) {
            Ok(found) => Some(found.iter().map(|intent| intent.position).collect()),
            Err(failure) => {
                assert_eq!(failure.diagnostics[0].code, "intent.after-the-fact");
                None
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn no_history_makes_a_later_request_original_or_loses_an_original_one(steps in prop::collection::vec(step(), 8..15)) {
        let mut history = History::new();
        for step in steps {
            history.take(step);
            if matches!(step, Step::MergeMain | Step::Rebase | Step::Amend | Step::Squash | Step::Prune) {
                history.check_all();
            }
        }
        history.check_all();
    }
}
