use serde_json::{Value, json};

use crate::code_review::{fixture::Fixture, pull_request::command, step::Step, vocabulary::Scope};

const WORKTREE: &str = "/r/2026-01-02T03-04-05-000006Z-review-worktree";
const URL: &str = "https://forge.example/acme/tool/pull/7";

fn base() -> String {
    "a".repeat(40)
}

fn head() -> String {
    "b".repeat(40)
}

/// A run of a pull request whose receipts hold.
struct Collected(Fixture);

impl Collected {
    fn new() -> Self {
        let mut fixture = Fixture::new(&[]);
        let run = &mut fixture.t0.run;
        run.scope = Scope::Pr;
        (run.base_oid, run.head_oid) = (Some(base()), Some(head()));
        run.review_worktree = Some(WORKTREE.to_owned());
        "PR #7".clone_into(&mut run.target_label);
        let mut collected = Self(fixture);
        collected.0.write("pr-target.txt", b"#7\n");
        for (file, value) in receipts() {
            collected.put(file, &value);
        }
        collected
    }

    fn put(&mut self, file: &str, value: &Value) {
        self.0.write(file, value.to_string().as_bytes());
    }

    /// The same with one value of one file.
    fn with(mut self, file: &str, pointer: &str, value: Value) -> Self {
        let mut whole: Value = serde_json::from_slice(self.0.image.bytes(file).expect("there")).expect("JSON");
        match whole.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => whole[pointer.trim_start_matches('/')] = value,
        }
        self.put(file, &whole);
        self
    }

    fn found(&self) -> Vec<String> {
        let mut found = self.0.found(&[Step::PrScope]);
        found.sort();
        found
    }
}

fn receipts() -> Vec<(&'static str, Value)> {
    let thread = json!({"id": "T_1", "isResolved": false, "comments": [{"id": "X_1", "body": "Why?"}]});
    let observed = json!({"head": base(), "branch": "main", "dirty_paths": ["notes.txt"]});
    vec![
        (
            "pr.json",
            json!({"number": 7, "url": URL, "title": "Retry", "body": "", "state": "OPEN", "author": {"login": "mira"}, "baseRefName": "main",
                "baseRefOid": base(), "headRefName": "retry", "headRefOid": head(), "isCrossRepository": false}),
        ),
        (
            "pr-routing.json",
            json!({"pr_url": URL, "pr_state": "OPEN", "base_oid": base(), "head_oid": head(), "base_identity_source": "pr_url",
                "local_checkout_required": true, "route": "same-repository", "force_policy": "never"}),
        ),
        (
            "remote-selection.json",
            json!({"remote": "origin", "url": "https://forge.example/acme/tool.git", "expected_host": "forge.example",
                "expected_repository": "acme/tool", "matched": true}),
        ),
        (
            "target-branch.json",
            json!({"status": "fetched", "remote_ref": "refs/remotes/origin/main", "local_head": base(), "expected_base_oid": base(),
                "relation": "matches-pr-metadata"}),
        ),
        (
            "pr-head-fetch.json",
            json!({"remote_ref": "refs/remotes/origin/pr/7", "local_head": head(), "expected_head_oid": head(),
                "head_matches_pr_metadata": true}),
        ),
        (
            "worktree-preflight.json",
            json!({"phase": "after-checkout", "status": "clean", "current_head": head(), "expected_head": head(), "unmerged": [],
                "overlap": []}),
        ),
        (
            "local-checkout.json",
            json!({"status": "checked-out", "worktree": WORKTREE, "expected_head": head(), "local_head": head(),
                "method": "git-detached-review-worktree", "command": command::checkout(WORKTREE, &head()), "mode": "review",
                "diff_source": "verified-local-checkout", "diff_command": command::diff(&base(), &head()), "location": "report-adjacent",
                "local_branch": "", "force_policy": "never"}),
        ),
        (
            "checkout-state.json",
            json!({"status": "checkout-verified", "local_state": "isolated-exact-pr-head; main-worktree-unchanged",
                "worktree_lifecycle": "preserved-for-review"}),
        ),
        ("source-worktree-context.json", json!({"before": observed, "after": observed})),
        ("comments.json", json!([{"id": "C_1", "body": "- a\n- b"}])),
        ("reviews.json", json!([])),
        ("review-threads.json", json!([thread])),
        ("unresolved-review-threads.json", json!([thread])),
        (
            "online-review-summary.json",
            json!({"pr_metadata_transport": "api", "limited_data": false, "unavailable_evidence": [], "review_threads_status": "complete",
                "review_threads_error": null,
                "counts": {"comments": 1, "reviews": 0, "review_threads": 1, "unresolved_review_threads": 1},
                "parents": [{"id": "C_1", "kind": "comment", "fragments": 2}, {"id": "T_1", "kind": "review-thread", "fragments": 0}]}),
        ),
    ]
}

#[test]
fn a_collection_that_holds_has_no_violation() {
    assert_eq!(Collected::new().found(), Vec::<String>::new());
}

#[test]
fn every_receipt_is_there_and_closed() {
    for (file, value) in receipts() {
        let mut collected = Collected::new();
        collected.0.image.files.remove(file);
        assert_eq!(collected.found(), [format!("missing-pr-artifact:{file}")]);
        if value.is_object() {
            assert_eq!(Collected::new().with(file, "/extra", json!(1)).found().len(), 1, "{file}");
        }
    }
    let mut collected = Collected::new();
    collected.0.image.files.remove("pr-target.txt");
    assert_eq!(collected.found(), ["missing-pr-artifact:pr-target.txt"]);
}

#[test]
fn metadata_has_a_description_and_is_open() {
    assert_eq!(Collected::new().with("pr.json", "/body", Value::Null).found(), ["pr-description-missing"]);
    assert_eq!(Collected::new().with("pr.json", "/state", json!("MERGED")).found(), ["pr-state-not-open:state"]);
}

#[test]
fn every_object_id_is_joined() {
    let other = json!("c".repeat(40));
    for (file, key) in [
        ("pr-routing.json", "base_oid"),
        ("pr-routing.json", "head_oid"),
        ("pr-head-fetch.json", "local_head"),
        ("pr-head-fetch.json", "expected_head_oid"),
        ("worktree-preflight.json", "current_head"),
        ("worktree-preflight.json", "expected_head"),
        ("local-checkout.json", "local_head"),
        ("local-checkout.json", "expected_head"),
    ] {
        let found = Collected::new().with(file, &format!("/{key}"), other.clone()).found();
        assert_eq!(found, [format!("pr-oid-join-mismatch:{key}")], "{file}");
    }
    let found = Collected::new().with("target-branch.json", "/expected_base_oid", other).found();
    assert_eq!(found, ["pr-oid-join-mismatch:expected_base_oid", "pr-target-branch-invalid:relation"]);
    let mut collected = Collected::new();
    collected.0.t0.run.head_oid = None;
    assert_eq!(collected.found(), ["pr-oid-join-mismatch:head_oid"]);
}

#[test]
fn an_advanced_target_is_normal_and_says_so() {
    let advanced = || Collected::new().with("target-branch.json", "/local_head", json!("c".repeat(40)));
    assert_eq!(advanced().found(), ["pr-target-branch-invalid:relation"]);
    assert_eq!(advanced().with("target-branch.json", "/relation", json!("advanced")).found(), Vec::<String>::new());
    let diverged = advanced().with("target-branch.json", "/relation", json!("diverged"));
    assert_eq!(diverged.found(), ["pr-target-branch-invalid:target-branch.json"]);
}

#[test]
fn the_remote_is_the_base_repository() {
    let with = |key: &str, value: &str| Collected::new().with("remote-selection.json", key, json!(value)).found();
    assert_eq!(with("/url", "git@forge.example:acme/other.git"), ["pr-remote-mismatch:url", "pr-remote-mismatch:url"]);
    assert_eq!(with("/url", "https://key@forge.example/acme/tool.git"), ["pr-remote-mismatch:url"]);
    assert_eq!(with("/url", "ssh://forge.example/acme/tool.git"), Vec::<String>::new());
    assert_eq!(with("/expected_host", "other.example"), ["pr-remote-mismatch:expected_host"]);
}

#[test]
fn the_route_is_that_of_the_head() {
    let fork = Collected::new().with("pr.json", "/isCrossRepository", json!(true));
    assert_eq!(fork.found(), ["pr-routing-invalid:route"]);
    let mut other = Collected::new();
    other.0.write("pr-target.txt", b"8\n");
    assert_eq!(other.found(), ["pr-routing-invalid:"]);
}

#[test]
fn nothing_stands_in_the_way_of_the_checkout() {
    let obstructed = Collected::new().with("worktree-preflight.json", "/status", json!("obstructed"));
    assert_eq!(obstructed.found(), ["pr-worktree-preflight-invalid:status"]);
    let state = Collected::new().with("checkout-state.json", "/status", json!("unmerged"));
    assert_eq!(state.found(), ["pr-local-checkout-invalid:status"]);
    let attached = Collected::new().with("local-checkout.json", "/local_branch", json!("retry"));
    assert_eq!(attached.found(), ["pr-local-checkout-invalid:local_branch"]);
}

#[test]
fn commands_neither_force_nor_download() {
    let with = |key: &str, value: &str| Collected::new().with("local-checkout.json", key, json!(value)).found();
    assert_eq!(with("/command", "git checkout -f main"), ["pr-force-forbidden:command", "pr-local-checkout-invalid:command"]);
    let downloaded = ["pr-local-diff-provenance-invalid:diff_command", "pr-raw-source-forbidden:diff_command"];
    assert_eq!(with("/diff_command", "curl -L https://forge.example/acme/tool/pull/7.diff"), downloaded);
    let mut copied = Collected::new();
    copied.0.write("head-files/src/a.rs", b"fn a() {}\n");
    assert_eq!(copied.found(), ["pr-raw-source-forbidden:head-files"]);
    let raw = Collected::new().with("pr-head-fetch.json", "/remote_ref", json!("https://raw.githubusercontent.com/acme/tool"));
    assert_eq!(raw.found(), ["pr-raw-source-forbidden:pr-head-fetch.json"]);
}

#[test]
fn findings_may_be_about_downloads_and_force() {
    let mut collected = Collected::new();
    let evidence = |text: &str| json!({"review_findings": [{"id": "f-1", "evidence": ["src/a.rs:1", text]}]});
    collected.0.metadata = evidence("scripts/get.sh:4 runs curl and git push --force");
    assert_eq!(collected.found(), Vec::<String>::new());
    collected.0.metadata = evidence("https://raw.githubusercontent.com/acme/tool/main/a.rs shows it");
    assert_eq!(collected.found(), ["pr-raw-source-forbidden:f-1"]);
}

#[test]
fn what_others_wrote_is_counted() {
    let summary = "online-review-summary.json";
    assert_eq!(Collected::new().with(summary, "/counts/reviews", json!(1)).found(), [format!("pr-review-thread-status-invalid:{summary}")]);
    assert_eq!(Collected::new().with(summary, "/parents", json!([])).found(), [format!("pr-review-thread-status-invalid:{summary}")]);
    let hidden = Collected::new().with("unresolved-review-threads.json", "", json!([]));
    assert_eq!(hidden.found(), ["pr-review-thread-status-invalid:unresolved-review-threads.json"]);
    let fallback = Collected::new().with(summary, "/limited_data", json!(true));
    assert_eq!(fallback.found(), [format!("pr-public-fallback-evidence-invalid:{summary}")]);
}

#[test]
fn threads_that_could_not_be_read_claim_nothing() {
    let summary = "online-review-summary.json";
    let unread = || {
        let mut collected = Collected::new().with(summary, "/review_threads_status", json!("unavailable")).with(
            summary,
            "/review_threads_error",
            json!("rate limit"),
        );
        collected.0.write("review-threads-error.txt", b"rate limit\n");
        collected
    };
    let nonempty = "pr-review-thread-unavailable-must-be-empty:";
    let found = unread().found();
    assert_eq!(found, [format!("{nonempty}review-threads.json"), format!("{nonempty}unresolved-review-threads.json")]);
    let empty = || {
        let without = unread().with("review-threads.json", "", json!([])).with("unresolved-review-threads.json", "", json!([]));
        let counts = json!({"comments": 1, "reviews": 0, "review_threads": 0, "unresolved_review_threads": 0});
        let parents = json!([{"id": "C_1", "kind": "comment", "fragments": 2}]);
        without.with(summary, "/counts", counts).with(summary, "/parents", parents)
    };
    assert_eq!(empty().found(), Vec::<String>::new());
    let silent = empty().with(summary, "/review_threads_error", Value::Null);
    assert_eq!(silent.found(), [format!("pr-review-thread-error-mismatch:{summary}")]);
}
