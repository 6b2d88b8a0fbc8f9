//! What the caller declares: tier, signals, selected roles.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read},
    path::Path,
};

use code_polishy_core::{
    code_review::{
        codes,
        routing::{Declared, Statements, read_statements},
        vocabulary::{Role, Tier},
    },
    diagnostic::Failure,
};

use super::RouteRequest;
use crate::workflow::code_review::usage;

/// Bytes of a file of signals.
const MAX_BYTES: u64 = 1 << 20;

/// What is declared; `None` without a file of signals.
///
/// # Errors
/// Exit 2 `usage-error`.
pub(super) fn declared(cwd: &Path, request: &RouteRequest) -> Result<Option<Declared>, Failure> {
    let tier = request.tier.as_deref().map(tier).transpose()?;
    let selections = selections(&request.selections)?;
    let statements = request.signals.as_deref().map(|file| statements(cwd, file)).transpose()?;
    Ok(statements.map(|statements| Declared { tier, statements, selections }))
}

fn tier(word: &str) -> Result<Tier, Failure> {
    Tier::parse(word).ok_or_else(|| {
        let words: Vec<&str> = Tier::WORDS.iter().map(|(word, _)| *word).collect();
        usage(&codes::USAGE_ERROR, format!("`{word}` is no tier"), format!("use one of {}", words.join(", ")))
    })
}

/// `ROLE=REASON`, each role once.
fn selections(texts: &[String]) -> Result<BTreeMap<Role, String>, Failure> {
    let mut selections = BTreeMap::new();
    for text in texts {
        let wrong = |message: String, next: String| Err(usage(&codes::USAGE_ERROR, message, next));
        let Some((word, reason)) = text.split_once('=').filter(|(_, reason)| !reason.trim().is_empty()) else {
            return wrong(format!("`{text}` does not say why a role is selected"), "write --select ROLE=REASON".to_owned());
        };
        let Some(role) = Role::parse(word) else {
            let words: Vec<&str> = Role::WORDS.iter().map(|(word, _)| *word).collect();
            return wrong(format!("`{word}` is no role"), format!("use one of {}", words.join(", ")));
        };
        if selections.insert(role, reason.to_owned()).is_some() {
            return wrong(format!("the role `{word}` is selected twice"), "give all reasons at once".to_owned());
        }
    }
    Ok(selections)
}

fn statements(cwd: &Path, file: &Path) -> Result<Statements, Failure> {
    let place = cwd.join(file);
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(&place)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| {
        let message = format!("cannot read {}: {error}", place.display());
        usage(&codes::USAGE_ERROR, message, "name a file of signals; without --signals one to fill in is printed")
    })?;
    read_statements(&bytes).map_err(|diagnostic| Failure::from(diagnostic.at_path(file.display().to_string())))
}
