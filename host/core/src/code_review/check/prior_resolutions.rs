//! The step `prior-resolutions`: what earlier runs of the pull request settled was kept when it was imported (CR-47, CR-218).

use crate::code_review::{
    codes,
    context::Context,
    prior::{LEDGER_FILE, PRIOR_FILE, PriorRecord, PriorResolutions, run_number},
    reading::record,
    violation::{Sink, Violation},
};

const IMPORT_AGAIN: &str = "import the pull request again: a new run keeps what earlier runs settled";

/// Reads the retained record. Without one no earlier run may have a ledger; a ledger that grew since is no fault of this run.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let facts = context.facts;
    let missing = &codes::PRIOR_RESOLUTIONS_MISSING;
    let Some(sha256) = facts.image.sha256(PRIOR_FILE) else {
        if let Some(now) = facts.prior.filter(|_| !facts.promoted) {
            let message = format!("`{}` has `{LEDGER_FILE}`, and this run does not have `{PRIOR_FILE}`", now.source_run);
            sink.push(Violation::new(missing, message, IMPORT_AGAIN).subject(now.source_run.clone()).file(PRIOR_FILE));
        }
        return;
    };
    let Some(kept) = record::<PriorRecord>(facts.image, PRIOR_FILE, missing, missing, sink) else { return };
    hold(&kept, facts.run_path, sink);
    if facts.prior.is_some_and(|now| *now != kept) && !facts.promoted {
        let message = "earlier runs have a newer ledger than this run kept";
        let hint = "the kept one counts; start a new run to review with the newer one";
        sink.push(Violation::new(&codes::PRIOR_RESOLUTIONS_NEWER, message, hint).file(PRIOR_FILE));
    }
    context.prior = Some(PriorResolutions { sha256: sha256.to_owned(), resolutions: kept.resolutions });
}

/// The record is one that a merge makes, and it comes from an earlier run.
fn hold(kept: &PriorRecord, run_path: &str, sink: &mut Sink) {
    let own = run_path.rsplit('/').next().and_then(run_number);
    let source = run_number(&kept.source_run);
    let earlier = source.is_some_and(|source| own.is_some_and(|own| source < own));
    let ordered = kept.resolutions.is_sorted_by(|one, other| one.finding_id < other.finding_id);
    for (key, holds, message) in [
        ("source_run", earlier, "this is no earlier run of the pull request"),
        ("resolutions", ordered, "the findings are not in byte order, each once"),
    ] {
        if !holds {
            let violation = Violation::new(&codes::PRIOR_RESOLUTIONS_MISSING, message, IMPORT_AGAIN);
            sink.push(violation.subject(key).at(PRIOR_FILE, format!("/{key}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::code_review::{
        context::Facts,
        image::{ImageFile, RunImage},
        prior::{Ledger, merge},
        step::Step,
    };

    fn ledger(run: &str, why: &str) -> PriorRecord {
        let line = format!(
            r#"{{"schema_version":1,"finding_id":"a","item_id":null,"verdict":"rejected","sha":null,"why":"{why}","remediation_run":null}}"#
        );
        merge(&[Ledger { run, lines: line.as_bytes(), result: None }]).expect("one ledger")
    }

    /// Codes of violations and warnings of `run-003`, and whether the record was taken.
    fn found(kept: Option<&PriorRecord>, now: Option<&PriorRecord>, promoted: bool) -> (Vec<&'static str>, bool) {
        let mut image = RunImage::default();
        if let Some(kept) = kept {
            let bytes = crate::canonical::artifact_bytes(kept);
            let file = ImageFile { size: bytes.len() as u64, sha256: crate::canonical::digest_bytes(&bytes), content: Some(bytes) };
            image.files.insert(PRIOR_FILE.to_owned(), file);
        }
        let (cards, resolved) = (BTreeMap::new(), BTreeMap::new());
        let facts = Facts {
            image: &image,
            run_path: "/reports/pr-7/run-003",
            producer_id: None,
            git_state: None,
            mirror: None,
            role_cards: &cards,
            prior: now,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: None,
            promoted,
        };
        let mut context = Context::new(&facts, None);
        let mut sink = Sink::new(Step::PriorResolutions);
        check(&mut context, &mut sink);
        let (violations, warnings) = sink.finish();
        (violations.iter().chain(&warnings).map(|violation| violation.code).collect(), context.prior.is_some())
    }

    #[test]
    fn a_ledger_is_kept_when_the_pull_request_is_imported() {
        let record = ledger("run-001", "documented");
        assert_eq!(found(None, None, false), (vec![], false));
        assert_eq!(found(Some(&record), Some(&record), false), (vec![], true));
        assert_eq!(found(None, Some(&record), false), (vec!["prior-resolutions-missing"], false));
    }

    #[test]
    fn only_the_kept_copy_is_judged() {
        let (kept, newer) = (ledger("run-001", "documented"), ledger("run-002", "documented twice"));
        assert_eq!(found(Some(&kept), Some(&newer), false), (vec!["prior-resolutions-newer"], true));
        assert_eq!(found(Some(&kept), None, true), (vec![], true));
        assert_eq!(found(None, Some(&newer), true), (vec![], false));
    }

    #[test]
    fn it_comes_from_an_earlier_run() {
        for later in ["run-003", "run-004", "run-01", "elsewhere"] {
            assert_eq!(found(Some(&ledger(later, "x")), None, false).0, ["prior-resolutions-missing"], "{later}");
        }
    }
}
