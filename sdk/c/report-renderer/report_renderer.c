#include "report_renderer.h"

#include <string.h>

bool exports_report_renderer_render(cp_string_t *text, cp_string_t *options_text, cp_artifacts_t *artifacts, cp_failure_t *failure) {
    const cp_json_t *options;
    const char *fault;
    *artifacts = (cp_artifacts_t){0};
    if (!cp_read_options(*options_text, &options, failure))
        return false;
    const cp_json_t *report = cp_json_read(*text, &fault);
    if (!report)
        return cp_fail(failure, "bad-report", "", "%s", fault);
    return plugin_render(report, options, artifacts, failure);
}

void cp_add_artifact(cp_artifacts_t *artifacts, const char *name, const char *media_type, cp_string_t content) {
    exports_report_renderer_artifact_t *added = cp_grow((void **)&artifacts->ptr, &artifacts->len, sizeof *added);
    added->name = cp_text(name);
    added->media_type = cp_text(media_type);
    added->content = (cp_list_u8_t){cp_allocate(content.len), content.len};
    memcpy(added->content.ptr, content.ptr, content.len);
}
