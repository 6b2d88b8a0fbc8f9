//! Values that one gate is given (`--gate-env`, CR-131, CR-148, CR-229).

use super::record::GATES;
use crate::text::control_free;

/// Parts of names that say a value is secret.
const SECRET_NAMES: [&str; 9] = ["TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY"];
/// How well-known secrets begin.
const SECRET_STARTS: [&str; 11] = ["ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA", "-----BEGIN"];
/// What would move git away from the reviewed tree (CR-136).
const GIT_PLACES: [&str; 3] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"];

/// A variable of one gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateVariable {
    /// One of [`GATES`].
    pub gate: &'static str,
    /// Its name.
    pub name: String,
    /// Its value; one line, and nothing that looks like a secret.
    pub value: String,
}

impl GateVariable {
    /// Reads `GATE:NAME=VALUE`.
    ///
    /// # Errors
    /// What is wrong with it, without the value.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = || "it is not GATE:NAME=VALUE".to_owned();
        let (gate, rest) = text.split_once(':').ok_or_else(form)?;
        let (name, value) = rest.split_once('=').ok_or_else(form)?;
        let gate = GATES.into_iter().find(|known| *known == gate).ok_or_else(|| format!("there is no gate `{gate}`"))?;
        if !is_name(name) {
            return Err("the name of the variable is no name".to_owned());
        }
        if GIT_PLACES.contains(&name) {
            return Err(format!("`{name}` would lead git out of the reviewed tree"));
        }
        if !control_free(value, false) {
            return Err(format!("the value of `{name}` is not one line of text"));
        }
        if looks_secret(name, value) {
            return Err(format!("the value of `{name}` looks like a secret, and would be recorded"));
        }
        Ok(Self { gate, name: name.to_owned(), value: value.to_owned() })
    }
}

/// The value that the command gets: a list of folders keeps the entries that the caller has (CR-148).
pub fn extended(name: &str, value: &str, caller: Option<&str>) -> String {
    match caller {
        Some(caller) if is_path_list(name) && !caller.is_empty() => format!("{value}:{caller}"),
        _ => value.to_owned(),
    }
}

/// The variable only says where something is found; any other may change what is selected (CR-227).
pub(super) fn is_path_list(name: &str) -> bool {
    name.ends_with("PATH")
}

fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn looks_secret(name: &str, value: &str) -> bool {
    let upper = name.to_uppercase();
    let has_login = value.split_once("://").is_some_and(|(_, rest)| rest.split('/').next().is_some_and(|host| host.contains('@')));
    SECRET_NAMES.iter().any(|part| upper.contains(part)) || SECRET_STARTS.iter().any(|start| value.starts_with(start)) || has_login
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_belongs_to_a_gate() {
        let variable = GateVariable { gate: "tests", name: "PYTHONPATH".to_owned(), value: "/tree/src".to_owned() };
        assert_eq!(GateVariable::parse("tests:PYTHONPATH=/tree/src"), Ok(variable));
        assert_eq!(GateVariable::parse("lint:A=b=c:d").map(|variable| variable.value), Ok("b=c:d".to_owned()));
        for wrong in ["tests", "tests:A", "A=b", "style:A=b", "tests:1A=b", "tests:=b", "tests:A B=c", "tests:A=b\nc", "tests:GIT_DIR=/x"] {
            assert!(GateVariable::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_looks_like_a_secret_is_refused_and_not_repeated() {
        for (text, secret) in [
            ("tests:API_TOKEN=abc123", "abc123"),
            ("tests:db_password=hunter2", "hunter2"),
            ("tests:X=ghp_0123456789", "ghp_0123456789"),
            ("tests:DATABASE=postgres://mira:word@host/db", "word"),
            ("tests:KEY=-----BEGIN KEY-----", "BEGIN"),
        ] {
            let refusal = GateVariable::parse(text).expect_err(text);
            assert!(!refusal.contains(secret), "{refusal}");
        }
        for harmless in ["tests:TOKENIZERS=off", "tests:URL=https://host/a@b", "tests:SEED=7"] {
            assert!(GateVariable::parse(harmless).is_ok() != harmless.contains("TOKEN"), "{harmless}");
        }
    }

    #[test]
    fn lists_of_folders_keep_the_callers_entries() {
        assert_eq!(extended("PYTHONPATH", "/tree/src", Some("/overlay")), "/tree/src:/overlay");
        assert_eq!(extended("PYTHONPATH", "/tree/src", Some("")), "/tree/src");
        assert_eq!(extended("PYTHONPATH", "/tree/src", None), "/tree/src");
        assert_eq!(extended("SEED", "7", Some("8")), "7");
    }
}
