//! The final report of a code review, `final.md`, from its hand-off.
//!
//! The bytes are part of the evidence: a presentation that was drawn once is drawn the same for ever, so a change of layout is a new number.

mod assessed;
mod blocks;
mod opening;
mod part;
mod terminal;
mod text;

use code_polishy_sdk::report_renderer::Artifact;
use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
use serde_json::Value;

use part::{Part, Unreadable};

/// Reviews that judged the source.
const ASSESSED: Option<i64> = Some(13);
/// Reviews that ended before they judged it.
const TERMINAL: Option<i64> = Some(12);

struct Handoff;

impl ReportRenderer for Handoff {
    type Options = NoOptions;

    fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
        let document: Value = serde_json::from_str(report).map_err(|error| Failure::new("bad-handoff", error.to_string()))?;
        let handoff = Part::whole(&document);
        if handoff.text("skill") != Ok("code-review") {
            return Err(Failure::new("unknown-report", "the document is no hand-off of a code review"));
        }
        let report =
            draw(handoff).map_err(|Unreadable(key)| Failure::new("bad-handoff", format!("`{key}` is missing or of another kind")))?;
        match report {
            Some(report) => Ok(vec![Artifact::text("final.md", "text/markdown; charset=utf-8", report)]),
            None => Err(Failure::new("unknown-presentation", "the hand-off has no layout here").hint("use a newer renderer")),
        }
    }
}

code_polishy_sdk::export_report_renderer!(Handoff);

/// The report; nothing for a presentation that is not known.
fn draw(handoff: Part<'_>) -> Result<Option<String>, Unreadable> {
    let blocks = match (handoff.integer("presentation_version"), handoff.text("branch")?) {
        (ASSESSED, "assessed") => assessed::blocks(handoff)?,
        // What the caller asked for is passed on as it is.
        (ASSESSED, "caller-contract") => return Ok(Some(handoff.get("caller_contract")?.text("output")?.to_owned())),
        (TERMINAL, "unavailable") => terminal::unavailable(handoff)?,
        (TERMINAL, "closed") => terminal::closed(handoff)?,
        _ => return Ok(None),
    };
    Ok(Some(blocks.join("\n\n") + "\n"))
}

#[cfg(test)]
mod tests;
