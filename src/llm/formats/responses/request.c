#include "llm/formats/responses/request.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/flat.h"
#include "base/sha256.h"
#include "llm/formats/request.h"
#include "llm/formats/tool_list.h"
#include "llm/image_input.h"

/* Longer ids, which other providers may give, are refused. */
#define ID_MAX 64

static void add_id(struct buf *out, const char *id)
{
	char hash[SHA256_TEXT_SIZE];

	if (strlen(id) > ID_MAX) {
		sha256_text(id, strlen(id), hash);
		id = hash;
	}
	request_add_text(out, id);
}

static void add_said(struct buf *out, struct llm_message *m)
{
	buf_addstr(out, "{\"role\":\"assistant\",\"content\":");
	request_add_message_text(out, m);
	buf_addch(out, '}');
}

static void add_call(struct buf *out, const struct llm_call *call)
{
	buf_addstr(out, "{\"type\":\"function_call\",\"call_id\":");
	add_id(out, call->id);
	buf_addstr(out, ",\"name\":");
	request_add_text(out, call->name);
	buf_addstr(out, ",\"arguments\":");
	request_add_text(out, call->arguments);
	buf_addch(out, '}');
}

static void add_assistant(struct buf *out, struct llm_message *m)
{
	const char *between = "";

	if (*m->text) {
		add_said(out, m);
		between = ",";
	}
	for (size_t i = 0; i < m->call_count; i++, between = ",") {
		buf_addstr(out, between);
		add_call(out, &m->calls[i]);
	}
}

/* Do the calls in the items match those of the history, in order? */
static bool calls_match(const struct json_flat *raw, const struct llm_message *m)
{
	size_t k = 0;

	for (size_t i = 1; i < raw->items[0].next; i = raw->items[i].next) {
		size_t type = json_flat_get_kind(raw, i, "type", JSON_FLAT_STRING),
		       id = json_flat_get(raw, i, "call_id");
		if (!type)
			return false;
		if (!json_flat_is(raw, type, "function_call"))
			continue;
		if (k == m->call_count || !id || strlen(m->calls[k].id) > ID_MAX ||
		    !json_flat_is(raw, id, m->calls[k].id))
			return false;
		k++;
	}
	return k == m->call_count;
}

/* Storage is not trusted: a spliced text must be items of this format with the history's contents. */
static bool is_item_list(const struct llm_message *m, const struct json_flat *raw)
{
	return raw->items[0].kind == JSON_FLAT_ARRAY && raw->items[0].next > 1 && calls_match(raw, m);
}

static bool splices(const struct llm_provider *p, struct llm_message *m)
{
	return request_is_own(p, m) && request_raw_fits(m, REQUEST_RAW_ITEMS, is_item_list);
}

/* Appends the items without the brackets of their array. */
static void splice(struct buf *out, const struct llm_message *m)
{
	const char *begin = strchr(m->raw, '[') + 1,
		   *end = memrchr(begin, ']', (size_t)(m->raw + m->raw_count.len - begin));

	buf_add(out, begin, (size_t)(end - begin));
}

/* Appends a string, or parts if there are images. */
static void add_content(struct buf *out, const struct llm_image_input *v, struct llm_message *m)
{
	static const struct llm_image_input_format form = {
	    ",{\"type\":\"input_image\",\"image_url\":\"data:", ";base64,", "\"}"};
	bool shows = llm_image_input_shows(v, m);

	buf_addstr(out, shows ? "[{\"type\":\"input_text\",\"text\":" : "");
	llm_image_input_add_text(out, v, m);
	if (!shows)
		return;
	buf_addch(out, '}');
	llm_image_input_add_images(out, v, m, &form);
	buf_addch(out, ']');
}

static void add_input(struct buf *out, const struct llm_provider *p, const struct llm_image_input *v,
    struct llm_message *m, bool plain)
{
	if (m->role == LLM_USER) {
		buf_addstr(out, "{\"role\":\"user\",\"content\":");
		add_content(out, v, m);
		buf_addch(out, '}');
	} else if (m->role == LLM_TOOL) {
		buf_addstr(out, "{\"type\":\"function_call_output\",\"call_id\":");
		add_id(out, m->call_id);
		buf_addstr(out, ",\"output\":");
		add_content(out, v, m);
		buf_addch(out, '}');
	} else if (!plain && splices(p, m)) {
		splice(out, m);
	} else {
		add_assistant(out, m);
	}
}

static void add_tool(struct buf *out, const struct llm_tool *tool, bool last)
{
	(void)last;
	buf_addstr(out, "{\"type\":\"function\",\"name\":");
	request_add_text(out, tool->name);
	buf_addstr(out, ",\"description\":");
	request_add_text(out, tool->summary);
	buf_addstr(out, ",\"parameters\":");
	buf_addstr(out, tool->schema);
	/* Strict is the default here, and refuses optional parameters. */
	buf_addstr(out, ",\"strict\":false}");
}

static void add_tools(struct buf *out, const struct llm_request *req)
{
	if (req->tool_count == 0)
		return;
	tool_list_add(out, req, add_tool);
	if (req->forbid_tools)
		buf_addstr(out, ",\"tool_choice\":\"none\"");
}

void responses_request(
    struct buf *out, const struct llm_provider *p, const struct llm_request *req, bool plain, bool reasoning)
{
	request_reserve(out, req);
	buf_addstr(out, "{\"model\":");
	request_add_text(out, p->settings.model);
	if (req->system && *req->system) {
		buf_addstr(out, ",\"instructions\":");
		request_add_text(out, req->system);
	}
	add_tools(out, req);
	buf_addstr(out, ",\"input\":[");
	for (size_t i = 0; i < req->history->count; i++) {
		buf_addstr(out, i ? "," : "");
		add_input(out, p, req->view, req->history->messages[i], plain);
	}
	buf_addch(out, ']');
	if (p->settings.max_tokens > 0)
		buf_addf(out, ",\"max_output_tokens\":%lld", (long long)p->settings.max_tokens);
	if (reasoning)
		buf_addstr(out, ",\"include\":[\"reasoning.encrypted_content\"]");
	if (req->session_key) {
		buf_addstr(out, ",\"prompt_cache_key\":");
		request_add_text(out, req->session_key);
	}
	buf_addstr(out, ",\"store\":false,\"stream\":true}");
}
