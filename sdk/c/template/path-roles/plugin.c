/* Calls a path generated when it lies in one of the named folders, or says so in its first lines. Other plugins answer for the rest. */
#include <string.h>

#include "code_polishy/path_roles.h"

CP_OPTIONS("{"
           "\"type\": \"object\","
           "\"properties\": {\"folders\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"default\": [\"generated\"]}},"
           "\"additionalProperties\": false"
           "}",
           "folders")

/* Names of folders, wherever they are. */
static bool is_named(cp_string_t folder, const cp_json_t *folders) {
    if (folders->type != CP_JSON_ARRAY)
        return cp_equals(folder, "generated");
    for (size_t next = 0; next < folders->length; next++) {
        cp_string_t name = cp_json_text(&folders->items[next], "");
        if (name.len == folder.len && memcmp(name.ptr, folder.ptr, name.len) == 0)
            return true;
    }
    return false;
}

static bool is_in_folder(cp_string_t path, const cp_json_t *folders) {
    size_t start = 0;
    for (size_t at = 0; at < path.len; at++) {
        if (path.ptr[at] != '/')
            continue;
        if (is_named((cp_string_t){path.ptr + start, at - start}, folders))
            return true;
        start = at + 1;
    }
    return false;
}

/* The mark that many generators put into the head of a file. */
static bool says_so(cp_string_t head) {
    /* In two parts, so that this file is not taken for one of those. */
    static const char mark[] = "@" "generated";
    cp_string_t line;
    for (int lines = 0; lines < 5 && cp_next_line(&head, &line); lines++)
        for (size_t at = 0; at + sizeof mark - 1 <= line.len; at++)
            if (memcmp(line.ptr + at, mark, sizeof mark - 1) == 0)
                return true;
    return false;
}

cp_role_t plugin_role(const cp_path_fact_t *fact, const cp_json_t *options) {
    bool is_generated = is_in_folder(fact->path, cp_json_get(options, "folders")) || says_so(cp_bytes(fact->head));
    return is_generated ? CP_GENERATED : CP_NO_ROLE;
}
