/* Asks a program for its schema. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tools/sanitize.h"
#include "tools/external/external_internal.h"
#include "tools/external/program.h"
#include "tools/tools_internal.h"

/* Maximum output of --schema. */
#define SCHEMA_MAX (64 * 1024)
/* Bytes of a failing program's message that are shown. */
#define TEXT_LENGTH_MAX 100

/* The tool's name: the file's name with '_' for '-'. */
static char *tool_name(const char *text)
{
	char *name = xstrdup(text);

	for (char *p = name; *p; p++)
		*p = *p == '-' ? '_' : *p;
	return name;
}

static char *sanitize_summary(const char *text)
{
	struct buf out = BUF_INIT;

	sanitize_text(&out, text, strlen(text));
	return buf_take(&out);
}

/* Returns why the schema is refused, malloc'd; NULL if it is accepted. */
static char *judge(struct external_program *p, struct json_object *o)
{
	const char *name = json_get_str(o, "name"), *description = json_get_str(o, "description");
	struct json_object *schema = json_get_object(o, "parameters");

	p->tool = tool_name(p->file);
	if (strstr(p->tool, "__"))
		return xstrdup("A name must not hold __, which stands in the names of MCP servers' tools.");
	if (!name || !description || !*description)
		return xstrdup("Its --schema lacks a name or a description.");
	char *own = tool_name(name);
	bool same = strcmp(own, p->tool) == 0;
	free(own);
	if (!same)
		return xasprintf(
		    "It calls itself \"%.64s\". The file and the name in its --schema must be the same.",
		    name);
	if (!schema)
		schema = json_get_object(o, "input_schema");
	if (!schema)
		return xstrdup("Its --schema lacks parameters, an object with the schema of its arguments.");
	p->summary = sanitize_summary(description);
	p->schema = json_object_get(schema);
	p->read_only = json_get_bool(o, "read_only", false);
	return NULL;
}

void external_take_schema(struct external_program *p, const char *text, size_t len)
{
	struct error err = {0};
	struct json_object *o = json_parse_object(text, len, &err);

	if (o)
		p->refusal = judge(p, o);
	else
		p->refusal = xasprintf("What it printed for --schema is no JSON object: %s.", err.text);
	json_object_put(o);
}

/* Adds the first line of stderr in brackets, without the folder: people in a chat must not see the host's
 * paths. */
static void add_words(struct buf *out, const struct buf *said, const char *folder)
{
	size_t len = strcspn(said->data, "\n"), skip = strlen(folder);
	struct buf words = BUF_INIT, short_words = BUF_INIT;

	sanitize_text(&words, said->data, len);
	for (const char *p = words.data; *p;) {
		if (strncmp(p, folder, skip) == 0 && p[skip] == '/')
			p += skip + 1;
		else
			buf_addch(&short_words, *p++);
	}
	buf_truncate(&short_words, utf8_cut(short_words.data, short_words.len, TEXT_LENGTH_MAX, UTF8_BYTES));
	if (short_words.len > 0)
		buf_addf(out, " (%s)", short_words.data);
	buf_clear(&short_words);
	buf_clear(&words);
}

static char *judge_end(const struct external_output *out, const char *folder, int64_t ms)
{
	struct buf text = BUF_INIT;

	if (out->timed_out)
		buf_addf(&text, "It did not answer --schema within %g s.", (double)ms / 1000);
	else if (out->overflown)
		buf_addf(&text, "It printed more than %d bytes for --schema.", SCHEMA_MAX);
	else if (out->missing)
		buf_addstr(&text, "It cannot be started: it, or what its first line names, is not there.");
	else if (out->status != 0) {
		buf_addf(&text, "Asked with --schema it ended with exit code %d", out->status);
		add_words(&text, &out->err, folder);
		buf_addch(&text, '.');
	}
	return text.len > 0 ? buf_take(&text) : NULL;
}

/* Is the failure temporary, and not the program's fault? */
static bool is_passing(int code)
{
	return code == 0 || code == EAGAIN || code == EMFILE || code == ENFILE || code == ENOMEM ||
	    code == ETXTBSY;
}

int external_read_schema(
    struct task *t, const struct tools *ts, const char *folder, struct external_program *p, struct error *err)
{
	char *path = xasprintf("%s/%s", folder, p->file);
	const struct external_options start = {.path = path,
	    .folder = folder,
	    .option = "--schema",
	    .no_files = true,
	    .deadline_ms = (uint64_t)ts->settings.external_schema_ms,
	    .most = SCHEMA_MAX};
	struct external_output out;

	int rc = external_program_run(t, ts, &start, &out, err);
	p->schema_read = rc == 0 || (err->kind == ERROR_OURS && !is_passing(err->code));
	if (rc < 0 && p->schema_read)
		p->refusal = xasprintf("It cannot be started: %s.", strerror(err->code));
	else if (rc == 0)
		p->refusal = judge_end(&out, folder, ts->settings.external_schema_ms);
	if (rc == 0 && !p->refusal)
		external_take_schema(p, out.out.data, out.out.len);
	external_output_clear(&out);
	free(path);
	return p->schema_read ? 0 : -1;
}
