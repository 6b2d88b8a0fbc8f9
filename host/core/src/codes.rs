//! Codes of diagnostics and findings outside code review: what each means, how it comes about, and what makes it right.
//!
//! A diagnostic names its code as text; a test holds the texts of the sources and this catalogue against each other.

/// A code and what is known about it; every text is a sentence without the final full stop.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Lower-case words in groups: `policy.unknown-key`.
    pub name: &'static str,
    /// The rule that it is a breach of, such as `BR-11`.
    pub rule: &'static str,
    /// What the code says.
    pub meaning: &'static str,
    /// How one usually gets there.
    pub cause: &'static str,
    /// What makes it right.
    pub remedy: &'static str,
}

macro_rules! codes {
    ($($name:literal, $rule:literal, $meaning:literal, $cause:literal, $remedy:literal;)*) => {
        /// The codes of this file, sorted by name.
        pub(super) const ALL: &[super::Code] = &[
            $(super::Code { name: $name, rule: $rule, meaning: $meaning, cause: $cause, remedy: $remedy }),*
        ];
    };
}

mod command;
mod gate;
mod git;
mod plugin;
mod plugin_tool;
mod policy;
mod proof;
mod request;
mod review;

const GROUPS: &[&[Code]] =
    &[command::ALL, gate::ALL, git::ALL, plugin::ALL, plugin_tool::ALL, policy::ALL, proof::ALL, request::ALL, review::ALL];

/// Every code, grouped by what it is about.
pub fn all() -> impl Iterator<Item = &'static Code> {
    GROUPS.iter().flat_map(|group| group.iter())
}

/// The code of this name.
pub fn find(name: &str) -> Option<&'static Code> {
    all().find(|code| code.name == name)
}
