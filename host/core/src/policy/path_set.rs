//! Many patterns, compiled once, asked often.
//!
//! Patterns are grouped by the folder that they name literally, so that a path meets only those of its own folders; a large group is
//! compiled by globset, where globset means the same.

use std::collections::BTreeMap;

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};

use super::paths::{PathPattern, PatternError};

/// Below this size a group is asked pattern by pattern: compiling it would cost more than it saves.
const COMPILED_FROM: usize = 8;

/// Patterns by position.
#[derive(Clone, Debug, Default)]
pub struct PathSet {
    patterns: Vec<PathPattern>,
    /// By literal folder; the root is empty.
    groups: BTreeMap<String, Group>,
}

#[derive(Clone, Debug, Default)]
struct Group {
    globs: GlobSet,
    /// Position of the pattern that each glob is.
    of_glob: Vec<usize>,
    /// Positions of the patterns that are asked one by one.
    others: Vec<usize>,
}

impl PathSet {
    /// Compiles patterns; they keep their positions.
    pub fn new(patterns: Vec<PathPattern>) -> Self {
        let mut positions: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (position, pattern) in patterns.iter().enumerate() {
            positions.entry(literal_folder(pattern.as_str()).to_owned()).or_default().push(position);
        }
        let groups = positions.into_iter().map(|(folder, positions)| (folder, Group::new(&patterns, positions))).collect();
        Self { patterns, groups }
    }

    /// Reads and compiles patterns.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, PatternError> {
        Ok(Self::new(texts.into_iter().map(PathPattern::parse).collect::<Result<_, _>>()?))
    }

    /// Compiles the patterns of a loaded policy.
    ///
    /// # Panics
    ///
    /// When one is no pattern, which `load` refuses.
    pub fn of_policy<'a>(texts: impl IntoIterator<Item = &'a String>) -> Self {
        Self::parse(texts.into_iter().map(String::as_str)).expect("a loaded policy has valid patterns")
    }

    /// The patterns, by position.
    pub fn patterns(&self) -> &[PathPattern] {
        &self.patterns
    }

    /// Whether some pattern matches this path.
    pub fn is_match(&self, path: &str) -> bool {
        let candidate = Candidate::from_bytes(path);
        let one_matches = |group: &Group| group.others.iter().any(|position| self.patterns[*position].matches(path));
        self.groups_of(path).any(|group| group.globs.is_match_candidate(&candidate) || one_matches(group))
    }

    /// Positions of the patterns that match this path, in order.
    pub fn matching(&self, path: &str) -> Vec<usize> {
        let candidate = Candidate::from_bytes(path);
        let mut found = Vec::new();
        for group in self.groups_of(path) {
            found.extend(group.globs.matches_candidate(&candidate).into_iter().map(|glob| group.of_glob[glob]));
            found.extend(group.others.iter().copied().filter(|position| self.patterns[*position].matches(path)));
        }
        found.sort_unstable();
        found
    }

    /// Positions of the patterns that match this path or can match one below it, in order (BR-35).
    pub fn matching_at_or_below(&self, path: &str) -> Vec<usize> {
        let reached = |pattern: &PathPattern| pattern.matches(path) || pattern.matches_below(path);
        (0..self.patterns.len()).filter(|position| reached(&self.patterns[*position])).collect()
    }

    /// The groups of the root and of each folder above the path.
    fn groups_of<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Group> {
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        std::iter::once("").chain(folders).filter_map(|folder| self.groups.get(folder))
    }
}

impl Group {
    fn new(patterns: &[PathPattern], positions: Vec<usize>) -> Self {
        if positions.len() < COMPILED_FROM {
            return Self { others: positions, ..Self::default() };
        }
        let mut builder = GlobSetBuilder::new();
        let (mut of_glob, mut others) = (Vec::new(), Vec::new());
        for position in &positions {
            match as_glob(patterns[*position].as_str())
                .and_then(|glob| GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).build().ok())
            {
                Some(glob) => {
                    builder.add(glob);
                    of_glob.push(*position);
                }
                None => others.push(*position),
            }
        }
        match builder.build() {
            Ok(globs) => Self { globs, of_glob, others },
            // Too large to compile together: slower one by one, and the same answer.
            Err(_) => Self { others: positions, ..Self::default() },
        }
    }
}

/// The folder that every match of the pattern lies in, as far as the pattern names it literally.
fn literal_folder(pattern: &str) -> &str {
    let literal = &pattern[..pattern.find(['*', '?']).unwrap_or(pattern.len())];
    literal.rfind('/').map_or("", |end| &literal[..end])
}

/// The pattern in globset's language, where that has the same meaning: globset's `?` is a byte, and its `**` crosses `/` only as a whole segment.
fn as_glob(pattern: &str) -> Option<String> {
    let whole_segments = pattern.split('/').all(|segment| segment == "**" || !segment.contains("**"));
    (whole_segments && !pattern.contains('?')).then(|| {
        let mut glob = String::with_capacity(pattern.len());
        for character in pattern.chars() {
            if matches!(character, '[' | ']' | '{' | '}' | '\\') {
                glob.push('\\');
            }
            glob.push(character);
        }
        glob
    })
}
