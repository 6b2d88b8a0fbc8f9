/* A trap has no message; these give it one. The builder makes every file of the plugin call them for `abort` and for the failure of an `assert`,
 * because a C library brings its own. */
#include "code_polishy.h"

_Noreturn void cp_abort(void) { cp_panic("abort was called"); }

_Noreturn void cp_assert_fail(const char *condition, const char *file, int line, const char *function) {
    cp_panic("%s:%d: %s: assertion failed: %s", file, line, function, condition);
}
