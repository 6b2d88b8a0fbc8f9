//! Codes of the step `image`.

codes! {
    RUN_FILE_NOT_REGULAR: Stop, "run-file-not-regular", "CR-7",
        "A file of the run is a link, a folder, a device, or shared with another name",
        "Something replaced it",
        "Put a plain copy of the file in its place, or start a new run";
    RUN_FILE_TOO_LARGE: Stop, "run-file-too-large", "CR-201",
        "A file of the run is larger than a run's file may be",
        "A log, an answer or a diff was copied in whole",
        "Keep large output outside the run, or start a new run on less";
    RUN_FILE_CHANGED: Stop, "run-file-changed", "CR-21",
        "A file of the run changed while it was read, or since its digest was recorded",
        "Something wrote to the run at the same time or after the start",
        "Wait until nothing writes to the run and try again, or start a new run";
    RUN_IMAGE_TOO_LARGE: Stop, "run-image-too-large", "CR-201",
        "The run has more files or bytes than a run may have",
        "Files that do not belong to it were put into its folder",
        "Start a new run, and keep large output outside it";
    RUN_JSON_INVALID: Stop, "run-json-invalid", "CR-4",
        "A record of the run is not JSON of the required shape, or contradicts another one",
        "It was cut off, edited, or copied from another run",
        "Write it again if you wrote it; else restore it or start a new run";
    RUN_JSON_DUPLICATE_KEY: Stop, "run-json-duplicate-key", "CR-4",
        "An object in a record of the run has the same key twice",
        "It was edited or put together from two texts",
        "Keep one of the two if you wrote the record; else start a new run";
    RUN_JSON_TOO_DEEP: Stop, "run-json-too-deep", "CR-201",
        "A record of the run nests deeper than is read",
        "Content was wrapped into itself",
        "Write the record as its schema shows it";
    RUN_TEXT_NOT_UTF8: Stop, "run-text-not-utf8", "CR-4",
        "A text of the run is not UTF-8",
        "An editor or a tool wrote another encoding",
        "Write it as UTF-8 if you wrote it; else restore it or start a new run";
    ARTIFACT_PATH_OUTSIDE_REVIEW_OUTPUT: Stop, "artifact-path-outside-review-output", "CR-7",
        "A recorded path leads out of the run",
        "It is absolute, climbs with `..` or follows a link",
        "Name files by their paths inside the run";
    LIMIT_EXCEEDED: Stop, "limit-exceeded", "CR-201",
        "Something is larger, longer or more than a review may hold",
        "The change, a context or a record is too big for one review",
        "Review parts of the change, or record less";
    STEP_UNCHECKED: Stop, "step-unchecked", "CR-24",
        "A step could not be judged to its end",
        "This version does not check it, or met a fault of its own",
        "Judge the run with a version that checks the step, and report the fault";
}
