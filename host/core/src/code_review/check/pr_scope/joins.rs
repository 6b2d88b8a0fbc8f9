//! One pull request, one base, one head, one repository, in every receipt (CR-38, CR-39, CR-40).

use super::{IMPORT_AGAIN, receipts::Receipts};
use crate::code_review::{
    codes::{self, Code},
    pull_request::{
        export::{OPEN, PR_FILE},
        identity::{PullAddress, PullTarget, Repository, without_credentials},
        receipt::*,
    },
    run::{RUN_FILE, RunRecord, is_object_id, target_label},
    violation::{Sink, Violation},
    vocabulary::Scope,
};

/// Something that a receipt must say.
struct Rule {
    code: &'static Code,
    file: &'static str,
    key: &'static str,
    holds: bool,
    message: &'static str,
}

const CONSTANT: &str = "this is not what a completed collection writes";
const OTHER_ID: &str = "this is not the full object id that the pull request names";

pub(super) fn check(receipts: &Receipts, run: &RunRecord, sink: &mut Sink) {
    let rules = [routing(receipts), objects(receipts, run), target_branch(receipts), remote(receipts), checkout(receipts, run)];
    for Rule { code, file, key, message, .. } in rules.into_iter().flatten().filter(|rule| !rule.holds) {
        let violation = Violation::new(code, format!("`{key}` of `{file}`: {message}"), IMPORT_AGAIN);
        sink.push(violation.subject(key).at(file, format!("/{key}")));
    }
}

/// Which pull request it is.
fn routing(receipts: &Receipts) -> Vec<Rule> {
    let Receipts { metadata, target, routing, .. } = receipts;
    let rule = |key, holds, message| Rule { code: &codes::PR_ROUTING_INVALID, file: ROUTING_FILE, key, holds, message };
    let open =
        |file, key, state: &str| Rule { code: &codes::PR_STATE_NOT_OPEN, file, key, holds: state == OPEN, message: "it is not `OPEN`" };
    let address = PullAddress::read(&metadata.url);
    let targeted = address.as_ref().is_some_and(|address| PullTarget::read(target).is_some_and(|target| target.names(address)));
    let is_fork = routing.route == Route::Fork;
    vec![
        open(PR_FILE, "state", &metadata.state),
        open(ROUTING_FILE, "pr_state", &routing.pr_state),
        Rule {
            file: PR_FILE,
            ..rule(
                "url",
                address.as_ref().is_some_and(|address| address.number == metadata.number),
                "this is no address of this pull request",
            )
        },
        rule("pr_url", routing.pr_url == metadata.url, "this is not the address of the pull request"),
        Rule { file: TARGET_FILE, ..rule("", targeted, "this is not the pull request that was collected") },
        rule("base_identity_source", routing.base_identity_source == "pr_url", CONSTANT),
        rule("local_checkout_required", routing.local_checkout_required, CONSTANT),
        rule("force_policy", routing.force_policy == NEVER, CONSTANT),
        rule("route", is_fork == metadata.is_cross_repository, "the head comes from a fork, or it does not: `pr.json` decides"),
    ]
}

/// CR-39: every object id that stands for the base or the head.
fn objects(receipts: &Receipts, run: &RunRecord) -> Vec<Rule> {
    let Receipts { metadata, routing, target_branch, head, preflight, checkout, .. } = receipts;
    let (base_oid, head_oid) = (&metadata.base_ref_oid, &metadata.head_ref_oid);
    let rule = |file, key, holds| Rule { code: &codes::PR_OID_JOIN_MISMATCH, file, key, holds, message: OTHER_ID };
    vec![
        rule(PR_FILE, "baseRefOid", is_object_id(base_oid)),
        rule(PR_FILE, "headRefOid", is_object_id(head_oid)),
        rule(ROUTING_FILE, "base_oid", routing.base_oid == *base_oid),
        rule(TARGET_BRANCH_FILE, "expected_base_oid", target_branch.expected_base_oid == *base_oid),
        rule(RUN_FILE, "base_oid", run.base_oid.as_ref() == Some(base_oid)),
        rule(ROUTING_FILE, "head_oid", routing.head_oid == *head_oid),
        rule(HEAD_FETCH_FILE, "expected_head_oid", head.expected_head_oid == *head_oid),
        rule(HEAD_FETCH_FILE, "local_head", head.local_head == *head_oid),
        rule(HEAD_FETCH_FILE, "head_matches_pr_metadata", head.head_matches_pr_metadata),
        rule(CHECKOUT_FILE, "expected_head", checkout.expected_head == *head_oid),
        rule(CHECKOUT_FILE, "local_head", checkout.local_head == *head_oid),
        rule(PREFLIGHT_FILE, "expected_head", preflight.expected_head == *head_oid),
        rule(PREFLIGHT_FILE, "current_head", preflight.current_head.as_ref() == Some(head_oid)),
        rule(RUN_FILE, "head_oid", run.head_oid.as_ref() == Some(head_oid)),
        Rule {
            message: "this is not the label of the pull request",
            ..rule(RUN_FILE, "target_label", run.target_label == target_label(Scope::Pr, &[metadata.number.to_string()], None, None))
        },
    ]
}

fn target_branch(receipts: &Receipts) -> Vec<Rule> {
    let target = &receipts.target_branch;
    let rule = |key, holds, message| Rule { code: &codes::PR_TARGET_BRANCH_INVALID, file: TARGET_BRANCH_FILE, key, holds, message };
    let is_same = target.local_head == target.expected_base_oid;
    vec![
        rule("status", target.status == "fetched", CONSTANT),
        rule("remote_ref", target.remote_ref.starts_with("refs/"), "this is no full name of a ref"),
        rule("local_head", is_object_id(&target.local_head), "this is no full object id"),
        rule("relation", (target.relation == Relation::MatchesPrMetadata) == is_same, "the two ids say otherwise"),
    ]
}

/// The remote is the base repository of the address, and its record keeps no credentials.
fn remote(receipts: &Receipts) -> Vec<Rule> {
    let Receipts { metadata, remote, .. } = receipts;
    let rule = |key, holds, message| Rule { code: &codes::PR_REMOTE_MISMATCH, file: REMOTE_FILE, key, holds, message };
    let expected = PullAddress::read(&metadata.url).map(|address| address.repository);
    let (host, name) = expected.as_ref().map_or(("", ""), |expected| (expected.host.as_str(), expected.name.as_str()));
    let is_expected = expected.is_some() && Repository::of_remote(&remote.url) == expected;
    vec![
        rule("expected_host", remote.expected_host == host, "this is not the host of the pull request's address"),
        rule("expected_repository", remote.expected_repository == name, "this is not the repository of the pull request's address"),
        rule("url", is_expected, "this is another repository than that of the pull request's address"),
        rule("url", without_credentials(&remote.url) == remote.url, "this holds credentials"),
        rule("matched", remote.matched, CONSTANT),
    ]
}

/// CR-40: a detached worktree at the head, and nothing in its way.
fn checkout(receipts: &Receipts, run: &RunRecord) -> Vec<Rule> {
    let Receipts { preflight, checkout, checkout_state: state, source, .. } = receipts;
    let rule = |key, holds, message| Rule { code: &codes::PR_LOCAL_CHECKOUT_INVALID, file: CHECKOUT_FILE, key, holds, message };
    let of_state = |key, holds| Rule { file: CHECKOUT_STATE_FILE, ..rule(key, holds, CONSTANT) };
    let before = |key, holds| Rule { code: &codes::PR_WORKTREE_PREFLIGHT_INVALID, file: PREFLIGHT_FILE, key, holds, message: CONSTANT };
    let is_runs = run.review_worktree.as_ref() == Some(&checkout.worktree);
    vec![
        rule("status", checkout.status == "checked-out", CONSTANT),
        rule("worktree", is_runs, "this is not the review worktree of `run.json`"),
        rule("location", checkout.location.fits(&checkout.worktree), "a worktree of this location has another path"),
        rule("method", checkout.method == METHOD, CONSTANT),
        rule("mode", checkout.mode == "review", CONSTANT),
        rule("local_branch", checkout.local_branch.is_empty(), "a review worktree is detached"),
        rule("force_policy", checkout.force_policy == NEVER, CONSTANT),
        of_state("status", state.status == CheckoutStatus::CheckoutVerified),
        of_state("local_state", state.local_state == ISOLATED),
        of_state("worktree_lifecycle", state.worktree_lifecycle == "preserved-for-review"),
        Rule { file: SOURCE_CONTEXT_FILE, ..rule("after", source.after == source.before, "the invoking checkout changed meanwhile") },
        before("phase", preflight.phase == "after-checkout"),
        before("status", preflight.status.is_clear()),
        before("unmerged", preflight.unmerged.is_empty()),
        before("overlap", preflight.overlap.is_empty()),
    ]
}
