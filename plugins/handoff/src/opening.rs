//! The first sentences: what the verdict means, and how far it reaches.

use crate::part::{Part, Unreadable};

/// How a missing verdict is spelled.
const NO_JUDGMENT: &str = "no source judgment";

/// Verdict and qualification, on one line.
pub fn opening(handoff: Part<'_>, readiness: &str, actions: usize) -> Result<String, Unreadable> {
    let verdict = verdict(handoff)?;
    let mut sentences = vec![meaning(verdict)?.to_owned()];
    sentences.extend(reach(handoff, readiness, actions)?);
    let approves = matches!(verdict, "accept-as-is" | "minor-changes");
    if approves && handoff.text("result_status")? != "pass" {
        sentences.push("This is not merge approval.".to_owned());
    }
    Ok(sentences.join(" "))
}

fn verdict(handoff: Part<'_>) -> Result<&str, Unreadable> {
    let summary = handoff.get("outcome")?.text("summary")?;
    let verdict = summary.strip_prefix("Recommendation: ").and_then(|rest| rest.strip_suffix('.'));
    verdict.ok_or(Unreadable("summary"))
}

fn meaning(verdict: &str) -> Result<&'static str, Unreadable> {
    Ok(match verdict {
        "accept-as-is" => "No source changes are needed before this change can be accepted.",
        "minor-changes" => "Small, well-bounded corrections are needed before this change can be accepted.",
        "needs-more-work" => "The change is worth continuing, but material defects must be repaired first.",
        "insufficient-but-promising" => "The change is a promising start that fits the project, but substantial parts are still missing.",
        "reject" => "The change conflicts with a documented project requirement and cannot be accepted in this scope.",
        NO_JUDGMENT => "The completed inspection could not reach a source judgment on this change.",
        _ => return Err(Unreadable("summary")),
    })
}

/// Why the verdict says less than it seems to.
fn reach(handoff: Part<'_>, readiness: &str, actions: usize) -> Result<Option<String>, Unreadable> {
    let limited = readiness != "complete";
    if limited && actions == 0 {
        return Ok(Some(format!("No source changes identified; verification {readiness}.")));
    }
    if limited {
        return Ok(Some(format!("Verification is {readiness}; only the inspected source is judged.")));
    }
    let mut open = false;
    for gap in handoff.get("confidence")?.items("gaps")? {
        open |= gap.text("status")? != "closed";
    }
    Ok((open && actions == 0).then(|| "No source changes identified; verification limited.".to_owned()))
}
