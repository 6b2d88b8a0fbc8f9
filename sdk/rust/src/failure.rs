use crate::Failure;

impl Failure {
    /// A request that the plugin understood and cannot fulfil.
    ///
    /// `code` is lower-case words separated by `-`, at most 80 characters; `message` is one sentence.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: String::new() }
    }

    /// The same, with what the user does next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}
