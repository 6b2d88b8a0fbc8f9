/* Writes `summary.txt`: how the gate ended, and a line for each finding. */
#include "code_polishy/report_renderer.h"

CP_NO_OPTIONS

/* A report quotes what others wrote: text that cannot end the line it stands in. What a report does not have is `unknown`. */
static cp_string_t line(const cp_json_t *object, const char *name) {
    return cp_line(cp_json_text(cp_json_get(object, name), "unknown"));
}

bool plugin_render(const cp_json_t *report, const cp_json_t *options, cp_artifacts_t *artifacts, cp_failure_t *failure) {
    if (!cp_equals(cp_json_text(cp_json_get(report, "protocol"), ""), "code-polishy-report/v1"))
        return cp_fail(failure, "unknown-report", "use a newer renderer", "the document is no code-polishy-report/v1");
    cp_buffer_t page = {0};
    cp_string_t gate = line(report, "gate"), status = line(report, "status");
    cp_append(&page, "%.*s gate: %.*s\n", CP_SHOW(gate), CP_SHOW(status));
    const cp_json_t *findings = cp_json_get(report, "findings");
    for (size_t next = 0; next < findings->length; next++) {
        cp_string_t subject = line(&findings->items[next], "subject"), message = line(&findings->items[next], "message");
        cp_append(&page, "- %.*s: %.*s\n", CP_SHOW(subject), CP_SHOW(message));
    }
    cp_add_artifact(artifacts, "summary.txt", "text/plain; charset=utf-8", page.text);
    return true;
}
