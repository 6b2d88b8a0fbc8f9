//! The report as `junit.xml`, which CI servers draw as test results.
//!
//! A suite is a phase of the gate and a case is a command of it: that is what a report knows. The review is a suite of its own, and so are the
//! findings that no command left. An `error` is what kept something from being judged, a `failure` what was judged and is not good enough.

mod case;
mod suite;
mod xml;

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
use reading::report::Report;
use suite::Suite;

struct JUnit;

impl ReportRenderer for JUnit {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        let report = Report::read(report)?;
        Ok(vec![Artifact::text("junit.xml", "application/xml; charset=utf-8", suite::document(&report, &Suite::all(&report)))])
    }
}

code_polishy_sdk::export_report_renderer!(JUnit, name = "junit");

#[cfg(test)]
mod tests;
