//! What the checks of a commit say together (CR-126).

use serde_json::Value;

use super::{UNAVAILABLE, escape};

/// What one check says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Passing,
    Pending,
    Failing,
}

/// `passing`, `failing — a, b`, `pending — a, b` in the order of the rollup, or `unavailable` when there is none.
///
/// # Errors
///
/// A sentence about what is no rollup, or about a check without a name or of another type.
pub fn rollup(rollup: Option<&Value>) -> Result<String, String> {
    let checks = match rollup {
        None | Some(Value::Null) => return Ok(UNAVAILABLE.to_owned()),
        Some(Value::Array(checks)) => checks.iter().map(check).collect::<Result<Vec<_>, _>>()?,
        Some(_) => return Err("`statusCheckRollup` is no list".to_owned()),
    };
    if checks.is_empty() {
        return Ok(UNAVAILABLE.to_owned());
    }
    for (standing, word) in [(Standing::Failing, "failing"), (Standing::Pending, "pending")] {
        let names: Vec<String> = checks.iter().filter(|(_, found)| *found == standing).map(|(name, _)| escape(name)).collect();
        if !names.is_empty() {
            return Ok(format!("{word} — {}", names.join(", ")));
        }
    }
    Ok("passing".to_owned())
}

fn check(check: &Value) -> Result<(&str, Standing), String> {
    let text = |key: &str| check.get(key).and_then(Value::as_str).unwrap_or_default();
    let (name, standing) = match text("__typename") {
        "CheckRun" => (text("name"), check_run(text("status"), text("conclusion"))),
        "StatusContext" => (text("context"), status_context(text("state"))),
        _ => return Err("`statusCheckRollup` has a check of another type than `CheckRun` and `StatusContext`".to_owned()),
    };
    if name.trim().is_empty() {
        return Err("`statusCheckRollup` has a check without a name".to_owned());
    }
    Ok((name, standing))
}

fn check_run(status: &str, conclusion: &str) -> Standing {
    match (status, conclusion) {
        ("COMPLETED", "SUCCESS" | "NEUTRAL" | "SKIPPED") => Standing::Passing,
        ("COMPLETED", _) => Standing::Failing,
        _ => Standing::Pending,
    }
}

fn status_context(state: &str) -> Standing {
    match state {
        "SUCCESS" => Standing::Passing,
        "FAILURE" | "ERROR" => Standing::Failing,
        _ => Standing::Pending,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(name: &str, status: &str, conclusion: &str) -> Value {
        json!({"__typename": "CheckRun", "name": name, "status": status, "conclusion": conclusion})
    }

    fn context(name: &str, state: &str) -> Value {
        json!({"__typename": "StatusContext", "context": name, "state": state})
    }

    fn together(checks: &[Value]) -> String {
        rollup(Some(&json!(checks))).expect("readable")
    }

    /// C-100
    #[test]
    fn failing_beats_pending_beats_passing() {
        let (red, slow, green) = (run("test", "COMPLETED", "CANCELLED"), run("lint", "QUEUED", ""), run("doc", "COMPLETED", "SKIPPED"));
        assert_eq!(together(&[slow.clone(), red, green.clone(), context("a [b]", "ERROR")]), "failing — test, a &#91;b&#93;");
        assert_eq!(together(&[green.clone(), slow, context("x", "EXPECTED")]), "pending — lint, x");
        assert_eq!(together(&[green, context("x", "SUCCESS")]), "passing");
    }

    #[test]
    fn nothing_is_unavailable_and_nonsense_is_refused() {
        for nothing in [None, Some(json!(null)), Some(json!([]))] {
            assert_eq!(rollup(nothing.as_ref()), Ok("unavailable".to_owned()));
        }
        for wrong in [json!({}), json!([{"__typename": "Other", "name": "x"}]), json!([run(" ", "COMPLETED", "SUCCESS")]), json!([1])] {
            assert!(rollup(Some(&wrong)).is_err(), "{wrong}");
        }
    }
}
