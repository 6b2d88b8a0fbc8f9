//! A reviewed run: routed, with its passes and green gates, a result, and notes that tell it right.
//!
//! `ReviewRun::reviewed(world, originals)` is a working tree that the software engineer reviewed, `conclude(change)` writes result and notes
//! that hold, and `after(change)` is what a validation says to another result.

use serde_json::{Value, json};

use crate::{PRODUCER, ReviewRun, World};

/// The gap that tests without source proof demand.
const NO_PROOF: &str = "Tests gate passed without source proof.";

impl ReviewRun {
    /// A review of [`Self::sources`] whose software engineer wrote these records; nobody has concluded it.
    #[track_caller]
    pub fn reviewed(world: World, originals: &Value) -> Self {
        let rating = if originals.as_array().is_some_and(Vec::is_empty) { "1" } else { "2" };
        Self::sources(world).review(&[("sw-engineer", rating, originals)])
    }

    /// Routes the run to these roles, does their passes with these ratings and records, and runs green gates.
    #[track_caller]
    pub fn review(self, passes: &[(&str, &str, &Value)]) -> Self {
        let selections: Vec<String> = passes.iter().map(|(role, ..)| format!("{role}=the user asked for it")).collect();
        let options: Vec<&str> = selections.iter().flat_map(|selection| ["--select", selection]).collect();
        self.route(&options).exits(0);
        for (role, rating, originals) in passes {
            self.pass(role, &self.response(role, rating, originals));
        }
        self.green();
        self
    }

    /// Green gates.
    #[track_caller]
    pub fn green(&self) -> &Self {
        self.command("gates", &["--lint", "true", "--format-cmd", "true", "--types", "true", "--tests", "true"]).exits(0);
        self
    }

    /// A result that accepts a run with passes and green gates: what the run determines, and the ratings of the responses.
    #[track_caller]
    pub fn accepted(&self) -> Value {
        let mut result = self.result();
        result["status"] = json!("pass");
        let document = self.command("validate", &["--producer-id", PRODUCER, "--manifest-only"]).exits(0).json();
        let metadata = result["metadata"].as_object_mut().expect("an object");
        metadata.extend(document["mirror"].as_object().expect("a mirror").clone());
        metadata["risk_tier"] = self.json("review-routing.json")["risk_tier"].clone();
        let passes = metadata["specialist_passes"].as_array().expect("passes").clone();
        if !passes.is_empty() {
            metadata["reviewer_assessments"] = passes.iter().map(|pass| self.assessment(pass)).collect();
        }
        metadata["confidence_gaps"].as_array_mut().expect("gaps").push(json!(NO_PROOF));
        let closure = json!({"gap": NO_PROOF, "status": "unresolved", "rationale": "(-0.00) The commands prove no origin."});
        metadata["confidence_gap_closures"].as_array_mut().expect("closures").push(closure);
        result
    }

    /// What the response of a pass rates.
    fn assessment(&self, pass: &Value) -> Value {
        let path = pass["output_path"].as_str().expect("a path");
        let response = self.text(path);
        let rating = response.lines().find_map(|line| line.strip_prefix("Rating: ")).expect("a rating");
        let words = pass["role"].as_str().expect("a role").replace("sw-", "Software ").replace("qa-", "QA ").replace('-', " ");
        let suffix = if pass["mode"] == "substituted" { " (parent substitute)" } else { "" };
        json!({"role": format!("{words}{suffix}"), "rating": rating.parse::<u8>().ok(), "evidence": path})
    }

    /// Writes the candidate of [`Self::accepted`] with this change, and notes that tell it.
    #[track_caller]
    pub fn conclude(&self, change: impl FnOnce(&mut Value)) -> &Self {
        let mut result = self.accepted();
        change(&mut result);
        self.write("result.candidate.json", serde_json::to_vec_pretty(&result).expect("JSON"));
        let _ = std::fs::remove_file(self.file("review-notes.md"));
        self.write_notes()
    }

    /// The violations of the candidate after this change of it; the candidate stays as it was.
    #[track_caller]
    pub fn after(&self, change: impl FnOnce(&mut Value)) -> Vec<String> {
        let right = self.text("result.candidate.json");
        let violations = self.edit_record("result.candidate.json", change).validate().exits(1).violations();
        self.write("result.candidate.json", right);
        violations
    }

    /// What is reviewed: the snapshot of the mirror, or the commit.
    fn revision(&self) -> String {
        match self.file("local-source/source-snapshot.json").exists() {
            true => format!("sha256:{}", self.digest("local-source/source-snapshot.json")),
            false => format!("head:{}", self.json("run.json")["head_oid"].as_str().expect("a commit")),
        }
    }

    /// A claim of this disposition about the changed sum.
    pub fn claim(&self, id: &str, severity: &str, disposition: Option<&str>) -> Value {
        let missing = if matches!(disposition, None | Some("unverified")) { "A day of time." } else { "" };
        let counterevidence: &[&str] = if disposition == Some("refuted") { &["src/cart.rs:1 has no sum"] } else { &[] };
        let (old, new) = ("a".repeat(40), "b".repeat(40));
        let check = if disposition == Some("already-fixed") { format!("Compared {old}.") } else { "Read the function.".to_owned() };
        let result = if disposition == Some("already-fixed") { format!("It is fixed in {new}.") } else { "It gives one.".to_owned() };
        json!({
            "id": id, "severity": severity, "claim": format!("{id}: the sum is a constant."),
            "source_revision": self.revision(),
            "contract": "A sum is of something.", "trigger": "A cart with two things.", "confirmation_evidence": "src/shop.rs:2 gives one",
            "falsification_evidence": "No caller adds anything.", "counterevidence": counterevidence, "check": check, "result": result,
            "environment": "The review worktree.", "limits": [], "disposition": disposition, "reason": "The function takes nothing.",
            "feasible_checks_complete": disposition.is_some(), "missing_prerequisite": missing, "owner": "author",
            "next_check": "Call it with two things.", "closure_condition": format!("{id}: a test adds two things.")
        })
    }

    /// A record of the software engineer about the changed sum.
    pub fn original(id: &str, severity: &str) -> Value {
        json!({
            "id": id, "severity": severity, "title": format!("{id} is a constant"), "summary": format!("{id}: the sum is a constant."),
            "required_change": format!("Add up {id}."), "closure_evidence": format!("{id}: a test adds two things."),
            "evidence": [{"path": "src/shop.rs", "start_line": 2, "end_line": 2, "source_sha256": crate::sha256(CHANGED)}]
        })
    }

    /// The finding of a confirmed claim: the parent's own, or that of an original of the same id.
    pub fn finding(id: &str, severity: &str) -> Value {
        json!({
            "id": id, "severity": severity, "title": format!("{id} is a constant"), "summary": format!("{id}: the sum is a constant."),
            "required_change": format!("Add up {id}."), "evidence": ["src/shop.rs:2-2 gives one", "specialists/sw-engineer.attempt-1.md"],
            "closure_evidence": format!("{id}: a test adds two things."), "authors": ["Software engineer"]
        })
    }

    /// Records a claim, its finding when it is confirmed, and the verdict that follows for findings below `critical`.
    pub fn record(&self, result: &mut Value, id: &str, severity: &str, disposition: Option<&str>) {
        let metadata = &mut result["metadata"];
        let push = |list: &mut Value, value: Value| list.as_array_mut().expect("a list").push(value);
        push(&mut metadata["review_validation"]["candidates"], self.claim(id, severity, disposition));
        if disposition != Some("confirmed") {
            return;
        }
        push(&mut metadata["review_findings"], Self::finding(id, severity));
        let heavy = severity == "high" || metadata["review_decision"]["recommendation"] == "needs-more-work";
        let verdict = if heavy { "needs-more-work" } else { "minor-changes" };
        metadata["review_validation"]["source_verdict"] = json!(verdict);
        let rationale = format!("{} It rests on {id}.", metadata["review_decision"]["rationale"].as_str().expect("text"));
        metadata["review_decision"] = json!({"recommendation": verdict, "summary": "The sum is wrong.", "rationale": rationale});
        let count = result["findings"][severity].as_u64().expect("a count");
        result["findings"][severity] = json!(count + 1);
    }
}

/// `src/shop.rs` of [`ReviewRun::sources`].
const CHANGED: &str = "pub fn total() -> u32 {\n    1\n}\n";
