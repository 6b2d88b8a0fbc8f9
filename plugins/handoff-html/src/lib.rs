//! The hand-off of a code review as one self-contained page, `final.html`.
//!
//! The bound report is `final.md`; the page says the same to people, with what the findings say in full, and may change its layout.

mod actions;
mod confidence;
mod facts;
mod gates;
mod reviewers;
mod steps;
mod view;

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
use reading::handoff::{self, Handoff};

/// Entries of a list that stay usable; a review has more only when somebody made it so.
const SHOWN: usize = 500;

struct Html;

impl ReportRenderer for Html {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        let document = handoff::document(report)?;
        let handoff = Handoff::of(&document)?;
        Ok(vec![Artifact::text("final.html", "text/html; charset=utf-8", view::page(&handoff).draw().into_string())])
    }
}

code_polishy_sdk::export_report_renderer!(Html);

#[cfg(test)]
mod tests;
