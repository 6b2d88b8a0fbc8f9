//! The findings of a report as `report.sarif`, for code scanning and for editors.
//!
//! Every finding is a result of the level `error`, because each of them blocks the gate. A result without a file is of no use to most readers of
//! SARIF, so what is about no file of the candidate is placed at the policy, which decides what a gate asks for; a log is attached.

mod log;
mod result;
mod rule;
mod text;

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
use reading::json;
use reading::report::Report;

struct Sarif;

impl ReportRenderer for Sarif {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        let report = Report::read(report)?;
        Ok(vec![Artifact::text("report.sarif", "application/sarif+json", json::document(&log::document(&report)))])
    }
}

code_polishy_sdk::export_report_renderer!(Sarif);

#[cfg(test)]
mod tests;
