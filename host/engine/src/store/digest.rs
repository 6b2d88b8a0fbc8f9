//! Digests of whole folders, to notice that somebody writes in them, and removal of single files below a root.

use std::{io::Read, path::Path};

use cap_std::fs::{Dir, OpenOptions};
use code_polishy_core::{canonical::hex, diagnostic::Failure};
use sha2::{Digest, Sha256};

use super::{
    Store, StoreFault, atomic,
    walk::{open_regular, step},
};

/// Digest of every name and every regular file's content below the folder; of nothing when it is absent.
///
/// Whatever is no regular file counts by its name and kind, a link by its text too; it is not followed.
///
/// # Errors
/// A [`StoreFault`]: the folder, or one above it, is a link or no directory, or the system refuses.
pub fn digest_tree(root: &Path, relative: &str) -> Result<String, Failure> {
    let mut sink = Sha256::new();
    if let Some(store) = Store::open(root, relative)? {
        digest_folder(store.dir(), relative, &mut sink)?;
    }
    Ok(hex(&sink.finalize()))
}

fn digest_folder(dir: &Dir, path: &str, sink: &mut Sha256) -> Result<(), StoreFault> {
    let system = |error| StoreFault::system(path, "listed", error);
    let mut names = Vec::new();
    for entry in dir.entries().map_err(system)? {
        names.push(entry.map_err(system)?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    for name in names.iter().filter(|name| !atomic::is_temporary(name)) {
        let below = format!("{path}/{name}");
        let kind = dir.symlink_metadata(name).map_err(|error| StoreFault::system(&below, "looked at", error))?.file_type();
        sink.update(below.as_bytes());
        if kind.is_dir() {
            sink.update(b"\0directory\0");
            if let Some(folder) = step(dir, name, &below)? {
                digest_folder(&folder, &below, sink)?;
            }
        } else if kind.is_file() {
            sink.update(b"\0file\0");
            digest_file(dir, name, &below, sink)?;
        } else {
            sink.update(b"\0other\0");
            let target = dir.read_link_contents(name).unwrap_or_default();
            sink.update(target.as_os_str().as_encoded_bytes());
        }
    }
    Ok(())
}

fn digest_file(dir: &Dir, name: &str, path: &str, sink: &mut Sha256) -> Result<(), StoreFault> {
    let Some(mut file) = open_regular(dir, name, path, OpenOptions::new().read(true))? else { return Ok(()) };
    let mut content = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer).map_err(|error| StoreFault::system(path, "read", error))? {
            0 => break,
            read => content.update(&buffer[..read]),
        }
    }
    sink.update(content.finalize());
    Ok(())
}

/// Removes a regular file below the root, reached without following a link; whether it was there.
///
/// # Errors
/// A [`StoreFault`]: a folder on the way is a link, the path is no regular file, or the system refuses.
pub fn remove_file_below(root: &Path, relative: &str) -> Result<bool, Failure> {
    let (folder, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    match Store::open(root, folder)? {
        Some(store) => store.remove(name),
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_difference_changes_the_digest() {
        let root = tempfile::tempdir().unwrap();
        let digest = || digest_tree(root.path(), "a/b").unwrap();
        let mut seen = vec![digest()];
        let changes: [&dyn Fn(); 5] = [
            &|| fs::create_dir_all(root.path().join("a/b/c")).unwrap(),
            &|| fs::write(root.path().join("a/b/c/x"), "1").unwrap(),
            &|| fs::write(root.path().join("a/b/c/x"), "2").unwrap(),
            &|| std::os::unix::fs::symlink("c/x", root.path().join("a/b/link")).unwrap(),
            &|| fs::rename(root.path().join("a/b/c/x"), root.path().join("a/b/x")).unwrap(),
        ];
        for change in changes {
            change();
            let now = digest();
            assert!(!seen.contains(&now));
            assert_eq!(now, digest());
            seen.push(now);
        }
    }
}
