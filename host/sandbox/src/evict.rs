//! Keeps the store of compiled code small: what nobody uses any more goes first, and a budget bounds the rest.
//!
//! Entries of other versions of the program are not told apart: several versions may be in use on one machine, and those that are not age.

use std::{
    fs::{self, File, Metadata},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// What the names of compiled components end with.
pub const EXTENSION: &str = "cwasm";

/// What the names of files that are being written start with.
pub const TEMPORARY: &str = ".compiling-";

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What the store may hold.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes of all entries.
    pub bytes: u64,
    /// How long an entry is kept without being used.
    pub unused: Duration,
}

/// Room for the plugins of many repositories: a small one takes half a megabyte, one that brings Python 50.
pub const ROOM: Room = Room { bytes: 512 << 20, unused: Duration::from_secs(90 * 24 * 60 * 60) };

/// A write that was cut off longer ago than this is nobody's any more.
const ABANDONED: Duration = DAY;

/// Notes that an entry was used, once a day, so that reading mostly writes nothing. A folder that cannot be written keeps its times.
pub fn mark_used(file: &File, metadata: &Metadata, now: SystemTime) {
    if age(metadata, now) >= DAY {
        let _ = file.set_modified(now);
    }
}

/// Removes abandoned temporaries, entries that nobody uses, and the least recently used ones beyond the budget, but not `kept`.
///
/// What cannot be listed or removed stays: the next to keep something tries again. A reader that loses an entry compiles it anew.
pub fn evict(folder: &Path, kept: &Path, room: Room, now: SystemTime) {
    let mut entries = Vec::new();
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, Ok(metadata)) = (file.path(), file.metadata()) else { continue };
        let age = age(&metadata, now);
        if is_entry(&path) && path != kept {
            entries.push(Entry { age, bytes: metadata.len(), path });
        } else if is_temporary(&path) && age >= ABANDONED {
            let _ = fs::remove_file(path);
        }
    }
    entries.sort();
    let mut taken = fs::metadata(kept).map_or(0, |metadata| metadata.len());
    for entry in entries {
        taken = taken.saturating_add(entry.bytes);
        if taken > room.bytes || entry.age >= room.unused {
            let _ = fs::remove_file(entry.path);
        }
    }
}

/// Ordered by age, the youngest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    age: Duration,
    bytes: u64,
    path: PathBuf,
}

/// A time in the future is now: clocks are set back.
fn age(metadata: &Metadata, now: SystemTime) -> Duration {
    metadata.modified().ok().and_then(|time| now.duration_since(time).ok()).unwrap_or_default()
}

fn is_entry(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(TEMPORARY))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Room = Room { bytes: 30, unused: Duration::from_secs(10 * 24 * 60 * 60) };

    /// A folder with files of ten bytes, by name and age in days.
    fn folder(files: &[(&str, u32)], now: SystemTime) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, days) in files {
            let path = folder.path().join(name);
            fs::write(&path, [0; 10]).expect("writable");
            File::options().write(true).open(path).expect("there").set_modified(now - DAY * *days).expect("own file");
        }
        folder
    }

    fn left(files: &[(&str, u32)], kept: &str) -> Vec<String> {
        let now = SystemTime::now();
        let folder = folder(files, now);
        evict(folder.path(), &folder.path().join(kept), SMALL, now);
        let mut names: Vec<String> = fs::read_dir(folder.path())
            .expect("there")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_least_recently_used_go_first_when_the_budget_is_used_up() {
        assert_eq!(left(&[("a.cwasm", 5), ("b.cwasm", 3), ("c.cwasm", 4), ("d.cwasm", 0)], "d.cwasm"), ["b.cwasm", "c.cwasm", "d.cwasm"]);
    }

    #[test]
    fn what_was_just_kept_stays_whatever_its_time_says() {
        assert_eq!(left(&[("a.cwasm", 0), ("b.cwasm", 1), ("c.cwasm", 2), ("d.cwasm", 99)], "d.cwasm"), ["a.cwasm", "b.cwasm", "d.cwasm"]);
    }

    #[test]
    fn what_nobody_uses_goes_even_when_there_is_room() {
        assert_eq!(left(&[("a.cwasm", 9), ("b.cwasm", 10), ("d.cwasm", 0)], "d.cwasm"), ["a.cwasm", "d.cwasm"]);
    }

    #[test]
    fn only_entries_and_abandoned_temporaries_are_touched() {
        let files = [(".compiling-old", 2), (".compiling-new", 0), ("lease", 200), ("d.cwasm", 0)];
        assert_eq!(left(&files, "d.cwasm"), [".compiling-new", "d.cwasm", "lease"]);
    }

    #[test]
    fn use_is_noted_once_a_day() {
        let now = SystemTime::now();
        let folder = folder(&[("old.cwasm", 3), ("new.cwasm", 0)], now - DAY / 2);
        for (name, noted) in [("old.cwasm", now), ("new.cwasm", now - DAY / 2)] {
            let file = File::open(folder.path().join(name)).expect("there");
            mark_used(&file, &file.metadata().expect("there"), now);
            assert_eq!(file.metadata().expect("there").modified().expect("a time"), noted, "{name}");
        }
    }
}
