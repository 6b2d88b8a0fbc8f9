//! The conversation with a registry: one thread, bounded in bytes and time, ended when the user says so.

use std::{future::Future, pin::pin, time::Duration};

use code_polishy_core::canonical::digest_bytes;
use futures_util::{
    StreamExt,
    future::{Either, select},
};
use oci_client::{
    Client,
    client::{ClientConfig, ClientProtocol},
    errors::{OciDistributionError, OciErrorCode},
    manifest::{IMAGE_MANIFEST_LIST_MEDIA_TYPE, IMAGE_MANIFEST_MEDIA_TYPE, OCI_IMAGE_INDEX_MEDIA_TYPE, OCI_IMAGE_MEDIA_TYPE},
};

use crate::{
    Address, RegistryFault,
    artifact::{Layer, component_layer},
    credentials::Credentials,
    fault::words,
};

/// Until a connection stands.
const CONNECT: Duration = Duration::from_secs(15);
/// Between two pieces of an answer.
const READ: Duration = Duration::from_secs(30);
/// All in all.
const WHOLE: Duration = Duration::from_secs(600);
/// Between two looks at whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Manifests that are understood, if only to say what they are.
const MANIFESTS: &[&str] = &[OCI_IMAGE_MEDIA_TYPE, IMAGE_MANIFEST_MEDIA_TYPE, OCI_IMAGE_INDEX_MEDIA_TYPE, IMAGE_MANIFEST_LIST_MEDIA_TYPE];

/// A component whose manifest has the digest of its address, and which has the digest of its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The component.
    pub bytes: Vec<u8>,
    /// `sha256:…` of the manifest.
    pub manifest: String,
}

/// Fetches the component at a digest; `cancelled` is asked again and again.
///
/// # Errors
/// [`RegistryFault::BadReference`] without a digest; every other fault.
pub fn fetch(address: &Address, cancelled: &dyn Fn() -> bool) -> Result<Fetched, RegistryFault> {
    let Some(digest) = address.digest() else {
        let reference = address.reference.whole();
        return Err(RegistryFault::BadReference { reference, reason: "it names no digest".to_owned() });
    };
    let registry = Registry::open(address)?;
    registry.run(cancelled, async {
        let layer = component_layer(&registry.manifest(digest).await?)?;
        Ok(Fetched { bytes: registry.layer(&layer).await?, manifest: digest.to_owned() })
    })
}

/// The digest, `sha256:…`, that a tag names at this moment.
///
/// # Errors
/// As for [`fetch`].
pub fn resolve(address: &Address, cancelled: &dyn Fn() -> bool) -> Result<String, RegistryFault> {
    let registry = Registry::open(address)?;
    registry.run(cancelled, async {
        let digest = registry.client.fetch_manifest_digest(&address.reference, &registry.credentials.auth).await;
        digest.map_err(|error| registry.fault(error))
    })
}

struct Registry<'a> {
    address: &'a Address,
    client: Client,
    credentials: Credentials,
}

impl<'a> Registry<'a> {
    fn open(address: &'a Address) -> Result<Self, RegistryFault> {
        // Who installed one before has the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let host = address.registry().to_owned();
        let config = ClientConfig {
            protocol: if address.is_loopback() { ClientProtocol::HttpsExcept(vec![host]) } else { ClientProtocol::Https },
            platform_resolver: None,
            connect_timeout: Some(CONNECT),
            read_timeout: Some(READ),
            user_agent: concat!("code-polishy/", env!("CARGO_PKG_VERSION")),
            ..ClientConfig::default()
        };
        let client = Client::try_from(config).map_err(|error| failed(address, words(&error)))?;
        Ok(Self { address, client, credentials: Credentials::of(address.registry()) })
    }

    fn run<T>(&self, cancelled: &dyn Fn() -> bool, work: impl Future<Output = Result<T, RegistryFault>>) -> Result<T, RegistryFault> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(self.address, words(&error)))?;
        let answer = runtime.block_on(async {
            let watch = pin!(async {
                while !cancelled() {
                    tokio::time::sleep(LOOK).await;
                }
            });
            let timed = pin!(tokio::time::timeout(WHOLE, work));
            match select(timed, watch).await {
                Either::Left((Ok(answer), _)) => answer,
                Either::Left((Err(_), _)) => {
                    Err(RegistryFault::TimedOut { registry: self.address.registry().to_owned(), seconds: WHOLE.as_secs() })
                }
                Either::Right(_) => Err(RegistryFault::Interrupted),
            }
        });
        // A name that is still being looked up must not hold the end of the command.
        runtime.shutdown_background();
        answer
    }

    /// The manifest with this digest.
    async fn manifest(&self, digest: &str) -> Result<Vec<u8>, RegistryFault> {
        let answer = self.client.pull_manifest_raw(&self.address.reference, &self.credentials.auth, MANIFESTS).await;
        let (manifest, _) = answer.map_err(|error| match error {
            OciDistributionError::DigestError(error) => mismatch("manifest", digest, error.to_string()),
            error => self.fault(error),
        })?;
        believe("manifest", digest, &manifest)?;
        Ok(manifest.into())
    }

    /// The layer's bytes: never more than the manifest says, and exactly those that it names.
    async fn layer(&self, layer: &Layer) -> Result<Vec<u8>, RegistryFault> {
        let answer = self.client.pull_blob_stream(&self.address.reference, layer.digest.as_str()).await;
        let mut stream = answer.map_err(|error| self.fault(error))?.stream;
        let mut bytes = Vec::new();
        while let Some(piece) = stream.next().await {
            let piece =
                piece.map_err(|error| match error.get_ref().is_some_and(|inner| inner.is::<oci_client::errors::DigestError>()) {
                    true => mismatch("component", &layer.digest, words(&error)),
                    false => RegistryFault::Unreachable { registry: self.address.registry().to_owned(), reason: words(&error) },
                })?;
            bytes.extend_from_slice(&piece);
            if bytes.len() as u64 > layer.size {
                return Err(mismatch("component", &layer.digest, format!("it has more than {} bytes", layer.size)));
            }
        }
        believe("component", &layer.digest, &bytes)?;
        Ok(bytes)
    }

    fn fault(&self, error: OciDistributionError) -> RegistryFault {
        let reference = &self.address.reference;
        let registry = self.address.registry().to_owned();
        let named = reference.digest().or(reference.tag()).unwrap_or_default();
        let what = format!("{}{}{named}", reference.repository(), if reference.digest().is_some() { '@' } else { ':' });
        match verdict(&error) {
            Verdict::NotFound => RegistryFault::NotFound { registry, what },
            Verdict::Denied => {
                let hint = self.credentials.unused.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                RegistryFault::Denied { registry, what, hint }
            }
            Verdict::Unreachable => RegistryFault::Unreachable { registry, reason: words(&error) },
            Verdict::Failed => RegistryFault::Failed { registry, reason: words(&error) },
        }
    }
}

enum Verdict {
    NotFound,
    Denied,
    Unreachable,
    Failed,
}

fn verdict(error: &OciDistributionError) -> Verdict {
    let of_status = |code: u16| match code {
        401 | 403 => Verdict::Denied,
        404 => Verdict::NotFound,
        _ => Verdict::Failed,
    };
    match error {
        OciDistributionError::RequestError(_) => Verdict::Unreachable,
        OciDistributionError::UnauthorizedError { .. } | OciDistributionError::AuthenticationFailure(_) => Verdict::Denied,
        OciDistributionError::ImageManifestNotFoundError(_) => Verdict::NotFound,
        OciDistributionError::ServerError { code, .. } => of_status(*code),
        OciDistributionError::RegistryError { envelope, .. } => match envelope.errors.first().map(|error| &error.code) {
            Some(
                OciErrorCode::BlobUnknown
                | OciErrorCode::ManifestBlobUnknown
                | OciErrorCode::ManifestUnknown
                | OciErrorCode::NameUnknown
                | OciErrorCode::NotFound,
            ) => Verdict::NotFound,
            Some(OciErrorCode::Unauthorized | OciErrorCode::Denied) => Verdict::Denied,
            _ => Verdict::Failed,
        },
        _ => Verdict::Failed,
    }
}

/// The library has compared them already, as far as the registry's headers let it; what is pinned rests on no one's headers.
fn believe(what: &'static str, expected: &str, bytes: &[u8]) -> Result<(), RegistryFault> {
    let found = format!("sha256:{}", digest_bytes(bytes));
    if found == expected { Ok(()) } else { Err(mismatch(what, expected, format!("it is `{found}`"))) }
}

fn mismatch(what: &'static str, expected: &str, reason: String) -> RegistryFault {
    RegistryFault::Mismatch { what, expected: expected.to_owned(), reason }
}

fn failed(address: &Address, reason: String) -> RegistryFault {
    RegistryFault::Failed { registry: address.registry().to_owned(), reason }
}
