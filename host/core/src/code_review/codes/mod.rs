//! The catalogue of codes: what a violation is called, what to do about it, and which kind of action that is (CR-23, section 19).
//!
//! A check names a constant of this catalogue, so that a code that is not in it cannot be reported.

use super::next_action::NextAction;

/// A code and what is known about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Lower-case words separated by `-`.
    pub name: &'static str,
    /// What the reader of a violation does; `None` for a warning.
    pub action: Option<NextAction>,
    /// The rule that it is a breach of, such as `CR-29`.
    pub rule: &'static str,
    /// What the code says about the run; like the others a sentence without the final full stop.
    pub meaning: &'static str,
    /// How a run usually gets there.
    pub cause: &'static str,
    /// What makes it right.
    pub remedy: &'static str,
}

macro_rules! action {
    (Warning) => {
        None
    };
    ($action:ident) => {
        Some(crate::code_review::next_action::NextAction::$action)
    };
}

macro_rules! codes {
    ($($constant:ident: $action:ident, $name:literal, $rule:literal, $meaning:literal, $cause:literal, $remedy:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub const $constant: super::Code =
                super::Code { name: $name, action: action!($action), rule: $rule, meaning: $meaning, cause: $cause, remedy: $remedy };
        )*

        /// The codes of this file, in order.
        pub(super) const ALL: &[super::Code] = &[$($constant),*];
    };
}

mod action_table;
mod assessments;
mod candidates;
mod collection;
mod confidence;
mod decision;
mod evidence;
mod find;
mod findings;
mod gate_reconcile;
mod gates;
mod git_state;
mod handoff;
mod handoff_data;
mod image;
mod independence;
mod manifest;
mod notes;
mod notes_data;
mod operational;
mod passes;
mod pr_scope;
mod prior_resolutions;
mod promotion;
mod render;
mod reviewer_events;
mod routing;
mod run_manifest;
mod shape;
mod source_findings;
mod t0;
mod terminal;
mod usage;

pub use action_table::*;
pub use assessments::*;
pub use candidates::*;
pub use collection::*;
pub use confidence::*;
pub use decision::*;
pub use evidence::*;
pub use find::*;
pub use findings::*;
pub use gate_reconcile::*;
pub use gates::*;
pub use git_state::*;
pub use handoff::*;
pub use handoff_data::*;
pub use image::*;
pub use independence::*;
pub use manifest::*;
pub use notes::*;
pub use notes_data::*;
pub use operational::*;
pub use passes::*;
pub use pr_scope::*;
pub use prior_resolutions::*;
pub use promotion::*;
pub use render::*;
pub use reviewer_events::*;
pub use routing::*;
pub use run_manifest::*;
pub use shape::*;
pub use source_findings::*;
pub use t0::*;
pub use terminal::*;
pub use usage::*;

/// Every code, grouped by step.
pub fn all() -> impl Iterator<Item = &'static Code> {
    GROUPS.iter().flat_map(|group| group.iter())
}

/// The code of this name.
pub fn find(name: &str) -> Option<&'static Code> {
    all().find(|code| code.name == name)
}

const GROUPS: &[&[Code]] = &[
    action_table::ALL,
    assessments::ALL,
    candidates::ALL,
    collection::ALL,
    confidence::ALL,
    decision::ALL,
    evidence::ALL,
    find::ALL,
    findings::ALL,
    gate_reconcile::ALL,
    gates::ALL,
    git_state::ALL,
    handoff::ALL,
    handoff_data::ALL,
    image::ALL,
    independence::ALL,
    manifest::ALL,
    notes::ALL,
    notes_data::ALL,
    operational::ALL,
    passes::ALL,
    pr_scope::ALL,
    prior_resolutions::ALL,
    promotion::ALL,
    render::ALL,
    reviewer_events::ALL,
    routing::ALL,
    run_manifest::ALL,
    shape::ALL,
    source_findings::ALL,
    t0::ALL,
    terminal::ALL,
    usage::ALL,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_like_sentences_and_have_no_full_stop() {
        for code in all() {
            for sentence in [code.meaning, code.cause, code.remedy] {
                let is_quoted = sentence.starts_with('`') || sentence.starts_with("--");
                assert!(is_quoted || sentence.starts_with(|first: char| first.is_uppercase()), "{}: {sentence}", code.name);
                assert!(!sentence.ends_with('.') && sentence.trim() == sentence, "{}: {sentence}", code.name);
            }
        }
    }

    #[test]
    fn rules_are_those_of_code_review() {
        for code in all() {
            let number = code.rule.strip_prefix("CR-").and_then(|number| number.parse::<u32>().ok());
            assert!(number.is_some_and(|number| (1..=230).contains(&number)), "{}: {}", code.name, code.rule);
        }
    }

    #[test]
    fn every_name_is_there_once() {
        let mut names: Vec<&str> = all().map(|code| code.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
