//! Trees, repositories and environments that would mislead git: S-43, S-48, S-109, S-115, S-117 (BR-1, BR-35, BR-44, BR-84).

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;

use code_polishy_tests::{EVIDENCE, Flow, INTENT, Project};
use serde_json::{Value, json};

use crate::WORLD;

const REQUIRED: &str = "BEHAVIOR REVIEW: REQUIRED (checkout)";

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
fn s_43_48_equal_bytes_in_another_clone_folder_time_zone_language_home_and_umask() {
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
    run(&["behavior-review", "capture-intent", "--intent-file", "-"], INTENT);
    flow.repo.git(&["-C", folder, "switch", "--quiet", "topic"]);
    run(&["behavior-review", "prepare", "--base", "main"], "");
    for name in ["intent-journal.json", "packet.json", "prepare.json"] {
        let path = format!("{}/{name}", EVIDENCE);
        assert_eq!(fs::read(elsewhere.join(&path)).unwrap(), flow.repo.read(&path), "{name}");
    }
}

#[test]
fn s_115_a_hostile_environment_and_repository_have_no_effect() {
    let flow = Flow::prepared(WORLD, Project::shop());
    let packet = format!("{}/packet.json", EVIDENCE);
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
