//! The report for GitHub Actions: `annotations.txt` for the job's log, and `summary.md` for the job's page.

mod annotations;
mod command;
mod page;
mod summary;

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
use reading::report::Report;

struct GitHub;

impl ReportRenderer for GitHub {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        let report = Report::read(report)?;
        Ok(vec![
            Artifact::text("annotations.txt", "text/plain; charset=utf-8", annotations::draw(&report)),
            Artifact::text("summary.md", "text/markdown; charset=utf-8", summary::draw(&report)),
        ])
    }
}

code_polishy_sdk::export_report_renderer!(GitHub);

#[cfg(test)]
mod tests;
