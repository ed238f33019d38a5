#ifndef TESTS_TOOLS_TOOLS_FIXTURE_H
#define TESTS_TOOLS_TOOLS_FIXTURE_H
/* Tools over a configuration and a folder of their own, and what tests ask of every result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>

#include "base/json/json.h"
#include "bus/targets.h"
#include "tools/tools.h"

struct tools_fixture {
	char dir[64]; /* absolute; holds ws, the workspace */
	struct config *cfg;
	struct targets targets;
	struct tools *tools;
	struct tool_call call; /* for tools_fixture_run; a test may change it */
	size_t result_max;
};

/* Makes the folder. */
void tools_fixture_init(struct tools_fixture *w);
/* Reads the tools from a configuration that has more at the top and settings in tools; table may be NULL for
 * the built-in. */
void tools_fixture_open(
    struct tools_fixture *w, const char *more, const char *settings, const struct tool *const *table);
/* Takes everything away again. */
void tools_fixture_clear(struct tools_fixture *w);

/* A file under dir, and the folders on its way. */
void tools_fixture_put(const struct tools_fixture *w, const char *path, const void *data, size_t len);
void tools_fixture_put_text(const struct tools_fixture *w, const char *path, const char *text);
/* dir/path: malloc'd. */
char *tools_fixture_path(const struct tools_fixture *w, const char *path);

/* Runs a call in a task of its own. The result, the caller's, was checked: a JSON object in valid UTF-8, not
 * too long, an error exactly when it has error_code, and then with a sentence and a context. */
struct json_object *tools_fixture_run(struct tools_fixture *w, const char *name, const char *arguments);
/* The same within a task. */
struct json_object *tools_fixture_run_in(
    struct task *t, struct tools_fixture *w, const char *name, const char *arguments);
/* Runs a call, named canonically, by every name of the tool, with its parameters by their names and by their
 * aliases; prepare is called before each. The answers must be one, which is the caller's. */
struct json_object *tools_fixture_run_each(
    struct tools_fixture *w, const char *name, const char *arguments, void (*prepare)(void));
/* Runs a call that must fail so. cause NULL: none. */
void tools_fixture_refused(
    struct tools_fixture *w, const char *name, const char *arguments, const char *code, const char *cause);
/* The sentence of a call that must fail: malloc'd. */
char *tools_fixture_error(struct tools_fixture *w, const char *name, const char *arguments);

void assert_failure(struct json_object *o, const char *code, const char *cause);
void assert_holds(const char *text, const char *part);
void assert_str(struct json_object *o, const char *key, const char *want);
void assert_int(struct json_object *o, const char *key, int64_t want);
/* o is just this JSON. */
void assert_json(struct json_object *o, const char *want);
/* The file under dir has this text and no other. */
void assert_file(const struct tools_fixture *w, const char *path, const char *want);
/* A seeded generator: the same numbers in every run. */
uint32_t any(uint64_t *seed, uint32_t below);

#endif
