//! The report as one Markdown page, `report.md`.

mod page;

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
use serde_json::Value;

struct Markdown;

impl ReportRenderer for Markdown {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        let report: Value = serde_json::from_str(report).map_err(|error| Failure::new("bad-report", error.to_string()))?;
        match report["protocol"].as_str() {
            Some("code-polishy-report/v1") => Ok(vec![Artifact::text("report.md", "text/markdown; charset=utf-8", page::draw(&report))]),
            _ => Err(Failure::new("unknown-report", "the document is no `code-polishy-report/v1`").hint("use a newer renderer")),
        }
    }
}

code_polishy_sdk::export_report_renderer!(Markdown);

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(report: &str) -> Result<String, Failure> {
        let artifacts = Markdown::render(report, &NoOptions {})?;
        assert_eq!(artifacts.len(), 1);
        assert_eq!(artifacts[0].name, "report.md");
        Ok(String::from_utf8(artifacts[0].content.clone()).expect("made of text"))
    }

    #[test]
    fn a_failed_gate() {
        assert_eq!(rendered(include_str!("../tests/failed.json")), Ok(include_str!("../tests/failed.md").to_owned()));
    }

    #[test]
    fn a_passed_gate() {
        assert_eq!(rendered(include_str!("../tests/passed.json")), Ok(include_str!("../tests/passed.md").to_owned()));
    }

    #[test]
    fn what_a_report_leaves_out_the_page_leaves_out() {
        assert_eq!(rendered(r#"{"protocol":"code-polishy-report/v1"}"#), Ok("# Report\n".to_owned()));
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert_eq!(rendered("{").map_err(|failure| failure.code), Err("bad-report".to_owned()));
        assert_eq!(rendered("[]").map_err(|failure| failure.code), Err("unknown-report".to_owned()));
        assert_eq!(rendered(r#"{"protocol":"code-polishy-report/v2"}"#).map_err(|failure| failure.code), Err("unknown-report".to_owned()));
    }
}
