//! The final report of a code review, `final.md`, from its hand-off.
//!
//! The bytes are part of the evidence: a presentation that was drawn once is drawn the same for ever, so a change of layout is a new number.

mod assessed;
mod blocks;
mod terminal;
mod text;

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
use reading::handoff::{self, Ending, Handoff};
use reading::words::joined;

struct Markdown;

impl ReportRenderer for Markdown {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        Ok(vec![Artifact::text("final.md", "text/markdown; charset=utf-8", draw(&Handoff::of(&handoff::document(report)?)?))])
    }
}

code_polishy_sdk::export_report_renderer!(Markdown);

fn draw(handoff: &Handoff<'_>) -> String {
    let blocks = match &handoff.ending {
        Ending::Assessed(assessed) => match &assessed.answer {
            // What the caller asked for is passed on as it is.
            Some(answer) => return (*answer).to_owned(),
            None => assessed::blocks(handoff, assessed),
        },
        Ending::Unavailable { diagnostic, .. } => terminal::unavailable(handoff, diagnostic),
        Ending::Closed(closed) => terminal::closed(handoff, closed),
    };
    joined(blocks.into_iter(), "\n\n") + "\n"
}

#[cfg(test)]
mod tests;
