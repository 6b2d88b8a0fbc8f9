//! Codes of the step `image`.

codes! {
    RUN_FILE_NOT_REGULAR: Stop, "run-file-not-regular";
    RUN_FILE_TOO_LARGE: Stop, "run-file-too-large";
    RUN_FILE_CHANGED: Stop, "run-file-changed";
    RUN_IMAGE_TOO_LARGE: Stop, "run-image-too-large";
    RUN_JSON_INVALID: Stop, "run-json-invalid";
    RUN_JSON_DUPLICATE_KEY: Stop, "run-json-duplicate-key";
    RUN_JSON_TOO_DEEP: Stop, "run-json-too-deep";
    RUN_TEXT_NOT_UTF8: Stop, "run-text-not-utf8";
    ARTIFACT_PATH_OUTSIDE_REVIEW_OUTPUT: Stop, "artifact-path-outside-review-output";
    LIMIT_EXCEEDED: Stop, "limit-exceeded";
    STEP_UNCHECKED: Stop, "step-unchecked";
}
