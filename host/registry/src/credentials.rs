//! Who asks: what `docker login` left, or nobody in particular.

use docker_credential::{CredentialRetrievalError, DockerCredential, get_credential};
use oci_client::secrets::RegistryAuth;

/// How Docker calls its own registry in its configuration.
const DOCKER_HUB: (&str, &str) = ("index.docker.io", "https://index.docker.io/v1/");

/// What is sent with requests.
pub(crate) struct Credentials {
    pub(crate) auth: RegistryAuth,
    /// Why configured credentials are not used; worth telling when the registry says no.
    pub(crate) unused: Option<String>,
}

impl Credentials {
    /// Of Docker's configuration (`DOCKER_CONFIG`, or `.docker` in the home folder) for this registry.
    pub(crate) fn of(registry: &str) -> Self {
        let anonymous = |unused: Option<&str>| Self { auth: RegistryAuth::Anonymous, unused: unused.map(str::to_owned) };
        let (hub, name) = DOCKER_HUB;
        match get_credential(if registry == hub { name } else { registry }) {
            Ok(DockerCredential::UsernamePassword(name, password)) => Self { auth: RegistryAuth::Basic(name, password), unused: None },
            Ok(DockerCredential::IdentityToken(_)) => anonymous(Some("an identity token is configured for it, which is not supported")),
            Err(CredentialRetrievalError::NoCredentialConfigured | CredentialRetrievalError::ConfigNotFound) => anonymous(None),
            Err(CredentialRetrievalError::ConfigReadError) => anonymous(Some("Docker's configuration is absent or cannot be read")),
            // What a helper prints may be a secret.
            Err(CredentialRetrievalError::HelperFailure { helper, .. }) => {
                anonymous(Some(&format!("the credential helper `{helper}` gave none")))
            }
            Err(_) => anonymous(Some("the credentials of Docker's configuration cannot be read")),
        }
    }
}
