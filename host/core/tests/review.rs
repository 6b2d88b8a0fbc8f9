//! Packets and the results that answer them (contract 5, 6).

use std::collections::BTreeMap;

use code_polishy_core::{
    diagnostic::Diagnostic,
    journal::{Capture, Journal},
    packet::{EntryFacts, Marker, Packet, PacketFacts, Position, differences, positioned},
    patch::{ChangeStatus, FilePatch, PatchHunk, SourceContext},
    plugin::Role,
    policy::model::{Boundary, Level, RedKind},
    review::{Assessment, Behavior, BehaviorScope, Classification, FinalStateFinding, FindingKind, ReviewResult, assess},
    selection::{Reason, SelectedFeature, Selection},
};

fn feature(name: &str, suite: &str) -> SelectedFeature {
    SelectedFeature {
        name: name.into(),
        description: name.into(),
        modules: vec![],
        paths: vec!["src/**".into()],
        suites: vec![suite.into()],
        required_at: Level::Merge,
        reasons: vec![Reason::CandidateRequired],
    }
}

fn journal() -> Journal {
    let mut journal = Journal::empty();
    journal.append_entry(Capture {
        commit: "a".repeat(40),
        candidate_state_sha256: "0".repeat(64),
        clean: true,
        rewritten: false,
        intent: "make it so".into(),
    });
    journal
}

const ORIGINAL: EntryFacts =
    EntryFacts { at_or_before_base: true, holds_base_content: false, in_candidate_history: true, is_candidate: false };

fn hunk(text: &str, start: u32, lines: u32, context: Option<(u32, u32)>) -> PatchHunk {
    let context = context.map(|(start_line, end_line)| SourceContext { start_line, end_line, content: "x\n".into() });
    PatchHunk { candidate_start: start, candidate_lines: lines, text: text.into(), context }
}

fn packet() -> Packet {
    let patch = |path: &str, status, hunk| FilePatch { path: path.into(), status, text: format!("diff {path}\n"), hunks: vec![hunk] };
    Packet::build(PacketFacts {
        base: "b".repeat(40),
        candidate: "c".repeat(40),
        follow_up: None,
        intents: positioned(&journal(), &[ORIGINAL]).expect("captured before"),
        requirements: vec![],
        selection: Selection {
            boundary: Boundary::Merge,
            features: vec![feature("auth", "auth-contract"), feature("checkout", "checkout-contract")],
            full_candidate: true,
            full_candidate_reasons: vec![Reason::DefaultRequired],
        },
        patches: vec![
            patch("gone", ChangeStatus::Deleted, hunk("@@ -1 +0,0 @@\n-x\n", 0, 0, None)),
            patch("src/a", ChangeStatus::Modified, hunk("@@ -5 +5 @@\n-x\n+y\n", 5, 1, Some((1, 25)))),
        ],
        roles: vec![Role::ProductionSource; 2],
        documents: vec![],
        allowed_red_kinds: vec![RedKind::Failed],
        instructions: None,
        result_schema: code_polishy_core::schema::result(),
    })
}

fn behavior(classification: Classification, features: &[&str], full_candidate: bool, proofs: &[&str]) -> Behavior {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    Behavior {
        before: "before".into(),
        after: "after".into(),
        classification,
        proof_ids: texts(proofs),
        scope: BehaviorScope { features: texts(features), full_candidate },
    }
}

fn result(packet: &Packet) -> ReviewResult {
    ReviewResult {
        version: 4,
        review_id: packet.review_id.clone(),
        base: packet.base.clone(),
        candidate: packet.candidate.clone(),
        intent_sha256: packet.intent_sha256.clone(),
        selection_sha256: packet.selection_sha256.clone(),
        decision_sha256: packet.decision_sha256.clone(),
        behaviors: vec![
            behavior(Classification::Requested, &["checkout"], false, &["p"]),
            behavior(Classification::Preserved, &["auth"], false, &[]),
            behavior(Classification::Preserved, &[], true, &[]),
        ],
        findings: vec![],
        final_state_findings: vec![],
    }
}

fn judge(result: &ReviewResult, packet: &Packet) -> Assessment {
    let declared =
        packet.selection.features.iter().map(|feature| (feature.name.clone(), feature.suites.iter().cloned().collect())).collect();
    let proofs = BTreeMap::from([
        ("p".to_owned(), Ok("checkout-contract".to_owned())),
        ("bad".to_owned(), Err(vec![Diagnostic::new("proof.stale", "stale", "again")])),
    ]);
    assess(result, packet, &declared, &proofs)
}

fn codes(edit: impl FnOnce(&mut ReviewResult)) -> Vec<String> {
    let packet = packet();
    let mut result = result(&packet);
    edit(&mut result);
    judge(&result, &packet).diagnostics().into_iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn a_complete_result_is_accepted() {
    let packet = packet();
    assert!(judge(&result(&packet), &packet).is_accepted());
}

#[test]
fn each_identity_field_makes_it_stale() {
    assert_eq!(codes(|result| result.candidate = "d".repeat(40)), ["result.stale"]);
    assert_eq!(
        codes(|result| {
            result.review_id.push('x');
            result.decision_sha256.push('x');
        }),
        ["result.stale", "result.stale"]
    );
}

#[test]
fn scopes_are_selected_and_cover_everything() {
    assert_eq!(codes(|result| drop(result.behaviors.remove(1))), ["result.uncovered-feature"]);
    assert_eq!(codes(|result| drop(result.behaviors.remove(2))), ["result.uncovered-candidate"]);
    assert_eq!(codes(|result| result.behaviors[1].scope.features.push("other".into())), ["result.unselected-feature"]);
    assert_eq!(codes(|result| result.behaviors[1].scope.full_candidate = true), ["result.scope"]);
    assert_eq!(codes(|result| result.behaviors[2].scope.full_candidate = false), ["result.scope", "result.uncovered-candidate"]);
}

#[test]
fn requested_behavior_needs_a_proof_of_every_feature() {
    assert_eq!(codes(|result| result.behaviors[0].proof_ids.clear()), ["result.requested-without-proof"]);
    assert_eq!(codes(|result| result.behaviors[0].scope.features.push("auth".into())), ["result.feature-unproved"]);
    assert_eq!(codes(|result| result.behaviors[1].proof_ids.push("absent".into())), ["result.proof-missing"]);
    assert_eq!(codes(|result| result.behaviors[1].proof_ids.push("bad".into())), ["proof.stale"]);
    assert_eq!(codes(|result| result.behaviors[1].proof_ids.push("p".into())), ["result.proof-suite"]);
    assert!(codes(|result| result.behaviors[2].proof_ids.push("p".into())).is_empty(), "the full candidate takes any eligible suite");
}

fn finding(packet: &Packet, path: usize) -> FinalStateFinding {
    let evidence = &packet.final_state_evidence.paths[path];
    FinalStateFinding {
        kind: FindingKind::CorrectionResidue,
        path: evidence.path.clone(),
        line: evidence.hunks[0].candidate_start.max(1),
        patch_hunk_sha256: evidence.hunks[0].sha256.clone(),
        intent_ids: vec![packet.intents[0].id.clone()],
        summary: "left over".into(),
    }
}

#[test]
fn citations_are_exact_and_findings_block() {
    let packet = packet();
    let with = |path, edit: fn(&mut FinalStateFinding)| {
        let mut finding = finding(&packet, path);
        edit(&mut finding);
        codes(|result| result.final_state_findings.push(finding))
    };
    let blocked = "result.final-state-finding";
    assert_eq!(with(1, |_| ()), [blocked]);
    assert_eq!(with(0, |_| ()), [blocked], "a deletion is cited at line 1");
    assert_eq!(with(1, |finding| finding.line = 25), [blocked]);
    assert_eq!(with(1, |finding| finding.line = 26), ["result.line-outside-hunk", blocked]);
    assert_eq!(with(0, |finding| finding.line = 2), ["result.line-outside-hunk", blocked]);
    assert_eq!(with(1, |finding| finding.path = "src/b".into()), ["result.unknown-path", blocked]);
    assert_eq!(with(1, |finding| finding.path = "gone".into()), ["result.foreign-hunk", blocked]);
    assert_eq!(with(1, |finding| finding.intent_ids = vec!["intent-0".into()]), ["result.unknown-intent", blocked]);
    let twice = finding(&packet, 1);
    assert_eq!(codes(|result| result.final_state_findings = vec![twice.clone(), twice]), ["result.duplicate-finding", blocked, blocked]);
    assert_eq!(codes(|result| result.findings.push("a defect".into())), ["result.finding"]);
    assert_eq!(codes(|result| result.behaviors[1].classification = Classification::Unintended), ["result.unintended"]);
    assert_eq!(codes(|result| result.behaviors[1].classification = Classification::Unknown), ["result.unknown-behavior"]);
}

#[test]
fn requests_stand_where_history_puts_them() {
    let facts = |at_or_before_base, holds_base_content, in_candidate_history, is_candidate| EntryFacts {
        at_or_before_base,
        holds_base_content,
        in_candidate_history,
        is_candidate,
    };
    assert_eq!(facts(true, false, true, false).position(false), Position::Original);
    assert_eq!(facts(false, true, false, false).position(true), Position::Original, "found by content after a rebase");
    assert_eq!(facts(false, true, false, false).position(false), Position::Rewritten, "content says nothing of a dirty capture");
    assert_eq!(facts(false, false, true, false).position(true), Position::Correction);
    assert_eq!(facts(false, true, true, true).position(true), Position::AfterCandidate);
    assert_eq!(facts(false, false, false, false).position(true), Position::Rewritten);
    assert!(positioned(&journal(), &[facts(false, false, true, true)]).is_err(), "a request after the fact");
}

#[test]
fn equal_facts_give_equal_bytes_and_every_field_binds_the_id() {
    let (one, two) = (packet(), packet());
    let bytes = one.to_bytes().expect("small");
    assert_eq!(bytes, two.to_bytes().expect("small"));
    assert_eq!(Packet::read(&bytes).expect("strict"), one);
    assert_eq!(Marker::of(&one, &bytes).packet_sha256, code_polishy_core::canonical::digest_bytes(&bytes));
    assert!(differences(&one, &two).is_empty());
    let mut value = serde_json::to_value(&one).expect("value");
    let keys: Vec<String> = value.as_object().expect("object").keys().cloned().collect();
    for key in keys.iter().filter(|key| !["result_schema", "version"].contains(&key.as_str())) {
        let before = value[key].clone();
        value[key] = match &before {
            serde_json::Value::String(_) => "edited".into(),
            serde_json::Value::Null => "edited".into(),
            serde_json::Value::Array(_) => serde_json::json!([]),
            _ => before.clone(),
        };
        if value[key] != before {
            let edited = Packet::read(value.to_string().as_bytes()).expect("still a packet");
            assert!(!differences(&edited, &one).is_empty(), "{key}");
        }
        value[key] = before;
    }
}

#[test]
fn an_oversized_packet_names_its_largest_parts() {
    let mut packet = packet();
    packet.final_state_evidence.paths[1].hunks[0].patch = "x".repeat(9 << 20);
    let failure = packet.to_bytes().expect_err("over the limit");
    assert!(failure.diagnostics[0].message.contains("src/a"), "{failure:?}");
}
