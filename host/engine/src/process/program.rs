//! Which file a configured program is.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// The executable file that `program` names: relative to `worktree` with a `/` in it, else the first of that name on the `PATH`
/// of `environment`, whose relative folders start at `cwd`. `None` when there is none.
pub fn resolve(program: &str, worktree: &Path, cwd: &Path, environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    if program.contains('/') {
        let path = worktree.join(program);
        return is_executable(&path).then_some(path);
    }
    let path = &environment.iter().find(|(name, _)| name == OsStr::new("PATH"))?.1;
    let folders = std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty());
    folders.map(|folder| cwd.join(folder).join(program)).find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_plain_name_is_found_on_the_given_path_and_any_other_in_the_worktree() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for (path, mode) in [("bin/tool", 0o755), ("first/tool", 0o644)] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), "").unwrap();
            fs::set_permissions(root.join(path), fs::Permissions::from_mode(mode)).unwrap();
        }
        let path = |value: &str| vec![("PATH".into(), value.into())];
        let absolute = format!("{0}/absent:{0}/first:{0}/bin", root.display());
        assert_eq!(resolve("tool", root, root, &path(&absolute)), Some(root.join("bin/tool")));
        assert_eq!(resolve("tool", Path::new("/"), root, &path("bin")), Some(root.join("bin/tool")));
        assert_eq!(resolve("tool", root, &root.join("bin"), &path("")), None);
        assert_eq!(resolve("tool", root, root, &[]), None);
        assert_eq!(resolve("bin/tool", root, Path::new("/"), &[]), Some(root.join("bin/tool")));
        assert_eq!(resolve("first/tool", root, root, &[]), None);
        assert_eq!(resolve("./bin", root, root, &[]), None);
    }
}
