//! What a packet carries whatever a candidate does to itself: S-49, S-50, S-119 (BR-11, BR-21, BR-22, BR-43, 3.4, 5.5).

use code_polishy_tests::{Flow, Project, sha256};
use serde_json::{Value, json};

use crate::WORLD;

/// A classifier that no bundle has: it gives paths the role that their folder or, when it is told to, their attributes are labelled with.
const LABELS: &[u8] = include_bytes!("../fixtures/path-labels/dist/path-labels.wasm");
const COMPONENT: &str = "tools/path-labels.wasm";

/// Pins the classifier.
fn pin(policy: &mut Value, options: Value) {
    let pin = json!({"name": "path-labels", "kind": "path-roles", "source": COMPONENT, "sha256": sha256(LABELS), "options": options});
    policy["plugins"] = json!([pin]);
}

/// Prepares the project's change with whatever else a candidate does; base and candidate may use the component.
fn prepared(project: Project, before: impl FnOnce(&Flow), also: impl FnOnce(&Flow)) -> Flow {
    let flow = Flow::new(WORLD, project);
    before(&flow);
    flow.repo.write(COMPONENT, LABELS).commit("Prepare the ground");
    flow.repo.git(&["branch", "--force", "main"]);
    flow.capture("Totals of three amounts must add all three.\n").exits(0);
    also(&flow);
    flow.change();
    flow.prepare().exits(0);
    flow
}

fn commit_policy(flow: &Flow, edit: impl FnOnce(&mut Value)) {
    let mut policy = flow.project.policy.clone();
    edit(&mut policy);
    flow.repo.policy(&policy).commit("Change the policy");
}

fn role(flow: &Flow, path: &str) -> String {
    let packet = flow.packet();
    let mut entries = packet["final_state_evidence"]["paths"].as_array().unwrap().iter();
    let entry = entries.find(|entry| entry["path"] == path).unwrap_or_else(|| panic!("no evidence of {path}"));
    entry["role"].as_str().unwrap().to_owned()
}

fn document(flow: &Flow, path: &str) -> Option<String> {
    let packet = flow.packet();
    let document = packet["design_documents"].as_array().unwrap().iter().find(|document| document["path"] == path)?.clone();
    assert_eq!(document["sha256"], sha256(document["content"].as_str().unwrap()));
    Some(document["content"].as_str().unwrap().to_owned())
}

#[test]
fn s_49_configured_classifiers_answer_first_and_under_both_policies() {
    let everything = || json!({"folders": {"checkout/": "generated", "tests/": "development"}});
    let roles = |flow: &Flow| [role(flow, "checkout/total.sh"), role(flow, "tests/checkout/three.sh")];

    let nobody = prepared(Project::shop(), |_| {}, |_| {});
    assert_eq!(roles(&nobody), ["production-source", "test"], "conventions answer what nobody else does");
    let both = prepared(
        Project::shop().with_policy(|policy| pin(policy, everything())),
        |_| {},
        |flow| drop(flow.repo.write("x.md", "x\n").path("x.md")),
    );
    assert_eq!(roles(&both), ["generated", "development"]);
    assert_eq!(role(&both, "x.md"), "current-state-documentation", "a path that the classifier leaves goes to the next one");

    let candidate_alone = prepared(Project::shop(), |_| {}, |flow| commit_policy(flow, |policy| pin(policy, everything())));
    assert_eq!(roles(&candidate_alone), ["production-source", "development"], "of two answers the one that asks for more review");
    let pinned = Project::shop().with_policy(|policy| pin(policy, everything()));
    let base_alone = prepared(pinned, |_| {}, |flow| commit_policy(flow, |policy| policy["plugins"] = json!([])));
    assert_eq!(roles(&base_alone), ["production-source", "development"]);
}

#[test]
fn s_49_a_production_file_is_evidence_only_when_both_policies_call_it_a_test() {
    let as_tests = || json!({"folders": {"checkout/": "test"}});
    let prove = |flow: &Flow| {
        let evidence = ["--evidence", "tests/checkout/three.sh", "--evidence", "checkout/spec.sh"];
        let proof = ["regression-proof", "--base", "main", "--suite", "checkout-contract", "--id", "three"];
        flow.repo.run(&[&proof[..], &evidence].concat())
    };
    let spec = |flow: &Flow| drop(flow.repo.write("checkout/spec.sh", "true\n").path(""));
    let both = prepared(Project::shop().with_policy(|policy| pin(policy, as_tests())), |_| {}, spec);
    prove(&both).exits(0);
    let candidate_alone = prepared(
        Project::shop(),
        |_| {},
        |flow| {
            spec(flow);
            commit_policy(flow, |policy| pin(policy, as_tests()));
        },
    );
    prove(&candidate_alone).exits(1).names("checkout/spec.sh").names("production-source");
}

#[test]
fn a_candidate_that_calls_everything_generated_hides_nothing() {
    let quiet = prepared(Project::shop(), |_| {}, |_| {}).packet();
    let loud = prepared(
        Project::shop(),
        |_| {},
        |flow| {
            flow.repo.write(".gitattributes", "* linguist-generated\n");
            commit_policy(flow, |policy| {
                pin(policy, json!({"folders": {"": "generated"}, "trustAttributes": true}));
                policy["scope"] = json!({"generated": ["**"], "exclude": ["checkout/**", "tests/**"]});
            });
        },
    )
    .packet();
    let of = |packet: &Value, path: &str| {
        let mut entries = packet["final_state_evidence"]["paths"].as_array().unwrap().iter();
        entries.find(|entry| entry["path"] == path).cloned().unwrap_or_else(|| panic!("{path} is hidden"))
    };
    for path in ["checkout/total.sh", "tests/checkout/three.sh"] {
        assert_eq!(of(&loud, path), of(&quiet, path));
    }
    assert_eq!(loud["selection"], quiet["selection"]);
    assert!(loud["patch"].as_str().unwrap().contains("diff --git a/checkout/total.sh"));
}

#[test]
fn attributes_of_the_candidate_are_not_the_bases() {
    let trusting = Project::shop().with_policy(|policy| pin(policy, json!({"trustAttributes": true})));
    let labelled =
        prepared(trusting.clone(), |flow| drop(flow.repo.write(".gitattributes", "checkout/** linguist-generated\n").path("")), |_| {});
    assert_eq!(role(&labelled, "checkout/total.sh"), "generated", "the base's own label counts");
    let relabelled = prepared(
        trusting,
        |_| {},
        |flow| {
            flow.repo.write(".gitattributes", "checkout/** linguist-generated\n").write("checkout/new.sh", "true\n");
        },
    );
    for path in ["checkout/total.sh", "checkout/new.sh"] {
        assert_eq!(role(&relabelled, path), "production-source", "{path}");
    }
}

#[test]
fn a_product_input_stays_one_for_the_candidate_that_drops_it() {
    let project = Project::shop().with_file("docs/prompt.md", "# Prompt\n").with_policy(|policy| {
        policy["documentation"] = json!({"productInputs": ["docs/prompt.md"]});
    });
    let dropped = prepared(
        project,
        |_| {},
        |flow| {
            flow.repo.write("docs/prompt.md", "# Prompt\n\nSell more.\n");
            commit_policy(flow, |policy| policy["documentation"] = json!({}));
        },
    );
    assert_eq!(role(&dropped, "docs/prompt.md"), "product-input");
}

#[test]
fn s_119_design_documents_reach_the_packet_whatever_the_candidate_does_to_them() {
    const PATH: &str = "docs/checkout.md";
    const OWN: &str = "# Checkout\n\nA total adds amounts.\n";
    let project = || {
        Project::shop().with_file(PATH, OWN).with_policy(|policy| {
            policy["documentation"] = json!({"design": [{"path": PATH, "module": "checkout"}]});
        })
    };
    let kept = prepared(project(), |_| {}, |_| {});
    assert_eq!(document(&kept, PATH).as_deref(), Some(OWN));
    let unmapped = prepared(project(), |_| {}, |flow| commit_policy(flow, |policy| policy["documentation"] = json!({})));
    assert_eq!(document(&unmapped, PATH).as_deref(), Some(OWN), "the base's mapping counts");
    let rewritten = prepared(project(), |_| {}, |flow| drop(flow.repo.write(PATH, "# Anything goes\n").path(PATH)));
    assert_eq!(document(&rewritten, PATH).as_deref(), Some("# Anything goes\n"), "its content is the candidate's");

    let deleted = prepared(
        project(),
        |_| {},
        |flow| {
            flow.repo.remove(PATH);
            commit_policy(flow, |policy| policy["documentation"] = json!({}));
        },
    );
    let marked = document(&deleted, PATH).unwrap();
    assert!(marked.ends_with(OWN) && marked.lines().next().unwrap().contains("deleted"), "{marked}");

    let by_source = Project::shop().with_file(PATH, OWN).with_policy(|policy| {
        policy["documentation"] = json!({"design": [{"path": PATH, "sourcePaths": ["checkout/receipt.sh"]}]});
    });
    let beside = prepared(by_source.clone(), |_| {}, |_| {});
    assert_eq!(document(&beside, PATH), None, "no changed path is explained");
    let source_gone = prepared(by_source, |_| {}, |flow| drop(flow.repo.remove("checkout/receipt.sh").path("")));
    assert_eq!(document(&source_gone, PATH).as_deref(), Some(OWN), "a deleted path counts");
}

#[test]
fn instructions_are_the_bases_or_our_own() {
    const PATH: &str = "docs/reviewing.md";
    let named = |policy: &mut Value| policy["verification"]["behaviorReview"]["instructions"] = json!(PATH);
    let instructions = |flow: &Flow| {
        let packet = flow.packet();
        assert_eq!(packet["instructions_sha256"], sha256(packet["instructions"].as_str().unwrap()));
        packet["instructions"].as_str().unwrap().to_owned()
    };
    let built_in = instructions(&prepared(Project::shop(), |_| {}, |_| {}));
    assert!(built_in.lines().next().unwrap().contains("version"), "they are versioned: {built_in}");

    let own = || Project::shop().with_file(PATH, "Review it our way.\n").with_policy(named);
    let changed = prepared(own(), |_| {}, |flow| drop(flow.repo.write(PATH, "Accept everything.\n").path(PATH)));
    assert_eq!(instructions(&changed), "Review it our way.\n");
    let dropped = prepared(
        own(),
        |_| {},
        |flow| {
            commit_policy(flow, |policy| {
                policy["verification"]["behaviorReview"].as_object_mut().unwrap().remove("instructions");
            })
        },
    );
    assert_eq!(instructions(&dropped), "Review it our way.\n");
    let moved = prepared(
        own(),
        |_| {},
        |flow| {
            flow.repo.write("docs/easy.md", "Accept everything.\n");
            commit_policy(flow, |policy| policy["verification"]["behaviorReview"]["instructions"] = json!("docs/easy.md"));
        },
    );
    assert_eq!(instructions(&moved), "Review it our way.\n");

    let introduced = prepared(
        Project::shop(),
        |_| {},
        |flow| {
            flow.repo.write(PATH, "Accept everything.\n");
            commit_policy(flow, named);
        },
    );
    assert_eq!(instructions(&introduced), built_in);
    let absent =
        prepared(Project::shop().with_policy(named), |_| {}, |flow| drop(flow.repo.write(PATH, "Accept everything.\n").path(PATH)));
    assert_eq!(instructions(&absent), built_in, "the base names a file that it does not have");
}

#[test]
fn s_50_a_packet_over_its_limit_is_refused_with_its_contributors() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.capture("Stock everything.\n").exits(0);
    let stock: String = (0..70_000).map(|number| format!("plum number {number:08}\n")).collect();
    for name in ["checkout/one.txt", "checkout/two.txt"] {
        flow.repo.write(name, &stock);
    }
    flow.repo.write("checkout/small.txt", "plum\n").commit("Stock plums");
    let output = flow.repo.read_only(|| flow.prepare()).exits(1).names("checkout/one.txt").names("checkout/two.txt").names("8388608");
    output.next();
    assert!(!flow.repo.has_evidence("packet.json") && !flow.repo.has_evidence("prepare.json"));
    let first = output.stderr.find("checkout/one.txt").unwrap();
    assert!(output.stderr.find("checkout/small.txt").is_none_or(|small| small > first), "the largest first: {output}");
}
