//! The notes of a generated review.

use serde_json::Value;

use super::{
    result::claims,
    shape::Shape,
    words::{OTHER, RESULT_FILE, claim_id},
};
use crate::code_review::{
    assessment::Assessment,
    confidence::{hundredths, score},
    fixture::{Fixture, SOURCE},
    manifest::MANIFEST_FILE,
    notes::{ACTION_COLUMNS, NOTES_FILE, needs_action_table},
    outline::escape_cell,
    snapshot::{COLUMNS, LEGEND, Source, report_link, reviewers, rows},
    vocabulary::{Disposition, NO_JUDGMENT, SUBSTITUTE_SUFFIX, Severity},
};

/// Writes the notes that tell the result as it is.
pub(super) fn write(fixture: &mut Fixture, shape: &Shape) {
    let result: Value = serde_json::from_slice(fixture.image.bytes(RESULT_FILE).expect("written")).expect("JSON");
    let teller = Teller { fixture, shape, metadata: &result["metadata"], confidence: &result["confidence"] };
    let text = teller.all();
    fixture.write(NOTES_FILE, text.as_bytes());
}

struct Teller<'t> {
    fixture: &'t Fixture,
    shape: &'t Shape,
    metadata: &'t Value,
    confidence: &'t Value,
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn items(texts: &[String]) -> String {
    if texts.is_empty() { "none\n".to_owned() } else { texts.iter().map(|text| format!("- {text}\n")).collect() }
}

fn number(value: &Value) -> String {
    score(hundredths(&value.to_string()).expect("two decimals"))
}

impl Teller<'_> {
    fn all(&self) -> String {
        let manifest = self.fixture.image.sha256(MANIFEST_FILE).expect("written");
        let sections = [
            ("Decision Summary", self.decision()),
            ("Review Findings and Merge Blocks", self.table()),
            ("Review Snapshot", self.snapshot()),
            ("Scope", self.scope()),
            ("Risk Tier", self.tier()),
            ("Files Inspected", inspected()),
            ("Specialist Passes", self.passes()),
            ("Specialist Manifest", format!("`{MANIFEST_FILE}` {manifest}\n")),
            ("Findings", self.findings()),
            ("No-Finding Residual Risks", "Staging may differ.\n".to_owned()),
            ("Confidence Gaps", items(&self.closures())),
            ("Confidence Calibration", self.calibration()),
            ("Main Reviewer Assessment", self.main()),
        ];
        sections.iter().filter(|(_, body)| !body.is_empty()).map(|(title, body)| format!("## {title}\n\n{body}\n")).collect()
    }

    fn actions(&self) -> Vec<&Value> {
        let list = |key: &str| self.metadata[key].as_array().into_iter().flatten();
        list("review_findings").chain(list("operational_blockers")).collect()
    }

    fn decision(&self) -> String {
        let decision = &self.metadata["review_decision"];
        let ids = |severities: [Severity; 2]| {
            let of = |claim: Severity| severities.contains(&claim);
            let confirmed = claims(self.shape, Some(Disposition::Confirmed)).filter(|(_, claim)| of(claim.severity));
            let ids: Vec<String> = confirmed.map(|(number, _)| claim_id(number)).collect();
            if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
        };
        let next: Vec<&str> = self.actions().iter().filter_map(|action| action["id"].as_str()).collect();
        format!(
            "Recommendation: {}\nSummary: {}\nRationale: {}\nBlocking findings: {}\nMinor changes: {}\nRequired next work: {}\n\
             Confidence: {}\n",
            decision["recommendation"].as_str().unwrap_or(NO_JUDGMENT),
            decision["summary"].as_str().expect("text"),
            decision["rationale"].as_str().expect("text"),
            ids([Severity::Critical, Severity::High]),
            ids([Severity::Medium, Severity::Low]),
            if next.is_empty() { "none".to_owned() } else { next.join(" and ") },
            number(self.confidence),
        )
    }

    fn table(&self) -> String {
        if !needs_action_table(self.actions().len(), self.shape.verdict()) {
            return String::new();
        }
        let head = format!("| {} |\n| --- | --- | --- | --- | --- |\n", ACTION_COLUMNS.join(" | "));
        let row = |action: &&Value| {
            let cells = [
                action["id"].as_str().expect("text").to_owned(),
                texts(&action["authors"]).join(", ").replace(SUBSTITUTE_SUFFIX, ""),
                action["required_change"].as_str().expect("text").to_owned(),
                texts(&action["evidence"]).join("; "),
                "Required".to_owned(),
            ];
            format!("| {} |\n", cells.map(|cell| escape_cell(&cell)).join(" | "))
        };
        head + &self.actions().iter().map(row).collect::<String>()
    }

    fn snapshot(&self) -> String {
        let (t0, verdict) = (&self.fixture.t0, self.shape.verdict());
        let commit = t0.reviewed_commit.as_deref();
        let source = Source { t0, pull_request: None, ci_rollup: None, commit, change_type: "fix", verdict };
        let assessments: Vec<Assessment> = serde_json::from_value(self.metadata["reviewer_assessments"].clone()).expect("assessments");
        let own = rows(source).expect("receipts").into_iter().map(|row| (row.field, row.value));
        let people = [("Reviewers", reviewers(&assessments)), ("Report", report_link("/run"))];
        let rows: String = own.chain(people).map(|(field, value)| format!("| {field} | {} |\n", escape_cell(&value))).collect();
        format!("| {} |\n| --- | --- |\n{rows}\n{LEGEND}\n", COLUMNS.join(" | "))
    }

    fn scope(&self) -> String {
        let run = &self.fixture.t0.run;
        let suffix = if self.shape.commit { "" } else { " (working-tree base)" };
        format!(
            "The {} is reviewed.\n\nReviewed commit: {}{suffix}\n\nIn-progress operation: cherry-pick {}; left untouched\n",
            run.target_label,
            "a".repeat(40),
            "c".repeat(40)
        )
    }

    fn tier(&self) -> String {
        let routing = &self.fixture.routing;
        format!("{}\n\n{}", routing.risk_tier, items(&routing.mechanical_risk_evidence))
    }

    fn passes(&self) -> String {
        let passes = self.metadata["specialist_passes"].as_array().expect("a list").iter().zip(self.fixture.derived().manifest.passes);
        let told = |(stated, pass): (&Value, crate::code_review::manifest::Pass)| {
            let word = |key: &str| stated[key].as_str().expect("a word").to_owned();
            format!("{}: {}, {}", pass.role.label(), word("mode"), word("evidence_level"))
        };
        items(&passes.map(told).collect::<Vec<_>>())
    }

    fn findings(&self) -> String {
        let findings = self.metadata["review_findings"].as_array().expect("a list");
        let told = |finding: &Value| format!("### {}\n\nIt never gives up.\n\n", finding["id"].as_str().expect("an id"));
        if findings.is_empty() { "No confirmed findings remain.\n".to_owned() } else { findings.iter().map(told).collect() }
    }

    fn closures(&self) -> Vec<String> {
        let closures = self.metadata["confidence_gap_closures"].as_array().expect("a list");
        let told = |closure: &Value| {
            let word = |key: &str| closure[key].as_str().unwrap_or_default().to_owned();
            format!("{} [{}] {}{}", word("gap"), word("status"), word("evidence"), word("rationale"))
        };
        closures.iter().map(told).collect()
    }

    fn calibration(&self) -> String {
        let recovery = &self.metadata["confidence_recovery"];
        let part = |title: &str, body: String| format!("### {title}\n\n{body}\n");
        let command = self.fixture.image.text("checks/tests.command.txt").unwrap_or_default();
        [
            part("Initial Confidence", number(&recovery["initial_confidence"]) + "\n"),
            part("Objective Evidence", items(&texts(&recovery["evidence"]))),
            part("Confidence Gaps", items(&texts(&self.metadata["confidence_gaps"]))),
            part("Recovery Actions", items(&texts(&recovery["recovery_actions"]))),
            part("Recomputed Confidence", number(&recovery["final_confidence"]) + "\n"),
            part("Remaining Limits", items(&texts(&recovery["remaining_limits"]))),
            format!("Tests gate command: {command}"),
        ]
        .concat()
    }

    fn main(&self) -> String {
        if !self.shape.main {
            return String::new();
        }
        "Source rating version: 1\nRating: 2\nVerification readiness: complete\nRationale: The loop is short.\n".to_owned()
    }
}

fn inspected() -> String {
    format!(
        "- `{SOURCE}`: whole\n- `{OTHER}`: whole\n\nDocstring style: as before.\nComment policy: none is needed.\n\
         Simplicity and readability: one loop.\nReproducibility: not applicable, nothing is random.\n"
    )
}
