//! Policy inputs: files that decide how a change is judged (9.1). A change to one makes the merge gate `full`, and no policy can exclude one.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::model::{POLICY_FILE, Policy};
use super::paths::PathSet;

/// Manifests and what configures a build, at any depth.
pub const MANIFESTS: &[&str] = &[
    "**/Cargo.toml",
    "**/.cargo/config.toml",
    "**/rust-toolchain",
    "**/rust-toolchain.toml",
    "**/package.json",
    "**/pnpm-workspace.yaml",
    "**/deno.json",
    "**/deno.jsonc",
    "**/pyproject.toml",
    "**/setup.py",
    "**/setup.cfg",
    "**/requirements*.txt",
    "**/requirements/*.txt",
    "**/Pipfile",
    "**/tox.ini",
    "**/noxfile.py",
    "**/go.mod",
    "**/go.work",
    "**/pom.xml",
    "**/build.gradle",
    "**/build.gradle.kts",
    "**/settings.gradle",
    "**/settings.gradle.kts",
    "**/gradle.properties",
    "**/Gemfile",
    "**/*.gemspec",
    "**/composer.json",
    "**/mix.exs",
    "**/Package.swift",
    "**/*.csproj",
    "**/*.fsproj",
    "**/*.sln",
    "**/Directory.Build.props",
    "**/CMakeLists.txt",
    "**/CMakePresets.json",
    "**/meson.build",
    "**/BUILD.bazel",
    "**/MODULE.bazel",
    "**/WORKSPACE",
    "**/Makefile",
    "**/justfile",
    "**/flake.nix",
    "**/.tool-versions",
    "**/mise.toml",
];

/// Lock files, at any depth.
pub const LOCK_FILES: &[&str] = &[
    "**/Cargo.lock",
    "**/package-lock.json",
    "**/npm-shrinkwrap.json",
    "**/yarn.lock",
    "**/pnpm-lock.yaml",
    "**/bun.lock",
    "**/bun.lockb",
    "**/deno.lock",
    "**/poetry.lock",
    "**/Pipfile.lock",
    "**/uv.lock",
    "**/pdm.lock",
    "**/go.sum",
    "**/go.work.sum",
    "**/gradle.lockfile",
    "**/Gemfile.lock",
    "**/composer.lock",
    "**/mix.lock",
    "**/Package.resolved",
    "**/packages.lock.json",
    "**/MODULE.bazel.lock",
    "**/flake.lock",
    "**/plugins.lock.json",
];

/// Workflows of CI systems.
pub const CI_WORKFLOWS: &[&str] = &[
    ".github/workflows/**",
    ".github/actions/**",
    ".gitlab-ci.yml",
    ".gitlab/ci/**",
    ".circleci/**",
    ".buildkite/**",
    ".ci/**",
    ".travis.yml",
    ".drone.yml",
    ".woodpecker.yml",
    ".woodpecker/**",
    "azure-pipelines*.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    "**/action.yml",
    "**/action.yaml",
];

/// What builds or starts containers, at any depth.
pub const CONTAINER_FILES: &[&str] = &[
    "**/Dockerfile",
    "**/Dockerfile.*",
    "**/*.Dockerfile",
    "**/*.dockerfile",
    "**/Containerfile",
    "**/.dockerignore",
    "**/docker-compose*.yml",
    "**/docker-compose*.yaml",
    "**/compose.yml",
    "**/compose.yaml",
    "**/docker-bake.hcl",
    ".devcontainer/**",
];

static WELL_KNOWN: LazyLock<PathSet> = LazyLock::new(|| {
    let patterns = [MANIFESTS, LOCK_FILES, CI_WORKFLOWS, CONTAINER_FILES].concat();
    PathSet::parse(patterns).expect("the lists hold patterns")
});

/// The policy inputs of a base and a candidate, compiled once.
#[derive(Clone, Debug, Default)]
pub struct PolicyInputs {
    named: BTreeSet<String>,
}

impl PolicyInputs {
    /// What these policies name: absent ones name nothing.
    pub fn new(base: Option<&Policy>, candidate: Option<&Policy>) -> Self {
        let mut named = BTreeSet::from([POLICY_FILE.to_owned()]);
        for policy in [base, candidate].into_iter().flatten() {
            named.extend(policy.plugins.iter().filter(|pin| pin.source.ends_with(".wasm")).map(|pin| pin.source.clone()));
            named.extend(policy.verification.behavior_review.iter().filter_map(|review| review.instructions.clone()));
            let suites = policy.suites.iter().map(|suite| (&suite.argv, &suite.cwd));
            let checks = policy.checks.iter().map(|check| (&check.argv, &check.cwd));
            named.extend(suites.chain(checks).flat_map(|(argv, cwd)| argv.iter().flat_map(|argument| paths_in(argument, cwd))));
        }
        Self { named }
    }

    /// Whether the path is named: the policy file, a pinned plugin, reviewer instructions, or a file in the argv of a suite or check.
    pub fn is_named(&self, path: &str) -> bool {
        self.named.contains(path)
    }

    /// The named paths, sorted.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(String::as_str)
    }

    /// Whether the path is named, or is a manifest, lock file, CI workflow or container file.
    pub fn contains(&self, path: &str) -> bool {
        self.is_named(path) || WELL_KNOWN.is_match(path)
    }
}

/// Whether the path is a policy input of either side. For many paths make one [`PolicyInputs`].
pub fn is_policy_input(path: &str, base: Option<&Policy>, candidate: Option<&Policy>) -> bool {
    PolicyInputs::new(base, candidate).contains(path)
}

/// The paths that an argument can mean, from its folder and from the root: as a whole, behind `=`, or before `::` as in a test's id.
fn paths_in(argument: &str, cwd: &str) -> Vec<String> {
    let value = argument.split_once('=').map(|(_, value)| value);
    let file = argument.split_once("::").map(|(file, _)| file);
    let texts = [Some(argument), value, file].into_iter().flatten();
    texts.flat_map(|text| [normal(text), normal(&format!("{cwd}/{text}"))]).flatten().collect()
}

/// The path in its one spelling; `None` for what is none, or leaves the repository.
fn normal(text: &str) -> Option<String> {
    let mut segments = Vec::new();
    if text.starts_with('/') {
        return None;
    }
    for segment in text.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            segment => segments.push(segment),
        }
    }
    (!segments.is_empty()).then(|| segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::model::{Check, CheckCategory, PluginLimits, PluginPin};
    use super::*;
    use crate::plugin::PluginKind;

    fn policy() -> Policy {
        let check = |argv: &[&str], cwd: &str| Check {
            name: "c".to_owned(),
            category: CheckCategory::Check,
            argv: argv.iter().map(|argument| (*argument).to_owned()).collect(),
            cwd: cwd.to_owned(),
            timeout_seconds: 1,
            environment: Vec::new(),
            run_on: Vec::new(),
        };
        Policy {
            checks: vec![
                check(&["./scripts/a.sh", "--config=b.json"], "."),
                check(&["python3", "run.py", "../x.py", "t.py::test"], "tools/sub"),
            ],
            plugins: vec![PluginPin {
                name: "p".to_owned(),
                kind: PluginKind::PathRoles,
                source: "dist/p.wasm".to_owned(),
                sha256: "0".repeat(64),
                options: serde_json::Map::new(),
                limits: PluginLimits::default(),
            }],
            ..Policy::default()
        }
    }

    #[test]
    fn what_a_policy_names_is_an_input_from_either_side() {
        let policy = policy();
        let named =
            [".code-polishy.json", "dist/p.wasm", "scripts/a.sh", "b.json", "tools/sub/run.py", "run.py", "tools/x.py", "tools/sub/t.py"];
        for path in named {
            assert!(is_policy_input(path, Some(&policy), None) && is_policy_input(path, None, Some(&policy)), "{path}");
        }
        assert!(!is_policy_input("scripts/b.sh", Some(&policy), Some(&policy)));
        assert!(!is_policy_input("scripts/a.sh", None, None) && is_policy_input(POLICY_FILE, None, None));
    }

    #[test]
    fn well_known_files_are_inputs() {
        for path in [
            "Cargo.toml",
            "a/b/package.json",
            "go.sum",
            ".github/workflows/ci.yml",
            "web/Dockerfile",
            "Dockerfile.dev",
            "requirements-dev.txt",
        ] {
            assert!(is_policy_input(path, None, None), "{path}");
        }
        for path in ["src/cargo.rs", "docs/package.json.md", "xDockerfile", "a/.github/workflows/ci.yml"] {
            assert!(!is_policy_input(path, None, None), "{path}");
        }
    }
}
