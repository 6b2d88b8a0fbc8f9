//! A whole review in memory: receipts, routing, passes, gates, result and notes that hold together.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    gates, handoff, notes, result,
    shape::{Claim, Origins, Shape},
    words::{OTHER, RESULT_FILE},
};
use crate::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{
        check,
        context::{Context, Facts},
        evidence::{Coordinate, Resolved, coordinates, index},
        finalize::{Authored, Prepared, Rendered, Said, prepare, seal},
        fixture::{Fixture, SOURCE, response},
        image::{ImageFile, RunImage},
        routing::{Plan, PlanFile, PlanKind, ROUTING_FILE, Routing, RoutingFacts, SIGNALS},
        step::Step,
        t0::{GIT_STATE_FILE, GitState, MIRROR_FILE, PATH_ROLES_FILE, REVIEWED_COMMIT_FILE, SNAPSHOT_FILE, SourceSnapshot, T0},
        validation::{Validation, judge},
        violation::Sink,
        vocabulary::Role,
    },
};

/// What a review's driver calls itself.
const PRODUCER: &str = "local-0000000000000000";
/// Lines of each file of the reviewed and the base tree.
const LINES: u32 = 20;
/// Steps of a finalized or promoted run.
const LATER: [Step; 6] = [Step::Handoff, Step::HandoffData, Step::Render, Step::Terminal, Step::RunManifest, Step::Promotion];
/// What the renderer makes of every hand-off.
const REPORT: &[u8] = b"# Review\n";

/// A review that holds, and the facts from outside that it is judged by.
pub(super) struct Review {
    pub(super) fixture: Fixture,
    git_state: GitState,
    mirror: Option<SourceSnapshot>,
    /// Its parts before they are tied together, once it is finalized.
    pub(super) prepared: Option<Prepared>,
}

impl Review {
    pub(super) fn of(shape: &Shape) -> Self {
        let mut image = receipts(shape);
        let t0 = t0(&image);
        let routing = routing(&t0, &image, shape);
        write(&mut image, ROUTING_FILE, &artifact_bytes(&routing));
        let plan = plan(&t0, &image, &routing);
        let git_state = record(&image, GIT_STATE_FILE);
        let mirror = image.has(SNAPSHOT_FILE).then(|| record(&image, SNAPSHOT_FILE));
        let mut fixture = Fixture::over(image, t0, routing, plan);
        reviewed(&mut fixture, shape);
        gates::write(&mut fixture, shape);
        let mut review = Self { fixture, git_state, mirror, prepared: None };
        result::write(&mut review.fixture, shape);
        notes::write(&mut review.fixture, shape);
        let cited = coordinates(&review.fixture.image, RESULT_FILE);
        let kept = index(&cited, &review.resolved());
        review.fixture.write("evidence-index.json", &artifact_bytes(&kept));
        review
    }

    /// The same, finalized.
    pub(super) fn finalized(shape: &Shape) -> Self {
        let mut review = Self::of(shape);
        let result: Value = record(&review.fixture.image, RESULT_FILE);
        let follow_up = serde_json::from_value(result["follow_up"].clone()).expect("follow-ups");
        let recommendations = serde_json::from_value(result["recommendations"].clone()).expect("texts");
        let mut metadata = result["metadata"].as_object().expect("an object").clone();
        metadata.retain(|key, _| !["final_handoff", "run_manifest"].contains(&key.as_str()));
        let said = Said { recommendations, follow_up, ..Said::default() };
        let authored = Authored { metadata, handoff: handoff::draft(&review.fixture, shape), said };
        let resolved = review.resolved();
        let prepared = prepare(&review.facts(&resolved, None), &review.fixture.t0.run, &authored);
        review.prepared = Some(prepared.clone());
        review.seal(&prepared);
        review
    }

    /// Ties these parts together.
    pub(super) fn seal(&mut self, prepared: &Prepared) {
        let resolved = self.resolved();
        let rendered = Rendered { report: Some(REPORT), others: BTreeMap::new() };
        let sealed = seal(&self.facts(&resolved, None), &self.fixture.t0.run, prepared, rendered);
        self.fixture.image = sealed.image;
    }

    /// What the coordinates of the result point at, as whoever has the trees finds it.
    fn resolved(&self) -> BTreeMap<Coordinate, Resolved> {
        let known = |coordinate: &Coordinate| [SOURCE, OTHER].contains(&coordinate.path.as_str());
        let cited = coordinates(&self.fixture.image, RESULT_FILE).into_iter().map(|cited| cited.coordinate);
        cited.filter(known).map(|coordinate| (coordinate, Resolved { file_sha256: digest_bytes(b"source"), lines: LINES })).collect()
    }

    fn facts<'f>(&'f self, resolved: &'f BTreeMap<Coordinate, Resolved>, rendered: Option<&'f Result<Vec<u8>, String>>) -> Facts<'f> {
        Facts {
            image: &self.fixture.image,
            run_path: "/run",
            producer_id: Some(PRODUCER),
            git_state: Some(&self.git_state),
            mirror: self.mirror.as_ref(),
            role_cards: &self.fixture.cards,
            prior: None,
            reviewed_tree: true,
            resolved,
            rendered,
            promoted: false,
        }
    }

    /// Judges the run as it is.
    pub(super) fn judge(&self) -> Validation {
        let (resolved, rendered) = (self.resolved(), Ok(REPORT.to_vec()));
        let steps = Step::ALL.into_iter().filter(|step| self.prepared.is_some() || !LATER.contains(step));
        judge(&self.facts(&resolved, Some(&rendered)), Some(RESULT_FILE), steps).0
    }

    /// Judges the run with other bytes in one file.
    pub(super) fn judge_with(&mut self, path: &str, bytes: &[u8]) -> Validation {
        let file = ImageFile { size: bytes.len() as u64, sha256: digest_bytes(bytes), content: Some(bytes.to_vec()) };
        let right = self.fixture.image.files.insert(path.to_owned(), file).expect("a file of the run");
        let validation = self.judge();
        self.fixture.image.files.insert(path.to_owned(), right);
        validation
    }

    /// Judges the run without one file.
    pub(super) fn judge_without(&mut self, path: &str) -> Validation {
        let right = self.fixture.image.files.remove(path).expect("a file of the run");
        let validation = self.judge();
        self.fixture.image.files.insert(path.to_owned(), right);
        validation
    }
}

fn write(image: &mut RunImage, path: &str, bytes: &[u8]) {
    let file = ImageFile { size: bytes.len() as u64, sha256: digest_bytes(bytes), content: Some(bytes.to_vec()) };
    image.files.insert(path.to_owned(), file);
}

fn record<T: serde::de::DeserializeOwned>(image: &RunImage, path: &str) -> T {
    serde_json::from_slice(image.bytes(path).expect(path)).expect(path)
}

/// What `start` wrote.
fn receipts(shape: &Shape) -> RunImage {
    let mut image = RunImage::default();
    let (head, base) = ("a".repeat(40), if shape.commit { "b".repeat(40) } else { "a".repeat(40) });
    let config = artifact_bytes(&json!({"schema_version": 1, "codeReview": {"testPaths": ["checks/**"]}, "policy": null}));
    let (scope, label) =
        if shape.commit { ("commit", format!("commit range {base}..{head}")) } else { ("working-tree", "working tree".to_owned()) };
    let run = json!({
        "schema_version": 1, "protocol": "code-review/v1", "run_id": "5f0c5a6e-0000-4000-8000-000000000001", "producer_id": PRODUCER,
        "tool_version": "1.0.0", "created_at": "2026-01-01T00:00:00Z", "scope": scope,
        "targets": if shape.commit { vec![format!("{base}..{head}")] } else { Vec::new() }, "target_label": label,
        "source_worktree": "/source", "review_worktree": "/review", "base_oid": base, "head_oid": head,
        "config_sha256": digest_bytes(&config), "config_origin": "source-worktree", "independence_required": false,
        "independence_requirement_evidence": null, "caller_contract": null, "revised_scope": null
    });
    write(&mut image, "config.json", &config);
    write(&mut image, "run.json", &artifact_bytes(&run));
    for (path, text) in [
        ("diff.patch", "diff\n"),
        ("diffstat.txt", " 2 files changed\n"),
        ("status.txt", " M src/a.rs\0"),
        ("files.txt", "src/a.rs\n"),
        ("untracked.txt", "src/b.rs\n"),
        ("numstat.txt", "30\t40\tsrc/a.rs\n9\t0\tsrc/b.rs\n"),
    ] {
        write(&mut image, path, text.as_bytes());
    }
    let state = json!({
        "schema_version": 1, "source_worktree": "/source", "observed_at": "2026-01-01T00:00:00Z", "head": head, "merge_head": null,
        "rebase_head": null, "cherry_pick_head": "c".repeat(40), "revert_head": null, "unmerged_paths": ["README.md", "b.md"],
        "index_sha256": "1".repeat(64)
    });
    write(&mut image, GIT_STATE_FILE, &artifact_bytes(&state));
    let part = |path: &str| json!({"path": path, "base": "production-source", "candidate": "production-source"});
    let roles = json!({"schema_version": 1, "paths": [part(SOURCE), part(OTHER)]});
    write(&mut image, PATH_ROLES_FILE, &artifact_bytes(&roles));
    if shape.commit {
        write(&mut image, REVIEWED_COMMIT_FILE, format!("{head}\n").as_bytes());
    } else {
        mirror(&mut image, &head);
    }
    image
}

fn mirror(image: &mut RunImage, head: &str) {
    write(image, "local-source/status.txt", b" M src/a.rs\0");
    write(image, "local-source/diff.patch", b"diff\n");
    write(image, "local-source/staged.patch", b"");
    let digest = |path: &str| image.sha256(path).expect("written").to_owned();
    let receipt = json!({
        "schema_version": 1, "source_worktree": "/source", "review_worktree": "/review", "revision": head, "scope_paths": [],
        "index_sha256": "1".repeat(64), "diff_sha256": digest("diff.patch"), "status_sha256": digest("local-source/status.txt"),
        "review_status_sha256": "2".repeat(64)
    });
    let file = |path: &str| json!({"path": path, "kind": "file", "sha256": digest_bytes(b"source"), "executable": false});
    let snapshot = json!({
        "schema_version": 1, "repository": "/source", "scope_paths": [], "revision": head, "index_sha256": "1".repeat(64),
        "files": [file(SOURCE), file(OTHER)]
    });
    write(image, MIRROR_FILE, &artifact_bytes(&receipt));
    write(image, SNAPSHOT_FILE, &artifact_bytes(&snapshot));
    write(image, "checks/local-source-snapshot.json", &artifact_bytes(&snapshot));
}

/// Collection's facts, as their step reads them.
fn t0(image: &RunImage) -> T0 {
    let (resolved, cards) = (BTreeMap::new(), BTreeMap::new());
    let snapshot: Option<SourceSnapshot> = image.has(SNAPSHOT_FILE).then(|| record(image, SNAPSHOT_FILE));
    let facts = Facts {
        image,
        run_path: "/run",
        producer_id: Some(PRODUCER),
        git_state: None,
        mirror: snapshot.as_ref(),
        role_cards: &cards,
        prior: None,
        reviewed_tree: false,
        resolved: &resolved,
        rendered: None,
        promoted: false,
    };
    let mut context = Context::new(&facts, None);
    let mut sink = Sink::new(Step::T0);
    check::run(Step::T0, &mut context, &mut sink);
    context.t0.unwrap_or_else(|| panic!("{:?}", sink.finish().0))
}

/// The routing that the facts ask for, with the selected roles.
fn routing(t0: &T0, image: &RunImage, shape: &Shape) -> Routing {
    let roles: crate::code_review::t0::PathRolesRecord = record(image, PATH_ROLES_FILE);
    let facts = RoutingFacts::of(t0, &roles.paths);
    let signals: BTreeMap<String, bool> = SIGNALS.map(|signal| (signal.to_owned(), facts.mandatory.contains_key(signal))).into();
    let selections: BTreeMap<Role, String> = shape.selected.iter().map(|role| (*role, "the user asked for it".to_owned())).collect();
    let reasons = facts.triggered(facts.mechanical.tier, &signals, &selections);
    let mut triggered: Vec<Role> = reasons.keys().copied().collect();
    triggered.sort_by_key(|role| role.as_str());
    Routing {
        schema_version: 1,
        risk_tier: facts.mechanical.tier,
        mechanical_risk_tier: facts.mechanical.tier,
        mechanical_risk_evidence: facts.mechanical.evidence,
        signal_evidence: SIGNALS.map(|signal| (signal.to_owned(), "looked at".to_owned())).into(),
        signals,
        triggered_roles: triggered,
        trigger_reasons: reasons,
        explicit_selections: selections,
        independent_review_required: false,
        independence_requirement_evidence: None,
    }
}

/// A direct plan in which everybody inspects everything.
fn plan(t0: &T0, image: &RunImage, routing: &Routing) -> Plan {
    let head = t0.run.head_oid.clone().unwrap_or_default();
    let revision = image.sha256(SNAPSHOT_FILE).map_or(format!("head:{head}"), |sha256| format!("sha256:{sha256}"));
    let file = |path: &String| PlanFile {
        path: path.clone(),
        kind: "file".to_owned(),
        sha256: Some(digest_bytes(b"source")),
        batch: 1,
        roles: routing.triggered_roles.iter().map(|role| role.as_str().to_owned()).collect(),
    };
    Plan { schema_version: 1, plan_kind: PlanKind::Direct, revision, files: t0.inspection_set.iter().map(file).collect() }
}

/// Every pass, with the originals in the software engineer's response.
fn reviewed(fixture: &mut Fixture, shape: &Shape) {
    let roles = fixture.routing.triggered_roles.clone();
    let last = roles.iter().rev().find(|role| **role != Role::SwEngineer).copied();
    for role in roles {
        let engineer = role == Role::SwEngineer;
        let rating = if engineer && shape.undecided { "null" } else { "2" };
        let mut text = response(role, rating).replace(&format!("- `{SOURCE}`"), &format!("- `{SOURCE}`\n- `{OTHER}`"));
        let originals: Vec<Value> = shape.claims.iter().enumerate().flat_map(|(number, claim)| originals(number, claim)).collect();
        if engineer && !originals.is_empty() {
            let records = serde_json::to_string_pretty(&originals).expect("JSON");
            text.push_str(&format!("\n## Reviewer Findings\n\n```json\n{records}\n```\n"));
        }
        if shape.substitutes && Some(role) == last {
            fixture.substitute(role, &text);
        } else {
            fixture.review(role, &text);
        }
    }
}

/// What the software engineer wrote of a claim.
fn originals(number: usize, claim: &Claim) -> Vec<Value> {
    let record = |letter: char, start: u32| {
        json!({
            "id": format!("R{}-{letter}", number + 1), "severity": claim.severity, "title": format!("Retry {number}"),
            "summary": format!("Call {number} retries without end."), "required_change": format!("Stop call {number} at three."),
            "closure_evidence": format!("A test counts the attempts of call {number}."),
            "evidence": [{"path": SOURCE, "start_line": start, "end_line": start + 2, "source_sha256": digest_bytes(b"source")}]
        })
    };
    match claim.origins {
        Origins::None => Vec::new(),
        Origins::One => vec![record('a', 3)],
        Origins::Same => vec![record('a', 3), record('b', 3)],
        Origins::Reconciled => vec![record('a', 3), record('b', 9)],
    }
}
