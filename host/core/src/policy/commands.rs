//! What a configured command may be (3.3): a program and its arguments, no shell text, and for a suite something that can fail.

use super::names::path_fault;
use crate::strict::Node;
use crate::strict::{Reader, quoted};

const SHELLS: [&str; 13] = ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "cmd", "powershell", "pwsh"];
const NO_OPS: [&str; 9] = ["true", ":", "echo", "printf", "exit", "pwd", "yes", "sleep", "rem"];
/// Programs that run the program that their arguments name.
const WRAPPERS: [&str; 7] = ["env", "nice", "nohup", "time", "command", "exec", "setsid"];
/// Options, in lower case without separators, with which a runner passes although no test ran.
const PASSES_WITHOUT_TESTS: [&str; 6] = ["passwithnotests", "allownotests", "suppressnotestexitcode", "collectonly", "norun", "listtests"];
/// Options that do so when switched off.
const FAILS_WITHOUT_TESTS: [&str; 5] =
    ["failifnotests", "failifnospecifiedtests", "failonnotests", "failwithnotests", "failonnodiscoveredtests"];

/// Reads `argv` of a check: not empty, no shell text, a program inside the repository or one that is found by its name.
pub(super) fn check_argv(reader: &mut Reader, node: &Node) -> Vec<String> {
    let argv: Vec<String> = reader.elements(Some(node)).iter().filter_map(|element| argument(reader, element)).map(str::to_owned).collect();
    if node.elements().is_empty() {
        if matches!(node.json, crate::strict::Json::Array(_)) {
            reader.refuse(&node.at, "empty-command", "the command is empty", "name a program and its arguments");
        }
        return argv;
    }
    if argv.len() == node.elements().len() {
        program(reader, &node.elements()[0], &argv[0]);
        if let Some(index) = shell_text(&argv) {
            let message = format!("{} runs a text as shell commands", quoted(&argv[index]));
            reader.refuse(
                &node.elements()[index].at,
                "shell-command",
                message,
                "put the commands into a script in the repository and name it",
            );
        }
    }
    argv
}

/// Reads `argv` of a suite, which besides must be able to fail.
pub(super) fn suite_argv(reader: &mut Reader, node: &Node) -> Vec<String> {
    let argv = check_argv(reader, node);
    if argv.is_empty() || argv.len() != node.elements().len() {
        return argv;
    }
    let program = effective_program(&argv);
    if NO_OPS.contains(&base_name(&argv[program]).as_str()) {
        let message = format!("{} tests nothing", quoted(&argv[program]));
        reader.refuse(&node.elements()[program].at, "no-op-command", message, "name the program that runs the tests");
    }
    if let Some(index) = (1..argv.len()).find(|index| passes_without_tests(&argv[*index], argv.get(index + 1))) {
        let message = format!("with {} a run passes although no test ran", quoted(&argv[index]));
        reader.refuse(&node.elements()[index].at, "passes-without-tests", message, "remove the option: a run without tests proves nothing");
    }
    argv
}

fn argument<'n>(reader: &mut Reader, node: &'n Node) -> Option<&'n str> {
    let text = reader.text(node)?;
    let fault = match text {
        "" => "an argument is an empty string",
        _ if text.contains('\0') => "an argument has a NUL",
        _ => return Some(text),
    };
    reader.refuse(&node.at, "bad-argument", fault, "write the argument, or remove it");
    None
}

/// `./x` is how people say that a program is in the folder.
fn program(reader: &mut Reader, node: &Node, text: &str) {
    let fault = if text.trim().is_empty() {
        Some("is blank")
    } else if text.contains('/') {
        path_fault(text.strip_prefix("./").unwrap_or(text))
    } else {
        None
    };
    if let Some(fault) = fault {
        let next = "name a program on the search path, or one inside the repository by its relative path";
        reader.refuse(&node.at, "bad-program", format!("the program {} {fault}", quoted(text)), next);
    }
}

/// Position of the option that makes a shell run a text, wherever in the command the shell stands.
fn shell_text(argv: &[String]) -> Option<usize> {
    let after = |shell: usize| {
        let family = base_name(&argv[shell]);
        let mut index = shell + 1;
        while let Some(option) = argv.get(index) {
            if gives_text(&family, option) {
                return Some(index);
            }
            index += match option.as_str() {
                "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file" => 2,
                _ if option.starts_with(['-', '+']) || (family == "cmd" && option.starts_with('/')) => 1,
                _ => return None,
            };
        }
        None
    };
    (0..argv.len()).filter(|index| SHELLS.contains(&base_name(&argv[*index]).as_str())).find_map(after)
}

fn gives_text(family: &str, option: &str) -> bool {
    let lower = option.to_ascii_lowercase();
    match family {
        "cmd" => lower.starts_with("/c") || lower.starts_with("/k"),
        "powershell" | "pwsh" => {
            let name = lower.trim_start_matches(['-', '/']);
            name.len() < lower.len()
                && !name.is_empty()
                && ["command", "commandwithargs", "encodedcommand", "ec", "cwa"].iter().any(|long| long.starts_with(name))
        }
        _ => option == "--command" || (option.starts_with('-') && !option.starts_with("--") && option.contains('c')),
    }
}

/// Position of the program that does the work.
fn effective_program(argv: &[String]) -> usize {
    let mut index = 0;
    while index + 1 < argv.len() && WRAPPERS.contains(&base_name(&argv[index]).as_str()) {
        index += 1;
        while index + 1 < argv.len() && (argv[index].starts_with('-') || argv[index].contains('=')) {
            index += 1;
        }
    }
    index
}

fn base_name(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
    name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name)
}

fn passes_without_tests(argument: &str, following: Option<&String>) -> bool {
    if !argument.starts_with('-') {
        return false;
    }
    let (name, value) = argument.split_once('=').map_or((argument, None), |(name, value)| (name, Some(value)));
    let value = value.map(str::to_ascii_lowercase);
    let name = name.rsplit('.').next().unwrap_or(name);
    let name: String = name.chars().filter(|character| !matches!(character, '-' | '_')).collect::<String>().to_ascii_lowercase();
    let name = name.strip_prefix('d').filter(|rest| FAILS_WITHOUT_TESTS.contains(rest)).unwrap_or(&name);
    let off = matches!(value.as_deref(), Some("false" | "0" | "no" | "off"));
    if PASSES_WITHOUT_TESTS.contains(&name) {
        !off
    } else if FAILS_WITHOUT_TESTS.contains(&name) {
        off
    } else if name == "notests" {
        matches!(value.as_deref().or(following.map(String::as_str)), Some("pass" | "warn"))
    } else {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::load::KIND;
    use super::*;
    use crate::strict::document;

    fn codes(argv: &[&str]) -> Vec<String> {
        let text = serde_json::to_string(argv).expect("strings");
        let faults = document(KIND, text.as_bytes(), |reader, node| drop(suite_argv(reader, node))).err().unwrap_or_default();
        faults.into_iter().map(|diagnostic| format!("{} {}", diagnostic.code, diagnostic.pointer)).collect()
    }

    #[test]
    fn ordinary_commands_are_accepted() {
        for argv in [
            &["cargo", "test", "-p", "x", "--", "--nocapture"][..],
            &["./scripts/test.sh", "-c"],
            &["scripts/test.sh"],
            &["sh", "scripts/test.sh", "-c"],
            &["bash", "-eu", "-o", "pipefail", "tests/run.sh"],
            &["python3", "-m", "pytest", "tests"],
            &["env", "A=1", "pytest"],
            &["jest", "--passWithNoTests=false"],
            &["cargo", "nextest", "run", "--no-tests=fail"],
            &["pwsh", "-File", "tests/run.ps1"],
            &["cmd", "tests\\run.bat"],
        ] {
            assert_eq!(codes(argv), Vec::<String>::new(), "{argv:?}");
        }
    }

    #[test]
    fn shell_text_is_refused() {
        for argv in [
            &["sh", "-c", "x"][..],
            &["/bin/sh", "-c", "x"],
            &["bash", "-lc", "x"],
            &["bash", "-o", "pipefail", "-c", "x"],
            &["env", "zsh", "-ec", "x"],
            &["cmd.exe", "/C", "x"],
            &["powershell", "-NoProfile", "-Command", "x"],
            &["pwsh", "-c", "x"],
            &["pwsh", "-EncodedCommand", "x"],
            &["docker", "run", "image", "sh", "-c", "x"],
        ] {
            assert!(codes(argv).iter().any(|code| code.starts_with("policy.shell-command")), "{argv:?}");
        }
    }

    #[test]
    fn what_cannot_fail_is_no_suite() {
        for argv in
            [&["true"][..], &[":"], &["echo", "ok"], &["bin/true"], &["env", "A=1", "true"], &["nice", "-n5", "true"], &["exit", "0"]]
        {
            assert!(codes(argv).iter().any(|code| code.starts_with("policy.no-op-command")), "{argv:?}");
        }
        for argv in [
            &["jest", "--passWithNoTests"][..],
            &["vitest", "--pass-with-no-tests=true"],
            &["cargo", "nextest", "run", "--no-tests=pass"],
            &["cargo", "nextest", "run", "--no-tests", "pass"],
            &["mvn", "test", "-DfailIfNoTests=false"],
            &["mvn", "test", "-Dsurefire.failIfNoSpecifiedTests=false"],
            &["pytest", "--collect-only"],
            &["cargo", "test", "--no-run"],
        ] {
            assert!(codes(argv).iter().any(|code| code.starts_with("policy.passes-without-tests")), "{argv:?}");
        }
    }

    #[test]
    fn a_program_stays_inside() {
        assert_eq!(codes(&["/usr/bin/pytest"]), ["policy.bad-program /0"]);
        assert_eq!(codes(&["../x"]), ["policy.bad-program /0"]);
        assert_eq!(codes(&["", "x"]), ["policy.bad-argument /0"]);
        assert_eq!(codes(&[]), ["policy.empty-command "]);
    }
}
