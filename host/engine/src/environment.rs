//! What a command sees of the caller's environment (BR-75).

use std::collections::BTreeMap;
use std::ffi::OsString;

/// Variables that a command of any kind may need.
const COMMON: [&str; 14] =
    ["PATH", "HOME", "TMPDIR", "TMP", "TEMP", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_ALL", "TZ", "TERM", "CI"];

/// Where tools of common ecosystems are installed and keep their caches. Each holds a path or the name of a toolchain; none
/// holds options, addresses or credentials, and none moves what a build writes out of the worktree.
const TOOLS: &[&str] = &[
    // Everything that follows the XDG base directories.
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    // Rust.
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "SCCACHE_DIR",
    // C and C++.
    "CCACHE_DIR",
    "CONAN_HOME",
    "VCPKG_ROOT",
    // Go.
    "GOCACHE",
    "GOMODCACHE",
    "GOPATH",
    "GOROOT",
    "GOTOOLCHAIN",
    // Python.
    "CONDA_PREFIX",
    "PIP_CACHE_DIR",
    "POETRY_CACHE_DIR",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "PYTHONUSERBASE",
    "UV_CACHE_DIR",
    "UV_PYTHON_INSTALL_DIR",
    "VIRTUAL_ENV",
    // JavaScript.
    "BUN_INSTALL",
    "COREPACK_HOME",
    "CYPRESS_CACHE_FOLDER",
    "DENO_DIR",
    "FNM_DIR",
    "FNM_MULTISHELL_PATH",
    "NPM_CONFIG_CACHE",
    "NVM_DIR",
    "PLAYWRIGHT_BROWSERS_PATH",
    "PNPM_HOME",
    "VOLTA_HOME",
    "YARN_CACHE_FOLDER",
    "npm_config_cache",
    // The Java virtual machine and Android.
    "ANDROID_HOME",
    "ANDROID_SDK_ROOT",
    "COURSIER_CACHE",
    "GRADLE_HOME",
    "GRADLE_USER_HOME",
    "JAVA_HOME",
    "M2_HOME",
    "MAVEN_HOME",
    "SDKMAN_DIR",
    // .NET.
    "DOTNET_ROOT",
    "NUGET_PACKAGES",
    // Ruby.
    "BUNDLE_PATH",
    "GEM_HOME",
    "GEM_PATH",
    "RBENV_ROOT",
    "RBENV_VERSION",
    // PHP.
    "COMPOSER_CACHE_DIR",
    "COMPOSER_HOME",
    // Elixir and Erlang.
    "HEX_HOME",
    "MIX_HOME",
    // Haskell.
    "CABAL_DIR",
    "GHCUP_INSTALL_BASE_PREFIX",
    "STACK_ROOT",
    // Zig.
    "ZIG_GLOBAL_CACHE_DIR",
    // Version managers for several languages.
    "ASDF_DATA_DIR",
    "ASDF_DIR",
    "MISE_DATA_DIR",
    "NIX_PROFILES",
];

/// The exact environment of one command: what the caller has under an allowed or a declared name, sorted by name.
///
/// `caller` is the caller's environment, `declared` the suite's `environment`. `set` is what the suite's runner sets
/// (BR-20); it wins over the caller.
pub fn passed(
    caller: impl IntoIterator<Item = (OsString, OsString)>,
    declared: &[String],
    set: &[(String, String)],
) -> Vec<(OsString, OsString)> {
    let allowed = |name: &OsString| name.to_str().is_some_and(|name| is_allowed(name) || declared.iter().any(|declared| declared == name));
    let mut variables: BTreeMap<OsString, OsString> = caller.into_iter().filter(|(name, _)| allowed(name)).collect();
    variables.extend(set.iter().map(|(name, value)| (name.into(), value.into())));
    variables.into_iter().collect()
}

/// Whether a command sees this variable without declaring it.
pub fn is_allowed(name: &str) -> bool {
    COMMON.contains(&name) || TOOLS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        pairs.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn only_allowed_and_declared_names_pass_sorted() {
        let caller =
            pairs(&[("TOKEN", "1"), ("SECRET", "2"), ("PATH", "/bin"), ("LD_PRELOAD", "x"), ("GIT_DIR", "y"), ("CARGO_HOME", "/c")]);
        let declared = ["TOKEN".to_owned(), "ABSENT".to_owned()];
        assert_eq!(passed(caller, &declared, &[]), pairs(&[("CARGO_HOME", "/c"), ("PATH", "/bin"), ("TOKEN", "1")]));
    }

    #[test]
    fn what_a_runner_sets_wins() {
        let set = [("CI".to_owned(), "0".to_owned()), ("NO_COLOR".to_owned(), "1".to_owned())];
        assert_eq!(passed(pairs(&[("CI", "1")]), &[], &set), pairs(&[("CI", "0"), ("NO_COLOR", "1")]));
    }

    #[test]
    fn no_allowed_name_sounds_like_a_secret() {
        for name in COMMON.iter().chain(TOOLS) {
            let name = name.to_uppercase();
            assert!(
                ["TOKEN", "SECRET", "KEY", "PASS", "AUTH", "CRED", "URL", "PROXY", "OPTIONS", "FLAGS"]
                    .iter()
                    .all(|word| !name.contains(word)),
                "{name}"
            );
        }
    }
}
