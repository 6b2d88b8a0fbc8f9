//! Codes of the step `image`.

codes! {
    RUN_FILE_NOT_REGULAR: Stop, "run-file-not-regular",
        "A file of the run is a link, a folder or a device",
        "Something replaced the file, or a link was put in its place",
        "Start a new run and leave its files as regular files";
    RUN_FILE_TOO_LARGE: Stop, "run-file-too-large",
        "A file of the run is larger than a run file may be",
        "A log or a diff was copied in whole",
        "Start a new run with a smaller scope or a shorter record";
    RUN_FILE_CHANGED: Stop, "run-file-changed",
        "A file of the run changed while it was read",
        "Another process wrote to the run at the same time",
        "Stop that process, then validate again; if the content is not yours, start a new run";
    RUN_IMAGE_TOO_LARGE: Stop, "run-image-too-large",
        "The files of the run together are larger than a run may be",
        "Files that do not belong to the run were put into its folder",
        "Start a new run and keep foreign files out of its folder";
    RUN_JSON_INVALID: Stop, "run-json-invalid",
        "A JSON file of the run cannot be read as JSON",
        "The file was cut off or edited by hand",
        "Start a new run, or write your own record again if the file is one that you write";
    RUN_JSON_DUPLICATE_KEY: Stop, "run-json-duplicate-key",
        "An object in a JSON file of the run has the same key twice",
        "The file was edited by hand or put together from two texts",
        "Keep one of the two keys in your own record; a recorded file is not repaired";
    RUN_JSON_TOO_DEEP: Stop, "run-json-too-deep",
        "A JSON file of the run nests deeper than is read",
        "Content was wrapped into itself",
        "Write the record flat, as its schema shows it";
    RUN_TEXT_NOT_UTF8: Stop, "run-text-not-utf8",
        "A text file of the run is not UTF-8",
        "An editor or a tool wrote another encoding",
        "Write your own record as UTF-8; a recorded file is not repaired";
    ARTIFACT_PATH_OUTSIDE_REVIEW_OUTPUT: Stop, "artifact-path-outside-review-output",
        "A path of an artifact leads out of the folder of reviews",
        "The path is absolute, climbs with two dots or follows a link",
        "Name artifacts by their paths inside the run";
    LIMIT_EXCEEDED: Stop, "limit-exceeded",
        "A list, text or number is beyond the limit that holds for it",
        "More was recorded than a review may hold",
        "Start a new run with a smaller scope, or record less";
    STEP_UNCHECKED: Stop, "step-unchecked",
        "A step could not be judged to its end",
        "A fault inside the step, or a version that does not check it",
        "Judge the run with a version that checks the step, and report the fault";
}
