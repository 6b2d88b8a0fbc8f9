//! The files of an event: in the run already, or retained in it now.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use code_polishy_core::{
    canonical::{digest_bytes, read_strict},
    code_review::{
        codes,
        events::{Event, EventKind, EventLog},
        image::{ImageFile, MAX_FILE_BYTES, RunImage, wants_content},
        manifest::PassMode,
        routing::{BRIEFS_FILE, Briefs},
    },
    diagnostic::Failure,
};

use crate::{
    input::contained_path,
    workflow::code_review::{run::Run, usage},
};

/// Where receipts from outside the run are retained.
const RECEIPTS_FOLDER: &str = "specialists/receipts";

/// The files that an event names.
pub(super) struct Files<'f> {
    pub(super) run: &'f Run,
    /// Where the caller's paths start.
    pub(super) cwd: &'f Path,
    pub(super) image: &'f RunImage,
    /// What is written into the run: path relative to it, bytes.
    pub(super) retained: Vec<(String, Vec<u8>)>,
}

impl Files<'_> {
    /// The context of `dispatched` and `delivered`: the frozen one when none is named.
    ///
    /// # Errors
    /// Exit 2 `usage-error`: the run has no such file.
    pub(super) fn context(&self, named: Option<&Path>, event: &mut Event) -> Result<(), Failure> {
        let takes = matches!(event.event, EventKind::Dispatched | EventKind::Delivered);
        let path = match named {
            Some(file) => Some(self.inside("--context", file)?),
            None if takes && event.mode != PassMode::Substituted => self.frozen(event),
            None => None,
        };
        event.context_sha256 = path.as_deref().and_then(|path| self.image.sha256(path)).map(str::to_owned);
        event.context_path = path;
        Ok(())
    }

    fn frozen(&self, event: &Event) -> Option<String> {
        let briefs: Briefs = read_strict(self.image.bytes(BRIEFS_FILE)?, "", "").ok()?;
        briefs.of(event.role).map(|brief| brief.context_path.clone())
    }

    /// The response: of `joined` the completed one when none is named. One from outside is copied to where it belongs (CR-220).
    ///
    /// # Errors
    /// Exit 2 `usage-error`: it cannot be read, or another response is retained there.
    pub(super) fn output(&mut self, named: Option<&Path>, log: &EventLog, event: &mut Event) -> Result<(), Failure> {
        let path = match named {
            Some(file) => {
                let stem = match event.attempt {
                    Some(attempt) => format!("specialists/{}.attempt-{attempt}", event.role),
                    None => format!("specialists/{}", event.role),
                };
                let is_json = event.mode == PassMode::AppServer || file.extension().is_some_and(|ending| ending == "json");
                Some(self.retain("--output", file, format!("{stem}.{}", if is_json { "json" } else { "md" }))?)
            }
            None if event.event == EventKind::Joined => completed(log, event),
            None => None,
        };
        event.output_sha256 = path.as_deref().map(|path| self.bytes(path).map(|bytes| digest_bytes(&bytes))).transpose()?;
        event.output_path = path;
        Ok(())
    }

    /// The receipt of the reviewer's host; one from outside is copied into the run.
    ///
    /// # Errors
    /// As [`Self::output`].
    pub(super) fn receipt(&mut self, named: Option<&Path>, event: &mut Event) -> Result<(), Failure> {
        let Some(file) = named else { return Ok(()) };
        let is_plain = |ending: &&str| ending.len() <= 8 && ending.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let ending = file.extension().and_then(|ending| ending.to_str()).filter(is_plain).unwrap_or("bin");
        let attempt = event.attempt.map_or_else(|| "substitute".to_owned(), |attempt| format!("attempt-{attempt}"));
        let place = format!("{RECEIPTS_FOLDER}/{}.{attempt}.{}.{ending}", event.role, event.event);
        let path = self.retain("--receipt", file, place)?;
        event.receipt_sha256 = Some(digest_bytes(&self.bytes(&path)?));
        event.receipt_path = Some(path);
        Ok(())
    }

    /// The bytes of a file as the run has it, or will have it.
    ///
    /// # Errors
    /// Exit 3.
    pub(super) fn bytes(&self, path: &str) -> Result<Vec<u8>, Failure> {
        match self.retained.iter().find(|(retained, _)| retained == path) {
            Some((_, bytes)) => Ok(bytes.clone()),
            None => Ok(self.run.read(path)?.unwrap_or_default()),
        }
    }

    /// Writes what is retained.
    ///
    /// # Errors
    /// Exit 3.
    pub(super) fn write(&self) -> Result<(), Failure> {
        self.retained.iter().try_for_each(|(path, bytes)| self.run.write(path, bytes))
    }

    fn inside(&self, option: &str, file: &Path) -> Result<String, Failure> {
        contained_path(&self.run.path(), self.cwd, file).filter(|path| self.image.has(path)).ok_or_else(|| {
            let message = format!("the run has no file {}", file.display());
            usage(&codes::USAGE_ERROR, message, format!("name a file inside the run with {option}"))
        })
    }

    fn retain(&mut self, option: &str, file: &Path, place: String) -> Result<String, Failure> {
        if contained_path(&self.run.path(), self.cwd, file).is_some() {
            return self.inside(option, file);
        }
        let bytes = read(&self.cwd.join(file)).map_err(|reason| {
            let message = format!("cannot read {}: {reason}", file.display());
            usage(&codes::USAGE_ERROR, message, format!("name a file of at most {MAX_FILE_BYTES} bytes with {option}"))
        })?;
        match self.image.sha256(&place) {
            Some(kept) if kept != digest_bytes(&bytes) => {
                let message = format!("the run has another `{place}`");
                Err(usage(&codes::USAGE_ERROR, message, "name the file that the run has; what it retains is not replaced"))
            }
            Some(_) => Ok(place),
            None => {
                self.retained.push((place.clone(), bytes));
                Ok(place)
            }
        }
    }
}

/// Where the response lies that this attempt completed.
fn completed(log: &EventLog, event: &Event) -> Option<String> {
    let own = |other: &&Event| (other.role, other.attempt, other.event) == (event.role, event.attempt, EventKind::Completed);
    log.events.iter().rfind(own)?.output_path.clone()
}

/// A regular file: whoever names a pipe would be waited for.
fn read(place: &Path) -> Result<Vec<u8>, String> {
    let whole = || -> io::Result<Option<Vec<u8>>> {
        if !fs::metadata(place)?.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        File::open(place)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    };
    match whole() {
        Ok(None) => Err("it is no regular file".to_owned()),
        Ok(Some(bytes)) if bytes.len() as u64 > MAX_FILE_BYTES => Err("it is too large".to_owned()),
        Ok(Some(bytes)) => Ok(bytes),
        Err(error) => Err(error.to_string()),
    }
}

/// Puts a file into an image.
pub(super) fn insert(image: &mut RunImage, path: &str, bytes: &[u8]) {
    let content = wants_content(path).then(|| bytes.to_vec());
    image.files.insert(path.to_owned(), ImageFile { size: bytes.len() as u64, sha256: digest_bytes(bytes), content });
}
