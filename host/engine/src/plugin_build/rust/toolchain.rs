//! Which compiler makes WebAssembly on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use code_polishy_core::diagnostic::Failure;
use serde::{Deserialize, Serialize};

use crate::plugin_build::tool::{self, answer};

/// What plugins are compiled for: no system interface, so nothing to import.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Where Debian's packages put their compiler.
const SYSTEM_RUSTC: &str = "/usr/bin/rustc";

/// How the target's standard library is come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// The toolchain brings it, as after `rustup target add wasm32-unknown-unknown`.
    InstalledTarget,
    /// It is built from source, as Debian's `rustc-web` and `rust-web-src` allow.
    BuildStd,
}

/// What decides the bytes of a module beside its sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RustToolchain {
    /// As `rustc --version` says it.
    pub rustc: String,
    /// As `cargo --version` says it; the linker is of the same release.
    pub cargo: String,
    /// The machine's target triple.
    pub host: String,
    /// How the standard library is come by.
    pub route: Route,
}

/// A compiler that can make modules.
pub struct Compiler {
    pub toolchain: RustToolchain,
    rustc: Rustc,
    /// Named to a compiler that brings none.
    linker: Option<PathBuf>,
}

/// One `rustc` and what it says about itself.
struct Rustc {
    program: PathBuf,
    version: String,
    host: String,
    commit: String,
    sysroot: PathBuf,
}

impl Rustc {
    /// `None` when it is not there or does not work.
    fn ask(program: &Path, dir: &Path) -> Option<Self> {
        let about = answer(Command::new(program).arg("-vV"), dir)?;
        let field = |name: &str| about.lines().find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()));
        Some(Self {
            program: program.to_owned(),
            version: about.lines().next()?.to_owned(),
            host: field("host:")?,
            commit: field("commit-hash:")?,
            sysroot: answer(Command::new(program).args(["--print", "sysroot"]), dir)?.into(),
        })
    }

    fn has_target(&self) -> bool {
        self.sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir()
    }

    fn source(&self) -> PathBuf {
        self.sysroot.join("lib/rustlib/src/rust")
    }

    fn linker(&self) -> Option<PathBuf> {
        let linker = self.sysroot.join("lib/rustlib").join(&self.host).join("bin/rust-lld");
        linker.is_file().then_some(linker)
    }
}

impl Compiler {
    /// The compiler on the path when it has the target; else the system's, with a linker of whichever has one.
    pub fn find(dir: &Path) -> Result<Self, Failure> {
        let cargo = answer(Command::new("cargo").arg("--version"), dir).ok_or_else(|| missing("cargo is not on the path"))?;
        let usual = match Rustc::ask(Path::new("rustc"), dir) {
            Some(rustc) if rustc.has_target() => return Ok(Self::new(rustc, cargo, Route::InstalledTarget, None)),
            usual => usual,
        };
        let system = Rustc::ask(Path::new(SYSTEM_RUSTC), dir).filter(|rustc| rustc.source().join("library/std").is_dir());
        let system = system.ok_or_else(|| missing(&format!("no Rust compiler here has the target {TARGET}")))?;
        let linker = system.linker().or_else(|| usual.as_ref().and_then(Rustc::linker));
        let linker = linker.ok_or_else(|| missing("no Rust toolchain here has the linker rust-lld"))?;
        Ok(Self::new(system, cargo, Route::BuildStd, Some(linker)))
    }

    fn new(rustc: Rustc, cargo: String, route: Route, linker: Option<PathBuf>) -> Self {
        let toolchain = RustToolchain { rustc: rustc.version.clone(), cargo, host: rustc.host.clone(), route };
        Self { toolchain, rustc, linker }
    }

    /// Makes `cargo build` use this compiler.
    pub fn configure(&self, cargo: &mut Command) {
        if self.toolchain.route == Route::BuildStd {
            // Building the standard library is not stable; `RUSTC_BOOTSTRAP` lets a released compiler do it.
            cargo.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
            cargo.env("RUSTC", &self.rustc.program).env("RUSTC_BOOTSTRAP", "1");
        }
        if let Some(linker) = &self.linker {
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
    }

    /// Flags in cargo's encoding that take this machine's folders out of the modules: of two that fit, rustc takes the later.
    pub fn flags(&self, roots: &[(PathBuf, String)]) -> String {
        let library = match self.toolchain.route {
            // The name it was built with; a compiler that finds the source beside it would put in that folder.
            Route::InstalledTarget => format!("/rustc/{}", self.rustc.commit),
            Route::BuildStd => "/rust".to_owned(),
        };
        let mut maps = vec![(self.rustc.source(), library)];
        maps.extend(cargo_home().map(|home| (home, "/cargo".to_owned())));
        maps.extend_from_slice(roots);
        let flags = maps.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
        flags.collect::<Vec<_>>().join("\u{1f}")
    }
}

fn cargo_home() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

fn missing(what: &str) -> Failure {
    let next = format!("`rustup target add {TARGET}`, or on Debian `apt-get install rustc-web rust-web-src` beside a rustup toolchain");
    tool::missing(what, next)
}
