//! `registry/repository@sha256:…`: where a component is, and which one it is.

use std::net::IpAddr;

use oci_client::Reference;

use crate::RegistryFault;

/// Before a reference, where a path could be meant as well.
const SCHEME: &str = "oci://";

/// A registry, a repository in it, and a digest or a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub(crate) reference: Reference,
}

/// Whether the words mean a registry: they begin with `oci://`, or with the name of a host (`ghcr.io/…`, `localhost/…`, `127.0.0.1:5000/…`).
pub fn is_reference(text: &str) -> bool {
    let is_host = |host: &str| {
        let named = host == "localhost" || host.contains([':', '.']);
        named && host.starts_with(|first: char| first.is_ascii_alphanumeric())
    };
    text.starts_with(SCHEME) || text.split_once('/').is_some_and(|(host, _)| is_host(host))
}

impl Address {
    /// Reads the words of a caller.
    ///
    /// # Errors
    /// [`RegistryFault::BadReference`]: no reference, one without a registry, one that names neither a digest nor a tag, or a digest other
    /// than SHA-256.
    pub fn parse(text: &str) -> Result<Self, RegistryFault> {
        let bad = |reason: String| RegistryFault::BadReference { reference: text.to_owned(), reason };
        let words = text.strip_prefix(SCHEME).unwrap_or(text);
        if !is_reference(words) {
            return Err(bad("it does not begin with a registry's host".to_owned()));
        }
        let reference: Reference = words.parse().map_err(|error| bad(format!("{error}")))?;
        // Without either, the library takes the tag `latest`.
        let name = words.rsplit_once('/').map_or(words, |(_, name)| name);
        if !name.contains([':', '@']) {
            return Err(bad("it names no digest".to_owned()));
        }
        match reference.digest() {
            Some(digest) if !is_sha256(digest) => Err(bad("its digest is not `sha256:` and 64 lower-case hexadecimal digits".to_owned())),
            _ => Ok(Self { reference }),
        }
    }

    /// `sha256:…` of the manifest; `None` when only a tag is named, which may name other bytes tomorrow.
    pub fn digest(&self) -> Option<&str> {
        self.reference.digest()
    }

    /// The registry's host, with its port.
    pub fn registry(&self) -> &str {
        self.reference.resolve_registry()
    }

    /// The same repository, at this digest.
    #[must_use]
    pub fn at(&self, digest: &str) -> String {
        format!("{}/{}@{digest}", self.reference.registry(), self.reference.repository())
    }

    /// Whether the registry is on this machine: only there is plain HTTP spoken.
    pub(crate) fn is_loopback(&self) -> bool {
        let registry = self.registry();
        let host = registry.rsplit_once(':').map_or(registry, |(host, _)| host);
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

/// `sha256:` and 64 lower-case hexadecimal digits.
pub(crate) fn is_sha256(digest: &str) -> bool {
    let digits = digest.strip_prefix("sha256:").unwrap_or_default();
    digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest() -> String {
        format!("sha256:{}", "0a".repeat(32))
    }

    #[test]
    fn paths_are_no_references() {
        for text in ["x.wasm", "./ghcr.io/x", "../x:1", "/tmp/x", "tools/x.wasm", "plugin", ".hidden/x"] {
            assert!(!is_reference(text), "{text}");
        }
        for text in ["ghcr.io/acme/x", "localhost/x", "127.0.0.1:5000/x:1", "oci://ghcr.io/x:1"] {
            assert!(is_reference(text), "{text}");
        }
    }

    #[test]
    fn a_digest_or_a_tag_is_asked_for() {
        let pinned = Address::parse(&format!("oci://ghcr.io/acme/x@{}", digest())).unwrap();
        assert_eq!((pinned.digest(), pinned.registry()), (Some(digest().as_str()), "ghcr.io"));
        let tagged = Address::parse("localhost:5000/acme/x:1.0").unwrap();
        assert_eq!((tagged.digest(), tagged.at("sha256:1")), (None, "localhost:5000/acme/x@sha256:1".to_owned()));
        let both = Address::parse(&format!("ghcr.io/acme/x:1.0@{}", digest())).unwrap();
        assert_eq!(both.digest(), Some(digest().as_str()));
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        let md5 = format!("ghcr.io/acme/x@md5:{}", "0".repeat(32));
        let upper = format!("ghcr.io/acme/x@sha256:{}", "0A".repeat(32));
        let short = "ghcr.io/acme/x@sha256:00";
        for text in ["ghcr.io/acme/x", "localhost:5000/x", "acme/x:1", "oci://x:1", "ghcr.io/Acme/x:1", "ghcr.io/:1", &md5, &upper, short] {
            assert!(matches!(Address::parse(text), Err(RegistryFault::BadReference { .. })), "{text}");
        }
    }

    #[test]
    fn plain_http_stays_on_this_machine() {
        let is_loopback = |text: &str| Address::parse(text).unwrap().is_loopback();
        assert!(["localhost/x:1", "localhost:5000/x:1", "127.0.0.1:5000/x:1", "127.9.9.9/x:1"].into_iter().all(is_loopback));
        assert!(
            !["ghcr.io/x:1", "localhost.example.org/x:1", "10.0.0.1:5000/x:1", "127.0.0.1.example.org/x:1"].into_iter().any(is_loopback)
        );
    }
}
