//! The report as one self-contained page, `report.html`.

mod facts;
mod findings;
mod page;
mod phases;
mod picture;
mod proofs;

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
use reading::report::Report;

struct Html;

impl ReportRenderer for Html {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        let report = Report::read(report)?;
        Ok(vec![Artifact::text("report.html", "text/html; charset=utf-8", page::draw(&report).into_string())])
    }
}

code_polishy_sdk::export_report_renderer!(Html);

#[cfg(test)]
mod tests;
