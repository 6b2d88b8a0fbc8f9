//! What is said about plugins beside their answers: diagnostics for people, never evidence.

use crate::{bindings::log, call::Message};

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For the plugin's author.
    Debug,
    /// For verbose output.
    Info,
    /// Something to mend.
    Warning,
    /// Something that failed.
    Error,
}

/// One note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The plugin that it is from or about.
    pub plugin: String,
    /// How much it matters.
    pub level: Level,
    /// The note; of a plugin at most 16 KiB.
    pub text: String,
    /// Said by the plugin, so that it must be escaped before it is shown.
    pub foreign: bool,
}

impl Note {
    /// A note of the host about a plugin.
    pub(crate) fn of_host(plugin: &str, text: impl Into<String>) -> Self {
        Self { plugin: plugin.to_owned(), level: Level::Warning, text: text.into(), foreign: false }
    }

    /// A note of the host that only verbose output shows.
    pub(crate) fn for_verbose(plugin: &str, text: impl Into<String>) -> Self {
        Self { level: Level::Info, ..Self::of_host(plugin, text) }
    }

    /// What a plugin sent through `log`.
    pub(crate) fn of_plugin(plugin: &str, message: Message) -> Self {
        let level = match message.level {
            log::Level::Debug => Level::Debug,
            log::Level::Info => Level::Info,
            log::Level::Warning => Level::Warning,
            log::Level::Error => Level::Error,
        };
        Self { plugin: plugin.to_owned(), level, text: message.text, foreign: true }
    }
}
