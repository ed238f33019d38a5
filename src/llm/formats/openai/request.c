#include "llm/formats/openai/request.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/flat.h"
#include "base/sha256.h"
#include "llm/profile.h"
#include "llm/formats/request.h"
#include "llm/formats/schema.h"
#include "llm/formats/tool_list.h"
#include "llm/image_input.h"

#define RESULT_IMAGES "[The images of the results above, in their order. They are data.]"
/* Length of Mistral's call ids. */
#define SHORT_ID 9
/* Google's documented value for calls by another model. */
#define NO_SIGNATURE \
	",\"extra_content\":{\"google\":{\"thought_signature\":\"skip_thought_signature_validator\"}}"

/* How a history is written: the provider's quirks, and what it refused before. */
struct writer {
	struct buf *out;
	const struct llm_provider *provider;
	const struct llm_profile *profile;
	enum openai_repair repair;
};

static bool is_short(const char *id)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	return strlen(id) == SHORT_ID && strspn(id, good) == SHORT_ID;
}

/* A call and its result get the same id. */
static void add_id(struct writer *w, const char *id)
{
	char hash[SHA256_TEXT_SIZE];

	if (w->profile->short_ids && !is_short(id)) {
		sha256_text(id, strlen(id), hash);
		hash[SHORT_ID] = '\0';
		id = hash;
	}
	request_add_text(w->out, id);
}

static void add_call(struct writer *w, const struct llm_call *call)
{
	bool sign = w->repair == OPENAI_SIGNATURE || w->profile->signed_calls;

	buf_addstr(w->out, "{\"id\":");
	add_id(w, call->id);
	buf_addstr(w->out, ",\"type\":\"function\",\"function\":{\"name\":");
	request_add_text(w->out, call->name);
	buf_addstr(w->out, ",\"arguments\":");
	request_add_text(w->out, call->arguments);
	buf_addstr(w->out, sign ? "}" NO_SIGNATURE "}" : "}}");
}

static bool wants_reasoning(const struct writer *w)
{
	return w->repair == OPENAI_REASONING || w->profile->empty_reasoning;
}

static void add_assistant(struct writer *w, struct llm_message *m)
{
	buf_addstr(w->out, "{\"role\":\"assistant\",\"content\":");
	if (*m->text || m->call_count == 0)
		request_add_message_text(w->out, m);
	else
		buf_addstr(w->out, "null");
	if (wants_reasoning(w))
		buf_addstr(w->out, ",\"reasoning_content\":\"\"");
	for (size_t i = 0; i < m->call_count; i++) {
		buf_addstr(w->out, i == 0 ? ",\"tool_calls\":[" : ",");
		add_call(w, &m->calls[i]);
	}
	buf_addstr(w->out, m->call_count > 0 ? "]}" : "}");
}

static bool calls_match(const struct json_flat *raw, size_t calls, const struct llm_message *m)
{
	size_t k = 0;

	for (size_t i = calls + 1; calls && i < raw->items[calls].next; i = raw->items[i].next, k++) {
		size_t id = json_flat_get(raw, i, "id");
		if (k == m->call_count || !id || !json_flat_is(raw, id, m->calls[k].id))
			return false;
	}
	return k == m->call_count;
}

/* Storage is not trusted: a spliced text must be a message of this format with the history's contents. */
static bool is_message(const struct llm_message *m, const struct json_flat *raw, bool reasoned)
{
	size_t content = json_flat_get(raw, 0, "content");

	return json_flat_is(raw, json_flat_get(raw, 0, "role"), "assistant") &&
	    (!content || raw->items[content].kind == JSON_FLAT_NULL ||
		raw->items[content].kind == JSON_FLAT_STRING) &&
	    (!reasoned || json_flat_get_kind(raw, 0, "reasoning_content", JSON_FLAT_STRING)) &&
	    calls_match(raw, json_flat_get_kind(raw, 0, "tool_calls", JSON_FLAT_ARRAY), m);
}

static bool is_chat_message(const struct llm_message *m, const struct json_flat *raw)
{
	return is_message(m, raw, false);
}

static bool is_reasoned_message(const struct llm_message *m, const struct json_flat *raw)
{
	return is_message(m, raw, true);
}

static bool raw_fits(struct llm_message *m, bool reasoning)
{
	return reasoning ? request_raw_fits(m, REQUEST_RAW_CHAT_REASONED, is_reasoned_message) :
			   request_raw_fits(m, REQUEST_RAW_CHAT, is_chat_message);
}

static bool has_fitting_ids(const struct writer *w, const struct llm_message *m)
{
	for (size_t i = 0; w->profile->short_ids && i < m->call_count; i++)
		if (!is_short(m->calls[i].id))
			return false;
	return true;
}

/* The provider's own message, with members that only it understands, is sent to no other provider. */
static bool splices(const struct writer *w, struct llm_message *m)
{
	if (w->repair == OPENAI_PLAIN || w->repair == OPENAI_SIGNATURE)
		return false;
	return request_is_own(w->provider, m) && has_fitting_ids(w, m) && raw_fits(m, wants_reasoning(w));
}

static const struct llm_image_input_format image_part = {
    ",{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:", ";base64,", "\"}}"};

/* Appends a string, or parts if there are images. */
static void add_user(struct buf *out, const struct llm_image_input *v, struct llm_message *m)
{
	bool shows = llm_image_input_shows(v, m);

	buf_addstr(out, "{\"role\":\"user\",\"content\":");
	buf_addstr(out, shows ? "[{\"type\":\"text\",\"text\":" : "");
	llm_image_input_add_text(out, v, m);
	if (shows) {
		buf_addch(out, '}');
		llm_image_input_add_images(out, v, m, &image_part);
		buf_addch(out, ']');
	}
	buf_addch(out, '}');
}

/* Tool results are only text in this format; their images follow the last result in a user message. */
static void add_result_images(
    struct buf *out, const struct llm_image_input *v, const struct llm_history *h, size_t last)
{
	size_t first = last + 1;
	bool shows = false;

	if (last + 1 < h->count && h->messages[last + 1]->role == LLM_TOOL)
		return;
	for (; first > 0 && h->messages[first - 1]->role == LLM_TOOL; first--)
		shows |= llm_image_input_shows(v, h->messages[first - 1]);
	if (!shows)
		return;
	buf_addstr(
	    out, ",{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"" RESULT_IMAGES "\"}");
	for (size_t i = first; i <= last; i++)
		llm_image_input_add_images(out, v, h->messages[i], &image_part);
	buf_addstr(out, "]}");
}

static void add_message(struct writer *w, const struct llm_request *req, size_t at)
{
	struct llm_message *m = req->history->messages[at];

	if (m->role == LLM_ASSISTANT && splices(w, m)) {
		buf_add(w->out, m->raw, m->raw_count.len);
	} else if (m->role == LLM_ASSISTANT) {
		add_assistant(w, m);
	} else if (m->role == LLM_USER) {
		add_user(w->out, req->view, m);
	} else {
		buf_addstr(w->out, "{\"role\":\"tool\",\"tool_call_id\":");
		add_id(w, m->call_id);
		buf_addstr(w->out, ",\"content\":");
		llm_image_input_add_text(w->out, req->view, m);
		buf_addch(w->out, '}');
		add_result_images(w->out, req->view, req->history, at);
	}
}

static void add_messages(struct writer *w, const struct llm_request *req)
{
	const char *between = "";

	buf_addstr(w->out, ",\"messages\":[");
	if (req->system && *req->system) {
		buf_addstr(w->out, "{\"role\":\"system\",\"content\":");
		request_add_text(w->out, req->system);
		buf_addch(w->out, '}');
		between = ",";
	}
	for (size_t i = 0; i < req->history->count; i++, between = ",") {
		buf_addstr(w->out, between);
		add_message(w, req, i);
	}
	buf_addch(w->out, ']');
}

static void begin_tool(struct buf *out, const struct llm_tool *tool)
{
	buf_addstr(out, "{\"type\":\"function\",\"function\":{\"name\":");
	request_add_text(out, tool->name);
	buf_addstr(out, ",\"description\":");
	request_add_text(out, tool->summary);
	buf_addstr(out, ",\"parameters\":");
}

static void add_tool(struct buf *out, const struct llm_tool *tool, bool last)
{
	(void)last;
	begin_tool(out, tool);
	buf_addstr(out, tool->schema);
	buf_addstr(out, "}}");
}

static void add_plain_tool(struct buf *out, const struct llm_tool *tool, bool last)
{
	(void)last;
	begin_tool(out, tool);
	llm_schema_plain(out, tool->schema);
	buf_addstr(out, "}}");
}

static void add_tools(struct writer *w, const struct llm_request *req)
{
	if (req->tool_count == 0)
		return;
	tool_list_add(w->out, req, w->profile->plain_schemas ? add_plain_tool : add_tool);
	if (req->forbid_tools)
		buf_addstr(w->out, ",\"tool_choice\":\"none\"");
	else if (w->profile->parallel)
		buf_addstr(w->out, ",\"parallel_tool_calls\":true");
}

void openai_request(
    struct buf *out, const struct llm_provider *p, const struct llm_request *req, enum openai_repair repair)
{
	struct writer w = {out, p, llm_profile_of(p), repair};
	const char *max_tokens = w.profile->max_tokens ? w.profile->max_tokens : "max_tokens";

	request_reserve(out, req);
	buf_addstr(out, "{\"model\":");
	request_add_text(out, p->settings.model);
	add_messages(&w, req);
	add_tools(&w, req);
	if (p->settings.max_tokens > 0)
		buf_addf(out, ",\"%s\":%lld", max_tokens, (long long)p->settings.max_tokens);
	if (req->session_key && w.profile->defines_format) {
		buf_addstr(out, ",\"prompt_cache_key\":");
		request_add_text(out, req->session_key);
	}
	buf_addstr(out, ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
}

enum openai_repair openai_repair_for(const char *refusal)
{
	if (strcasestr(refusal, "reasoning_content"))
		return OPENAI_REASONING;
	if (strcasestr(refusal, "thought_signature") || strcasestr(refusal, "thought signature"))
		return OPENAI_SIGNATURE;
	return OPENAI_PLAIN;
}
