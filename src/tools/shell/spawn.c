#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/shell/shell.h"

#define SPAWN_MS 60000
/* Bytes of one word: Linux refuses longer ones (MAX_ARG_STRLEN, with the NUL at its end). */
#define WORD_MAX       (128 * 1024 - 1)
#define NO_DESCRIPTION "(no description)"

/* Returns the words, NULL-terminated and borrowed from args; NULL when one cannot be passed to a program,
 * with the reason. */
static const char **read_words(struct json_object *args, const char **why)
{
	struct json_object *rest = json_get_array(args, "args");
	size_t count = 0, most = rest ? json_object_array_length(rest) : 0;
	const char **words = xcalloc(most + 2, sizeof(*words));

	words[count++] = json_get_str(args, "command");
	*why = words[0] && *words[0] ? NULL : "'command' is blank. Name a program.";
	for (size_t i = 0; i < most; i++) {
		struct json_object *word = json_object_array_get_idx(rest, i);
		size_t len = (size_t)json_object_get_string_len(word);
		words[count] = json_object_get_string(word);
		if (strlen(words[count++]) != len)
			*why = "A word holds a NUL character.";
		else if (len > WORD_MAX)
			*why = "An argument is longer than 128 KiB, which no program can get. Put the text "
			       "into a file, and name the file.";
	}
	if (!*why)
		return words;
	free(words);
	return NULL;
}

static char *join_words(const char *const *words)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; words[i]; i++)
		buf_addf(&text, "%s%s", i > 0 ? " " : "", words[i]);
	return buf_take(&text);
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const char *why, **words = read_words(args, &why), *description = json_get_str(args, "description");

	if (!words)
		return tool_failure("spawn", "INVALID_ARGUMENT", "RANGE", "%s", why);
	char *shown = join_words(words);
	const struct shell_request request = {
	    .argv = words, .shown = shown, .args = args, .fallback_ms = SPAWN_MS};
	struct json_object *o = shell_run(t, call, &request);
	if (!json_get_str(o, "error_code")) {
		json_set_str(o, "command", words[0]);
		json_set_str(o, "description", description ? description : NO_DESCRIPTION);
	}
	free(shown);
	free(words);
	return o;
}

const struct tool tool_spawn = {
    .name = "spawn",
    .param_aliases = shell_aliases,
    .summary = "Run a program with arguments, without a shell, and wait for it or leave it in the "
	       "background. Returns: {command, description, exit_code?, stdout?, stderr?, duration_ms?, "
	       "signal?, truncated?, stdout_bytes?, stderr_bytes?, task_id?, status?}",
    .schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"command\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"A program's "
	"name or path\"},\"args\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
	"\"maxItems\":4096,\"description\":\"Its arguments (default: [])\"}," SHELL_SCHEMA(
	    "60 s") "},\"required\":[\"command\"]}",
    .errors = "ACCESS_DENIED, IO_ERROR, LIMIT_REACHED, NOT_FOUND, UNAVAILABLE",
    .flags = TOOL_WRITES | TOOL_TIMED | TOOL_SANDBOX,
    .guard = GUARD_PROGRAM,
    .measure = shell_measure,
    .run = run,
};
