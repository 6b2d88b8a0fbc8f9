//! Which C compiler makes WebAssembly on this machine, and how it is asked.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use code_polishy_core::diagnostic::Failure;

use super::super::manifest::Manifest;
use super::super::tool::{self, Tool};
use super::super::{Language, Tools};

const INSTALL: &str = "on Debian `apt-get install clang lld wasi-libc libclang-rt-dev-wasm32` (or the package of your clang's version, such as \
                       libclang-rt-14-dev-wasm32), or anywhere `pip install ziglang`, or set WASI_SDK_PATH to a wasi-sdk";

const TARGET: &str = "--target=wasm32-wasi";

/// Equal sources give equal bytes: no name, no path and no state of the machine enters the module.
const FLAGS: [&str; 7] = ["-std=gnu17", "-Os", "-Wall", "-fno-ident", "-ffile-prefix-map=./=", "-mexec-model=reactor", "-Wl,--strip-all"];

/// What ends a call has a message: the SDK's functions stand in for those of the C library.
const REPLACED: [&str; 2] = ["-D__assert_fail=cp_assert_fail", "-Dabort=cp_abort"];

/// A program that needs the C library and the compiler's own.
const PROBE: &str = "#include <stdlib.h>\n#include <string.h>\n\
                     __attribute__((export_name(\"probe\"))) void *probe(double x) { return strdup(x > 1 ? \"a\" : \"b\"); }\n";

/// A compiler that can make modules.
pub struct Compiler {
    /// The program and its first words.
    words: Vec<OsString>,
    tool: Tool,
    pub tools: Tools,
}

/// The programs that are tried, in this order.
struct Candidate {
    name: &'static str,
    words: Vec<OsString>,
    /// What makes it state its version.
    version: &'static str,
}

impl Candidate {
    fn all() -> Vec<Self> {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect();
        let sdk = std::env::var_os("WASI_SDK_PATH").map(|sdk| Path::new(&sdk).join("bin/clang").into_os_string());
        let sdk = sdk.map(|clang| Self { name: "clang", words: vec![clang], version: "--version" });
        let others = [
            Self { name: "clang", words: words(&["clang"]), version: "--version" },
            Self { name: "zig", words: words(&["zig", "cc"]), version: "version" },
            Self { name: "zig", words: words(&["python3", "-m", "ziglang", "cc"]), version: "version" },
        ];
        sdk.into_iter().chain(others).collect()
    }

    /// The version that it states; `None` when it is not there.
    fn version(&self, dir: &Path) -> Option<String> {
        let named = &self.words[..self.words.len() - usize::from(self.name == "zig")];
        let said = tool::answer(Command::new(&named[0]).args(&named[1..]).arg(self.version), dir)?;
        said.lines().next().map(str::to_owned)
    }

    fn compiler(self, version: String) -> Compiler {
        let tool = Tool { name: self.name, code: "plugin-build.tool", install: INSTALL };
        let tools = Tools { language: Language::C, tools: BTreeMap::from([(self.name.to_owned(), version)]) };
        Compiler { words: self.words, tool, tools }
    }
}

impl Compiler {
    /// The first one that makes a module of a small program.
    pub fn find(dir: &Path) -> Result<Self, Failure> {
        let mut unfit = Vec::new();
        for candidate in Candidate::all() {
            let Some(version) = candidate.version(dir) else { continue };
            let compiler = candidate.compiler(version);
            match compiler.probe() {
                Ok(()) => return Ok(compiler),
                Err(failure) => unfit.extend(failure.diagnostics.into_iter().map(|diagnostic| diagnostic.message)),
            }
        }
        let what = match unfit.as_slice() {
            [] => "there is neither clang nor zig on the path".to_owned(),
            said => format!("no C compiler here makes WebAssembly: {}", said.join("; ")),
        };
        Err(tool::missing(&what, INSTALL))
    }

    fn probe(&self) -> Result<(), Failure> {
        let workshop = self.workshop()?;
        std::fs::write(workshop.path().join("probe.c"), PROBE).map_err(|error| self.unwritable(&error))?;
        let mut command = self.command(workshop.path());
        command.arg("probe.c").args(["-o", "probe.wasm"]);
        self.tool.run(command, &mut |_| {}).map(drop)
    }

    /// Compiles and links the plugin.
    pub fn run(&self, dir: &Path, manifest: &Manifest, sources: &[PathBuf], progress: &mut dyn FnMut(&str)) -> Result<Vec<u8>, Failure> {
        let workshop = self.workshop()?;
        let module = workshop.path().join("plugin.wasm");
        let mut command = self.command(dir);
        command
            .args(REPLACED)
            .args(definitions(manifest))
            .arg("-o")
            .arg(&module)
            .args(sources.iter().map(|source| Path::new(".").join(source)));
        self.tool.run(command, progress)?;
        let mut core = Vec::new();
        let read = std::fs::File::open(&module).and_then(|mut file| file.read_to_end(&mut core));
        read.map_err(|error| self.tool.failure(format!("{} left no module: {error}", self.tool.name), "build it again"))?;
        Ok(core)
    }

    fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.current_dir(dir).args(&self.words[1..]).arg(TARGET).args(FLAGS);
        // What compilers read beside their words: search paths, flags, the time that `__DATE__` tells.
        for name in ["CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "CCC_OVERRIDE_OPTIONS"] {
            command.env_remove(name);
        }
        command.env("SOURCE_DATE_EPOCH", "0");
        command
    }

    fn workshop(&self) -> Result<tempfile::TempDir, Failure> {
        tempfile::tempdir().map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &std::io::Error) -> Failure {
        self.tool.failure(format!("cannot write to a temporary folder: {error}"), "make room, or name another folder in TMPDIR")
    }
}

/// What the SDK's `describe` says.
fn definitions(manifest: &Manifest) -> [String; 3] {
    let Manifest { name, version, summary, .. } = manifest;
    [("NAME", name), ("VERSION", version), ("SUMMARY", summary)].map(|(field, text)| format!("-DCODE_POLISHY_{field}={}", literal(text)))
}

/// A string literal of C, whatever the text holds.
fn literal(text: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b' ' | b'.' | b',' | b'-' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        // Three octal digits end by themselves, whatever follows.
        byte => format!("\\{byte:03o}"),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_literal_whatever_it_holds() {
        assert_eq!(literal("Reads lines, 1.0-a"), "\"Reads lines, 1.0-a\"");
        assert_eq!(literal("a\"\\??/é7"), r#""a\042\134\077\077\057\303\2517""#);
    }
}
