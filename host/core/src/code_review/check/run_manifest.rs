//! The step `run-manifest`: the files of the run are those that its manifest lists, byte for byte (CR-14, CR-15, CR-204).

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{
    canonical::artifact_bytes,
    code_review::{
        codes::{self, Code},
        context::Context,
        image::RunImage,
        run::{RUN_FILE, RunRecord},
        run_manifest::{CANDIDATE_FILE, ListedFile, RUN_MANIFEST_FILE, RunManifest, RunManifestBinding},
        violation::{Sink, Violation},
    },
};

const FINALIZE: &str = "run `code-polishy code-review finalize` again";

/// Checks the step. Until a run is promoted its files may change: whatever differs is one violation that finalizing mends.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let found = differences(context);
    match (context.facts.promoted, found.is_empty()) {
        (true, _) => found.into_iter().for_each(|violation| sink.push(violation)),
        (false, false) => {
            let message = match found.as_slice() {
                [only] => only.message.clone(),
                several => format!("{}, and {} more differences", several[0].message, several.len() - 1),
            };
            sink.push(Violation::new(&codes::RUN_MANIFEST_STALE, message, FINALIZE).file(RUN_MANIFEST_FILE));
        }
        (false, true) => {}
    }
}

fn differences(context: &Context<'_>) -> Vec<Violation> {
    let image = context.facts.image;
    let Some(bytes) = image.bytes(RUN_MANIFEST_FILE) else {
        return vec![refuse(&codes::RUN_MANIFEST_MISSING, "the run has no list of its files")];
    };
    let manifest = serde_json::from_slice::<RunManifest>(bytes);
    let mut found = manifest.as_ref().map(|manifest| binding_differences(context, manifest, bytes)).unwrap_or_default();
    if context.facts.promoted && image.has(CANDIDATE_FILE) {
        let message = format!("`{CANDIDATE_FILE}` lies beside the promoted result");
        found.push(Violation::of(&codes::RUN_MANIFEST_UNEXPECTED_FILE, message).subject(CANDIDATE_FILE).file(CANDIDATE_FILE));
    }
    match manifest {
        Ok(manifest) => found.extend(file_differences(&manifest, image)),
        Err(error) => found.push(refuse(&codes::RUN_MANIFEST_BINDING_MISMATCH, format!("the list of files cannot be read: {error}"))),
    }
    found
}

/// The manifest is of this run, as it would be written, and the one that the result names.
fn binding_differences(context: &Context<'_>, manifest: &RunManifest, bytes: &[u8]) -> Vec<Violation> {
    let mismatch = |message: &str| refuse(&codes::RUN_MANIFEST_BINDING_MISMATCH, message);
    let mut found = Vec::new();
    let image = context.facts.image;
    let run: Option<RunRecord> = image.bytes(RUN_FILE).and_then(|bytes| serde_json::from_slice(bytes).ok());
    if run.is_none_or(|run| run.run_id != manifest.run_id) {
        found.push(mismatch("the list of files is that of another run"));
    }
    if artifact_bytes(manifest) != bytes || manifest.schema_version != 1 || !is_sorted(&manifest.files) {
        found.push(mismatch("the list of files was not written by `finalize`"));
    }
    let named = context.metadata().and_then(|metadata| metadata.get("run_manifest"));
    let named = named.and_then(|node| RunManifestBinding::deserialize(node.value()).ok());
    let sha256 = image.sha256(RUN_MANIFEST_FILE).unwrap_or_default();
    if named != Some(manifest.binding(sha256)) {
        let file = context.result_file.unwrap_or_default();
        found.push(mismatch("the result names another list of files").at(file, "/metadata/run_manifest"));
    }
    found
}

fn is_sorted(files: &[ListedFile]) -> bool {
    files.windows(2).all(|pair| pair[0].path < pair[1].path)
}

/// Every file that is missing, changed or not listed, in path order.
fn file_differences(manifest: &RunManifest, image: &RunImage) -> Vec<Violation> {
    let now = RunManifest::of("", image);
    let (listed, there) = (by_path(manifest), by_path(&now));
    let mut paths: Vec<&str> = listed.keys().chain(there.keys()).copied().collect();
    paths.sort_unstable();
    paths.dedup();
    let difference = |path: &str| {
        let (code, message) = match (listed.get(path), there.get(path)) {
            (Some(_), None) => (&codes::RUN_MANIFEST_FILE_MISSING, format!("`{path}` is gone")),
            (None, Some(_)) => (&codes::RUN_MANIFEST_UNEXPECTED_FILE, format!("`{path}` was added")),
            (listed, there) if listed != there => (&codes::RUN_MANIFEST_FILE_CHANGED, format!("`{path}` was changed")),
            _ => return None,
        };
        Some(Violation::of(code, message + " after the list of files was written").subject(path).file(path))
    };
    paths.into_iter().filter_map(difference).collect()
}

fn by_path(manifest: &RunManifest) -> BTreeMap<&str, &ListedFile> {
    manifest.files.iter().map(|file| (file.path.as_str(), file)).collect()
}

fn refuse(code: &Code, message: impl Into<String>) -> Violation {
    Violation::of(code, message).file(RUN_MANIFEST_FILE)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use crate::{
        canonical::digest_bytes,
        code_review::{check, context::Facts, image::ImageFile, run_manifest::RESULT_FILE, step::Step, violation::Violation},
        strict::{Kind, parse},
    };

    const RUN_ID: &str = "5f0c5a6e-0000-4000-8000-000000000001";

    fn write(image: &mut RunImage, path: &str, bytes: &[u8]) {
        let file = ImageFile { size: bytes.len() as u64, sha256: digest_bytes(bytes), content: Some(bytes.to_vec()) };
        image.files.insert(path.to_owned(), file);
    }

    /// A sealed run, with the binding of its manifest.
    fn sealed() -> (RunImage, serde_json::Value) {
        let mut image = RunImage::default();
        let run = json!({
            "schema_version": 1, "protocol": "code-review/v1", "run_id": RUN_ID, "producer_id": "p", "tool_version": "1.0.0",
            "created_at": "2026-01-01T00:00:00Z", "scope": "working-tree", "targets": [], "target_label": "working tree",
            "source_worktree": "/source", "review_worktree": null, "base_oid": null, "head_oid": null,
            "config_sha256": digest_bytes(b""), "config_origin": "defaults", "independence_required": false,
            "independence_requirement_evidence": null, "caller_contract": null, "revised_scope": null
        });
        write(&mut image, RUN_FILE, run.to_string().as_bytes());
        write(&mut image, "checks/lint.stdout.txt", b"fine\n");
        let manifest = RunManifest::of(RUN_ID, &image);
        write(&mut image, RUN_MANIFEST_FILE, &artifact_bytes(&manifest));
        let binding = manifest.binding(image.sha256(RUN_MANIFEST_FILE).unwrap());
        (image, serde_json::to_value(binding).unwrap())
    }

    fn found(image: &RunImage, binding: &serde_json::Value, promoted: bool) -> Vec<String> {
        let (cards, resolved) = (BTreeMap::new(), BTreeMap::new());
        let facts = Facts {
            image,
            run_path: "/run",
            producer_id: None,
            git_state: None,
            mirror: None,
            role_cards: &cards,
            prior: None,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: None,
            promoted,
        };
        let mut context = Context::new(&facts, Some(RESULT_FILE));
        let result = json!({"metadata": {"run_manifest": binding}}).to_string();
        const KIND: Kind = Kind { code: "result", noun: "the result", file: "" };
        context.result = parse(KIND, result.as_bytes()).ok().map(|(_, root)| root);
        let mut sink = Sink::new(Step::RunManifest);
        check::run(Step::RunManifest, &mut context, &mut sink);
        sink.finish().0.iter().map(Violation::token).collect()
    }

    #[test]
    fn a_sealed_run_has_exactly_its_files() {
        let (image, binding) = sealed();
        assert_eq!(found(&image, &binding, true), [""; 0]);
        assert_eq!(found(&image, &binding, false), [""; 0]);
    }

    #[test]
    fn every_difference_of_a_promoted_run_is_named() {
        let (mut image, binding) = sealed();
        write(&mut image, "checks/lint.stdout.txt", b"finf\n");
        write(&mut image, "more.txt", b"");
        image.files.remove(RUN_FILE);
        assert_eq!(
            found(&image, &binding, true),
            [
                "run-manifest-binding-mismatch",
                "run-manifest-file-changed:checks/lint.stdout.txt",
                "run-manifest-unexpected-file:more.txt",
                "run-manifest-file-missing:run.json"
            ]
        );
        image.files.remove(RUN_MANIFEST_FILE);
        assert_eq!(found(&image, &binding, true), ["run-manifest-missing"]);
    }

    #[test]
    fn what_may_appear_later_is_no_difference_and_a_candidate_is() {
        let (mut image, binding) = sealed();
        for path in [RESULT_FILE, "completion.json", "resolution.jsonl", "promotion.json", "finalize.attempts.jsonl"] {
            write(&mut image, path, b"{}");
        }
        assert_eq!(found(&image, &binding, true), [""; 0]);
        write(&mut image, CANDIDATE_FILE, b"{}");
        assert_eq!(found(&image, &binding, false), [""; 0]);
        assert_eq!(found(&image, &binding, true), ["run-manifest-unexpected-file:result.candidate.json"]);
    }

    #[test]
    fn before_the_promotion_all_differences_are_one() {
        let (mut image, binding) = sealed();
        write(&mut image, "checks/lint.stdout.txt", b"finf\n");
        write(&mut image, "more.txt", b"");
        assert_eq!(found(&image, &binding, false), ["run-manifest-stale"]);
        image.files.remove(RUN_MANIFEST_FILE);
        assert_eq!(found(&image, &binding, false), ["run-manifest-stale"]);
    }

    #[test]
    fn the_list_is_bound_to_the_run_and_the_result() {
        let (image, binding) = sealed();
        for (key, value) in [("path", json!("other.json")), ("file_count", json!(1)), ("sha256", json!("0")), ("more", json!(1))] {
            let mut other = binding.clone();
            other[key] = value;
            assert_eq!(found(&image, &other, true), ["run-manifest-binding-mismatch"], "{key}");
        }
        let rewritten = |change: &dyn Fn(&mut RunManifest)| {
            let mut image = image.clone();
            let mut manifest = RunManifest::of(RUN_ID, &image);
            change(&mut manifest);
            write(&mut image, RUN_MANIFEST_FILE, &artifact_bytes(&manifest));
            let binding = manifest.binding(image.sha256(RUN_MANIFEST_FILE).unwrap());
            found(&image, &serde_json::to_value(binding).unwrap(), true)
        };
        assert_eq!(rewritten(&|manifest| manifest.run_id.push('0')), ["run-manifest-binding-mismatch"]);
        assert_eq!(rewritten(&|manifest| manifest.schema_version = 2), ["run-manifest-binding-mismatch"]);
        assert_eq!(rewritten(&|manifest| manifest.files.reverse()), ["run-manifest-binding-mismatch"]);
        let twice = rewritten(&|manifest| manifest.files.push(manifest.files[1].clone()));
        assert_eq!(twice, ["run-manifest-binding-mismatch"]);
    }
}
