#ifndef TESTS_TOOLS_TOOLS_FIXTURE_H
#define TESTS_TOOLS_TOOLS_FIXTURE_H
/* Tools with a configuration and a folder of their own, and checks for every result. */
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

/* Creates the folder. */
void tools_fixture_init(struct tools_fixture *w);
/* Reads the tools from a configuration with more at the top level and settings in tools; table NULL: the
 * built-in one. */
void tools_fixture_open(
    struct tools_fixture *w, const char *more, const char *settings, const struct tool *const *table);
/* Removes everything. */
void tools_fixture_clear(struct tools_fixture *w);
/* The same for cmocka, whose state is the fixture. */
int tools_fixture_tear_down(void **state);

/* Creates a file under dir, with its folders. */
void tools_fixture_put(const struct tools_fixture *w, const char *path, const void *data, size_t len);
void tools_fixture_put_text(const struct tools_fixture *w, const char *path, const char *text);
/* Returns dir/path, malloc'd. */
char *tools_fixture_path(const struct tools_fixture *w, const char *path);

/* Runs a call in its own task and checks the result, which the caller owns: a JSON object in valid UTF-8,
 * not too long, an error exactly when it has error_code, and then with a sentence and a context. */
struct json_object *tools_fixture_run(struct tools_fixture *w, const char *name, const char *arguments);
/* The same within a task. */
struct json_object *tools_fixture_run_in(
    struct task *t, struct tools_fixture *w, const char *name, const char *arguments);
/* Runs a call, given with canonical names, under every name of the tool, with its parameters by name and by
 * alias; prepare is called before each. All results must be equal; the caller owns it. */
struct json_object *tools_fixture_run_each(
    struct tools_fixture *w, const char *name, const char *arguments, void (*prepare)(void));
/* Runs a call that must fail with this code. cause NULL: none. */
void tools_fixture_refused(
    struct tools_fixture *w, const char *name, const char *arguments, const char *code, const char *cause);
/* Returns the error of a call that must fail, malloc'd. */
char *tools_fixture_error(struct tools_fixture *w, const char *name, const char *arguments);

void assert_failure(struct json_object *o, const char *code, const char *cause);
void assert_holds(const char *text, const char *part);
void assert_str(struct json_object *o, const char *key, const char *want);
void assert_int(struct json_object *o, const char *key, int64_t want);
/* o must equal this JSON. */
void assert_json(struct json_object *o, const char *want);
/* The file under dir must contain exactly this text. */
void assert_file(const struct tools_fixture *w, const char *path, const char *want);
/* A seeded generator: the same numbers in every run. */
uint32_t any(uint64_t *seed, uint32_t below);

#endif
