//! The step `passes`: metadata repeats the manifest, and every assigned path was inspected (CR-27, CR-68, CR-166).

use serde_json::{Map, Value, json};

use crate::{
    code_review::{
        codes,
        context::Context,
        manifest::{MANIFEST_FILE, Mirror},
        violation::{Sink, Violation},
    },
    strict::{Node, quoted},
};

/// What other steps compare.
const ELSEWHERE: [&str; 6] = [
    "specialist_passes",
    "source_findings",
    "source_finding_duplicates",
    "independence_required",
    "independence_requirement_evidence",
    "independence_satisfied",
];

const COPY: &str = "copy it from the output of `code-polishy code-review validate --manifest-only`";

/// Compares the metadata and the coverage.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let file = context.result_file.unwrap_or_default();
    if let Some(mirror) = context.mirror() {
        repeated(context, &mirror, file, sink);
    }
    covered(context, sink);
}

fn repeated(context: &Context<'_>, mirror: &Mirror, file: &str, sink: &mut Sink) {
    let Some(metadata) = context.metadata() else { return };
    let stated = |key: &str| metadata.get(key).map_or(Value::Null, Node::value);
    let mut wanted = match json!(mirror) {
        Value::Object(wanted) => wanted,
        _ => Map::new(),
    };
    let passes = wanted.get("specialist_passes").cloned().unwrap_or_default();
    compare_passes(&stated("specialist_passes"), &passes, file, sink);
    wanted.retain(|key, _| !ELSEWHERE.contains(&key.as_str()));
    wanted.insert("specialist_manifest".to_owned(), json!(MANIFEST_FILE));
    if let (Some(t0), Some(routing)) = (&context.t0, &context.routing) {
        wanted.insert("scope".to_owned(), json!(t0.run.scope));
        wanted.insert("risk_tier".to_owned(), json!(routing.risk_tier));
    }
    for (key, value) in wanted.iter().filter(|(key, value)| stated(key) != **value) {
        let message = format!("{} is not what the run gives: {value}", quoted(key));
        let violation = Violation::new(&codes::METADATA_MIRROR_MISMATCH, message, COPY).subject(key);
        sink.push(violation.at(file, format!("/metadata/{key}")));
    }
}

/// One violation for each pass that differs, or one for a list of other roles.
fn compare_passes(stated: &Value, wanted: &Value, file: &str, sink: &mut Sink) {
    let roles = |passes: &Value| passes.as_array().map(|passes| passes.iter().map(|pass| pass["role"].clone()).collect::<Vec<_>>());
    if roles(stated) != roles(wanted) {
        let message = "the passes are not those of the manifest, in its order";
        let violation = Violation::new(&codes::METADATA_SPECIALIST_PASS_MISMATCH, message, COPY);
        sink.push(violation.at(file, "/metadata/specialist_passes"));
        return;
    }
    let pairs = stated.as_array().into_iter().flatten().zip(wanted.as_array().into_iter().flatten());
    for (index, (_, pass)) in pairs.enumerate().filter(|(_, (stated, wanted))| stated != wanted) {
        let role = pass["role"].as_str().unwrap_or_default();
        let message = format!("the pass of `{role}` is not that of the manifest");
        let violation = Violation::new(&codes::METADATA_SPECIALIST_PASS_MISMATCH, message, COPY).subject(role);
        sink.push(violation.at(file, format!("/metadata/specialist_passes/{index}")));
    }
}

/// Each role says that it inspected each path that was assigned to it.
fn covered(context: &Context<'_>, sink: &mut Sink) {
    let (Some(manifest), Some(plan)) = (&context.manifest, &context.plan) else { return };
    for (pass, response) in manifest.passes.iter().zip(&context.responses) {
        let assigned = plan.files.iter().filter(|file| file.roles.iter().any(|role| role == pass.role.as_str()));
        for file in assigned.filter(|file| !response.inspected_paths.contains(&file.path)) {
            let message = format!("`{}` does not say that it inspected `{}`", pass.role, file.path);
            let hint = "have the path inspected: a joined response stays as it is, so this takes a new run";
            let violation = Violation::new(&codes::REVIEW_COVERAGE_PATH_MISSING, message, hint);
            sink.push(violation.subject(format!("{}:{}", pass.role, file.path)).file(&pass.output_path));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::code_review::{
        fixture::{Fixture, SOURCE, response},
        step::Step,
        vocabulary::Role,
    };

    const ROLE: Role = Role::SwEngineer;

    fn reviewed(text: &str) -> Fixture {
        let mut fixture = Fixture::new(&[ROLE, Role::QaSpecialist]);
        fixture.review(ROLE, text);
        fixture.substitute(Role::QaSpecialist, &response(Role::QaSpecialist, "2"));
        fixture.copy_metadata();
        fixture
    }

    fn found(fixture: &Fixture) -> Vec<String> {
        fixture.found(&[Step::ReviewerEvents, Step::Manifest, Step::Passes])
    }

    #[test]
    fn a_copied_mirror_holds() {
        assert_eq!(found(&reviewed(&response(ROLE, "1"))), Vec::<String>::new());
    }

    #[test]
    fn every_key_that_differs_is_named() {
        for (key, value) in [
            ("execution_mode", json!("parallel")),
            ("execution_evidence_level", json!("recorded")),
            ("execution_observed_controls", json!({})),
            ("write_parallel_eligible", json!(true)),
            ("fanout_substituted", json!(false)),
            ("review_run_id", json!(null)),
            ("review_input_sha256", json!("0")),
            ("specialist_manifest", json!("manifest.json")),
            ("scope", json!("pr")),
            ("risk_tier", json!("BROAD")),
        ] {
            let mut fixture = reviewed(&response(ROLE, "1"));
            fixture.metadata[key] = value;
            assert_eq!(found(&fixture), [format!("metadata-mirror-mismatch:{key}")]);
        }
    }

    #[test]
    fn passes_are_those_of_the_manifest() {
        let mut fixture = reviewed(&response(ROLE, "1"));
        fixture.metadata["specialist_passes"][1]["confidence"] = json!(1.0);
        fixture.metadata["specialist_passes"][0]["extra"] = json!(1);
        let expected = ["sw-engineer", "qa-specialist"].map(|role| format!("metadata-specialist-pass-mismatch:{role}"));
        assert_eq!(found(&fixture), expected);
        fixture.metadata["specialist_passes"] = json!([]);
        assert_eq!(found(&fixture), ["metadata-specialist-pass-mismatch"]);
    }

    #[test]
    fn an_assigned_path_that_nobody_inspected_is_named() {
        let fixture = reviewed(&response(ROLE, "1").replace(SOURCE, "src/b.rs"));
        assert_eq!(found(&fixture), ["review-coverage-path-missing:sw-engineer:src/a.rs"]);
    }
}
