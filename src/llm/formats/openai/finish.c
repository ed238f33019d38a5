#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/arguments.h"
#include "llm/formats/assistant_message.h"
#include "llm/formats/openai/answer.h"

/* The finish reasons that matter. All others ("stop", "tool_calls", "function_call", "eos", none) are not
 * trusted: the contents decide between calls and a final answer. Some servers add details after a colon. */
static const struct ending {
	const char *reason;
	enum llm_finish finish;
	enum llm_error_class failure;
} endings[] = {
    {"content_filter", LLM_FINISH_REFUSED, LLM_ERROR_NONE},
    {"error", LLM_FINISH_STOP, LLM_ERROR_TRANSIENT},                         /* OpenRouter */
    {"function_call_filter", LLM_FINISH_STOP, LLM_ERROR_MODEL_OUTPUT},       /* Gemini */
    {"insufficient_system_resource", LLM_FINISH_STOP, LLM_ERROR_OVERLOADED}, /* DeepSeek */
    {"length", LLM_FINISH_LENGTH, LLM_ERROR_NONE},
    {"malformed_function_call", LLM_FINISH_STOP, LLM_ERROR_MODEL_OUTPUT}, /* Gemini */
    {"max_tokens", LLM_FINISH_LENGTH, LLM_ERROR_NONE},
    {"model_context_window_exceeded", LLM_FINISH_LENGTH, LLM_ERROR_NONE},
    {"model_length", LLM_FINISH_LENGTH, LLM_ERROR_NONE},     /* Mistral */
    {"network_error", LLM_FINISH_STOP, LLM_ERROR_TRANSIENT}, /* Z.ai */
    {"refusal", LLM_FINISH_REFUSED, LLM_ERROR_NONE},
    {"sensitive", LLM_FINISH_REFUSED, LLM_ERROR_NONE}, /* Z.ai */
};

static const struct ending *ending_of(const char *reason)
{
	static const struct ending other = {"", LLM_FINISH_STOP, LLM_ERROR_NONE};

	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		size_t len = strlen(endings[i].reason);
		if (strncasecmp(reason, endings[i].reason, len) == 0 &&
		    (reason[len] == '\0' || reason[len] == ':'))
			return &endings[i];
	}
	return &other;
}

static bool is_blank(const struct buf *b)
{
	return strspn(b->data, " \t\r\n") == b->len;
}

/* A call that the server did not recognise: the chat template and its parser do not match. */
static bool is_call_as_text(const struct buf *text)
{
	static const char *const marks[] = {
	    "<tool_call>", "<function=", "<|tool_call", "<|python_tag|>", "[TOOL_CALLS]"};
	const char *begin = text->data + strspn(text->data, " \t\r\n");

	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (strncmp(begin, marks[i], strlen(marks[i])) == 0)
			return true;
	return false;
}

/* A call sent by mistake: neither a name nor arguments arrived. */
static bool is_empty(const struct openai_call *c)
{
	return is_blank(&c->name) && is_blank(&c->arguments);
}

static size_t count_calls(const struct openai_answer *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->calls.count; i++)
		n += !is_empty(&a->calls.items[i]);
	return n;
}

/* Does the text lack its last brackets only? A model that says that it made calls may have written it so. */
static bool lacks_brackets(const struct buf *arguments)
{
	struct buf whole = BUF_INIT, missing = BUF_INIT;
	bool quoted = false;

	for (const char *p = arguments->data; *p; p++) {
		if (*p == '\\' && quoted && p[1])
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (!quoted && (*p == '{' || *p == '['))
			buf_addch(&missing, *p == '{' ? '}' : ']');
		else if (!quoted && (*p == '}' || *p == ']') && missing.len > 0)
			buf_truncate(&missing, missing.len - 1);
	}
	buf_add(&whole, arguments->data, arguments->len);
	for (size_t i = missing.len; i > 0; i--)
		buf_addch(&whole, missing.data[i - 1]);
	struct json_object *o = quoted ? NULL : json_parse_foreign(whole.data, whole.len, NULL);
	bool rc = o != NULL;
	json_object_put(o);
	buf_clear(&whole);
	buf_clear(&missing);
	return rc;
}

/* Routers rewrite the reason, but incomplete arguments show that the answer was cut off. */
static bool is_torn(const struct openai_call *c)
{
	size_t end = c->arguments.len;
	char *arguments = llm_arguments_read(c->arguments.data, c->arguments.len, true);
	bool understood = arguments;

	free(arguments);
	while (end > 0 && strchr(" \t\r\n", c->arguments.data[end - 1]))
		end--;
	return !understood && end > 0 && c->arguments.data[end - 1] != '}';
}

static bool is_cut_off(const struct openai_answer *a)
{
	bool says_calls = strcmp(a->finish_reason, "tool_calls") == 0;

	for (size_t i = 0; i < a->calls.count; i++)
		if (is_torn(&a->calls.items[i]) &&
		    !(says_calls && lacks_brackets(&a->calls.items[i].arguments)))
			return true;
	return ending_of(a->finish_reason)->finish == LLM_FINISH_LENGTH;
}

static void build_call(struct llm_message *m, const struct openai_call *c, bool cut)
{
	llm_assistant_message_add_call(m,
	    &(struct llm_raw_call){.id = c->id.data,
		.prefix = "call_",
		.name = c->name.data,
		.arguments = c->arguments.data,
		.len = c->arguments.len,
		.cut = cut});
}

static struct json_object *raw_call(const struct llm_call *call, const struct openai_call *from)
{
	struct json_object *o = json_object_new_object(), *function = json_object_new_object();

	json_set_str(o, "id", call->id);
	json_set_str(o, "type", "function");
	json_set_str(function, "name", call->name);
	json_set_str(function, "arguments", call->arguments);
	openai_extras_put(&from->function_extras, function);
	json_set(o, "function", function);
	openai_extras_put(&from->extras, o);
	return o;
}

static char *raw_text(const char *said)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{\"role\":\"assistant\",\"content\":");
	json_quote(&out, said, strlen(said));
	buf_addch(&out, '}');
	return buf_take(&out);
}

/* The message as the provider would have sent it without streaming, with the members that it expects back. */
static char *raw_message(const struct openai_answer *a, const struct llm_message *m)
{
	if (*m->text && m->call_count == 0 && a->extras.count == 0)
		return raw_text(m->text);
	struct json_object *o = json_object_new_object(), *calls = json_object_new_array();
	char *text;

	json_set_str(o, "role", "assistant");
	json_set(o, "content", NULL);
	if (*m->text)
		json_set_str(o, "content", m->text);
	openai_extras_put(&a->extras, o);
	for (size_t i = 0, k = 0; i < a->calls.count && k < m->call_count; i++)
		if (!is_empty(&a->calls.items[i]))
			json_object_array_add(calls, raw_call(&m->calls[k++], &a->calls.items[i]));
	if (m->call_count > 0)
		json_set(o, "tool_calls", json_object_get(calls));
	json_object_put(calls);
	text = json_text(o);
	json_object_put(o);
	return text;
}

static struct llm_message *build_message(
    const struct openai_answer *a, const struct llm_provider *p, const struct llm_answer *out)
{
	const struct buf *text =
	    is_blank(&a->text) && out->finish == LLM_FINISH_REFUSED ? &a->refusal : &a->text;
	struct llm_message *m = llm_assistant_message(p, text->data);

	for (size_t i = 0; i < a->calls.count && out->finish != LLM_FINISH_REFUSED; i++)
		if (!is_empty(&a->calls.items[i]))
			build_call(m, &a->calls.items[i], out->finish == LLM_FINISH_LENGTH);
	/* The answer is empty: the caller that stores it substitutes a text. */
	if (*m->text || m->call_count > 0)
		llm_message_set_raw(m, raw_message(a, m));
	return m;
}

static enum llm_finish finish_of(const struct openai_answer *a)
{
	if (ending_of(a->finish_reason)->finish == LLM_FINISH_REFUSED)
		return LLM_FINISH_REFUSED;
	if (is_cut_off(a))
		return LLM_FINISH_LENGTH;
	if (count_calls(a) > 0)
		return LLM_FINISH_CALLS;
	return !is_blank(&a->refusal) && is_blank(&a->text) ? LLM_FINISH_REFUSED : LLM_FINISH_STOP;
}

/* Returns why there is no usable answer; LLM_ERROR_NONE when there is one. */
static enum llm_error_class failure_of(const struct openai_answer *a, struct error *err)
{
	const struct ending *ending = ending_of(a->finish_reason);
	bool silent = is_blank(&a->text) && count_calls(a) == 0;

	if (!openai_answer_is_complete(a)) {
		error_set(err, ERROR_NETWORK, "the answer broke off %s",
		    a->begun ? "in the middle" : "before it began");
		return LLM_ERROR_TRANSIENT;
	}
	if (ending->failure != LLM_ERROR_NONE) {
		error_set(err, ERROR_NETWORK, "the answer ended with the reason \"%s\"", a->finish_reason);
		return ending->failure;
	}
	if (silent && ending->finish == LLM_FINISH_REFUSED && is_blank(&a->refusal)) {
		error_set(err, ERROR_REFUSED, "the answer was withheld (%s)", a->finish_reason);
		return LLM_ERROR_REFUSAL;
	}
	if (silent && !*a->finish_reason && is_blank(&a->refusal)) {
		error_set(err, ERROR_REFUSED, "the answer ended before anything was said");
		return LLM_ERROR_MODEL_OUTPUT;
	}
	if (count_calls(a) == 0 && is_call_as_text(&a->text)) {
		error_set(err, ERROR_REFUSED,
		    "the model wrote a call as text: the server's tool parser does not fit the model");
		return LLM_ERROR_MODEL_OUTPUT;
	}
	return LLM_ERROR_NONE;
}

int openai_answer_finish(
    const struct openai_answer *a, const struct llm_provider *p, struct llm_answer *out, struct error *err)
{
	out->usage = a->usage;
	out->error_class = failure_of(a, err);
	if (out->error_class != LLM_ERROR_NONE)
		return -1;
	out->finish = finish_of(a);
	out->message = build_message(a, p, out);
	return 0;
}
