//! Recorders in the processes of pytest (CR-146).

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read},
    path::Path,
};

use code_polishy_core::{
    code_review::{
        codes,
        source_proof::{KeptRecord, Seen, record_file},
    },
    diagnostic::Failure,
};
use tempfile::TempDir;

use super::Sight;
use crate::workflow::code_review::operational;

/// Loads the recorder, in the main process and in every worker that it starts.
pub(super) const ARGUMENTS: [&str; 2] = ["-p", "code_polishy_recorder"];
const SOURCE: &str = include_str!("recorder.py");
const MODULE_FILE: &str = "code_polishy_recorder.py";
const FOLDER_VARIABLE: &str = "CODE_POLISHY_RECORDER";

/// Bytes of one record.
const MAX_RECORD_BYTES: u64 = 8 << 20;
/// Records of one run; more are no proof.
const MAX_RECORDS: usize = 512;

/// A private folder outside the reviewed tree, which goes with this value.
pub struct Recorder {
    folder: TempDir,
    modules: Vec<String>,
}

impl Recorder {
    /// Puts the recorder where pytest finds it.
    ///
    /// # Errors
    /// Exit 3.
    pub(super) fn prepare(modules: &[String]) -> Result<Self, Failure> {
        let write = || -> io::Result<TempDir> {
            let folder = tempfile::Builder::new().prefix("code-polishy-recorder-").tempdir()?;
            for name in ["plugin", "records", "bytecode"] {
                fs::create_dir(folder.path().join(name))?;
            }
            fs::write(folder.path().join("plugin").join(MODULE_FILE), SOURCE)?;
            fs::write(folder.path().join("modules.json"), serde_json::to_vec(modules)?)?;
            Ok(folder)
        };
        let folder = write().map_err(|error| unusable("make", &error))?;
        Ok(Self { folder, modules: modules.to_vec() })
    }

    /// The recorder comes first on the path. Compiled code neither comes from the tree, where it may be stale, nor is it left there.
    pub(super) fn variables(&self, path: Option<&str>) -> Vec<(String, String)> {
        let place = |name: &str| self.folder.path().join(name).display().to_string();
        let plugin = place("plugin");
        let path = path.filter(|path| !path.is_empty()).map_or_else(|| plugin.clone(), |path| format!("{plugin}:{path}"));
        let folder = self.folder.path().display().to_string();
        let variables = [
            (FOLDER_VARIABLE, folder),
            ("PYTHONPATH", path),
            ("PYTHONPYCACHEPREFIX", place("bytecode")),
            ("PYTHONDONTWRITEBYTECODE", "1".to_owned()),
        ];
        variables.map(|(name, value)| (name.to_owned(), value)).into()
    }

    /// The records that the processes left, whatever is in them.
    ///
    /// # Errors
    /// Exit 3.
    pub(super) fn look(&self, gate: &str) -> Result<Sight, Failure> {
        let (mut records, mut outputs, mut faults) = (Vec::new(), BTreeMap::new(), Vec::new());
        for name in self.names()? {
            let file = self.folder.path().join("records").join(&name);
            let process = name.strip_suffix(".json").filter(|process| is_process(process)).unwrap_or("unnamed").to_owned();
            let path = record_file(gate, &process);
            // What is too large is kept as nothing, which is no record.
            let bytes = head(&file).map_err(|error| unusable("read", &error))?;
            records.push(KeptRecord { process, path: path.clone() });
            if outputs.insert(path, bytes).is_some() {
                faults.push("several records have no name of a process".to_owned());
            }
        }
        let seen = Seen::PytestImport { modules: self.modules.clone(), records };
        Ok(Sight { seen, outputs, faults })
    }

    fn names(&self) -> Result<Vec<String>, Failure> {
        let list = || -> io::Result<Vec<String>> {
            let entries = fs::read_dir(self.folder.path().join("records"))?;
            let names: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.file_name())).collect();
            let mut names: Vec<String> = names?.into_iter().map(|name| name.to_string_lossy().into_owned()).collect();
            names.retain(|name| !name.starts_with('.'));
            names.sort_unstable();
            names.truncate(MAX_RECORDS);
            Ok(names)
        };
        list().map_err(|error| unusable("read", &error))
    }
}

fn head(file: &Path) -> io::Result<Vec<u8>> {
    if !file.symlink_metadata()?.is_file() {
        return Ok(Vec::new());
    }
    let mut bytes = Vec::new();
    fs::File::open(file)?.take(MAX_RECORD_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_RECORD_BYTES {
        bytes.clear();
    }
    Ok(bytes)
}

fn is_process(name: &str) -> bool {
    (1..=40).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn unusable(what: &str, error: &io::Error) -> Failure {
    let message = format!("cannot {what} the folder of pytest's recorder: {error}");
    operational(&codes::IO_ERROR, message, "make room in the temporary folder, then run the gates again")
}
