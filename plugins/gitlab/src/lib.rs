//! The findings of a report as `gl-code-quality-report.json`, which GitLab shows in merge requests and compares with the target branch.
//!
//! Every finding is an issue, because each of them blocks the gate. GitLab needs a file and a line for each: what is about no file of the
//! candidate is placed at the policy, which decides what a gate asks for.

mod issue;

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
use reading::json;
use reading::report::Report;

struct GitLab;

impl ReportRenderer for GitLab {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        let report = Report::read(report)?;
        Ok(vec![Artifact::text("gl-code-quality-report.json", "application/json", json::document(&issue::all(&report)))])
    }
}

code_polishy_sdk::export_report_renderer!(GitLab);

#[cfg(test)]
mod tests;
