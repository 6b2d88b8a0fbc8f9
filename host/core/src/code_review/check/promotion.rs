//! The step `promotion`: the record of the promotion names the bytes of this result and of its list of files (CR-14, CR-169).

use crate::{
    canonical::artifact_bytes,
    code_review::{
        codes,
        context::Context,
        events::Moment,
        run_manifest::{PROMOTION_FILE, Promotion, RESULT_FILE, RUN_MANIFEST_FILE},
        violation::{Sink, Violation},
    },
};

/// Checks the step.
pub(super) fn check(context: &Context<'_>, sink: &mut Sink) {
    let image = context.facts.image;
    let mismatch = |message: String| Violation::of(&codes::PROMOTION_RECORD_MISMATCH, message);
    let Some(bytes) = image.bytes(PROMOTION_FILE) else {
        sink.push(mismatch(format!("the result was promoted, and `{PROMOTION_FILE}` is not there")).file(PROMOTION_FILE));
        return;
    };
    let promotion: Promotion = match serde_json::from_slice(bytes) {
        Ok(promotion) => promotion,
        Err(error) => {
            sink.push(mismatch(format!("the record cannot be read: {error}")).file(PROMOTION_FILE));
            return;
        }
    };
    for (key, named, file) in [
        ("result_sha256", &promotion.result_sha256, RESULT_FILE),
        ("run_manifest_sha256", &promotion.run_manifest_sha256, RUN_MANIFEST_FILE),
    ] {
        if image.sha256(file) != Some(named) {
            sink.push(mismatch(format!("the record names other bytes of `{file}`")).subject(file).at(PROMOTION_FILE, format!("/{key}")));
        }
    }
    let is_written =
        artifact_bytes(&promotion) == bytes && promotion.schema_version == 1 && Moment::parse(&promotion.promoted_at).is_some();
    if !is_written || promotion.tool_version.is_empty() {
        sink.push(mismatch("the record was not written by `finalize`".to_owned()).file(PROMOTION_FILE));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{
        canonical::digest_bytes,
        code_review::{
            context::Facts,
            image::{ImageFile, RunImage},
            step::Step,
            violation::Violation,
        },
    };

    fn found(change: impl FnOnce(&mut Promotion), rewrite: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Vec<String> {
        let mut promotion = Promotion::of(&digest_bytes(b"result"), &digest_bytes(b"manifest"), "1.0.0", "2026-01-01T00:00:00Z");
        change(&mut promotion);
        let files = [
            (RESULT_FILE, b"result".to_vec()),
            (RUN_MANIFEST_FILE, b"manifest".to_vec()),
            (PROMOTION_FILE, rewrite(artifact_bytes(&promotion))),
        ];
        let file = |bytes: Vec<u8>| ImageFile { size: bytes.len() as u64, sha256: digest_bytes(&bytes), content: Some(bytes) };
        let files = files.into_iter().map(|(path, bytes)| (path.to_owned(), file(bytes))).filter(|(_, file)| file.size > 0).collect();
        let image = RunImage { files, faults: Vec::new() };
        let (cards, resolved) = (BTreeMap::new(), BTreeMap::new());
        let facts = Facts {
            image: &image,
            run_path: "/run",
            producer_id: None,
            git_state: None,
            mirror: None,
            role_cards: &cards,
            prior: None,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: None,
            promoted: true,
        };
        let mut sink = Sink::new(Step::Promotion);
        check(&Context::new(&facts, Some(RESULT_FILE)), &mut sink);
        sink.finish().0.iter().map(Violation::token).collect()
    }

    #[test]
    fn the_record_names_the_bytes_of_the_result_and_of_its_files() {
        let same = |bytes: Vec<u8>| bytes;
        assert_eq!(found(|_| (), same), [""; 0]);
        assert_eq!(found(|it| it.result_sha256 = digest_bytes(b"other"), same), ["promotion-record-mismatch:result.json"]);
        assert_eq!(found(|it| it.run_manifest_sha256.clear(), same), ["promotion-record-mismatch:run-manifest.json"]);
        assert_eq!(found(|it| it.schema_version = 2, same), ["promotion-record-mismatch"]);
        assert_eq!(found(|it| it.promoted_at = "yesterday".to_owned(), same), ["promotion-record-mismatch"]);
        assert_eq!(found(|it| it.tool_version.clear(), same), ["promotion-record-mismatch"]);
        assert_eq!(found(|_| (), |bytes| [bytes, b"\n".to_vec()].concat()), ["promotion-record-mismatch"]);
        assert_eq!(found(|_| (), |_| b"{}".to_vec()), ["promotion-record-mismatch"]);
        assert_eq!(found(|_| (), |_| Vec::new()), ["promotion-record-mismatch"]);
    }
}
