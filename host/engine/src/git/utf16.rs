//! Files that the tree's attributes want in UTF-16. The filters of gix write them as UTF-8, so they are written again (BR-82).

use std::{fs, path::Path};

use code_polishy_core::diagnostic::Failure;
use gix::{
    attrs::StateRef,
    bstr::ByteSlice,
    glob::pattern::Case,
    index::{State, entry::Mode},
    worktree::{
        Stack,
        stack::{self, state::attributes::Source},
    },
};

use super::{clean_filter::in_tree_attributes, fault, file_stat::FileStat};

const ATTRIBUTE: &str = "working-tree-encoding";

/// Which UTF-16: byte order, and a mark in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Utf16 {
    big_endian: bool,
    mark: bool,
}

impl Utf16 {
    /// `UTF-16` alone has a mark and is little-endian, as git writes it on Linux.
    fn of(label: &str) -> Option<Self> {
        let (big_endian, mark) = match label.to_ascii_uppercase().as_str() {
            "UTF-16" | "UTF-16LE-BOM" => (false, true),
            "UTF-16LE" => (false, false),
            "UTF-16BE" => (true, false),
            "UTF-16BE-BOM" => (true, true),
            _ => return None,
        };
        Some(Self { big_endian, mark })
    }

    fn encode(self, text: &str) -> Vec<u8> {
        let units = self.mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
        units.flat_map(|unit: u16| if self.big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }
}

/// Writes the files of `index` that want it in UTF-16, and brings their stat data up to date. A file that is no UTF-8 stays as it is.
pub(super) fn encode(local: &gix::Repository, index: &mut State, folder: &Path, source: Source) -> Result<(), Failure> {
    if !is_wanted(local, index, folder)? {
        return Ok(());
    }
    let state = stack::State::AttributesStack(in_tree_attributes(source));
    let ids = state.id_mappings_from_index(index, index.path_backing(), Case::Sensitive);
    let mut attributes = Stack::new(folder, state, Case::Sensitive, Vec::new(), ids);
    let mut outcome = gix::attrs::search::Outcome::default();
    for (entry, path) in index.entries_mut_with_paths().filter(|(entry, _)| matches!(entry.mode, Mode::FILE | Mode::FILE_EXECUTABLE)) {
        let place = folder.join(gix::path::from_bstr(path).map_err(|error| fault::files("cannot name", folder, error))?);
        let failed = |error| fault::files("cannot write", &place, error);
        // Attributes seen for the first time on the way down enlarge the outcome.
        outcome.initialize_with_selection(&gix::attrs::search::MetadataCollection::default(), [ATTRIBUTE]);
        let found = attributes.at_entry(path, None, &local.objects).map_err(failed)?;
        found.matching_attributes(&mut outcome);
        let Some(encoding) = wanted(&outcome) else { continue };
        let bytes = fs::read(&place).map_err(failed)?;
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        fs::write(&place, encoding.encode(text)).map_err(failed)?;
        if let Some(now) = FileStat::of(&place).map_err(failed)? {
            entry.stat = now.stat;
        }
    }
    Ok(())
}

fn wanted(outcome: &gix::attrs::search::Outcome) -> Option<Utf16> {
    outcome.iter_selected().find_map(|found| match found.assignment.state {
        StateRef::Value(label) => Utf16::of(label.as_bstr().to_str().ok()?),
        _ => None,
    })
}

/// Some attribute file, in the index or at the top of the folder, speaks of encodings at all.
fn is_wanted(local: &gix::Repository, index: &State, folder: &Path) -> Result<bool, Failure> {
    let speaks = |bytes: &[u8]| bytes.contains_str(ATTRIBUTE);
    let files = index.entries().iter().filter(|entry| entry.path(index).ends_with(b".gitattributes") && entry.mode != Mode::SYMLINK);
    for entry in files {
        let blob =
            local.find_blob(entry.id).map_err(|error| fault::operational("git.object", "an attribute file cannot be read", error))?;
        if speaks(&blob.data) {
            return Ok(true);
        }
    }
    Ok(fs::read(folder.join(".gitattributes")).is_ok_and(|bytes| speaks(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_as_the_label_says() {
        let encode = |label: &str| Utf16::of(label).map(|encoding| encoding.encode("é"));
        assert_eq!(encode("utf-16"), Some(vec![0xff, 0xfe, 0xe9, 0]));
        assert_eq!(encode("UTF-16LE"), Some(vec![0xe9, 0]));
        assert_eq!(encode("UTF-16BE-BOM"), Some(vec![0xfe, 0xff, 0, 0xe9]));
        assert_eq!(encode("ISO-8859-1"), None);
    }
}
