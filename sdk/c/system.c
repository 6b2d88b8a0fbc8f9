/* A plugin has no system. What the C library would ask of one is answered here, so that nothing but `log` is imported. */
#include "code_polishy.h"

#include <string.h>

/* Error numbers of WASI preview 1. */
enum { SUCCESS = 0, BAD_FILE = 8, NOT_SEEKABLE = 70 };

/* A part of what is written. */
typedef struct {
    const uint8_t *bytes;
    size_t length;
} part_t;

/* Standard output and error are messages, one a line. */
int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t parts, int32_t count, int32_t written) {
    if (file != 1 && file != 2)
        return BAD_FILE;
    const part_t *part = (const part_t *)(uintptr_t)parts;
    size_t length = 0;
    for (int32_t next = 0; next < count; next++)
        length += part[next].length;
    uint8_t *bytes = cp_allocate(length);
    size_t at = 0;
    for (int32_t next = 0; next < count; at += part[next++].length)
        memcpy(bytes + at, part[next].bytes, part[next].length);
    cp_string_t rest = {bytes, length}, line;
    while (cp_next_line(&rest, &line)) {
        cp_string_t message = cp_text_of(line.ptr, line.len);
        cp_log_write(file == 2 ? CP_LOG_LEVEL_WARNING : CP_LOG_LEVEL_INFO, &message);
    }
    *(size_t *)(uintptr_t)written = length;
    return SUCCESS;
}

/* A character device without a position: the C library then writes line by line. */
int32_t __imported_wasi_snapshot_preview1_fd_fdstat_get(int32_t file, int32_t status) {
    enum { STATUS_BYTES = 24, CHARACTER_DEVICE = 2 };
    if (file < 0 || file > 2)
        return BAD_FILE;
    uint8_t *fields = memset((void *)(uintptr_t)status, 0, STATUS_BYTES);
    fields[0] = CHARACTER_DEVICE;
    return SUCCESS;
}

int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t offset, int32_t whence, int32_t position) {
    (void)file, (void)offset, (void)whence, (void)position;
    return NOT_SEEKABLE;
}

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file) {
    (void)file;
    return SUCCESS;
}

/* The same, under the name that it has for the part of zig's C library that is written in Zig. */
int32_t zig_fd_close(int32_t file) __asm__("fd_close|wasi_snapshot_preview1");
int32_t zig_fd_close(int32_t file) { return __imported_wasi_snapshot_preview1_fd_close(file); }

_Noreturn void __imported_wasi_snapshot_preview1_proc_exit(int32_t status) { cp_panic("exit was called with status %d", (int)status); }
