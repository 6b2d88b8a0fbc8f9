//! What became of the findings of earlier runs of the same pull request (CR-47, CR-218).

/// `prior-resolutions.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorResolutions {
    /// Digest of the file.
    pub sha256: String,
}
