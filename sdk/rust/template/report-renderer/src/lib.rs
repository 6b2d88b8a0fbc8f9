//! Writes `summary.txt`: how the gate ended, and a line for each finding.

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::serde_json::{self, Value};
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};

struct Plugin;

impl ReportRenderer for Plugin {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        let report: Value = serde_json::from_str(report).map_err(|error| Failure::new("bad-report", error.to_string()))?;
        if report["protocol"] != "code-polishy-report/v1" {
            return Err(Failure::new("unknown-report", "the document is no code-polishy-report/v1").hint("use a newer renderer"));
        }
        Ok(vec![Artifact::text("summary.txt", "text/plain; charset=utf-8", summary(&report))])
    }
}

/// Reads leniently: what a report does not have is left out.
fn summary(report: &Value) -> String {
    let mut text = format!("{} gate: {}\n", line(&report["gate"]), line(&report["status"]));
    for finding in report["findings"].as_array().into_iter().flatten() {
        text += &format!("- {}: {}\n", line(&finding["subject"]), line(&finding["message"]));
    }
    text
}

/// A report quotes what others wrote: text that cannot end the line it stands in.
fn line(value: &Value) -> String {
    let text = value.as_str().unwrap_or("unknown");
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

code_polishy_sdk::export_report_renderer!(Plugin);

#[cfg(test)]
mod tests {
    use super::*;

    fn text(report: &str) -> String {
        let artifacts = Plugin::render(report, &NoOptions {}).expect("a report");
        String::from_utf8(artifacts[0].content.clone()).expect("made of text")
    }

    #[test]
    fn each_finding_has_one_line() {
        let report =
            r#"{"protocol":"code-polishy-report/v1","gate":"merge","status":"failed","findings":[{"subject":"unit","message":"1\n2"}]}"#;
        assert_eq!(text(report), "merge gate: failed\n- unit: 1 2\n");
    }

    #[test]
    fn what_is_no_report_is_refused() {
        let failure = Plugin::render("{}", &NoOptions {}).expect_err("no report");
        assert_eq!(failure.code, "unknown-report");
    }
}
