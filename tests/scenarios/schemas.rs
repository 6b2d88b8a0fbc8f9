//! The printed schemas: committed, fresh, and true of every artifact, held by an independent validator.

use std::path::Path;

use code_polishy_core::{gate::report::Report, journal::Journal, packet::Packet, proof::Proof, receipt::Receipt, review, schema};
use code_polishy_tests::{EVIDENCE, Flow, Project, Repo};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::WORLD;

/// Reads the document as the product does; whether it is taken.
type Reader = fn(&[u8]) -> bool;

const READERS: [(&str, Reader); 6] = [
    ("journal", |bytes| Journal::read(bytes).is_ok()),
    ("packet", |bytes| Packet::read(bytes).is_ok()),
    ("result", |bytes| review::read(bytes).is_ok()),
    ("proof", |bytes| Proof::read(bytes).is_ok()),
    ("receipt", |bytes| Receipt::read(bytes).is_ok()),
    ("report", |bytes| Report::read(bytes).is_ok()),
];

fn validator(repo: &Repo, name: &str) -> Validator {
    jsonschema::draft202012::new(&repo.run(&["schema", name]).exits(0).json()).expect("a valid schema")
}

/// An accepted review and a passed gate, with the path of each artifact.
fn accepted() -> (Flow, Vec<(&'static str, String)>) {
    let flow = Flow::prepared(WORLD, Project::shop());
    flow.repo.run(&["behavior-review", "require", "--base", "main", "--feature", "search"]).exits(0);
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]).behavior("preserved", &[], &["search"]));
    flow.finalize().exits(0);
    flow.merge_gate(&[]).exits(0);
    let evidence = |name: &str| format!("{EVIDENCE}/{name}");
    let latest = flow.repo.json(".code-polishy-reports/merge-gate/latest.json");
    let report = latest["report_path"].as_str().unwrap_or_else(|| panic!("{latest}")).to_owned();
    let artifacts = vec![
        ("journal", evidence("intent-journal.json")),
        ("packet", evidence("packet.json")),
        ("result", evidence("review.json")),
        ("proof", evidence("proofs/three.json")),
        ("receipt", evidence("receipt.json")),
        ("report", report),
    ];
    (flow, artifacts)
}

#[test]
fn the_committed_schemas_are_the_printed_ones() {
    let repo = Repo::new(WORLD);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    for name in schema::names() {
        let committed = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap_or_default();
        let printed = repo.run(&["schema", name]).exits(0).stdout;
        assert!(committed == printed, "`code-polishy schema {name} > docs/schemas/{name}.json` brings it up to date");
    }
    let files = |folder: &Path| {
        std::fs::read_dir(folder).expect("there").filter(|entry| entry.as_ref().is_ok_and(|it| it.path().is_file())).count()
    };
    assert_eq!(files(&folder) + files(&folder.join("code-review")), schema::names().count());
}

#[test]
fn every_artifact_of_an_accepted_review_fits_its_schema() {
    let (flow, artifacts) = accepted();
    for (name, path) in artifacts {
        let document = flow.repo.json(&path);
        let faults: Vec<String> =
            validator(&flow.repo, name).iter_errors(&document).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert!(faults.is_empty(), "{path}: {faults:#?}");
    }
    let policy = validator(&flow.repo, "config");
    assert!(policy.is_valid(&flow.repo.json(".code-polishy.json")));
    flow.repo.remove(".code-polishy.json").run(&["init"]).exits(0);
    assert!(policy.is_valid(&flow.repo.json(".code-polishy.json")), "what init writes");
}

#[test]
fn every_way_in_which_a_gate_ends_fits_the_schema() {
    let flow = Flow::changed(WORLD, Project::shop());
    let schema = validator(&flow.repo, "report");
    let fits = |what: &str, report: &Value| {
        let faults: Vec<String> = schema.iter_errors(report).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert!(faults.is_empty(), "{what}: {faults:#?}");
    };
    fits("a review that is missing", &flow.merge_gate(&["--format", "json"]).exits(1).json());
    fits("a passed checkpoint", &flow.checkpoint_gate(&["--format", "json"]).exits(0).json());
    fits("an unchanged checkpoint", &flow.repo.run(&["checkpoint-gate", "--base", "HEAD", "--format", "json"]).exits(0).json());
    flow.repo.write("tests/checkout/four.sh", "exit 4\n").commit("Break a case");
    fits("a failed suite", &flow.checkpoint_gate(&["--format", "json"]).exits(1).json());
    fits("a reused command", &flow.checkpoint_gate(&["--format", "json"]).exits(1).json());
    flow.repo.write("run-tests.sh", "#!/no/such/program\n").commit("Break the runner");
    fits("a suite that cannot start", &flow.checkpoint_gate(&["--format", "json"]).json());
}

#[test]
fn a_proof_without_control_and_one_with_long_ids_fit_the_schema() {
    let project = Project::shop().with_file("tests/checkout/three.sh", ". ./checkout/total.sh\ntest \"$(total 2 3 4)\" = 9\n");
    let flow = Flow::prepared(WORLD, project);
    flow.prove("known").exits(0);
    let proof = flow.repo.evidence("proofs/known.json");
    assert!(proof["control"].is_null() && proof["baseline"]["cases"].is_null(), "{proof}");
    assert!(validator(&flow.repo, "proof").is_valid(&proof), "{proof}");
    let base = proof["base"].as_str().expect("a commit");
    let mut long = proof.clone();
    long["base"] = json!(format!("{base}{}", &base[..24]));
    assert!(validator(&flow.repo, "proof").is_valid(&long), "64 digits");
    long["base"] = json!(&base[..39]);
    assert!(!validator(&flow.repo, "proof").is_valid(&long), "39 digits");
}

#[test]
fn a_key_too_many_a_key_too_few_and_a_wrong_type_are_refused_by_reader_and_schema() {
    let (flow, artifacts) = accepted();
    for ((name, path), (of, read)) in artifacts.into_iter().zip(READERS) {
        assert_eq!(name, of);
        let document = flow.repo.json(&path);
        assert!(read(document.to_string().as_bytes()), "{path}");
        let schema = validator(&flow.repo, name);
        let mutations = mutations(&document);
        assert!(mutations.len() > 40, "{path}: only {}", mutations.len());
        for (what, mutation) in mutations {
            assert!(!schema.is_valid(&mutation), "the schema takes the {name} with {what}");
            assert!(!read(mutation.to_string().as_bytes()), "the reader takes the {name} with {what}");
        }
    }
}

/// Parts whose keys are not of the schema: a schema in the packet, names of variables in the report.
const OPEN: [&str; 2] = ["/result_schema", "/identity/environment"];
/// Keys of a report that may be absent.
const OPTIONAL: [&str; 8] = ["review_id", "receipt_path", "reused_from", "proof", "failure_category", "exit_status", "cases", "line"];

fn mutations(document: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let is_report = document.get("protocol").is_some();
    places(document, String::new(), &mut |place, value| {
        let mut with = |what: String, other: Value| {
            let mut changed = document.clone();
            *changed.pointer_mut(place).expect("a place") = other;
            found.push((what, changed));
        };
        with(format!("another type at {place}"), wrong_type(value));
        let Value::Object(members) = value else { return };
        with(format!("an array for the object at {place}"), Value::Array(members.values().cloned().collect()));
        if OPEN.contains(&place) {
            return;
        }
        let mut more = members.clone();
        more.insert("surplus".to_owned(), json!(0));
        with(format!("a surplus key in {place}"), Value::Object(more));
        for key in members.keys().filter(|key| !is_report || !OPTIONAL.contains(&key.as_str())) {
            let mut fewer = members.clone();
            fewer.shift_remove(key);
            with(format!("no {key} in {place}"), Value::Object(fewer));
        }
    });
    found
}

fn places(value: &Value, place: String, visit: &mut impl FnMut(&str, &Value)) {
    if !place.starts_with(OPEN[0]) {
        visit(&place, value);
    }
    match value {
        Value::Array(elements) => elements.iter().enumerate().for_each(|(index, value)| places(value, format!("{place}/{index}"), visit)),
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| places(value, format!("{place}/{}", key.replace('~', "~0").replace('/', "~1")), visit))
        }
        _ => {}
    }
}

fn wrong_type(value: &Value) -> Value {
    match value {
        Value::Null | Value::String(_) => json!(7),
        Value::Bool(_) | Value::Number(_) => json!("7"),
        Value::Array(_) => json!({}),
        Value::Object(_) => json!([]),
    }
}
