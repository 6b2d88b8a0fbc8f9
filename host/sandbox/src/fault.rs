//! Every way in which a plugin gives no usable answer, as the one fault that the engine knows.

use code_polishy_core::plugin::{PluginFault, PluginFaultKind};

use crate::{
    admission::AdmissionError,
    bindings::types::Failure,
    call::{CallError, Message, cut},
    convert::AnswerError,
};

/// Bytes of a plugin's own words in a fault.
const MAX_WORDS_BYTES: usize = 4 << 10;

const REPORT_IT: &str = "report it to the plugin's author, or pin another version";

/// A fault of this plugin.
pub fn fault(plugin: &str, kind: PluginFaultKind, message: impl Into<String>, next: impl Into<String>) -> PluginFault {
    PluginFault { plugin: plugin.to_owned(), kind, message: message.into(), next: next.into(), log: Vec::new() }
}

/// The component may not come in.
pub fn not_admitted(plugin: &str, error: &AdmissionError) -> PluginFault {
    let kind = if error.is_unreadable() { PluginFaultKind::Unreadable } else { PluginFaultKind::Incompatible };
    fault(plugin, kind, error.to_string(), error.next())
}

/// The host could not do its part.
pub fn host_failed(plugin: &str, message: impl Into<String>) -> PluginFault {
    fault(
        plugin,
        PluginFaultKind::HostFailed,
        message,
        "run the command again; if it stays, report it with the output of `code-polishy --version`",
    )
}

/// The call ended without an answer.
pub fn call_failed(plugin: &str, error: &CallError, log: &[Message]) -> PluginFault {
    let (kind, message, next) = match error {
        CallError::Trapped { trap, frames } => (PluginFaultKind::Trapped, trapped(&trap.to_string(), frames), REPORT_IT.to_owned()),
        CallError::OutOfFuel { fuel } => (
            PluginFaultKind::OutOfFuel,
            format!("it used up its fuel of {fuel}"),
            "raise `limits.fuel` of its pin, or report it to the plugin's author".to_owned(),
        ),
        CallError::OutOfMemory(refused) => (
            PluginFaultKind::OutOfMemory,
            refused.to_string(),
            "raise `limits.memoryMiB` of its pin, or report it to the plugin's author".to_owned(),
        ),
        CallError::Unreadable(why) => (PluginFaultKind::BadOutput, format!("its answer cannot be read: {why}"), REPORT_IT.to_owned()),
        CallError::NotInstantiated(why) => (
            PluginFaultKind::Incompatible,
            format!("it does not fit this host: {why}"),
            "rebuild the plugin with the current SDK".to_owned(),
        ),
        CallError::TimedOut { limit } => (
            PluginFaultKind::TimedOut,
            format!("it was still running after {} s", limit.as_secs_f32()),
            "run the command again on a less busy machine, or report it to the plugin's author".to_owned(),
        ),
        CallError::NoThread(why) => return host_failed(plugin, format!("no thread to run it on: {why}")),
    };
    PluginFault { log: lines(log), ..fault(plugin, kind, message, next) }
}

/// It answered with a failure of its own.
pub fn refused(plugin: &str, failure: &Failure, log: &[Message]) -> PluginFault {
    let message = format!("{} ({})", cut(&failure.message, MAX_WORDS_BYTES), cut(&failure.code, 80));
    let next = match failure.hint.trim() {
        "" => "mend what the plugin names, or its options",
        hint => cut(hint, MAX_WORDS_BYTES),
    };
    PluginFault { log: lines(log), ..fault(plugin, PluginFaultKind::Refused, message, next) }
}

/// Its answer breaks the contract.
pub fn broken_answer(plugin: &str, error: &AnswerError, log: &[Message]) -> PluginFault {
    let kind = match error {
        AnswerError::TooLarge(_) => PluginFaultKind::OutputTooLarge,
        AnswerError::Bad(_) => PluginFaultKind::BadOutput,
    };
    PluginFault { log: lines(log), ..fault(plugin, kind, error.to_string(), REPORT_IT) }
}

fn trapped(trap: &str, frames: &[String]) -> String {
    let what = trap.strip_prefix("wasm trap: ").unwrap_or(trap);
    match frames {
        [] => format!("it stopped: {what}"),
        frames => format!("it stopped: {what}, in `{}`", frames.join("`, called by `")),
    }
}

fn lines(log: &[Message]) -> Vec<String> {
    log.iter().map(|message| message.text.clone()).collect()
}
