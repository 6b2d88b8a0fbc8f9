use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{
    canonical::digest_bytes,
    code_review::{
        gates::{ProofOrigin, ProofStatus},
        t0::{SnapshotFile, SnapshotKind, SourceSnapshot},
    },
};

/// Processes of pytest, and the tree.
#[derive(Clone)]
struct Case {
    modules: Vec<String>,
    records: BTreeMap<String, Vec<u8>>,
    files: Vec<FileFact>,
    snapshot: Option<SourceSnapshot>,
}

fn file(path: &str, tracked: bool) -> FileFact {
    let named = if path.starts_with('/') { path.to_owned() } else { format!("/tree/{path}") };
    FileFact { named, path: path.to_owned(), tracked, sha256: Some(digest_bytes(path.as_bytes())) }
}

fn saw(path: &str) -> Value {
    let named = if path.starts_with('/') { path.to_owned() } else { format!("/tree/{path}") };
    json!({"path": named, "sha256": digest_bytes(path.as_bytes())})
}

/// A record of a process that ran two tests of one file and imported `shop` from there.
fn record(process: &str, role: &str, origins: &[&str]) -> Value {
    let module = json!({"name": "shop", "without_file": false, "files": origins.iter().map(|path| saw(path)).collect::<Vec<_>>()});
    let executed = if role == "controller" { 0 } else { 2 };
    let tests = if role == "controller" { json!([]) } else { json!([saw("tests/test_shop.py")]) };
    json!({"schema_version": 1, "process": process, "role": role, "executed": executed, "workers": [], "modules": [module], "tests": tests})
}

impl Case {
    fn new(records: &[Value]) -> Self {
        let files = ["src/shop.py", "tests/test_shop.py", "other/shop.py", "/elsewhere/shop.py"];
        let mut case = Self {
            modules: vec!["shop".to_owned()],
            records: BTreeMap::new(),
            files: files.map(|path| file(path, !path.starts_with('/'))).into(),
            snapshot: None,
        };
        for record in records {
            case.keep(record["process"].as_str().expect("a name"), record.to_string());
        }
        case
    }

    /// The controller started two workers; these are their records.
    fn parallel(workers: &[Value]) -> Self {
        let mut main = record("main", "controller", &[]);
        main["workers"] = json!([{"process": "gw0", "failure": null}, {"process": "gw1", "failure": null}]);
        Self::new(&[&[main], workers].concat())
    }

    fn keep(&mut self, process: &str, bytes: impl Into<Vec<u8>>) {
        self.records.insert(process.to_owned(), bytes.into());
    }

    fn facts(&self) -> ProofFacts {
        let kept = self.records.keys().map(|process| KeptRecord { process: process.clone(), path: record_file("tests", process) });
        let seen = Seen::PytestImport { modules: self.modules.clone(), records: kept.collect() };
        ProofFacts { schema_version: 1, seen, files: self.files.clone(), faults: Vec::new() }
    }

    fn proof(&self) -> crate::code_review::gates::SourceProof {
        let record = |path: &str| {
            let kept = self.records.iter().find(|(process, _)| record_file("tests", process) == path);
            kept.map(|(_, bytes)| bytes.as_slice())
        };
        let reviewed = self.snapshot.as_ref().map_or(Reviewed::Commit, Reviewed::Mirror);
        derive(&self.facts(), &record, reviewed)
    }

    fn status(&self) -> ProofStatus {
        self.proof().status
    }

    /// The status, the reasons of the origins and the codes of the errors, each once.
    fn told(&self) -> (ProofStatus, Vec<String>) {
        let proof = self.proof();
        let reasons = proof.origins.iter().filter_map(|origin| origin.reason).map(|reason| reason.as_str().to_owned());
        let errors = proof.errors.iter().filter_map(|error| error.split_once(": ")).map(|(code, _)| code.to_owned());
        let mut told: Vec<String> = reasons.chain(errors).collect();
        told.sort_unstable();
        told.dedup();
        (proof.status, told)
    }

    fn snapshot(&mut self, files: &[(&str, &[u8])]) {
        let files = files.iter().map(|(path, bytes)| SnapshotFile {
            path: (*path).to_owned(),
            kind: SnapshotKind::File,
            sha256: Some(digest_bytes(bytes)),
            executable: false,
        });
        self.snapshot = Some(SourceSnapshot {
            schema_version: 1,
            repository: "/source".to_owned(),
            scope_paths: Vec::new(),
            revision: Some("a".repeat(40)),
            index_sha256: digest_bytes(b""),
            files: files.collect(),
        });
    }
}

fn names(origins: &[ProofOrigin]) -> Vec<(&str, Option<&str>)> {
    origins.iter().map(|origin| (origin.name.as_str(), origin.path.as_deref())).collect()
}

#[test]
fn a_module_and_its_test_of_the_tree_are_a_proof() {
    let proof = Case::new(&[record("main", "single", &["src/shop.py"])]).proof();
    assert_eq!((proof.status, proof.kind.as_deref()), (ProofStatus::Pass, Some("pytest-import")));
    assert_eq!(names(&proof.origins), [("shop", Some("src/shop.py")), ("tests/test_shop.py", Some("tests/test_shop.py"))]);
    assert!(proof.origins.iter().all(|origin| origin.tracked && origin.sha256.is_some() && !origin.snapshot_member));
    assert_eq!((proof.processes, proof.errors), (vec!["main".to_owned()], Vec::<String>::new()));
}

/// C-109
#[test]
fn each_origin_that_does_not_count_has_its_reason() {
    use ProofStatus::{Fail, Inconclusive};
    type Change = fn(&mut Case, &mut Value);
    let changes: [(Change, ProofStatus, &str); 9] = [
        (|_, main| main["modules"][0]["files"] = json!([saw("/elsewhere/shop.py")]), Fail, "origin-outside-worktree"),
        (|_, main| main["modules"][0]["files"] = json!([saw("/nobody/knows.py")]), Fail, "origin-outside-worktree"),
        (|case, _| case.files[0].path = "../shop.py".to_owned(), Fail, "origin-outside-worktree"),
        (|case, _| case.files[0].tracked = false, Fail, "origin-not-tracked"),
        (|case, _| case.files[0].sha256 = None, Fail, "origin-not-tracked"),
        (|case, _| case.files[1].path = "/elsewhere/test_shop.py".to_owned(), Fail, "test-outside-worktree"),
        (|case, _| case.files[1].tracked = false, Fail, "test-not-tracked"),
        (|_, main| main["modules"][0]["files"] = json!([]), Inconclusive, "module-not-imported"),
        (|_, main| main["modules"][0] = json!({"name": "shop", "without_file": true, "files": []}), Inconclusive, "module-has-no-file"),
    ];
    for (change, status, reason) in changes {
        let mut main = record("main", "single", &["src/shop.py"]);
        let mut case = Case::new(&[]);
        change(&mut case, &mut main);
        case.keep("main", main.to_string());
        assert_eq!(case.told(), (status, vec![reason.to_owned()]));
    }
}

#[test]
fn a_process_that_read_other_bytes_proves_nothing() {
    let mut main = record("main", "single", &["src/shop.py"]);
    for sha256 in [json!(digest_bytes(b"other")), Value::Null] {
        main["modules"][0]["files"][0]["sha256"] = sha256;
        let told = Case::new(&[main.clone()]).told();
        assert_eq!(told, (ProofStatus::Fail, vec!["worker-local-snapshot-mismatch".to_owned()]));
    }
}

#[test]
fn without_a_module_or_a_test_nothing_is_proven() {
    let mut main = record("main", "single", &["src/shop.py"]);
    main["modules"] = json!([]);
    let mut case = Case::new(&[main]);
    case.modules.clear();
    assert_eq!(case.status(), ProofStatus::Inconclusive);
    for (key, value) in [("tests", json!([])), ("executed", json!(0))] {
        let mut main = record("main", "single", &["src/shop.py"]);
        main[key] = value;
        assert_eq!(Case::new(&[main]).status(), ProofStatus::Inconclusive, "{key}");
    }
    let mut case = Case::new(&[record("main", "single", &["src/shop.py"])]);
    let mut facts = case.facts();
    facts.faults.push("the records were not read".to_owned());
    let main = case.records.remove("main");
    assert_eq!(derive(&facts, &|_| main.as_deref(), Reviewed::Commit).status, ProofStatus::Inconclusive);
}

/// C-110
#[test]
fn what_one_worker_lacks_another_proves() {
    let whole = Case::parallel(&[record("gw0", "worker", &["src/shop.py"]), record("gw1", "worker", &[])]);
    assert_eq!(whole.told(), (ProofStatus::Pass, Vec::new()));
    assert_eq!(whole.proof().processes, ["gw0", "gw1"]);
    let none = Case::parallel(&[record("gw0", "worker", &[]), record("gw1", "worker", &[])]);
    assert_eq!(none.told(), (ProofStatus::Inconclusive, vec!["module-not-imported".to_owned()]));
    // Who ran no test proves nothing, and is judged all the same.
    for (path, status) in [("src/shop.py", ProofStatus::Inconclusive), ("/elsewhere/shop.py", ProofStatus::Fail)] {
        let mut idle = record("gw1", "worker", &[path]);
        idle["executed"] = json!(0);
        assert_eq!(Case::parallel(&[record("gw0", "worker", &[]), idle]).status(), status);
    }
}

#[test]
fn workers_that_disagree_prove_nothing() {
    let two = Case::parallel(&[record("gw0", "worker", &["src/shop.py"]), record("gw1", "worker", &["other/shop.py"])]);
    assert_eq!(two.told(), (ProofStatus::Fail, vec!["conflicting-worker-origins".to_owned()]));
    let one = Case::new(&[record("main", "single", &["src/shop.py", "other/shop.py"])]);
    assert_eq!(one.told(), (ProofStatus::Fail, vec!["conflicting-worker-origins".to_owned()]));
    let away = Case::parallel(&[record("gw0", "worker", &["src/shop.py"]), record("gw1", "worker", &["/elsewhere/shop.py"])]);
    assert_eq!(away.told().1, ["conflicting-worker-origins", "origin-outside-worktree"]);
}

#[test]
fn every_process_has_one_valid_record() {
    let good = || Case::parallel(&[record("gw0", "worker", &["src/shop.py"]), record("gw1", "worker", &[])]);
    let broken = |change: &dyn Fn(&mut Case), reason: &str| {
        let mut case = good();
        change(&mut case);
        assert_eq!(case.told(), (ProofStatus::Fail, vec![reason.to_owned()]));
    };
    broken(&|case| drop(case.records.remove("gw1")), "worker-proof-missing");
    broken(
        &|case| {
            let mut main = record("main", "controller", &[]);
            main["workers"] = json!([{"process": "gw0", "failure": null}, {"process": "gw1", "failure": "Not properly terminated"}]);
            case.keep("main", main.to_string());
        },
        "worker-failed",
    );
    for garbage in ["", "{}", "[1", "\u{0}"] {
        broken(&|case| case.keep("gw1", garbage), "worker-proof-invalid");
    }
    broken(&|case| case.keep("gw2", record("gw2", "worker", &[]).to_string()), "worker-proof-invalid");
    broken(&|case| case.keep("gw1", record("gw0", "worker", &[]).to_string()), "worker-proof-invalid");
    broken(
        &|case| {
            let mut other = record("gw1", "worker", &[]);
            other["modules"][0]["name"] = json!("cart");
            case.keep("gw1", other.to_string());
        },
        "worker-proof-invalid",
    );
    let mut lonely = good();
    lonely.records.clear();
    assert_eq!(lonely.told(), (ProofStatus::Fail, ["module-not-imported", "worker-proof-missing"].map(str::to_owned).to_vec()));
}

#[test]
fn a_record_that_contradicts_itself_is_none() {
    type Change = fn(&mut Value);
    let changes: [Change; 7] = [
        |main| main["schema_version"] = json!(2),
        |main| main["role"] = json!("worker"),
        |main| main["workers"] = json!([{"process": "gw0", "failure": null}]),
        |main| main["tests"][0]["path"] = json!("tests/test_shop.py"),
        |main| main["tests"][0]["path"] = json!("/a\nb"),
        |main| main["executed"] = json!(-1),
        |main| main["extra"] = json!(1),
    ];
    for change in changes {
        let mut main = record("main", "single", &["src/shop.py"]);
        assert!(read_record(main.to_string().as_bytes()).is_ok());
        change(&mut main);
        assert!(read_record(main.to_string().as_bytes()).is_err(), "{main}");
    }
}

/// C-111
#[test]
fn a_mirrored_file_counts_without_git_and_with_its_bytes_alone() {
    let mut case = Case::new(&[record("main", "single", &["src/shop.py"])]);
    case.files[0].tracked = false;
    case.snapshot(&[("src/shop.py", b"src/shop.py")]);
    let proof = case.proof();
    assert_eq!((proof.status, proof.origins[0].tracked, proof.origins[0].snapshot_member), (ProofStatus::Pass, false, true));
    // The commit's file, which nothing was put over.
    assert_eq!((proof.origins[1].tracked, proof.origins[1].snapshot_member), (true, true));
    for files in [&[("src/shop.py", b"older".as_slice())][..], &[]] {
        case.snapshot(files);
        assert_eq!(case.told(), (ProofStatus::Fail, vec!["origin-not-current-snapshot-member".to_owned()]));
    }
}

fn package(name: &str, folder: &str) -> CargoPackage {
    CargoPackage {
        name: name.to_owned(),
        manifest: format!("{folder}/Cargo.toml"),
        targets: vec![CargoTarget { name: format!("lib {name}"), source: format!("{folder}/src/lib.rs") }],
        sources: vec![format!("{folder}/src/cart.rs")],
    }
}

fn cargo(packages: Vec<CargoPackage>, tested: &[&str], change: impl FnOnce(&mut Vec<FileFact>)) -> crate::code_review::gates::SourceProof {
    let tested = tested.iter().map(|name| (*name).to_owned()).collect();
    let seen = Seen::CargoManifest { root: "/tree/Cargo.toml".to_owned(), packages, tested };
    let fact = |named: String| {
        let path = named.strip_prefix("/tree/").map_or_else(|| named.clone(), str::to_owned);
        FileFact { tracked: !path.starts_with('/'), sha256: Some(digest_bytes(named.as_bytes())), named, path }
    };
    let mut files: Vec<FileFact> = named_files(&seen, &|_| None).into_iter().map(fact).collect();
    change(&mut files);
    derive(&ProofFacts { schema_version: 1, seen, files, faults: Vec::new() }, &|_| None, Reviewed::Commit)
}

/// C-113
#[test]
fn packages_of_the_tree_are_a_proof_and_others_refute_it() {
    let proof = cargo(vec![package("shop", "/tree/shop")], &["shop (lib shop)"], |_| ());
    assert_eq!((proof.status, proof.kind.as_deref()), (ProofStatus::Pass, Some("cargo-manifest")));
    let expected = [("workspace", "Cargo.toml"), ("shop", "shop/Cargo.toml"), ("shop (lib shop)", "shop/src/lib.rs")];
    assert_eq!(names(&proof.origins), expected.map(|(name, path)| (name, Some(path))));

    let outside = cargo(vec![package("shop", "/tree/shop"), package("bank", "/bank")], &["shop (lib shop)"], |_| ());
    let reasons: Vec<_> = outside.origins.iter().filter_map(|origin| Some((origin.name.as_str(), origin.reason?))).collect();
    let away = ProofReason::OriginOutsideWorktree;
    assert_eq!((outside.status, reasons), (ProofStatus::Fail, vec![("bank", away), ("bank (lib bank)", away), ("bank (source)", away)]));

    // A source that is a link out of the tree, and one that git does not track.
    for (path, tracked, reason) in [("/bank/cart.rs", false, away), ("shop/src/cart.rs", false, ProofReason::OriginNotTracked)] {
        let proof = cargo(vec![package("shop", "/tree/shop")], &["shop (lib shop)"], |files| {
            let file = files.iter_mut().find(|file| file.named.ends_with("cart.rs")).expect("there");
            (file.path, file.tracked) = (path.to_owned(), tracked);
        });
        let last = proof.origins.last().expect("some");
        assert_eq!((proof.status, last.name.as_str(), last.reason), (ProofStatus::Fail, "shop (source)", Some(reason)));
    }
    assert_eq!(cargo(vec![package("shop", "/tree/shop")], &[], |_| ()).status, ProofStatus::Inconclusive);
    assert_eq!(cargo(Vec::new(), &["shop"], |_| ()).status, ProofStatus::Inconclusive);
}

/// Some processes, in an arbitrary state.
fn processes() -> impl Strategy<Value = Vec<(bool, bool, Vec<usize>)>> {
    prop::collection::vec((any::<bool>(), any::<bool>(), prop::collection::vec(0..4_usize, 0..3)), 0..4)
}

proptest! {
    /// A proof passes only when a process that ran tests imported the module from one tracked file, and every process has its record.
    #[test]
    fn a_pass_is_earned(workers in processes()) {
        const PATHS: [&str; 4] = ["src/shop.py", "other/shop.py", "/elsewhere/shop.py", "/nowhere/shop.py"];
        let mut main = record("main", "controller", &[]);
        let started: Vec<Value> = (0..workers.len()).map(|number| json!({"process": format!("gw{number}"), "failure": null})).collect();
        main["workers"] = json!(started);
        let mut case = Case::new(&[main]);
        for (number, (kept, busy, origins)) in workers.iter().enumerate() {
            let origins: Vec<&str> = origins.iter().map(|at| PATHS[*at]).collect();
            let mut worker = record(&format!("gw{number}"), "worker", &origins);
            worker["executed"] = json!(u8::from(*busy));
            if *kept {
                case.keep(&format!("gw{number}"), worker.to_string());
            }
        }
        let proof = case.proof();
        if proof.status == ProofStatus::Pass {
            prop_assert!(workers.iter().all(|(kept, ..)| *kept));
            prop_assert!(workers.iter().any(|(_, busy, origins)| *busy && !origins.is_empty()));
            let mut seen: Vec<usize> = workers.iter().flat_map(|(.., origins)| origins.clone()).collect();
            seen.sort_unstable();
            seen.dedup();
            prop_assert!(seen == [0] || seen == [1]);
        }
        // What one more process saw outside the tree is never forgotten.
        let mut worse = case.clone();
        worse.keep("gw0", record("gw0", "worker", &["/elsewhere/shop.py"]).to_string());
        prop_assert_eq!(worse.status(), ProofStatus::Fail);
    }

    /// Garbage is never a proof, and never a panic.
    #[test]
    fn garbage_is_no_record(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut case = Case::new(&[record("main", "single", &["src/shop.py"])]);
        case.keep("gw0", bytes);
        prop_assert_eq!(case.status(), ProofStatus::Fail);
    }
}
