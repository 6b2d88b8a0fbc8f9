//! Finds the overlay that the tests are given, and binds it by a digest of its tree (CR-229).

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::{digest_bytes, read_strict},
    code_review::{
        candidate::{DependencyEvidence, Preparation},
        codes,
        gates::{DEPENDENCIES_FILE, GateOptions, OverlayReceipt, UNTOLD, has_other_overlay, overlaid, overlays_folder},
        image::RunImage,
        run::RunRecord,
    },
    diagnostic::Failure,
    text::control_free,
};

use super::PYTHON_PATH;
use crate::workflow::code_review::{members, run::Run, usage};

const NEXT: &str = "name the overlay of a preparation that `dependency-evidence.json` calls prepared, with its origin and its receipt";

/// An overlay as it was before the tests.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// What is kept of it.
    pub receipt: OverlayReceipt,
}

impl Overlay {
    /// The overlay that the caller names, by its path or by its name among the overlays of the run.
    ///
    /// # Errors
    /// Exit 2 `usage-error`: it is no overlay of a preparation of this run.
    pub fn find(run: &Run, record: &RunRecord, image: &RunImage, cwd: &Path, asked: &Path) -> Result<Self, Failure> {
        let refuse = |message: String| usage(&codes::USAGE_ERROR, message, NEXT);
        let path = run.path();
        let overlays = path.parent().unwrap_or(&path).join(overlays_folder(&record.run_id));
        let overlays = overlays.canonicalize().map_err(|_| refuse(format!("the run has no overlays at {}", overlays.display())))?;
        let folder = [cwd.join(asked), overlays.join(asked)].iter().find_map(|folder| folder.canonicalize().ok());
        let folder = folder.filter(|folder| folder.is_dir() && folder.starts_with(&overlays));
        let folder = folder.ok_or_else(|| refuse(format!("--overlay is no folder below {}", overlays.display())))?;
        let text = folder.to_str().filter(|text| control_free(text, false) && !text.contains(':'));
        let text = text.ok_or_else(|| refuse("the path of the overlay cannot stand in a list of paths".to_owned()))?.to_owned();
        let evidence = image.bytes(DEPENDENCIES_FILE).ok_or_else(|| refuse(format!("the run has no `{DEPENDENCIES_FILE}`")))?;
        let evidence: DependencyEvidence =
            read_strict(evidence, codes::USAGE_ERROR.name, NEXT).map_err(|diagnostic| refuse(diagnostic.message))?;
        let is_it = |preparation: &&Preparation| {
            let named = preparation.overlay.as_deref().and_then(|overlay| overlays.join(overlay).canonicalize().ok());
            let origin = preparation.import_origin.as_deref().and_then(|origin| folder.join(origin).canonicalize().ok());
            named.as_ref() == Some(&folder) && origin.is_some_and(|origin| origin.starts_with(&folder))
        };
        let prepared = overlaid(&evidence, &|receipt| image.has(receipt));
        let preparation = prepared.into_iter().find(is_it);
        let preparation = preparation.ok_or_else(|| refuse("no preparation with an origin and a receipt has this overlay".to_owned()))?;
        let tree_sha256 = tree_sha256(&folder).map_err(|error| refuse(format!("the overlay cannot be read: {error}")))?;
        Ok(Self {
            receipt: OverlayReceipt {
                schema_version: 1,
                preparation: preparation.id.clone(),
                overlay: preparation.overlay.clone().unwrap_or_default(),
                folder: text,
                tree_sha256,
            },
        })
    }

    /// Refuses an overlay that comes by another way than `--overlay`: nothing would be kept of it.
    ///
    /// # Errors
    /// Exit 2 `usage-error`.
    pub fn alone(given: Option<&Self>, run: &Run, record: &RunRecord, options: &[GateOptions; 5]) -> Result<(), Failure> {
        let path = run.path();
        let overlays = path.parent().unwrap_or(&path).join(overlays_folder(&record.run_id)).display().to_string();
        let given = given.map(|overlay| overlay.receipt.folder.as_str());
        let paths = options.iter().flat_map(|options| &options.environment).filter(|(name, _)| *name == PYTHON_PATH);
        if paths.into_iter().any(|(_, path)| has_other_overlay(path, &overlays, given)) {
            return Err(usage(&codes::USAGE_ERROR, UNTOLD, "give it to the tests with --overlay"));
        }
        Ok(())
    }

    /// It is no longer as it was.
    pub fn changed(&self) -> bool {
        tree_sha256(Path::new(&self.receipt.folder)).ok().as_ref() != Some(&self.receipt.tree_sha256)
    }
}

/// Digest of every path below a folder with its kind and its bytes, in byte order; links are not followed.
fn tree_sha256(folder: &Path) -> io::Result<String> {
    let (mut lines, mut waiting) = (BTreeMap::new(), vec![PathBuf::new()]);
    while let Some(below) = waiting.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let (path, kind) = (below.join(entry.file_name()), entry.file_type()?);
            let told = if kind.is_dir() {
                waiting.push(path.clone());
                "folder".to_owned()
            } else if kind.is_symlink() {
                format!("link {}", digest_bytes(fs::read_link(entry.path())?.as_os_str().as_bytes()))
            } else if kind.is_file() {
                format!("file {}", members::digest_file(&entry.path())?)
            } else {
                return Err(io::Error::other(format!("{} is no regular file", path.display())));
            };
            lines.insert(path.as_os_str().as_bytes().to_vec(), told);
        }
    }
    let mut text = Vec::new();
    for (path, told) in lines {
        text.extend([path.as_slice(), b"\0", told.as_bytes(), b"\n"].concat());
    }
    Ok(digest_bytes(&text))
}
