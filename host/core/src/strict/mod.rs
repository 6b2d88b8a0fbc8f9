//! Strict reading of JSON that people and reviewers write: every violation of one pass, each with its place (BR-4, BR-5).

mod json;
mod objects;
mod reader;
mod skim;

pub(crate) use json::{At, Json, Kind, Node, parse};
pub(crate) use objects::Objects;
pub(crate) use reader::{Fields, Reader, document, list, quoted, use_one_of};
pub(crate) use skim::{Skim, skim};
