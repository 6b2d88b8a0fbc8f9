//! The installed role cards: the built-in ones, and those of the configured folder in their place (CR-18, CR-67).

use std::{collections::BTreeMap, path::Path};

use code_polishy_core::{
    canonical::read_strict,
    code_review::{
        codes,
        config::{CONFIG_FILE, Config},
        image::RunImage,
        routing::{MAX_CONTEXT_BYTES, built_in},
        run::RunRecord,
        vocabulary::Role,
    },
    diagnostic::Failure,
};

use super::{operational, run::RESULT_FILE};
use crate::{
    git::{Blob, Repository, Tree},
    input::{InputFault, read_contained},
};

/// The installed cards, and why some could not be read.
#[derive(Debug, Default)]
pub(super) struct RoleCards {
    /// By role; none for a promoted run, which is judged by its own.
    pub(super) cards: BTreeMap<Role, Vec<u8>>,
    faults: BTreeMap<Role, Failure>,
}

impl RoleCards {
    /// Reads them. A role without a file in the configured folder has its built-in card.
    ///
    /// The folder is read where the configuration was read: in the commit that it came from, else in the source worktree.
    pub(super) fn read(record: &RunRecord, source: Option<&Repository>, image: &RunImage) -> Self {
        let mut installed = Self::default();
        if image.has(RESULT_FILE) {
            return installed;
        }
        let config: Option<Config> = image.bytes(CONFIG_FILE).and_then(|bytes| read_strict(bytes, "config", "").ok());
        let folder = config.and_then(|config| config.code_review.role_cards);
        let folder = match (source, &folder) {
            (Some(source), Some(path)) => {
                Some(Origin::of(record, source).map(|origin| Folder { origin, path: path.trim_end_matches('/') }))
            }
            _ => None,
        };
        for (_, role) in Role::WORDS {
            let own = match &folder {
                None => Ok(None),
                Some(Ok(folder)) => folder.card(*role),
                Some(Err(failure)) => Err(failure.clone()),
            };
            match own {
                Ok(card) => drop(installed.cards.insert(*role, card.unwrap_or_else(|| built_in(*role).as_bytes().to_vec()))),
                Err(failure) => drop(installed.faults.insert(*role, failure)),
            }
        }
        installed
    }

    /// The cards, when those of these roles could be read.
    ///
    /// # Errors
    /// Exit 3: the first that could not.
    pub(super) fn of(&self, roles: &[Role]) -> Result<&BTreeMap<Role, Vec<u8>>, Failure> {
        match roles.iter().find_map(|role| self.faults.get(role)) {
            Some(failure) => Err(failure.clone()),
            None => Ok(&self.cards),
        }
    }
}

struct Folder<'f> {
    origin: Origin<'f>,
    path: &'f str,
}

enum Origin<'f> {
    Commit(Box<Tree>),
    Worktree(&'f Path),
}

impl<'f> Origin<'f> {
    fn of(record: &RunRecord, source: &'f Repository) -> Result<Self, Failure> {
        match record.config_origin.strip_prefix("commit:") {
            Some(commit) => Ok(Self::Commit(Box::new(Tree::of(source, commit)?))),
            None => Ok(Self::Worktree(source.root())),
        }
    }
}

impl Folder<'_> {
    fn card(&self, role: Role) -> Result<Option<Vec<u8>>, Failure> {
        let path = format!("{}/{role}/ROLE.md", self.path);
        let limit = u64::from(MAX_CONTEXT_BYTES);
        let read = match &self.origin {
            Origin::Commit(tree) => match tree.file_at_most(&path, limit)? {
                Some(Blob::Whole(bytes)) => Ok(bytes),
                Some(Blob::Larger(_)) => Err(InputFault::TooLarge(limit)),
                None => Err(InputFault::Absent),
            },
            Origin::Worktree(root) => read_contained(root, &path, limit),
        };
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(InputFault::Absent) => Ok(None),
            Err(fault) => {
                let next = "make the card a regular file below the folder `codeReview.roleCards`, or remove it";
                Err(operational(&codes::IO_ERROR, format!("the role card `{path}` {fault}"), next).at_path(&path))
            }
        }
    }
}
