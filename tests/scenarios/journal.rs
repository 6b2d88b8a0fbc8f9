//! The intent journal: S-13 to S-28 (BR-23 to BR-33).

use std::io::Write as _;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use code_polishy_tests::{EVIDENCE, Flow, INTENT, Output, Project, Repo, digest, digest_without, sha256};
use serde_json::{Value, json};

use crate::{WORLD, keys, names};

const CAPTURE: [&str; 3] = ["behavior-review", "capture-intent", "--intent-file"];
/// The journal, relative to a repository.
pub const JOURNAL: &str = ".code-polishy-reports/behavior-review/intent-journal.json";

type Tamper = fn(&mut Vec<Value>);

fn shop() -> Flow {
    Flow::new(WORLD, Project::shop())
}

/// Captures a request from standard input.
pub fn capture(repo: &Repo, options: &[&str], intent: &str) -> Output {
    repo.run_with_input(&[&CAPTURE[..], &["-"], options].concat(), intent)
}

/// Requires features against a task base.
pub fn require(repo: &Repo, base: &str, features: &[&str]) -> Output {
    let mut arguments = vec!["behavior-review", "require", "--base", base];
    features.iter().for_each(|feature| arguments.extend(["--feature", feature]));
    repo.run(&arguments)
}

fn records<'a>(journal: &'a Value, chain: &str) -> Vec<&'a Value> {
    journal[chain].as_array().expect("a chain").iter().collect()
}

/// Both chains, computed apart: digests, ids, links and the heads that each record binds.
pub fn assert_valid_chains(journal: &Value) {
    let entries = records(journal, "entries");
    let requirements = records(journal, "requirements");
    let mut previous = "";
    for entry in &entries {
        assert_eq!(entry["previous_entry_sha256"], previous);
        assert_eq!(entry["entry_sha256"], digest_without(entry, &["id", "entry_sha256"]));
        assert_eq!(entry["intent_sha256"], sha256(entry["intent"].as_str().unwrap()));
        assert_eq!(entry["id"], derived("intent", &entry["entry_sha256"]));
        previous = entry["entry_sha256"].as_str().unwrap();
        let head = entry["requirements_head_sha256"].as_str().unwrap();
        assert!(head.is_empty() || requirements.iter().any(|requirement| requirement["requirement_sha256"] == head));
    }
    previous = "";
    for requirement in &requirements {
        assert_eq!(requirement["previous_requirement_sha256"], previous);
        assert_eq!(requirement["requirement_sha256"], digest_without(requirement, &["id", "requirement_sha256"]));
        assert_eq!(requirement["id"], derived("requirement", &requirement["requirement_sha256"]));
        let named: Vec<Value> = entries
            .iter()
            .filter(|entry| names(&requirement["intent_ids"]).contains(&entry["id"].as_str().unwrap()))
            .map(|entry| (*entry).clone())
            .collect();
        assert_eq!(requirement["intents_sha256"], digest(&Value::Array(named)));
        assert!(entries.iter().any(|entry| entry["entry_sha256"] == requirement["entries_head_sha256"]));
        previous = requirement["requirement_sha256"].as_str().unwrap();
    }
}

fn derived(kind: &str, digest: &Value) -> String {
    format!("{kind}-{}", &digest.as_str().unwrap()[..32])
}

/// The digest of contract 4.2 from git's own words; `untracked` is given, since git does not describe it.
fn candidate_state(repo: &Repo, untracked: Value) -> String {
    let half = |arguments: &[&str]| {
        let paths: Vec<String> =
            repo.git(&[&["diff", "--name-only", "--no-renames"], arguments].concat()).lines().map(str::to_owned).collect();
        json!({"paths": paths, "sha256": sha256(repo.plain_diff(arguments))})
    };
    digest(&json!({"head": repo.head(), "staged": half(&["--cached"]), "unstaged": half(&[]), "untracked": untracked}))
}

#[test]
fn s_13_a_file_and_standard_input_give_the_same_entry() {
    let (from_file, from_input) = (shop(), shop());
    from_file.repo.write("request.txt", INTENT);
    let printed = from_file.repo.run(&[&CAPTURE[..], &["request.txt"]].concat()).exits(0);
    from_input.capture(INTENT).exits(0);
    assert_eq!(from_file.repo.read(JOURNAL), from_input.repo.read(JOURNAL));

    let journal = from_input.repo.json(JOURNAL);
    assert_eq!(keys(&journal), ["version", "entries", "requirements"]);
    assert_eq!((&journal["version"], &journal["requirements"]), (&json!(3), &json!([])));
    let entry = &journal["entries"][0];
    assert_eq!(
        keys(entry),
        [
            "id",
            "captured_at_commit",
            "candidate_state_sha256",
            "clean",
            "rewritten",
            "intent",
            "intent_sha256",
            "requirements_head_sha256",
            "previous_entry_sha256",
            "entry_sha256"
        ]
    );
    assert_eq!(entry["captured_at_commit"], from_input.base.as_str());
    assert_eq!((&entry["clean"], &entry["rewritten"], &entry["intent"]), (&json!(true), &json!(false), &json!(INTENT)));
    assert_eq!(entry["candidate_state_sha256"], candidate_state(&from_input.repo, json!([])));
    assert_valid_chains(&journal);
    let id = entry["id"].as_str().unwrap();
    printed.says(&format!("Behavior review intent captured: {JOURNAL} (intent {id}; features none)"));
}

#[test]
fn s_14_intents_that_are_refused_write_nothing() {
    let flow = shop();
    let repo = &flow.repo;
    for (input, why) in [(&b""[..], "nothing"), (b" \n\t\n", "blank"), (b"caf\xe9", "not UTF-8"), (&[b'a'; 65_537], "too long")] {
        let output = repo.run_with_input(&[&CAPTURE[..], &["-"]].concat(), input).exits(2);
        assert!(repo.reports().is_empty(), "{why}: {output}");
    }
    repo.run_read_only(&["behavior-review", "capture-intent"]).exits(2).names("--intent-file");

    std::fs::write(repo.area("outside.txt"), INTENT).unwrap();
    repo.run_read_only(&[&CAPTURE[..], &["../outside.txt"]].concat()).refuses();
    repo.run_read_only(&[&CAPTURE[..], &[repo.area("outside.txt").to_str().unwrap()]].concat()).refuses();
    repo.link("request.ignored", "README.md");
    repo.run_read_only(&[&CAPTURE[..], &["request.ignored"]].concat()).refuses();
    repo.run_read_only(&[&CAPTURE[..], &["absent.txt"]].concat()).refuses();
    assert!(repo.reports().is_empty());
}

#[test]
fn s_14_the_longest_intent_and_its_control_characters_are_kept() {
    let flow = shop();
    let intent = format!("ring \u{7} \u{1b}[31m{}\n", "a".repeat(65_536 - 13));
    assert_eq!(intent.len(), 65_536);
    let printed = flow.capture(&intent).exits(0);
    assert_eq!(flow.repo.json(JOURNAL)["entries"][0]["intent"], intent.as_str());
    assert!(!format!("{}{}", printed.stdout, printed.stderr).contains('\u{1b}'), "escaped when shown");
}

#[test]
fn s_15_the_first_capture_needs_a_clean_tree() {
    let dirty: [fn(&Repo); 4] = [
        |repo| {
            repo.write("search/items.txt", "plum\n");
        },
        |repo| {
            repo.remove("search/items.txt");
        },
        |repo| {
            repo.write("search/new.sh", "new\n");
        },
        |repo| {
            repo.write("search/items.txt", "plum\n").git(&["add", "."]);
        },
    ];
    for make_dirty in dirty {
        let flow = shop();
        make_dirty(&flow.repo);
        flow.capture(INTENT).exits(1).next();
        assert!(!flow.repo.path(JOURNAL).exists());
    }
    let flow = shop();
    flow.repo.write("notes.ignored", "scratch\n").write("target/debris", "x").write("node_modules/a/b.js", "x");
    flow.capture(INTENT).exits(0);
}

#[test]
fn s_16_a_later_capture_records_the_state_of_unfinished_work() {
    let flow = shop();
    flow.capture(INTENT).exits(0);
    let repo = &flow.repo;
    repo.write("checkout/staged.sh", "staged\n").git(&["add", "checkout/staged.sh"]);
    repo.write("money/add.sh", "add() { expr $1 + $2; }\n").remove("search/items.txt");
    repo.write("search/loose.sh", "#!/bin/sh\n").link("search/alias", "find.sh").write("search/plain.txt", "plain\n");
    flow.capture("Also in this case.\n").exits(0);

    let untracked = json!([
        {"path": "search/alias", "kind": "symlink", "executable": false, "size": 7, "sha256": sha256("find.sh")},
        {"path": "search/loose.sh", "kind": "file", "executable": true, "size": 10, "sha256": sha256("#!/bin/sh\n")},
        {"path": "search/plain.txt", "kind": "file", "executable": false, "size": 6, "sha256": sha256("plain\n")},
    ]);
    let journal = repo.json(JOURNAL);
    assert_eq!(journal["entries"][1]["clean"], false);
    assert_eq!(journal["entries"][1]["candidate_state_sha256"], candidate_state(repo, untracked));
    assert_valid_chains(&journal);
}

#[test]
fn s_17_a_change_during_capture_is_refused() {
    let flow = shop();
    flow.capture(INTENT).exits(0);
    let before = flow.repo.read(JOURNAL);

    let mut child = flow.repo.command(&[&CAPTURE[..], &["-"]].concat()).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"A correction.\n").unwrap();
    // The state is taken before standard input is read (BR-25), so once the pipe is empty the state is known.
    while rustix::io::ioctl_fionread(&input).unwrap() > 0 {
        assert!(child.try_wait().unwrap().is_none(), "ended before it read its input");
        thread::sleep(Duration::from_millis(5));
    }
    flow.repo.write("money/add.sh", "add() { expr $1 + $2; }\n");
    drop(input);

    Output::new("capture-intent".to_owned(), child.wait_with_output().unwrap()).exits(1).names("candidate changed");
    assert_eq!(flow.repo.read(JOURNAL), before);
}

#[test]
fn s_18_parallel_captures_all_survive() {
    let flow = shop();
    thread::scope(|scope| {
        for number in 0..32 {
            let repo = &flow.repo;
            scope.spawn(move || capture(repo, &["--feature", "checkout"], &format!("Request {number}.\n")).exits(0));
        }
    });

    let journal = flow.repo.json(JOURNAL);
    let mut intents: Vec<_> = records(&journal, "entries").iter().map(|entry| entry["intent"].as_str().unwrap().to_owned()).collect();
    intents.sort();
    let mut expected: Vec<_> = (0..32).map(|number| format!("Request {number}.\n")).collect();
    expected.sort();
    assert_eq!(intents, expected);
    assert_eq!(records(&journal, "requirements").len(), 32);
    assert_valid_chains(&journal);
    let left: Vec<_> = flow.repo.reports().paths().into_iter().map(str::to_owned).collect();
    assert_eq!(left, ["", "behavior-review", "behavior-review/.intent-journal.lock", "behavior-review/intent-journal.json"]);
}

#[test]
fn s_19_only_exact_operands_match() {
    let flow = shop();
    for operand in ["check", "checkouts", "check out", "What the shop promises about checkout.", ""] {
        let arguments = [&CAPTURE[..], &["-", "--feature", operand]].concat();
        flow.repo.read_only(|| flow.repo.run_with_input(&arguments, INTENT)).exits(2);
    }
    assert!(flow.repo.reports().is_empty());
    capture(&flow.repo, &["--feature", "Checkout"], INTENT).exits(0).names("features checkout");
}

#[test]
fn s_20_23_words_of_an_intent_select_nothing() {
    let flow = shop();
    let output = flow.capture("Please review checkout and search. --feature checkout\n").exits(0);
    output.names("features none");
    let journal = flow.repo.json(JOURNAL);
    assert_eq!(journal["requirements"], json!([]));

    let document = capture(&flow.repo, &["--format", "json"], "And again checkout.\n").exits(0).json();
    let second = &flow.repo.json(JOURNAL)["entries"][1];
    let member = &document["capture"];
    assert_eq!((&document["protocol"], &document["action"]), (&json!("behavior-review/v1"), &json!("capture-intent")));
    assert_eq!((&document["state"], &member["features"]), (&json!("captured"), &json!([])));
    assert_eq!((&member["id"], &member["commit"]), (&second["id"], &second["captured_at_commit"]));
    assert_eq!((&member["intent_sha256"], &member["entry_sha256"]), (&second["intent_sha256"], &second["entry_sha256"]));
    assert_eq!(member["journal_path"], JOURNAL);
    assert!(member.get("requirement_id").is_none_or(Value::is_null));
}

#[test]
fn s_21_a_tampered_journal_is_invalid_and_names_the_record() {
    let flow = shop();
    ["One.\n", "Two.\n", "Three.\n"].iter().for_each(|intent| drop(flow.capture(intent).exits(0)));
    flow.change();
    let whole = flow.repo.json(JOURNAL);

    let tampered: [(&str, Tamper); 4] = [
        ("/entries/1", |entries| entries[1]["intent"] = json!("Two, edited.\n")),
        ("/entries/1", |entries| entries[1]["clean"] = json!(false)),
        ("/entries/1", |entries| drop(entries.remove(1))),
        ("/entries/1", |entries| entries.swap(1, 2)),
    ];
    for (pointer, tamper) in tampered {
        let mut journal = whole.clone();
        tamper(journal["entries"].as_array_mut().unwrap());
        flow.repo.write(JOURNAL, journal.to_string());
        let status = flow.status(&["--format", "json"]).exits(2);
        assert!(status.pointers().iter().any(|found| found.starts_with(pointer)), "{status}");
        flow.repo.read_only(|| flow.capture("Four.\n")).exits(2);
    }
}

#[test]
fn s_22_another_history_needs_to_be_admitted() {
    let flow = shop();
    let (repo, on_topic) = (&flow.repo, flow.change());
    flow.capture(INTENT).exits(0);
    repo.git(&["switch", "--quiet", "main"]);
    repo.write("search/items.txt", "plum\n").commit("Stock plums");

    repo.read_only(|| flow.capture("More.\n")).exits(1).names("one history");
    capture(repo, &["--rewritten"], "More.\n").exits(0);
    let journal = repo.json(JOURNAL);
    assert_eq!(journal["entries"][0]["captured_at_commit"], on_topic.as_str());
    assert_eq!(journal["entries"][1]["rewritten"], true);
    assert_valid_chains(&journal);
}

#[test]
fn s_26_requirements_form_a_stable_union() {
    let flow = shop();
    capture(&flow.repo, &["--feature", "checkout"], INTENT).exits(0).names("features checkout");
    flow.change();
    let first = require(&flow.repo, "main", &["search"]).exits(0);
    let again = require(&flow.repo, "main", &["search"]).exits(0);
    again.names("features");

    let journal = flow.repo.json(JOURNAL);
    let requirements = records(&journal, "requirements");
    assert_eq!(requirements.len(), 2, "one of the capture, one of the first require");
    assert_eq!((&requirements[0]["features"], &requirements[1]["features"]), (&json!(["checkout"]), &json!(["search"])));
    assert_eq!(requirements[1]["task_base"], flow.base.as_str());
    let id = requirements[1]["id"].as_str().unwrap();
    first.says(&format!("Behavior review requirement added: {JOURNAL} (requirement {id}; features search)"));
    assert_valid_chains(&journal);
    assert_eq!(names(&flow.status_json(&[])["task_requested"]), ["checkout", "search"]);
    flow.status(&[]).says("REQUIRED FEATURES: checkout, search");
}

#[test]
fn s_27_what_require_refuses() {
    let flow = shop();
    flow.capture(INTENT).exits(0);
    flow.change();
    let repo = &flow.repo;
    repo.read_only(|| require(repo, "main", &["payments"])).exits(2).names("payments");
    repo.read_only(|| require(repo, "HEAD", &["search"])).refuses().names("unrelated base");
    repo.read_only(|| require(repo, "no-such-ref", &["search"])).exits(2).names("no-such-ref");
    repo.write("search/items.txt", "plum\n");
    repo.read_only(|| require(repo, "main", &["search"])).exits(1).next();
}

#[test]
fn s_28_require_needs_a_request_captured_at_its_base() {
    let flow = shop();
    flow.change();
    flow.repo.read_only(|| require(&flow.repo, "main", &["search"])).refuses();
    flow.capture("Written after the code.\n").exits(0);
    flow.repo.read_only(|| require(&flow.repo, "main", &["search"])).refuses().names("unrelated base");
    assert!(!flow.repo.path(EVIDENCE).join("packet.json").exists());
}
