//! What is added to the command.

use code_polishy_sdk::suite_runner::{Invocation, Variable};

/// TAP for the runner on standard output; on standard error the lines for people, which tell relative paths where TAP tells absolute ones.
const REPORTERS: [&str; 4] =
    ["--test-reporter=tap", "--test-reporter-destination=stdout", "--test-reporter=spec", "--test-reporter-destination=stderr"];

/// Reporters where node will read them as its own: what follows a file name is the name of another file, or an argument of the tests.
pub fn plan(argv: &[String]) -> Invocation {
    let no_colour = Variable { name: "NO_COLOR".to_owned(), value: "1".to_owned() };
    let arguments = if takes_reporters(argv) { REPORTERS.map(str::to_owned).into() } else { Vec::new() };
    Invocation { arguments, variables: vec![no_colour], ..Invocation::default() }
}

fn takes_reporters(argv: &[String]) -> bool {
    let Some((program, words)) = argv.split_first() else { return false };
    let is_node = program.rsplit('/').next() == Some("node");
    let is_own = |word: &String| word.starts_with('-') && word != "--" && word != "-" && !word.starts_with("--test-reporter");
    is_node && words.iter().any(|word| word == "--test") && words.iter().all(is_own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(command: &str) -> usize {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        plan(&words).arguments.len()
    }

    #[test]
    fn reporters_are_added_where_node_reads_them() {
        for command in ["node --test", "/usr/bin/node --test --experimental-test-coverage", "node --import=tsx --test"] {
            assert_eq!(added(command), 4, "{command}");
        }
        for command in [
            "node --test test/a.js",
            "node --import tsx --test",
            "node --test --",
            "node --test --test-reporter=junit",
            "node test/a.js",
            "npm test",
            "",
        ] {
            assert_eq!(added(command), 0, "{command}");
        }
    }
}
