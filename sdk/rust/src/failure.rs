use crate::Failure;

impl Failure {
    /// A request that the plugin understood and cannot fulfil.
    ///
    /// `code` is lower-case words separated by `-`, at most 80 characters; `message` is one sentence.
    ///
    /// ```
    /// use code_polishy_sdk::Failure;
    ///
    /// let failure = Failure::new("no-report", "the suite wrote no `report.xml`").hint("run it with `--report report.xml`");
    /// assert_eq!((failure.code.as_str(), failure.hint.as_str()), ("no-report", "run it with `--report report.xml`"));
    /// ```
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: String::new() }
    }

    /// The same, with what the user does next: a command, an edit, a setting.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}
