//! What a packet carries whatever a candidate does to itself: S-49, S-50, S-109, S-117, S-119 (BR-11, BR-21, BR-22, BR-35, BR-43, 3.4, 5.5).

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;

use code_polishy_tests::{Flow, Project, sha256};
use serde_json::{Value, json};

use crate::WORLD;

/// A classifier that no bundle has: it gives paths the role that their folder or, when it is told to, their attributes are labelled with.
const LABELS: &[u8] = include_bytes!("../fixtures/dist/path-labels.wasm");
const COMPONENT: &str = "tools/path-labels.wasm";
const REQUIRED: &str = "BEHAVIOR REVIEW: REQUIRED (checkout)";

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

#[test]
fn s_109_a_submodule_or_link_at_a_features_folder_selects_it() {
    let paths = |policy: &mut Value| {
        policy["verification"]["behaviorReview"]["features"][0]["modules"] = json!([]);
        policy["verification"]["behaviorReview"]["features"][0]["paths"] = json!(["vendor/till/src/*.sh"]);
    };
    let gitlink = |flow: &Flow, id: &str| {
        fs::create_dir_all(flow.repo.path("vendor/till")).unwrap();
        flow.repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},vendor/till", id.repeat(40))]);
        flow.repo.git(&["commit", "--quiet", "--message", "Pin the till"]);
    };
    let bumped = Flow::new(WORLD, Project::shop().with_policy(paths));
    gitlink(&bumped, "1");
    bumped.repo.git(&["branch", "--force", "main"]);
    bumped.capture("Take the new till.\n").exits(0);
    gitlink(&bumped, "2");
    bumped.status(&[]).exits(0).says(REQUIRED);
    bumped.prepare().exits(0);
    let hunks = bumped.reviewer().hunks("vendor/till");
    assert!(hunks.len() == 1 && hunks[0]["patch"].as_str().unwrap().contains(&"2".repeat(40)), "{hunks:?}");

    let linked = Flow::new(WORLD, Project::shop().with_policy(paths));
    linked.repo.link("vendor/till", "../search").commit("Link the till");
    linked.status(&[]).exits(0).says(REQUIRED);

    let by_module = Flow::new(WORLD, Project::shop());
    by_module.repo.git(&["rm", "-r", "--quiet", "checkout"]);
    by_module.repo.link("checkout", "search").commit("Replace the checkout");
    by_module.status(&[]).exits(0).says(REQUIRED);

    let beside = Flow::new(WORLD, Project::shop().with_policy(paths));
    beside.repo.link("vendor/other", "../search").commit("Link something else");
    beside.status(&[]).exits(0).says("BEHAVIOR REVIEW: NOT RUN (optional)");
}

#[test]
fn s_117_every_path_of_a_hostile_tree_is_in_the_packet() {
    let long = "l".repeat(240);
    let deep = format!("{}x", "d/".repeat(60));
    let hostile = [
        "-option",
        "--help",
        " leading",
        "trailing ",
        "~",
        "$(touch pwned)",
        "`id`",
        ";rm -rf .",
        "a&b|c>d",
        "!bang",
        "#hash",
        "%2e%2e",
        ":(top)x",
        ":!checkout",
        "*",
        "?",
        "[a-z]",
        "{a,b}",
        "...",
        "..x",
        "con",
        "nul.txt",
        "a\u{1b}[31mb",
        "a\u{7}b",
        "a\rb",
        "\u{202e}rtl",
        "e\u{301}",
        "\u{e9}",
        "README",
        "readme",
        ".gitmodules.txt",
        "HEAD",
        "refs/heads/main",
        "diff --git a b",
        "@@ -1 +1 @@",
        "\u{feff}bom",
        "a\\\"b",
        "\u{1f980}",
        &long,
        &deep,
    ];
    let flow = Flow::new(WORLD, Project::shop());
    flow.capture("Take what comes.\n").exits(0);
    for name in hostile {
        flow.repo.write(&format!("checkout/{name}"), "text\n");
    }
    flow.repo.commit("Take it");
    flow.prepare().exits(0);
    let packet = flow.packet();
    let entries = packet["final_state_evidence"]["paths"].as_array().unwrap();
    let found: Vec<&str> = entries.iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    let mut expected = hostile.map(|name| format!("checkout/{name}"));
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(packet["patch"], flow.repo.plain_diff(&["main", "HEAD"]));
    flow.merge_gate(&[]).exits(1).says(REQUIRED);
    assert!(!flow.repo.path("pwned").exists());
}

#[test]
fn s_117_a_path_that_is_not_utf8_is_refused_in_words() {
    let flow = Flow::changed(WORLD, Project::shop());
    let odd = flow.repo.root().join(Path::new(OsStr::from_bytes(b"checkout/caf\xe9\n.sh")));
    fs::write(&odd, "x\n").unwrap();
    for arguments in [&["behavior-review", "status", "--base", "main"][..], &["behavior-review", "prepare", "--base", "main"]] {
        flow.repo.run(arguments).exits(2).names("caf\\xe9\\n.sh").names("UTF-8").next();
    }
    flow.repo.commit("Add an odd name");
    let refused: [&[&str]; 5] = [
        &["behavior-review", "status", "--base", "main"],
        &["behavior-review", "prepare", "--base", "main"],
        &["behavior-review", "finalize", "--base", "main"],
        &["merge-gate", "--base", "main"],
        &["checkpoint-gate", "--base", "main"],
    ];
    for arguments in refused {
        let output = flow.repo.run(arguments).exits(2).names("caf\\xe9\\n.sh").names("UTF-8");
        output.next();
    }
}

#[test]
fn s_43_s_48_equal_bytes_in_another_clone_folder_time_zone_language_home_and_umask() {
    let flow = Flow::prepared(WORLD, Project::shop());
    let elsewhere = flow.repo.area("another place/where it is");
    let home = flow.repo.area("another home");
    fs::create_dir_all(&home).unwrap();
    let folder = elsewhere.to_str().unwrap();
    flow.repo.git(&["clone", "--quiet", "--no-local", flow.repo.root().to_str().unwrap(), folder]);
    flow.repo.git(&["-C", folder, "branch", "--quiet", "main", "origin/main"]);
    let run = |arguments: &[&str], input: &str| {
        let mut command: Command = flow.repo.command(arguments);
        let program = command.get_program().to_owned();
        command = {
            let mut shell = flow.repo.program("sh", &["-c", "umask 077; printf '%s' \"$INPUT\" | \"$0\" \"$@\""]);
            shell.arg(&program).args(command.get_args());
            for (key, value) in command.get_envs() {
                shell.env(key, value.unwrap_or_default());
            }
            shell
        };
        command.current_dir(&elsewhere).env("INPUT", input).env("HOME", &home);
        command.env("TZ", "Pacific/Chatham").env("LANG", "tr_TR.UTF-8").env("LC_ALL", "tr_TR.UTF-8");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    flow.repo.git(&["-C", folder, "switch", "--quiet", "--detach", "main"]);
    run(&["behavior-review", "capture-intent", "--intent-file", "-"], code_polishy_tests::INTENT);
    flow.repo.git(&["-C", folder, "switch", "--quiet", "topic"]);
    run(&["behavior-review", "prepare", "--base", "main"], "");
    for name in ["intent-journal.json", "packet.json", "prepare.json"] {
        let path = format!("{}/{name}", code_polishy_tests::EVIDENCE);
        assert_eq!(fs::read(elsewhere.join(&path)).unwrap(), flow.repo.read(&path), "{name}");
    }
}

#[test]
fn s_115_a_hostile_environment_and_repository_have_no_effect() {
    let flow = Flow::prepared(WORLD, Project::shop());
    let packet = format!("{}/packet.json", code_polishy_tests::EVIDENCE);
    let expected = flow.repo.read(&packet);
    let trace = flow.repo.area("a program ran");
    let program = flow.repo.area("program.sh");
    fs::write(&program, format!("#!/bin/sh\ntouch '{}'\n", trace.display())).unwrap();
    Command::new("chmod").arg("+x").arg(&program).status().unwrap();
    let program = program.to_str().unwrap();

    flow.repo.git(&["replace", "main", "HEAD"]);
    flow.repo.write(".git/info/grafts", format!("{}\n", flow.repo.head()));
    fs::write(flow.repo.area("included"), "[core]\n\tbare = true\n[diff]\n\tnoprefix = true\n").unwrap();
    let include = flow.repo.area("included");
    let settings = [
        ("core.fsmonitor", program),
        ("core.hooksPath", "/dev/null"),
        ("include.path", include.to_str().unwrap()),
        ("core.sshCommand", program),
        ("core.pager", program),
        ("filter.hostile.clean", program),
        ("filter.hostile.required", "true"),
    ];
    // Not with the git program, which would obey the first of them when it writes the second.
    let config = settings.map(|(key, value)| {
        let (section, key) = key.rsplit_once('.').unwrap();
        let section = section.replacen('.', " \"", 1) + if section.contains('.') { "\"" } else { "" };
        format!("[{section}]\n\t{key} = {value}\n")
    });
    flow.repo.write(".git/config", [String::from_utf8(flow.repo.read(".git/config")).unwrap(), config.concat()].concat());
    flow.repo.write(".git/info/attributes", "* filter=hostile\n");

    let mut command = flow.repo.command(&["behavior-review", "prepare", "--base", &flow.base]);
    for variable in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_COMMON_DIR",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_NAMESPACE",
        "GIT_SHALLOW_FILE",
        "GIT_GRAFT_FILE",
        "GIT_REPLACE_REF_BASE",
        "GIT_ATTR_SOURCE",
        "GIT_CEILING_DIRECTORIES",
        "GIT_QUARANTINE_PATH",
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_EXTERNAL_DIFF",
        "GIT_EXEC_PATH",
        "GIT_TEMPLATE_DIR",
    ] {
        command.env(variable, program);
    }
    for variable in ["GIT_LITERAL_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_PREFIX", "GIT_NO_REPLACE_OBJECTS"] {
        command.env(variable, "0");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(flow.repo.read(&packet), expected);
    assert!(!trace.exists(), "a configured program ran");
}

#[test]
fn a_receipt_counts_for_its_base_and_its_review() {
    let flow = Flow::changed(WORLD, Project::shop());
    flow.repo.git(&["branch", "between"]);
    flow.repo.write("checkout/receipt.sh", "receipt() { echo \"total: $1\"; }\n").commit("Print a colon");
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    flow.finalize().exits(0);
    let other_base = flow.repo.run_read_only(&["behavior-review", "status", "--base", "between"]).exits(0);
    other_base.says(REQUIRED).says("FINAL STATE: NOT RUN (required)");
    let receipt = format!("{}/receipt.json", code_polishy_tests::EVIDENCE);
    let accepted = flow.repo.read(&receipt);

    flow.repo.write(&receipt, [accepted.as_slice(), b" x"].concat());
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: FAILED (checkout)").says("FINAL STATE: PASSED (checkout)").next();
    flow.repo.write(&receipt, &accepted);

    flow.repo.write("search/items.txt", "plum\n").commit("Stock plums");
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: FAILED (checkout)").says("FINAL STATE: FAILED (checkout)").next();
    flow.prepare().exits(0);
    assert!(!flow.repo.has_evidence("receipt.json"), "prepare removes the receipt of another review");
    flow.repo.write(&receipt, &accepted);
    flow.status(&[]).exits(0).says(REQUIRED).says("FINAL STATE: NOT RUN (required)").next();
}
