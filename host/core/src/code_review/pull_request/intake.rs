//! What can be taken from the files of an export, and the first thing that keeps it from being whole (CR-36, CR-37, CR-46, CR-216).

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    export::*,
    fault::{CollectionFault, exporter_code},
    identity::{PullAddress, PullTarget},
    online::{Online, ParentKind, transport_faults},
};
use crate::{
    canonical::read_strict,
    code_review::{
        codes::{self, Code},
        image::MAX_DEPTH,
        run::is_object_id,
        snapshot::rollup,
    },
    strict::{Kind, parse},
    text::control_free,
};

/// Files that an export may have.
pub const FILES: [&str; 6] = [COLLECTOR_ERROR_FILE, EXPORT_FILE, PR_FILE, COMMENTS_FILE, REVIEWS_FILE, THREADS_FILE];

/// The files that are there, by name; of one that cannot be read why.
pub type Files = BTreeMap<&'static str, Result<Vec<u8>, String>>;

/// What an export gave.
#[derive(Debug, Default)]
pub struct Intake {
    /// What the exporter says about itself.
    pub export: Option<Export>,
    /// The pull request, once it is the one that is meant.
    pub metadata: Option<Metadata>,
    /// What others wrote.
    pub online: Option<Online>,
    /// Why it is not the whole; `None` when it is.
    pub fault: Option<CollectionFault>,
}

/// Takes what is valid. A failed exporter's word comes first, then the files in their order.
pub fn take(files: &Files, target: &PullTarget) -> Intake {
    let mut intake = Intake::default();
    let mut faults = Vec::new();
    faults.extend(collector_error(files));
    match export(files) {
        Ok(export) => intake.export = Some(export),
        Err(fault) => faults.push(fault),
    }
    match metadata(files, target) {
        Ok((metadata, closed)) => {
            intake.metadata = Some(metadata);
            faults.extend(closed);
        }
        Err(fault) => faults.push(fault),
    }
    if let Some(export) = &intake.export {
        match online(files, export) {
            Ok(online) => intake.online = Some(online),
            Err(fault) => faults.push(fault),
        }
    }
    intake.fault = faults.into_iter().next();
    intake
}

/// The number in [`PR_FILE`], whatever else is wrong with it: what is imported when nobody names a target.
pub fn number(files: &Files) -> Option<u64> {
    let bytes = files.get(PR_FILE)?.as_ref().ok()?;
    serde_json::from_slice::<Value>(bytes).ok()?.get("number")?.as_u64().filter(|number| *number > 0)
}

/// What an exporter left instead of an export. Only words of [`CollectorError::is_safe`] are taken over (CR-190).
fn collector_error(files: &Files) -> Option<CollectionFault> {
    let file = files.get(COLLECTOR_ERROR_FILE)?;
    let said = file.as_ref().ok().and_then(|bytes| read_strict::<CollectorError>(bytes, "", "").ok()).filter(CollectorError::is_safe);
    let code = said.as_ref().and_then(|said| exporter_code(&said.code)).unwrap_or(&codes::EXPORT_UNKNOWN);
    let (command_id, exit, stage) = match said {
        Some(said) => (said.command_id, said.exit, said.stage),
        None => ("exporter".to_owned(), None, "export".to_owned()),
    };
    let message = format!("the exporter failed at `{stage}`");
    let command = CollectorError { schema_version: 1, code: code.name.to_owned(), command_id, exit, stage };
    Some(CollectionFault { command: Some(Box::new(command)), ..CollectionFault::new(code, message) })
}

fn export(files: &Files) -> Result<Export, CollectionFault> {
    let export: Export = read(files, EXPORT_FILE, &codes::EXPORTS_MISSING, |_| EXPORT_FILE.to_owned())?;
    match export.faults().first() {
        Some(fault) => Err(invalid(EXPORT_FILE, *fault)),
        None => Ok(export),
    }
}

/// The pull request, and the fault that it is not open.
fn metadata(files: &Files, target: &PullTarget) -> Result<(Metadata, Option<CollectionFault>), CollectionFault> {
    let metadata: Metadata = read(files, PR_FILE, &codes::PR_METADATA_MISSING, key_in)?;
    let address = PullAddress::read(&metadata.url).filter(|address| address.number == metadata.number);
    let plain = |text: &str| !text.trim().is_empty() && control_free(text, false);
    let checks = rollup(metadata.status_check_rollup.as_ref());
    let rules = [
        ("url", address.is_some(), "it is no https address of the pull request with its number"),
        ("title", plain(&metadata.title), "it is blank, or has control characters"),
        ("author", metadata.author.as_ref().is_none_or(|author| plain(&author.login)), "the login is blank, or has control characters"),
        ("baseRefName", plain(&metadata.base_ref_name), "it is blank, or has control characters"),
        ("headRefName", plain(&metadata.head_ref_name), "it is blank, or has control characters"),
        ("baseRefOid", is_object_id(&metadata.base_ref_oid), "it is no full object id"),
        ("headRefOid", is_object_id(&metadata.head_ref_oid), "it is no full object id"),
        ("statusCheckRollup", checks.is_ok(), checks.as_ref().err().map_or("", String::as_str)),
    ];
    if let Some((key, _, message)) = rules.into_iter().find(|(_, holds, _)| !holds) {
        return Err(invalid(key, format!("`{key}` of `{PR_FILE}`: {message}")));
    }
    if !address.is_some_and(|address| target.names(&address)) {
        let message = format!("the export is of {}, and another pull request was asked for", metadata.url);
        return Err(CollectionFault::new(&codes::PR_IDENTITY_MISMATCH, message));
    }
    let closed = (metadata.state != OPEN)
        .then(|| CollectionFault::new(&codes::PR_NOT_OPEN, format!("pull request {} is not open", metadata.number)));
    Ok((metadata, closed))
}

/// What others wrote; threads that could not be read are none (CR-43).
fn online(files: &Files, export: &Export) -> Result<Online, CollectionFault> {
    let list = |file: &'static str| read::<Vec<Value>>(files, file, &codes::EXPORTS_MISSING, |_| file.to_owned());
    let threads = match export.review_threads_status {
        ThreadsStatus::Complete => list(THREADS_FILE)?,
        ThreadsStatus::Unavailable if !files.contains_key(THREADS_FILE) => Vec::new(),
        ThreadsStatus::Unavailable => match list(THREADS_FILE)? {
            threads if threads.is_empty() => threads,
            threads => {
                let message = format!("the threads could not be read, and `{THREADS_FILE}` has {}", threads.len());
                return Err(invalid(THREADS_FILE, message));
            }
        },
    };
    let online = Online { comments: list(COMMENTS_FILE)?, reviews: list(REVIEWS_FILE)?, threads };
    if let Some(fault) = online.parents().1.first() {
        let file = match fault.kind {
            ParentKind::Comment => COMMENTS_FILE,
            ParentKind::Review => REVIEWS_FILE,
            ParentKind::ReviewThread => THREADS_FILE,
        };
        return Err(invalid(file, format!("element {} of `{file}`: {}", fault.index, fault.message)));
    }
    match transport_faults(&online.summary(export)).first() {
        Some(fault) => Err(invalid("unavailable_evidence", fault.as_str())),
        None => Ok(online),
    }
}

fn invalid(name: &str, message: impl Into<String>) -> CollectionFault {
    CollectionFault::new(&codes::PR_METADATA_INVALID, message).about(name)
}

/// A file in strict JSON that a run can keep. `key` names what a message is about.
fn read<T: DeserializeOwned>(
    files: &Files,
    file: &'static str,
    missing: &'static Code,
    key: impl Fn(&str) -> String,
) -> Result<T, CollectionFault> {
    let absent = || {
        let fault = CollectionFault::new(missing, format!("the export has no `{file}`"));
        if file == PR_FILE { fault } else { fault.about(file) }
    };
    let bytes = files.get(file).ok_or_else(absent)?.as_ref().map_err(|reason| invalid(file, format!("`{file}` {reason}")))?;
    let kind = Kind { code: "export", noun: "the export", file };
    let (_, root) = parse(kind, bytes).map_err(|diagnostic| invalid(file, format!("`{file}`: {}", diagnostic.message)))?;
    if let Some(twice) = root.duplicates().first() {
        return Err(invalid(file, format!("`{file}` has the key `{}` twice in one object", twice.key)));
    }
    if root.below(MAX_DEPTH).is_some() {
        return Err(invalid(file, format!("`{file}` is nested more than {MAX_DEPTH} deep")));
    }
    read_strict(bytes, "", "").map_err(|diagnostic| {
        let first = diagnostic.pointer.split('/').nth(1).map(str::to_owned);
        let subject = first.filter(|_| file == PR_FILE).unwrap_or_else(|| key(&diagnostic.message));
        invalid(&subject, format!("`{file}`: {}", diagnostic.message))
    })
}

/// The key in a message such as "missing field `body`".
fn key_in(message: &str) -> String {
    message.split('`').nth(1).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn whole() -> BTreeMap<&'static str, Value> {
        BTreeMap::from([
            (
                EXPORT_FILE,
                json!({
                    "schema_version": 1, "tool": "exporter 1", "exported_at": "2026-01-02T03:04:05Z", "transport": "api",
                    "unavailable_evidence": [], "review_threads_status": "complete", "review_threads_error": null
                }),
            ),
            (
                PR_FILE,
                json!({
                    "number": 7, "url": "https://forge.example/acme/tool/pull/7", "title": "Retry", "body": "", "state": "OPEN",
                    "author": {"login": "mira"}, "baseRefName": "main", "baseRefOid": "a".repeat(40), "headRefName": "retry",
                    "headRefOid": "b".repeat(40), "isCrossRepository": false
                }),
            ),
            (COMMENTS_FILE, json!([{"id": "C_1", "body": "Fine."}])),
            (REVIEWS_FILE, json!([])),
            (THREADS_FILE, json!([])),
        ])
    }

    fn taken(change: impl FnOnce(&mut BTreeMap<&'static str, Value>)) -> Intake {
        let mut files = whole();
        change(&mut files);
        let files = files.into_iter().map(|(name, value)| (name, Ok(value.to_string().into_bytes()))).collect();
        take(&files, &PullTarget::Number(7))
    }

    fn token(change: impl FnOnce(&mut BTreeMap<&'static str, Value>)) -> Option<String> {
        taken(change).fault.map(|fault| fault.token())
    }

    #[test]
    fn a_whole_export_has_no_fault() {
        let intake = taken(|_| ());
        assert_eq!(intake.fault, None);
        assert!(intake.export.is_some() && intake.metadata.is_some() && intake.online.is_some());
        let unread = taken(|files| {
            files.get_mut(EXPORT_FILE).expect("there")["review_threads_status"] = json!("unavailable");
            files.get_mut(EXPORT_FILE).expect("there")["review_threads_error"] = json!("rate limit");
            files.remove(THREADS_FILE);
        });
        assert_eq!((unread.fault, unread.online.map(|online| online.threads.len())), (None, Some(0)));
    }

    /// C-22
    #[test]
    fn what_is_wrong_is_named() {
        let edit =
            |file: &'static str, key: &'static str, value: Value| token(move |files| files.get_mut(file).expect("there")[key] = value);
        let cut = |file: &'static str, key: &'static str| {
            token(move |files| drop(files.get_mut(file).and_then(Value::as_object_mut).expect("an object").remove(key)))
        };
        assert_eq!(cut(PR_FILE, "body").as_deref(), Some("pr-metadata-invalid:body"));
        for (key, value, found) in [
            ("body", json!(null), "pr-metadata-invalid:body"),
            ("labels", json!([]), "pr-metadata-invalid:labels"),
            ("url", json!("https://forge.example/acme/tool/pull/8"), "pr-metadata-invalid:url"),
            ("baseRefOid", json!("abc"), "pr-metadata-invalid:base-ref-oid"),
            ("title", json!("a\nb"), "pr-metadata-invalid:title"),
            ("statusCheckRollup", json!([{"__typename": "CheckRun", "name": ""}]), "pr-metadata-invalid:status-check-rollup"),
            ("state", json!("MERGED"), "pr-not-open"),
        ] {
            assert_eq!(edit(PR_FILE, key, value).as_deref(), Some(found), "{key}");
        }
        assert_eq!(edit(EXPORT_FILE, "transport", json!("ssh")).as_deref(), Some("pr-metadata-invalid:export"));
        assert_eq!(
            edit(EXPORT_FILE, "unavailable_evidence", json!(["reviews"])).as_deref(),
            Some("pr-metadata-invalid:unavailable-evidence")
        );
        let nameless = token(|files| drop(files.insert(COMMENTS_FILE, json!([{"body": "x"}]))));
        assert_eq!(nameless.as_deref(), Some("pr-metadata-invalid:comments"));
    }

    #[test]
    fn what_is_missing_is_named() {
        for (file, found) in [
            (EXPORT_FILE, "exports-missing:export"),
            (PR_FILE, "pr-metadata-missing"),
            (COMMENTS_FILE, "exports-missing:comments"),
            (THREADS_FILE, "exports-missing:review-threads"),
        ] {
            assert_eq!(token(|files| drop(files.remove(file))).as_deref(), Some(found));
        }
    }

    #[test]
    fn what_is_valid_is_kept_beside_a_fault() {
        let intake = taken(|files| drop(files.remove(REVIEWS_FILE)));
        assert!(intake.metadata.is_some() && intake.online.is_none() && intake.fault.is_some());
        let other = taken(|files| {
            files.get_mut(PR_FILE).expect("there")["number"] = json!(8);
            files.get_mut(PR_FILE).expect("there")["url"] = json!("https://forge.example/acme/tool/pull/8");
        });
        assert_eq!(other.fault.map(|fault| fault.token()).as_deref(), Some("pr-identity-mismatch"));
        assert!(other.metadata.is_none(), "another pull request is no part of this run");
    }

    #[test]
    fn two_keys_in_one_object_say_nothing() {
        let mut files: Files = whole().into_iter().map(|(name, value)| (name, Ok(value.to_string().into_bytes()))).collect();
        files.insert(COMMENTS_FILE, Ok(br#"[{"id": "a", "user": {"x": 1, "x": 2}}]"#.to_vec()));
        let token = |files: &Files| take(files, &PullTarget::Number(7)).fault.map(|fault| fault.token());
        assert_eq!(token(&files).as_deref(), Some("pr-metadata-invalid:comments"));
        files.insert(COMMENTS_FILE, Err("is a link".to_owned()));
        assert_eq!(token(&files).as_deref(), Some("pr-metadata-invalid:comments"));
        assert_eq!((number(&files), number(&Files::new())), (Some(7), None));
    }

    /// C-130
    #[test]
    fn an_exporter_leaks_nothing() {
        let said = |error: Value| {
            let fault = taken(|files| drop(files.insert(COLLECTOR_ERROR_FILE, error))).fault.expect("a fault");
            (fault.token(), serde_json::to_string(&fault.command).expect("JSON"))
        };
        let safe = json!({"schema_version": 1, "code": "export-auth", "command_id": "pr-view", "exit": 4, "stage": "metadata"});
        assert_eq!(said(safe.clone()).0, "export-auth");
        for (key, value) in [
            ("command_id", json!("gh -H token:hunter2")),
            ("stage", json!("/home/hunter2")),
            ("code", json!("hunter2 x")),
            ("output", json!("hunter2")),
        ] {
            let mut leaky = safe.clone();
            leaky[key] = value;
            let (token, command) = said(leaky);
            assert_eq!(token, "export-unknown", "{key}");
            assert!(!command.contains("hunter2"), "{command}");
        }
        let foreign = json!({"schema_version": 1, "code": "head-mismatch", "command_id": "pr-view", "exit": null, "stage": "x"});
        assert_eq!(said(foreign).0, "export-unknown");
    }
}
