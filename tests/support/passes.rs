//! Reviewers of a run: their events, and responses that the parser takes.

use serde_json::{Value, json};

use crate::{Output, ReviewRun};

impl ReviewRun {
    /// An event of a role, with these options.
    pub fn event(&self, event: &str, role: &str, options: &[&str]) -> Output {
        self.command("reviewer-event", &[&["--event", event, "--role", role], options].concat())
    }

    /// Dispatches the next attempt of a role to a reviewer of its own, who starts.
    #[track_caller]
    pub fn begin(&self, role: &str, options: &[&str]) -> &Self {
        let attempts = self.log().iter().filter(|event| event["role"] == role && event["event"] == "dispatched").count();
        let reviewer = format!("{role}-{}", attempts + 1);
        self.event("dispatched", role, &[&["--mode", "spawned", "--reviewer-id", &reviewer], options].concat()).exits(0);
        self.event("started", role, &[]).exits(0);
        self
    }

    /// A whole pass of a role, dispatched, started, completed and joined, with this response; the answer to `joined`.
    #[track_caller]
    pub fn pass(&self, role: &str, response: &str) -> Output {
        self.begin(role, &[]);
        let output = self.path.join(format!("specialists/{role}.attempt-1.md"));
        self.write(&format!("specialists/{role}.attempt-1.md"), response);
        self.event("completed", role, &["--output", output.to_str().expect("UTF-8")]).exits(0);
        self.event("joined", role, &[]).exits(0)
    }

    /// The parent does the pass with this response.
    pub fn substitute(&self, role: &str, response: &str) -> Output {
        let path = format!("specialists/{role}.md");
        self.write(&path, response);
        let output = self.file(&path);
        let reason = "No reviewer is at hand.";
        self.event("joined", role, &["--mode", "substituted", "--output", output.to_str().expect("UTF-8"), "--reason", reason])
    }

    /// The lines of the log.
    pub fn log(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.file("reviewers.events.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// What a role has to inspect.
    pub fn assigned(&self, role: &str) -> Vec<String> {
        let briefs = self.json("review-briefs.json");
        let brief = briefs["briefs"].as_array().expect("briefs").iter().find(|brief| brief["role"] == role);
        let paths = brief.unwrap_or_else(|| panic!("no brief of {role}"))["assigned_paths"].as_array().expect("paths");
        paths.iter().map(|path| path.as_str().expect("a path").to_owned()).collect()
    }

    /// A response of a role that inspected all it has to, and rates it; `findings` is the array of its records.
    pub fn response(&self, role: &str, rating: &str, findings: &Value) -> String {
        let paths: String = self.assigned(role).iter().map(|path| format!("- `{path}`\n")).collect();
        let readiness = if rating == "null" { "blocked" } else { "complete" };
        format!(
            "role_id: {role}\n\n## Reviewer Assessment\n\nSource rating version: 1\nRating: {rating}\nVerification readiness: {readiness}\n\
             Rationale: All of it was read by {role}.\n\n## Inspected Paths\n\n{paths}\n## Reviewer Confidence\n\n```json\n\
             {{\"score\": 0.9, \"scope\": \"the assigned paths\", \"gaps\": []}}\n```\n\n## Reviewer Findings\n\n```json\n{findings}\n```\n"
        )
    }

    /// The same as JSON, as an app server gives it.
    pub fn json_response(&self, role: &str, rating: u32) -> Value {
        json!({
            "assessment": {
                "source_rating_version": 1,
                "rating": rating,
                "verification_readiness": "complete",
                "rationale": format!("All of it was read by {role}.")
            },
            "inspected_paths": self.assigned(role),
            "confidence": {"score": 0.9, "scope": "the assigned paths", "gaps": []},
            "findings": []
        })
    }
}
