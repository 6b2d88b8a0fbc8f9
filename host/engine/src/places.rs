//! The user's folders: compiled code and leases, disposable worktrees, installed plugins.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use code_polishy_core::diagnostic::Failure;

/// Free bytes from which a temporary folder in memory is taken for worktrees: a checkout and what a build leaves in it must
/// not bring the machine to its knees.
const ROOMY: u64 = 4 << 30;

/// Where the user's files go. Nothing is made until a folder is asked for; what is made is private to the user (0700).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    cache: PathBuf,
    plugins: PathBuf,
    temporary: PathBuf,
    /// By the user's own choice.
    worktrees: Option<PathBuf>,
}

impl Places {
    /// Reads the choices from the caller's environment.
    ///
    /// | place | first of |
    /// | --- | --- |
    /// | cache | `CODE_POLISHY_CACHE`, `XDG_CACHE_HOME/code-polishy`, `HOME/.cache/code-polishy`, a private temporary folder |
    /// | plugins | `XDG_DATA_HOME/code-polishy/plugins`, `HOME/.local/share/code-polishy/plugins`, `plugins` in the cache |
    /// | worktrees | a private folder in `CODE_POLISHY_WORKTREES`, in a temporary folder that is in memory and roomy, in the cache |
    ///
    /// The temporary folder is `TMPDIR`, or `/tmp`. An XDG variable or `HOME` that is no absolute path counts as absent.
    ///
    /// # Errors
    /// `places.relative`, exit 2: a variable of ours is no absolute path.
    pub fn new(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, Failure> {
        let path = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let absolute = |name: &str| path(name).filter(|path| path.is_absolute());
        let ours = |name: &str| match path(name) {
            Some(path) if !path.is_absolute() => Err(relative(name, &path)),
            path => Ok(path),
        };
        let home = absolute("HOME");
        let below_home = |folder: &str| home.as_ref().map(|home| home.join(folder));
        // A folder such as `/dev/shm` is everybody's; one of our own in it is not.
        let private = |shared: PathBuf| shared.join(format!("code-polishy-{}", user()));
        let temporary = private(absolute("TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp")));
        let cache = ours("CODE_POLISHY_CACHE")?
            .or_else(|| absolute("XDG_CACHE_HOME").or_else(|| below_home(".cache")).map(|base| base.join("code-polishy")))
            .unwrap_or_else(|| temporary.join("cache"));
        let plugins = absolute("XDG_DATA_HOME").or_else(|| below_home(".local/share")).map(|base| base.join("code-polishy/plugins"));
        let plugins = plugins.unwrap_or_else(|| cache.join("plugins"));
        Ok(Self { cache, plugins, temporary, worktrees: ours("CODE_POLISHY_WORKTREES")?.map(private) })
    }

    /// The cache: compiled plugins and leases.
    ///
    /// # Errors
    /// `places.not-private`, `places.unusable`: exit 3.
    pub fn cache(&self) -> Result<PathBuf, Failure> {
        private(&self.cache)
    }

    /// Where the user's plugin store is or would be; reading it makes nothing.
    pub fn plugins_path(&self) -> &Path {
        &self.plugins
    }

    /// The user's plugin store, made for a plugin to be installed into.
    ///
    /// # Errors
    /// As for [`Places::cache`].
    pub fn plugins(&self) -> Result<PathBuf, Failure> {
        private(&self.plugins)
    }

    /// The folder for disposable worktrees: the fastest one that is outside every folder of `repository`, because tools look
    /// upwards for configuration (BR-57). The folders are absolute and resolved: the worktree's root, the git directories.
    ///
    /// # Errors
    /// `places.inside-repository`, exit 2: the user's choice is inside, or every place is. As for [`Places::cache`].
    pub fn worktrees(&self, repository: &[&Path]) -> Result<PathBuf, Failure> {
        if let Some(chosen) = &self.worktrees {
            return if is_outside(chosen, repository) { private(chosen) } else { Err(inside(chosen)) };
        }
        let temporary = self.temporary.join("worktrees");
        let cache = self.cache.join("worktrees");
        let in_order = if is_fast(&self.temporary) { [temporary, cache] } else { [cache, temporary] };
        match in_order.iter().find(|place| is_outside(place, repository)) {
            // Its parent may be new, and is private too.
            Some(place) => private(place.parent().expect("it was joined")).and_then(|_| private(place)),
            None => Err(inside(&in_order[0])),
        }
    }
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn relative(name: &str, path: &Path) -> Failure {
    let message = format!("`{name}` is `{}`, which is no absolute path", path.display());
    Failure::usage("places.relative", message, format!("set {name} to an absolute path, or unset it"))
}

fn inside(path: &Path) -> Failure {
    let message = format!("the folder for disposable worktrees, `{}`, is inside the repository", path.display());
    Failure::usage("places.inside-repository", message, "set CODE_POLISHY_WORKTREES to an absolute path outside the repository")
}

/// Whether the place, as far as it exists, resolves to somewhere outside all of these folders.
fn is_outside(place: &Path, folders: &[&Path]) -> bool {
    let resolved = place.ancestors().find_map(|above| above.canonicalize().ok());
    resolved.is_some_and(|resolved| folders.iter().all(|folder| !resolved.starts_with(folder)))
}

/// Makes the folder if it is absent, and makes sure that nobody else can put anything into it.
fn private(path: &Path) -> Result<PathBuf, Failure> {
    let unusable = |error: io::Error| {
        let message = format!("cannot use the folder `{}`: {error}", path.display());
        Failure::operational(
            "places.unusable",
            message,
            "make it writable, or choose another with CODE_POLISHY_CACHE or CODE_POLISHY_WORKTREES",
        )
    };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(unusable)?;
    let metadata = fs::metadata(path).map_err(unusable)?;
    if metadata.uid() != user() || metadata.mode() & 0o022 != 0 {
        let message = format!("others can write to the folder `{}`", path.display());
        return Err(Failure::operational("places.not-private", message, format!("own it and run `chmod go-w {}`", path.display())));
    }
    path.canonicalize().map_err(unusable)
}

/// Whether the temporary folder is in memory, with room to spare.
fn is_fast(temporary: &Path) -> bool {
    let Some(existing) = temporary.ancestors().find(|path| path.exists()) else { return false };
    is_in_memory(existing) && rustix::fs::statvfs(existing).is_ok_and(|room| room.f_bavail.saturating_mul(room.f_frsize) >= ROOMY)
}

#[cfg(target_os = "linux")]
fn is_in_memory(path: &Path) -> bool {
    const TMPFS_MAGIC: u64 = 0x0102_1994;
    rustix::fs::statfs(path).is_ok_and(|system| u64::try_from(system.f_type) == Ok(TMPFS_MAGIC))
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn places(variables: &[(&str, &Path)]) -> Result<Places, Failure> {
        Places::new(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_first_choice_that_is_there_counts() {
        let (a, b, home) = (Path::new("/a"), Path::new("/b"), Path::new("/home/me"));
        assert_eq!(places(&[("CODE_POLISHY_CACHE", a), ("XDG_CACHE_HOME", b)]).unwrap().cache, a);
        assert_eq!(places(&[("XDG_CACHE_HOME", b), ("HOME", home)]).unwrap().cache, Path::new("/b/code-polishy"));
        let mine = places(&[("HOME", home), ("XDG_DATA_HOME", Path::new("relative"))]).unwrap();
        assert_eq!(mine.cache, Path::new("/home/me/.cache/code-polishy"));
        assert_eq!(mine.plugins_path(), Path::new("/home/me/.local/share/code-polishy/plugins"));
        assert_eq!(places(&[("TMPDIR", a)]).unwrap().cache, Path::new("/a").join(format!("code-polishy-{}", user())).join("cache"));
        assert_eq!(places(&[("CODE_POLISHY_CACHE", Path::new("x"))]).unwrap_err().diagnostics[0].code, "places.relative");
    }

    #[test]
    fn folders_are_made_private_and_shared_ones_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mine = places(&[("CODE_POLISHY_CACHE", &folder.path().join("x/y"))]).unwrap();
        let cache = mine.cache().unwrap();
        assert_eq!(fs::metadata(&cache).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&cache, Permissions::from_mode(0o777)).unwrap();
        assert_eq!(mine.cache().unwrap_err().diagnostics[0].code, "places.not-private");
    }

    #[test]
    fn worktrees_are_never_inside_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let repository = folder.join("repository");
        fs::create_dir(&repository).unwrap();
        std::os::unix::fs::symlink(&repository, folder.join("alias")).unwrap();

        for inside in ["repository/trees", "alias/trees/x", "repository"] {
            let chosen = places(&[("CODE_POLISHY_WORKTREES", &folder.join(inside))]).unwrap();
            assert_eq!(chosen.worktrees(&[&repository]).unwrap_err().diagnostics[0].code, "places.inside-repository", "{inside}");
        }
        let chosen = places(&[("CODE_POLISHY_WORKTREES", &folder.join("repository-trees"))]).unwrap();
        assert_eq!(chosen.worktrees(&[&repository]).unwrap(), folder.join(format!("repository-trees/code-polishy-{}", user())));

        let (home, outside) = (repository.join("home"), folder.join("tmp"));
        let fallback = places(&[("HOME", &home), ("TMPDIR", &outside)]).unwrap().worktrees(&[&repository]).unwrap();
        assert!(fallback.starts_with(&outside));
        assert!(places(&[("HOME", &home), ("TMPDIR", &home)]).unwrap().worktrees(&[&repository]).is_err());
        assert!(!home.exists());
    }
}
