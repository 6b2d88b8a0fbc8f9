//! What is compiled.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use code_polishy_core::diagnostic::Failure;

/// The folder whose files run natively, beside the plugin.
const TESTS: &str = "tests";

/// Every `.c` file of the folder and of the folders in it, by path and relative to it. Links, names that start with `.` and the folders called
/// `tests` are left out.
pub fn find(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    collect(dir, Path::new(""), &mut found).map_err(|error| {
        let message = format!("cannot read the sources in `{}`: {error}", dir.display());
        Failure::operational("plugin-build.unreadable", message, "make the folder readable")
    })?;
    found.sort();
    Ok(found)
}

fn collect(dir: &Path, below: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir.join(below))? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, below.join(entry.file_name()));
        if is_left_out(&entry) {
            continue;
        }
        if kind.is_dir() {
            collect(dir, &path, found)?;
        } else if kind.is_file() && path.extension().is_some_and(|end| end == "c") {
            found.push(path);
        }
    }
    Ok(())
}

fn is_left_out(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    name == TESTS || name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_found_in_one_order_and_tests_are_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for path in ["plugin.c", "plugin.h", "code_polishy/json.c", "b/a.c", "tests/main.c", "b/tests/x.c", ".cache/y.c", ".z.c"] {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().expect("below the folder")).expect("writable");
            fs::write(file, "").expect("writable");
        }
        std::os::unix::fs::symlink("plugin.c", folder.path().join("link.c")).expect("writable");
        let found = find(folder.path()).expect("readable");
        assert_eq!(found, ["b/a.c", "code_polishy/json.c", "plugin.c"].map(PathBuf::from));
    }
}
