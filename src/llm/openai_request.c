#include "llm/openai_request.h"

#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "llm/request.h"

#define OPENAI_HOST "https://api.openai.com"
/* Google's documented value for calls that another model made. */
#define NO_SIGNATURE ",\"extra_content\":{\"google\":{\"thought_signature\":\"skip_thought_signature_validator\"}}"

static void add_call(struct buf *out, const struct llm_call *call, enum openai_mend mend)
{
	buf_addstr(out, "{\"id\":");
	request_add_text(out, call->id);
	buf_addstr(out, ",\"type\":\"function\",\"function\":{\"name\":");
	request_add_text(out, call->name);
	buf_addstr(out, ",\"arguments\":");
	request_add_text(out, call->arguments);
	buf_addstr(out, mend == OPENAI_SIGNATURE ? "}" NO_SIGNATURE "}" : "}}");
}

static void add_assistant(struct buf *out, const struct llm_message *m, enum openai_mend mend)
{
	buf_addstr(out, "{\"role\":\"assistant\",\"content\":");
	if (*m->text || m->call_count == 0)
		request_add_text(out, m->text);
	else
		buf_addstr(out, "null");
	if (mend == OPENAI_REASONING)
		buf_addstr(out, ",\"reasoning_content\":\"\"");
	for (size_t i = 0; i < m->call_count; i++) {
		buf_addstr(out, i == 0 ? ",\"tool_calls\":[" : ",");
		add_call(out, &m->calls[i], mend);
	}
	buf_addstr(out, m->call_count > 0 ? "]}" : "}");
}

static bool calls_match(struct json_object *calls, const struct llm_message *m)
{
	size_t count = calls ? json_object_array_length(calls) : 0;
	bool same = count == m->call_count;

	for (size_t i = 0; same && i < count; i++) {
		const char *id = json_get_str(json_object_array_get_idx(calls, i), "id");
		same = id && strcmp(id, m->calls[i].id) == 0;
	}
	return same;
}

/* Storage is not trusted: what is spliced must be a message of this format that says what the history says. */
static bool raw_fits(const struct llm_message *m, enum openai_mend mend)
{
	struct json_object *o = json_parse_object(m->raw, strlen(m->raw), NULL);
	struct json_object *content = json_get(o, "content");
	const char *role = json_get_str(o, "role");
	bool fits = role && strcmp(role, "assistant") == 0 &&
	    (!content || json_object_is_type(content, json_type_string)) &&
	    calls_match(json_get_array(o, "tool_calls"), m);

	if (mend == OPENAI_REASONING)
		fits = fits && json_object_is_type(json_get(o, "reasoning_content"), json_type_string);
	json_object_put(o);
	return fits;
}

/* The provider's own message, with the members that only it understands, goes to nobody else. */
static bool splices(const struct llm_provider *p, const struct llm_message *m, enum openai_mend mend)
{
	if (mend == OPENAI_PLAIN || mend == OPENAI_SIGNATURE)
		return false;
	return request_is_own(p, m) && raw_fits(m, mend);
}

static void add_message(struct buf *out, const struct llm_provider *p, const struct llm_message *m,
    enum openai_mend mend)
{
	if (m->role == LLM_ASSISTANT && splices(p, m, mend)) {
		buf_addstr(out, m->raw);
	} else if (m->role == LLM_ASSISTANT) {
		add_assistant(out, m, mend);
	} else if (m->role == LLM_USER) {
		buf_addstr(out, "{\"role\":\"user\",\"content\":");
		request_add_text(out, m->text);
		buf_addch(out, '}');
	} else {
		buf_addstr(out, "{\"role\":\"tool\",\"tool_call_id\":");
		request_add_text(out, m->call_id);
		buf_addstr(out, ",\"content\":");
		request_add_text(out, m->text);
		buf_addch(out, '}');
	}
}

static void add_messages(struct buf *out, const struct llm_provider *p, const struct llm_request *req,
    enum openai_mend mend)
{
	const char *between = "";

	buf_addstr(out, ",\"messages\":[");
	if (req->system && *req->system) {
		buf_addstr(out, "{\"role\":\"system\",\"content\":");
		request_add_text(out, req->system);
		buf_addch(out, '}');
		between = ",";
	}
	for (size_t i = 0; i < req->history->count; i++, between = ",") {
		buf_addstr(out, between);
		add_message(out, p, req->history->messages[i], mend);
	}
	buf_addch(out, ']');
}

static void add_tools(struct buf *out, const struct llm_request *req)
{
	if (req->tool_count == 0)
		return;
	buf_addstr(out, ",\"tools\":[");
	for (size_t i = 0; i < req->tool_count; i++) {
		buf_addstr(out, i ? "," : "");
		buf_addstr(out, "{\"type\":\"function\",\"function\":{\"name\":");
		request_add_text(out, req->tools[i].name);
		buf_addstr(out, ",\"description\":");
		request_add_text(out, req->tools[i].summary);
		buf_addstr(out, ",\"parameters\":");
		buf_addstr(out, req->tools[i].schema);
		buf_addstr(out, "}}");
	}
	buf_addch(out, ']');
	if (req->forbid_tools)
		buf_addstr(out, ",\"tool_choice\":\"none\"");
}

static bool is_openai(const struct llm_provider *p)
{
	return request_is_host(p, OPENAI_HOST);
}

void openai_request(struct buf *out, const struct llm_provider *p, const struct llm_request *req, enum openai_mend mend)
{
	buf_addstr(out, "{\"model\":");
	request_add_text(out, p->settings.model);
	add_messages(out, p, req, mend);
	add_tools(out, req);
	/* OpenAI's reasoning models refuse max_tokens; most compatible servers know nothing else. */
	if (p->settings.max_tokens > 0)
		buf_addf(out, ",\"%s\":%lld", is_openai(p) ? "max_completion_tokens" : "max_tokens",
		    (long long)p->settings.max_tokens);
	if (req->session_key && is_openai(p)) {
		buf_addstr(out, ",\"prompt_cache_key\":");
		request_add_text(out, req->session_key);
	}
	buf_addstr(out, ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
}

enum openai_mend openai_mend_for(const char *refusal)
{
	if (strcasestr(refusal, "reasoning_content"))
		return OPENAI_REASONING;
	if (strcasestr(refusal, "thought_signature") || strcasestr(refusal, "thought signature"))
		return OPENAI_SIGNATURE;
	return OPENAI_PLAIN;
}
