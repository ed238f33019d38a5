#include "llm/formats/openai/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"

/* The same limit as OpenAI's own SDK. */
#define CALLS_MAX 128

void openai_calls_clear(struct openai_calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		struct openai_call *c = &calls->items[i];
		buf_clear(&c->id);
		buf_clear(&c->name);
		buf_clear(&c->arguments);
		openai_extras_clear(&c->extras);
		openai_extras_clear(&c->function_extras);
	}
	free(calls->items);
	*calls = (struct openai_calls){0};
}

static struct openai_call *call_new(struct openai_calls *calls, int64_t index)
{
	if (calls->count == CALLS_MAX)
		return NULL;
	calls->items = xrealloc(calls->items, (calls->count + 1) * sizeof(*calls->items));
	struct openai_call *c = &calls->items[calls->count++];
	*c = (struct openai_call){.index = index, .id = BUF_INIT, .name = BUF_INIT, .arguments = BUF_INIT};
	return c;
}

static void count_bracket(struct openai_call *c, char byte)
{
	if (c->is_escaped)
		c->is_escaped = false;
	else if (c->in_text && byte == '\\')
		c->is_escaped = true;
	else if (byte == '"')
		c->in_text = !c->in_text;
	else if (!c->in_text && (byte == '{' || byte == '['))
		c->depth++;
	else if (c->depth > 0 && !c->in_text && (byte == '}' || byte == ']') && --c->depth == 0)
		c->phase = OPENAI_CALL_CLOSED;
}

/* Each byte is read once, and the arguments are parsed once: a server may send a byte in each piece. */
static bool is_complete(struct openai_call *c)
{
	const struct buf *arguments = &c->arguments;
	struct json_object *o;

	for (; c->counted < arguments->len && c->phase != OPENAI_CALL_INVALID; c->counted++) {
		char byte = arguments->data[c->counted];
		if (c->phase == OPENAI_CALL_OPEN)
			count_bracket(c, byte);
		else if (!strchr(" \t\r\n", byte))
			c->phase = OPENAI_CALL_INVALID;
	}
	if (c->phase != OPENAI_CALL_CLOSED)
		return false;
	o = json_parse_foreign(arguments->data, arguments->len, NULL);
	c->phase = o ? OPENAI_CALL_CLOSED : OPENAI_CALL_INVALID;
	json_object_put(o);
	return c->phase == OPENAI_CALL_CLOSED;
}

static bool has_arguments(struct json_object *function)
{
	struct json_object *arguments = json_get(function, "arguments");

	return arguments &&
	    (!json_object_is_type(arguments, json_type_string) || json_object_get_string_len(arguments) > 0);
}

/* Without an id: does the piece begin a new call although the index is in use? A name after arguments says
 * so; the same name again only if the arguments were complete and more follow, because some servers repeat
 * it. */
static bool begins_another(struct openai_call *c, struct json_object *function)
{
	const char *name = json_get_str(function, "name");

	if (!name || !*name || c->arguments.len == 0)
		return false;
	return strcmp(name, c->name.data) != 0 || (has_arguments(function) && is_complete(c));
}

/* Returns the newest call at the index (-1: any index); NULL for none. */
static struct openai_call *newest_at(const struct openai_calls *calls, int64_t index)
{
	for (size_t i = calls->count; i > 0; i--)
		if (index < 0 || calls->items[i - 1].index == index)
			return &calls->items[i - 1];
	return NULL;
}

static struct openai_call *with_id(const struct openai_calls *calls, int64_t index, const char *id)
{
	for (size_t i = calls->count; i > 0; i--) {
		struct openai_call *c = &calls->items[i - 1];
		if (strcmp(c->id.data, id) == 0 && (index < 0 || c->index < 0 || c->index == index))
			return c;
	}
	return NULL;
}

/* Returns the call that a piece belongs to; NULL for a new one. The index is not enough: some servers give
 * every call index 0, others none. */
static struct openai_call *slot(const struct openai_calls *calls, struct json_object *delta, int64_t index)
{
	const char *id = json_get_str(delta, "id");
	struct openai_call *c = id && *id ? with_id(calls, index, id) : NULL;

	if (c)
		return c;
	c = newest_at(calls, index);
	if (c && id && *id && c->id.len > 0)
		return NULL;
	return c && begins_another(c, json_get_object(delta, "function")) ? NULL : c;
}

static void add_id(struct openai_call *c, const char *id)
{
	if (id && c->id.len == 0)
		buf_addstr(&c->id, id);
}

/* A name comes once, repeated with every piece, or (rarely) in pieces. */
static void add_name(struct openai_call *c, const char *name)
{
	if (name && strcmp(c->name.data, name) != 0 && c->arguments.len == 0)
		buf_addstr(&c->name, name);
}

static void add_arguments(struct openai_call *c, struct json_object *arguments)
{
	if (json_object_is_type(arguments, json_type_string)) {
		buf_add(&c->arguments, json_object_get_string(arguments),
		    (size_t)json_object_get_string_len(arguments));
	} else if (arguments) {
		/* LiteLLM before Ollama sends the object itself, always complete. */
		buf_reset(&c->arguments);
		json_write(&c->arguments, arguments);
		c->phase = OPENAI_CALL_OPEN;
		c->counted = c->depth = 0;
		c->in_text = c->is_escaped = false;
	}
}

int openai_calls_add(struct openai_calls *calls, struct json_object *delta, bool whole, struct error *err)
{
	static const char *const known[] = {"index", "id", "type", "function", NULL};
	static const char *const function_known[] = {"name", "arguments", NULL};
	struct json_object *function = json_get_object(delta, "function");
	int64_t index = json_get_int(delta, "index", -1);
	struct openai_call *c = whole ? NULL : slot(calls, delta, index);

	if (!c)
		c = call_new(calls, index);
	if (!c)
		return error_set(
		    err, ERROR_REFUSED, "the model made more than %d calls in one answer", CALLS_MAX);
	add_id(c, json_get_str(delta, "id"));
	add_name(c, json_get_str(function, "name"));
	add_arguments(c, json_get(function, "arguments"));
	openai_extras_add(&c->extras, delta, known);
	openai_extras_add(&c->function_extras, function, function_known);
	return 0;
}
