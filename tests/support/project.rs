//! Small projects with a defect, the change that mends it and the test that shows it.

use serde_json::{Value, json};

use crate::policy;

/// A file: path and content.
pub type File = (&'static str, &'static str);

/// What a flow is played on.
#[derive(Clone, Debug)]
pub struct Project {
    /// The policy at base and candidate.
    pub policy: Value,
    /// The tree of the base.
    pub base: Vec<File>,
    /// What the candidate writes, evidence included.
    pub change: Vec<File>,
    /// The test that is red at the base and green at the candidate.
    pub evidence: &'static str,
    /// The suite that runs it.
    pub suite: &'static str,
    /// The suite's exit status when the test fails.
    pub red_exit: &'static str,
}

impl Project {
    /// Shell scripts under a suite script; each run leaves a line in `$HOME/runs.log`.
    pub fn shop() -> Self {
        Self {
            policy: policy::shop(),
            base: vec![
                (".gitignore", ".code-polishy-reports/\n.code-polishy-artifacts/\n*.ignored\n"),
                ("README.md", "# Shop\n"),
                ("money/add.sh", "add() { echo $(($1 + $2)); }\n"),
                ("checkout/total.sh", ". ./money/add.sh\ntotal() { add \"$1\" \"$2\"; }\n"),
                ("checkout/receipt.sh", "receipt() { echo \"total $1\"; }\n"),
                ("search/find.sh", "find_item() { grep -c \"$1\" search/items.txt; }\n"),
                ("search/items.txt", "apple\npear\n"),
                ("run-tests.sh", RUN_TESTS),
                ("tests/checkout/two.sh", ". ./checkout/total.sh\ntest \"$(total 2 3)\" = 5\n"),
                ("tests/search/plain.sh", ". ./search/find.sh\ntest \"$(find_item apple)\" = 1\n"),
                ("tests/syntax/all.sh", "for file in */*.sh; do sh -n \"$file\"; done\n"),
            ],
            change: vec![
                ("checkout/total.sh", ". ./money/add.sh\ntotal() { add \"$(add \"$1\" \"$2\")\" \"${3:-0}\"; }\n"),
                ("tests/checkout/three.sh", ". ./checkout/total.sh\ntest \"$(total 2 3 4)\" = 9\n"),
            ],
            evidence: "tests/checkout/three.sh",
            suite: "checkout-contract",
            red_exit: "1",
        }
    }

    /// The shop as a gate alone sees it: no review is asked, and small changes are `recommended`.
    pub fn gated() -> Self {
        let mut policy = policy::without_review();
        policy["verification"] = json!({"mergeGate": {}});
        Self { policy, ..Self::shop() }
    }

    /// Python under `unittest`.
    pub fn python() -> Self {
        Self {
            policy: single("python3", &["-m", "unittest", "discover", "-s", "tests"]),
            base: vec![
                (".gitignore", "__pycache__/\n"),
                ("checkout/__init__.py", ""),
                ("checkout/total.py", "def total(prices):\n    return prices[0] + prices[1]\n"),
                ("tests/test_two.py", PYTHON_TWO),
            ],
            change: vec![("checkout/total.py", "def total(prices):\n    return sum(prices)\n"), ("tests/test_three.py", PYTHON_THREE)],
            evidence: "tests/test_three.py",
            suite: "checkout-contract",
            red_exit: "1",
        }
    }

    /// A crate without dependencies under `cargo test`.
    pub fn cargo() -> Self {
        Self {
            policy: single("cargo", &["test", "--offline", "--quiet"]),
            base: vec![
                (".gitignore", "/target/\n"),
                (
                    "Cargo.toml",
                    "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\npath = \"checkout/lib.rs\"\n",
                ),
                ("Cargo.lock", CARGO_LOCK),
                ("checkout/lib.rs", "pub fn total(prices: &[u32]) -> u32 {\n    prices[0] + prices[1]\n}\n"),
                ("tests/two.rs", "#[test]\nfn adds_two() {\n    assert_eq!(shop::total(&[2, 3]), 5);\n}\n"),
            ],
            change: vec![
                ("checkout/lib.rs", "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n"),
                ("tests/three.rs", "#[test]\nfn adds_three() {\n    assert_eq!(shop::total(&[2, 3, 4]), 9);\n}\n"),
            ],
            evidence: "tests/three.rs",
            suite: "checkout-contract",
            red_exit: "101",
        }
    }

    /// The same under a policy that differs.
    pub fn with_policy(mut self, edit: impl FnOnce(&mut Value)) -> Self {
        edit(&mut self.policy);
        self
    }

    /// The same with this file in the base.
    pub fn with_file(mut self, path: &'static str, content: &'static str) -> Self {
        self.base.retain(|(other, _)| *other != path);
        self.base.push((path, content));
        self
    }
}

fn single(program: &str, arguments: &[&str]) -> Value {
    let mut policy = policy::with_features(&[policy::feature("checkout", "merge")]);
    let mut suite = policy::suite("checkout-contract", "checkout");
    suite["argv"] = json!([&[program], arguments].concat());
    policy["modules"] = json!([{"name": "checkout", "paths": ["checkout/**"]}]);
    policy["tests"]["suites"] = json!([suite]);
    policy["checks"] = json!([]);
    policy
}

const RUN_TESTS: &str = r#"#!/bin/sh
# Runs the cases of one area: ./run-tests.sh AREA
set -e
echo "$PWD $1" >> "$HOME/runs.log"
for case in tests/"$1"/*.sh; do
    echo "case $case"
    sh "$case"
done
"#;

/// With cargo's own header, which cargo would otherwise add in the middle of a proof.
const CARGO_LOCK: &str = "\
# This file is automatically @generated by Cargo.
# It is not intended for manual editing.
version = 4

[[package]]
name = \"shop\"
version = \"0.1.0\"
";

const PYTHON_TWO: &str = "\
import unittest

from checkout.total import total


class Two(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([2, 3]), 5)
";

const PYTHON_THREE: &str = "\
import unittest

from checkout.total import total


class Three(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([2, 3, 4]), 9)
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Repo, World};

    #[test]
    fn every_project_is_red_with_its_evidence_and_green_with_its_change() {
        for project in [Project::shop(), Project::python(), Project::cargo()] {
            let repo = Repo::new(World { binary: "", scratch: "" });
            let argv: Vec<String> = serde_json::from_value(project.policy["tests"]["suites"][0]["argv"].clone()).expect("words");
            let words: Vec<&str> = argv[1..].iter().map(String::as_str).collect();
            let exit = || repo.program(&argv[0], &words).output().expect("a suite").status.code();
            let write = |files: &[File]| files.iter().for_each(|(path, content)| drop(repo.write(path, content).path(path)));

            write(&project.base);
            assert_eq!(exit(), Some(0), "control of {argv:?}");
            write(&project.change[1..]);
            assert_eq!(exit(), project.red_exit.parse().ok(), "baseline of {argv:?}");
            write(&project.change);
            assert_eq!(exit(), Some(0), "candidate of {argv:?}");
        }
    }
}
