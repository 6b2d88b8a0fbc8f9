//! A run as it was read: every file once, with its digest (CR-21).

use std::collections::BTreeMap;

use crate::canonical::digest_bytes;

/// Every regular file of a run, by its path relative to the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunImage {
    /// What was read.
    pub files: BTreeMap<String, ImageFile>,
    /// What could not be read, in path order.
    pub faults: Vec<ImageFault>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFile {
    /// Length in bytes.
    pub size: u64,
    /// Lower-case hex SHA-256 of the bytes.
    pub sha256: String,
    /// The bytes, when [`wants_content`] asks for them.
    pub content: Option<Vec<u8>>,
}

/// A file that is not part of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFault {
    /// Relative to the run.
    pub path: String,
    /// What is wrong with it.
    pub kind: ImageFaultKind,
}

/// Why a file is not part of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageFaultKind {
    /// A link, a device, or a second name of another file.
    NotRegular,
    /// More than [`MAX_FILE_BYTES`] or [`MAX_RAW_BYTES`].
    TooLarge,
    /// Its bytes changed while it was read.
    Changed,
    /// The image as a whole is above [`MAX_IMAGE_BYTES`] or [`MAX_FILES`].
    ImageTooLarge,
}

/// Bytes of a file (CR-201).
pub const MAX_FILE_BYTES: u64 = 16 << 20;
/// Bytes of `diff.patch` and of gate output (CR-201).
pub const MAX_RAW_BYTES: u64 = 64 << 20;
/// Bytes of all files (CR-201).
pub const MAX_IMAGE_BYTES: u64 = 512 << 20;
/// Number of files (CR-201).
pub const MAX_FILES: usize = 20_000;

/// Nesting of a record (CR-201).
pub const MAX_DEPTH: usize = 64;

/// The largest size of this file.
pub fn max_bytes(path: &str) -> u64 {
    if is_raw(path) { MAX_RAW_BYTES } else { MAX_FILE_BYTES }
}

/// Some check looks into the file; of the others the digest is enough, and what a reproduction printed may be large.
pub fn wants_content(path: &str) -> bool {
    let is_evidence = path.starts_with("reproductions/") && !path.ends_with("/receipt.json");
    !is_raw(path) && !is_evidence && [".json", ".jsonl", ".md", ".txt"].iter().any(|ending| path.ends_with(ending))
}

fn is_raw(path: &str) -> bool {
    path.ends_with(".patch") || path.ends_with(".stdout.txt") || path.ends_with(".stderr.txt")
}

impl RunImage {
    /// The file's bytes, when it is there and its content is kept.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path)?.content.as_deref()
    }

    /// The file's text, when it is UTF-8.
    pub fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(self.bytes(path)?).ok()
    }

    /// The digest of the file.
    pub fn sha256(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(|file| file.sha256.as_str())
    }

    /// Puts a file, as it will be read when it has been written.
    pub fn put(&mut self, path: &str, bytes: &[u8]) {
        let content = wants_content(path).then(|| bytes.to_vec());
        self.files.insert(path.to_owned(), ImageFile { size: bytes.len() as u64, sha256: digest_bytes(bytes), content });
    }

    /// The file is there.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Paths below this folder, given without a final `/`.
    pub fn below<'i>(&'i self, folder: &str) -> impl Iterator<Item = &'i str> {
        let start = format!("{folder}/");
        self.files.range(start.clone()..).map(|(path, _)| path.as_str()).take_while(move |path| path.starts_with(&start))
    }
}
