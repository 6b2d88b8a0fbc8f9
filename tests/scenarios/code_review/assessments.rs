//! What reviewers rated: C-73 to C-77 (CR-86 to CR-91).

use code_polishy_tests::ReviewRun;
use serde_json::{Value, json};

use crate::WORLD;

const NONE: fn() -> Value = || json!([]);

/// A concluded run of two reviewers with these ratings.
fn rated(ratings: [&str; 2]) -> ReviewRun {
    let none = NONE();
    let run = ReviewRun::sources(WORLD).review(&[("sw-engineer", ratings[0], &none), ("qa-specialist", ratings[1], &none)]);
    run.conclude(|result| {
        result["metadata"]["reviewer_assessments"].as_array_mut().unwrap().sort_by_key(|it| it["role"] != "Software engineer")
    });
    run
}

fn assessments(result: &mut Value) -> &mut Vec<Value> {
    result["metadata"]["reviewer_assessments"].as_array_mut().unwrap()
}

#[test]
fn c_73_ratings_do_not_vote() {
    let run = rated(["5", "5"]);
    let output = run.validate();
    assert_eq!(output.violations(), Vec::<String>::new(), "{output}");
    let document = output.json();
    let warnings: Vec<(&Value, &Value)> =
        document["warnings"].as_array().unwrap().iter().map(|warning| (&warning["code"], &warning["subject"])).collect();
    let incoherent = json!("review-rating-verdict-incoherent");
    assert_eq!(warnings, [(&incoherent, &json!("QA specialist")), (&incoherent, &json!("Software engineer"))]);
    assert!(document["warnings"][0].get("next_action").is_none_or(Value::is_null), "{output}");
}

#[test]
fn c_74_a_rating_is_the_one_that_the_response_states() {
    let run = rated(["3", "1"]);
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    let found = run.after(|result| assessments(result)[0]["rating"] = json!(2));
    assert_eq!(found, ["assessments review-assessment-rating-mismatch:Software engineer"]);
}

#[test]
fn c_74_a_response_that_rates_twice_is_no_response() {
    let run = ReviewRun::sources(WORLD);
    run.route(&[]).exits(0);
    let twice = run.response("sw-engineer", "3", &json!([])).replace("Rating: 3\n", "Rating: 3\nRating: 2\n");
    run.begin("sw-engineer", &[]).write("specialists/sw-engineer.attempt-1.md", twice);
    let output = run.file("specialists/sw-engineer.attempt-1.md");
    let document = run.event("completed", "sw-engineer", &["--output", output.to_str().unwrap()]).exits(0).json();
    assert_eq!(run.log().last().unwrap()["format"], "invalid", "{document}");
}

#[test]
fn c_74_the_parent_rates_once() {
    let run = ReviewRun::document(WORLD);
    run.route(&[]).exits(0);
    run.green().conclude(|_| ()).edit_notes("Rating: 1\n", "Rating: 1\n\nRating: 2\n");
    let found = run.validate().violations();
    assert_eq!(found[0], "assessments review-assessment-content-invalid:Main reviewer", "{found:?}");
}

#[test]
fn c_75_who_could_not_decide_is_blocked() {
    let run = ReviewRun::sources(WORLD);
    run.route(&[]).exits(0);
    let response = run.response("sw-engineer", "null", &json!([]));
    run.pass("sw-engineer", &response.replace("Verification readiness: blocked", "Verification readiness: complete"));
    run.green().conclude(|_| ());
    let found = run.validate().violations();
    assert_eq!(found, ["assessments review-assessment-null-readiness:Software engineer"]);
}

#[test]
fn c_76_every_pass_has_its_assessment_and_the_engineer_s_is_first() {
    let run = rated(["1", "1"]);
    let second = run.after(|result| assessments(result).reverse());
    assert_eq!(second, ["assessments review-primary-software-engineer-order"]);
    let silent = run.after(|result| drop(assessments(result).pop()));
    assert_eq!(silent, ["assessments review-assessment-role-missing:qa-specialist"]);
    let invented =
        run.after(|result| assessments(result).push(json!({"role": "Squeezer", "rating": 1, "evidence": "specialists/squeezer.md"})));
    assert_eq!(invented, ["assessments review-assessment-role-unbound:Squeezer"]);
}

#[test]
fn c_77_the_main_reviewer_rates_in_the_notes() {
    let none = NONE();
    let run = ReviewRun::sources(WORLD).review(&[("sw-engineer", "1", &none)]);
    let main = json!({"role": "Main reviewer", "rating": 1, "evidence": "review-notes.md"});
    run.conclude(|result| assessments(result).push(main));
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    let found = run.after(|result| assessments(result)[1]["evidence"] = json!("specialists/sw-engineer.attempt-1.md"));
    assert_eq!(found, ["assessments review-assessment-main-evidence-invalid:Main reviewer"]);
}
