//! What is left to write in notes.

use schemars::JsonSchema;
use serde::Serialize;

use super::sketch::{GAP, GAP_END};
use crate::code_review::outline::Outline;

/// A gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Open {
    /// Line in the notes, from 1.
    pub line: u32,
    /// The section that it is in.
    pub section: String,
    /// What is to be written.
    pub what: String,
}

/// Every gap of a text, in order.
pub(super) fn all(text: &str) -> Vec<Open> {
    let outline = Outline::read(text);
    let section = |line: u32| outline.sections.iter().rev().find(|section| section.line <= line).map(|section| section.title.clone());
    let lines = (1..).zip(text.lines());
    lines
        .flat_map(|(line, source)| {
            let gaps = source.split(GAP).skip(1).filter_map(|rest| Some(rest.split_once(GAP_END)?.0));
            gaps.map(move |what| (line, what))
        })
        .map(|(line, what)| Open { line, section: section(line).unwrap_or_default(), what: what.to_owned() })
        .collect()
}
