//! What cargo builds from folders: declared by the manifests, and built by the command (CR-147).

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    code_review::source_proof::{CargoPackage, CargoTarget, Seen},
    diagnostic::Failure,
    plugin::ProcessExit,
};
use serde_json::Value;

use super::{Ran, Sight};
use crate::process::{Command, Copy, run_copied};

/// Bytes of an answer of cargo.
const MAX_ANSWER_BYTES: u64 = 64 << 20;
/// Options with a value that choose what is built, and from where.
const WITH_VALUE: [&str; 17] = [
    "--package",
    "-p",
    "--exclude",
    "--bin",
    "--test",
    "--example",
    "--bench",
    "--features",
    "-F",
    "--profile",
    "--cargo-profile",
    "--target",
    "--target-dir",
    "--manifest-path",
    "--config",
    "-Z",
    "--lockfile-path",
];
/// The same without a value.
const FLAGS: [&str; 16] = [
    "--workspace",
    "--all",
    "--lib",
    "--bins",
    "--tests",
    "--examples",
    "--benches",
    "--all-targets",
    "--all-features",
    "--no-default-features",
    "--release",
    "-r",
    "--locked",
    "--offline",
    "--frozen",
    "--ignore-rust-version",
];
/// Options of `cargo metadata` among them.
const OF_METADATA: [&str; 7] = ["--manifest-path", "--config", "-Z", "--lockfile-path", "--locked", "--offline", "--frozen"];

/// The words of a command that runs tests with cargo; `None` for another.
pub struct Cargo(Option<Words>);

/// `cargo +toolchain`, and what is built.
#[derive(Debug, PartialEq, Eq)]
struct Words {
    /// Up to the subcommand.
    cargo: Vec<String>,
    /// Each option with its value.
    options: Vec<Vec<String>>,
}

/// What two answers of cargo say.
#[derive(Default)]
struct Answers {
    root: Option<String>,
    packages: BTreeMap<String, Parts>,
    tested: BTreeSet<String>,
}

#[derive(Default)]
struct Parts {
    name: String,
    targets: BTreeSet<CargoTarget>,
    sources: BTreeSet<String>,
}

impl Cargo {
    pub(super) fn new(argv: &[String]) -> Self {
        Self(words(argv))
    }

    /// Asks cargo, in the environment of the tests.
    ///
    /// # Errors
    /// Exit 3; exit 130.
    pub(super) fn look(&self, ran: Ran<'_>) -> Result<Sight, Failure> {
        let (mut answers, mut faults) = (Answers::default(), Vec::new());
        match &self.0 {
            None => faults.push("the command is no `cargo test` and no `cargo nextest run`: nothing says what it builds".to_owned()),
            Some(words) => {
                for (question, take) in [(words.metadata(), Answers::declared as fn(&mut Answers, &[u8])), (words.build(), Answers::built)]
                {
                    match ask(&question, ran)? {
                        Ok(bytes) => take(&mut answers, &bytes),
                        Err(why) => faults.push(why),
                    }
                }
            }
        }
        let root = answers.root.unwrap_or_else(|| ran.watch.worktree().join("Cargo.toml").display().to_string());
        let package = |(manifest, Parts { name, targets, sources }): (String, Parts)| {
            let first: BTreeSet<&String> = targets.iter().map(|target| &target.source).collect();
            let sources = sources.iter().filter(|source| !first.contains(source)).cloned().collect();
            CargoPackage { name, manifest, targets: targets.iter().cloned().collect(), sources }
        };
        let packages = answers.packages.into_iter().map(package).collect();
        let seen = Seen::CargoManifest { root, packages, tested: answers.tested.into_iter().collect() };
        Ok(Sight { seen, outputs: BTreeMap::new(), faults })
    }
}

impl Words {
    fn asking(&self, question: &[&str], wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let options = self.options.iter().filter(|option| wanted(option[0].split('=').next().unwrap_or_default())).flatten();
        self.cargo.iter().cloned().chain(question.iter().map(|word| (*word).to_owned())).chain(options.cloned()).collect()
    }

    /// What the manifests declare; nothing is resolved or fetched.
    fn metadata(&self) -> Vec<String> {
        self.asking(&["metadata", "--format-version=1", "--no-deps"], |option| OF_METADATA.contains(&option))
    }

    /// What the tests were built from; all of it is fresh.
    fn build(&self) -> Vec<String> {
        self.asking(&["test", "--no-run", "--message-format=json"], |_| true)
    }
}

fn words(argv: &[String]) -> Option<Words> {
    let is_cargo = |word: &String| word.rsplit('/').next() == Some("cargo");
    let cargo = argv.iter().position(is_cargo)?;
    let command = cargo + argv[cargo..].iter().position(|word| matches!(word.as_str(), "test" | "t" | "nextest"))?;
    let is_nextest = argv[command] == "nextest";
    if is_nextest && !matches!(argv.get(command + 1)?.as_str(), "run" | "r") {
        return None;
    }
    let mut options = Vec::new();
    let mut rest = argv[command + 1..].iter().take_while(|word| *word != "--");
    while let Some(word) = rest.next() {
        let name = word.split('=').next().unwrap_or_default();
        // The profile of nextest is another one than cargo's.
        if is_nextest && name == "--profile" {
            continue;
        }
        let own = |word: &str| if is_nextest { word.replacen("--cargo-profile", "--profile", 1) } else { word.to_owned() };
        let is_joined = word.len() > 2 && ["-p", "-F", "-Z"].iter().any(|short| word.starts_with(short));
        if FLAGS.contains(&word.as_str()) || is_joined || (WITH_VALUE.contains(&name) && word.contains('=')) {
            options.push(vec![own(word)]);
        } else if WITH_VALUE.contains(&name) {
            options.push(vec![own(word), rest.next()?.clone()]);
        }
    }
    Some(Words { cargo: argv[..command].to_vec(), options })
}

impl Answers {
    /// `cargo metadata --no-deps`: the workspace, its members, and their dependencies by path.
    fn declared(&mut self, answer: &[u8]) {
        let Ok(document) = serde_json::from_slice::<Value>(answer) else { return };
        self.root = document["workspace_root"].as_str().map(|root| format!("{root}/Cargo.toml"));
        for package in list(&document["packages"]) {
            let (Some(name), Some(manifest)) = (package["name"].as_str(), package["manifest_path"].as_str()) else { continue };
            self.part(manifest, name).targets.extend(list(&package["targets"]).filter_map(target));
            for dependency in list(&package["dependencies"]) {
                if let (Some(name), Some(folder)) = (dependency["name"].as_str(), dependency["path"].as_str()) {
                    self.part(&format!("{folder}/Cargo.toml"), name);
                }
            }
        }
    }

    /// The messages of a build, one a line: packages from folders, whoever brought them in, with the files that the compiler read.
    fn built(&mut self, answer: &[u8]) {
        let root = self.root.as_deref().and_then(|root| Path::new(root).parent()).unwrap_or(Path::new("/")).to_owned();
        for message in answer.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok()) {
            let id = message["package_id"].as_str().filter(|id| id.contains("path+file://"));
            let (Some(id), Some(manifest)) = (id, message["manifest_path"].as_str()) else { continue };
            let Some(target) = target(&message["target"]) else { continue };
            let files = list(&message["filenames"]).filter_map(Value::as_str);
            let sources: Vec<String> = files.flat_map(|file| read_by_compiler(Path::new(file), &root)).collect();
            let part = self.part(manifest, &name_of(id));
            part.sources.extend(sources);
            let tested = format!("{} ({})", part.name, target.name);
            part.targets.insert(target);
            if message["profile"]["test"] == true {
                self.tested.insert(tested);
            }
        }
    }

    fn part(&mut self, manifest: &str, name: &str) -> &mut Parts {
        let part = self.packages.entry(manifest.to_owned()).or_default();
        if part.name.is_empty() {
            name.clone_into(&mut part.name);
        }
        part
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn target(target: &Value) -> Option<CargoTarget> {
    let kind = target["kind"].get(0)?.as_str()?;
    Some(CargoTarget { name: format!("{kind} {}", target["name"].as_str()?), source: target["src_path"].as_str()?.to_owned() })
}

/// `path+file:///folder#name@1.0.0`, or `#1.0.0` after a folder of that name.
fn name_of(id: &str) -> String {
    let (place, end) = id.rsplit_once('#').unwrap_or((id, ""));
    match end.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => place.rsplit('/').next().unwrap_or(place).to_owned(),
    }
}

/// What the compiler says that it read for an artifact; nothing when it left no list. Files that a build script made are products.
fn read_by_compiler(artifact: &Path, root: &Path) -> Vec<String> {
    let (Some(folder), Some(stem)) = (artifact.parent(), artifact.file_stem().and_then(|stem| stem.to_str())) else { return Vec::new() };
    let lists = [stem.strip_prefix("lib"), Some(stem)].into_iter().flatten().map(|stem| folder.join(format!("{stem}.d")));
    let Some(list) = lists.into_iter().find_map(|list| fs::read_to_string(list).ok()) else { return Vec::new() };
    let products = folder.ancestors().nth(1).map(|profile| profile.join("build"));
    let is_product = |path: &PathBuf| products.as_ref().is_some_and(|products| path.starts_with(products));
    let paths = dependencies(&list).into_iter().map(|path| root.join(path)).filter(|path| !is_product(path));
    paths.filter_map(|path| super::text(&path)).collect()
}

/// The right sides of the rules of a makefile.
fn dependencies(list: &str) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for (_, right) in list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": ")) {
        // A space within a name is escaped.
        let words = right.replace("\\ ", "\0");
        paths.extend(words.split_whitespace().map(|word| word.replace('\0', " ")));
    }
    paths
}

/// What cargo prints; why it does not.
fn ask(question: &[String], ran: Ran<'_>) -> Result<Result<Vec<u8>, String>, Failure> {
    let mut copies = [copy()?, copy()?];
    let command = Command { argv: question, worktree: ran.watch.worktree(), cwd: ".", environment: ran.environment, timeout: ran.timeout };
    let execution = run_copied(&command, &mut copies, &ran.workspace.interrupt)?;
    let [output, errors] = copies.each_ref().map(|copy| copy.bytes().unwrap_or_default());
    if execution.exit == ProcessExit::Code(0) && output.len() as u64 == execution.output.total {
        return Ok(Ok(output));
    }
    let errors = String::from_utf8_lossy(&errors);
    let why = errors.lines().find(|line| line.starts_with("error")).unwrap_or("it did not end well");
    Ok(Err(format!("`{}`: {}", question.join(" "), code_polishy_core::text::escape_line(why))))
}

fn copy() -> Result<Copy, Failure> {
    let file = tempfile::tempfile().map_err(|error| super::super::execute::unkept(&error))?;
    Ok(Copy::new(file, MAX_ANSWER_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn questions_choose_what_the_command_chose() {
        for (line, build) in [
            ("cargo test", "cargo test --no-run --message-format=json"),
            (
                "env A=b /bin/cargo +nightly test -q --workspace -p shop --features=a,b name --no-fail-fast -- --exact -p x",
                "env A=b /bin/cargo +nightly test --no-run --message-format=json --workspace -p shop --features=a,b",
            ),
            (
                "cargo nextest run --retries 2 --profile ci --cargo-profile fast -E all() --manifest-path a/Cargo.toml",
                "cargo test --no-run --message-format=json --profile fast --manifest-path a/Cargo.toml",
            ),
            ("cargo test --doc -pshop", "cargo test --no-run --message-format=json -pshop"),
        ] {
            assert_eq!(words(&own(line)).map(|words| words.build()), Some(own(build)), "{line}");
        }
        let metadata = words(&own("cargo test --locked --features a --manifest-path a/Cargo.toml")).map(|words| words.metadata());
        assert_eq!(metadata, Some(own("cargo metadata --format-version=1 --no-deps --locked --manifest-path a/Cargo.toml")));
        for other in ["make test", "cargo check", "cargo nextest list", "cargo", "cargo test -p"] {
            assert_eq!(words(&own(other)), None, "{other}");
        }
    }

    #[test]
    fn lists_of_the_compiler_are_read() {
        let list = "/t/deps/a.d: src/lib.rs src/a\\ b.rs /x/gen.rs\n\nsrc/lib.rs:\n# env-dep:OUT_DIR=/a: b\n";
        assert_eq!(dependencies(list), ["/x/gen.rs", "src/a b.rs", "src/lib.rs"].map(str::to_owned).into());
        assert_eq!(name_of("path+file:///tmp/shop#0.1.0"), "shop");
        assert_eq!(name_of("path+file:///tmp/x#shop@0.1.0"), "shop");
    }
}
