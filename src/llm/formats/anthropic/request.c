#include "llm/formats/anthropic/request.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/flat.h"
#include "base/mem.h"
#include "llm/formats/request.h"
#include "llm/formats/tool_list.h"
#include "llm/image_input.h"

/* The API requires a limit; every current model accepts this one. */
#define TOKENS_DEFAULT 16000
#define MARKER         "\"cache_control\":{\"type\":\"ephemeral\"}"

/* An id from another provider may contain characters that this one refuses. A call and its result get the
 * same id. */
static void add_id(struct buf *out, const char *id)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

	buf_addch(out, '"');
	for (; *id; id++)
		buf_addch(out, strchr(good, *id) ? *id : '_');
	buf_addch(out, '"');
}

/* Appends {"type":"text",…}; a blank text would be refused. */
static void add_text_block(struct buf *out, struct llm_message *m)
{
	buf_addstr(out, "{\"type\":\"text\",\"text\":");
	request_add_message_text(out, m);
	buf_addch(out, '}');
}

static void add_call(struct buf *out, const struct llm_call *call)
{
	buf_addstr(out, "{\"type\":\"tool_use\",\"id\":");
	add_id(out, call->id);
	buf_addstr(out, ",\"name\":");
	request_add_text(out, call->name);
	buf_addstr(out, ",\"input\":");
	buf_addstr(out, call->arguments);
	buf_addch(out, '}');
}

static void add_assistant(struct buf *out, struct llm_message *m)
{
	const char *between = "";

	buf_addstr(out, "{\"role\":\"assistant\",\"content\":[");
	if (!str_is_blank(m->text)) {
		add_text_block(out, m);
		between = ",";
	}
	for (size_t i = 0; i < m->call_count; i++, between = ",") {
		buf_addstr(out, between);
		add_call(out, &m->calls[i]);
	}
	buf_addstr(out, "]}");
}

/* Do the calls in the blocks match those of the history, in order? */
static bool calls_match(const struct json_flat *raw, size_t content, const struct llm_message *m)
{
	size_t k = 0;

	for (size_t i = content + 1; i < raw->items[content].next; i = raw->items[i].next) {
		size_t type = json_flat_get_kind(raw, i, "type", JSON_FLAT_STRING),
		       id = json_flat_get(raw, i, "id");
		if (!type)
			return false;
		if (!json_flat_is(raw, type, "tool_use"))
			continue;
		if (k == m->call_count || !id || !json_flat_is(raw, id, m->calls[k++].id))
			return false;
	}
	return k == m->call_count && raw->items[content].next > content + 1;
}

/* Storage is not trusted: a spliced text must be a message of this format with the history's contents. */
static bool is_block_message(const struct llm_message *m, const struct json_flat *raw)
{
	size_t content = json_flat_get_kind(raw, 0, "content", JSON_FLAT_ARRAY);

	return content && json_flat_is(raw, json_flat_get(raw, 0, "role"), "assistant") &&
	    calls_match(raw, content, m);
}

static bool splices(const struct llm_provider *p, struct llm_message *m)
{
	return request_is_own(p, m) && request_raw_fits(m, REQUEST_RAW_BLOCKS, is_block_message);
}

/* Where the conversation has cache breakpoints: at its end, and at the end of the previous request, so that
 * the cache entry is found however many blocks were added since (the API looks back 20). With those after
 * the tools and the system prompt, these are the four that are allowed. */
struct marks {
	const struct llm_message *last, *before;
};

static struct marks find_marks(const struct llm_history *h)
{
	struct marks marks = {0};
	size_t i = h->count;

	if (i > 0 && h->messages[i - 1]->role != LLM_ASSISTANT)
		marks.last = h->messages[i - 1];
	while (i > 0 && h->messages[i - 1]->role != LLM_ASSISTANT)
		i--;
	while (i > 0 && h->messages[i - 1]->role == LLM_ASSISTANT)
		i--;
	marks.before = i > 0 ? h->messages[i - 1] : NULL;
	return marks;
}

static void add_mark(struct buf *out, const struct marks *marks, const struct llm_message *m)
{
	if (m == marks->last || m == marks->before)
		buf_addstr(out, "," MARKER);
}

/* Appends images with a comma after each: the text comes last and carries the breakpoint. */
static void add_images(struct buf *out, const struct llm_image_input *v, const struct llm_message *m)
{
	static const struct llm_image_input_format form = {
	    "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"", "\",\"data\":\"",
	    "\"}},"};

	llm_image_input_add_images(out, v, m, &form);
}

static void add_result_content(struct buf *out, const struct llm_image_input *v, struct llm_message *m)
{
	if (!llm_image_input_shows(v, m)) {
		llm_image_input_add_text(out, v, m);
		return;
	}
	buf_addch(out, '[');
	add_images(out, v, m);
	buf_addstr(out, "{\"type\":\"text\",\"text\":");
	llm_image_input_add_text(out, v, m);
	buf_addstr(out, "}]");
}

static void add_result(
    struct buf *out, const struct llm_image_input *v, const struct marks *marks, struct llm_message *m)
{
	buf_addstr(out, "{\"type\":\"tool_result\",\"tool_use_id\":");
	add_id(out, m->call_id);
	buf_addstr(out, ",\"content\":");
	add_result_content(out, v, m);
	buf_addstr(out, m->is_error ? ",\"is_error\":true" : "");
	add_mark(out, marks, m);
	buf_addch(out, '}');
}

/* Puts the results of all calls of one message into one user message, with nothing else in it. Returns their
 * number. */
static size_t add_results(
    struct buf *out, const struct llm_request *req, const struct marks *marks, size_t at)
{
	const struct llm_history *h = req->history;
	size_t n = 0;

	buf_addstr(out, "{\"role\":\"user\",\"content\":[");
	for (; at + n < h->count && h->messages[at + n]->role == LLM_TOOL; n++) {
		buf_addstr(out, n ? "," : "");
		add_result(out, req->view, marks, h->messages[at + n]);
	}
	buf_addstr(out, "]}");
	return n;
}

/* Always written as blocks, with a breakpoint or not, so that the bytes stay the same. */
static void add_user(
    struct buf *out, const struct llm_image_input *v, const struct marks *marks, struct llm_message *m)
{
	buf_addstr(out, "{\"role\":\"user\",\"content\":[");
	add_images(out, v, m);
	buf_addstr(out, "{\"type\":\"text\",\"text\":");
	llm_image_input_add_text(out, v, m);
	add_mark(out, marks, m);
	buf_addstr(out, "}]}");
}

static size_t add_message(struct buf *out, const struct llm_provider *p, const struct llm_request *req,
    size_t at, const struct marks *marks, bool plain)
{
	struct llm_message *m = req->history->messages[at];

	if (m->role == LLM_TOOL)
		return add_results(out, req, marks, at);
	if (m->role == LLM_ASSISTANT && !plain && splices(p, m)) {
		buf_add(out, m->raw, m->raw_count.len);
	} else if (m->role == LLM_ASSISTANT) {
		add_assistant(out, m);
	} else {
		add_user(out, req->view, marks, m);
	}
	return 1;
}

static void add_tool(struct buf *out, const struct llm_tool *tool, bool last)
{
	buf_addstr(out, "{\"name\":");
	request_add_text(out, tool->name);
	buf_addstr(out, ",\"description\":");
	request_add_text(out, tool->summary);
	buf_addstr(out, ",\"input_schema\":");
	buf_addstr(out, tool->schema);
	/* All chats share these, whatever their prompt. */
	buf_addstr(out, last ? "," MARKER "}" : "}");
}

static void add_tools(struct buf *out, const struct llm_request *req)
{
	if (req->tool_count == 0)
		return;
	tool_list_add(out, req, add_tool);
	if (req->forbid_tools)
		buf_addstr(out, ",\"tool_choice\":{\"type\":\"none\"}");
}

/* With a breakpoint, so that the part before every conversation (tools and this) is read from the cache. */
static void add_system(struct buf *out, const char *system)
{
	if (!system || str_is_blank(system))
		return;
	buf_addstr(out, ",\"system\":[{\"type\":\"text\",\"text\":");
	request_add_text(out, system);
	buf_addstr(out, "," MARKER "}]");
}

void anthropic_request(
    struct buf *out, const struct llm_provider *p, const struct llm_request *req, bool plain)
{
	int64_t most = p->settings.max_tokens > 0 ? p->settings.max_tokens : TOKENS_DEFAULT;
	const struct llm_history *h = req->history;
	struct marks marks = find_marks(h);

	request_reserve(out, req);
	buf_addstr(out, "{\"model\":");
	request_add_text(out, p->settings.model);
	buf_addf(out, ",\"max_tokens\":%lld", (long long)most);
	add_tools(out, req);
	add_system(out, req->system);
	buf_addstr(out, ",\"messages\":[");
	for (size_t at = 0; at < h->count;) {
		buf_addstr(out, at ? "," : "");
		at += add_message(out, p, req, at, &marks, plain);
	}
	buf_addch(out, ']');
	if (req->session_key) {
		buf_addstr(out, ",\"metadata\":{\"user_id\":");
		request_add_text(out, req->session_key);
		buf_addch(out, '}');
	}
	buf_addstr(out, ",\"stream\":true}");
}
