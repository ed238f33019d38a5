/* A stream of chunks in the Chat Completions format, line by line. Whatever comes of it can stand in a
 * history: with the results of its calls it is valid, and the request that is built of it says the same. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "llm/formats/openai/answer.h"
#include "llm/formats/openai/request.h"
#include "llm/formats/surrogate.h"

static const struct llm_provider provider = {
    .name = (char[]){"main"},
    .settings = {.model = (char[]){"m-1"}, .base_url = (char[]){"https://api.openai.com/v1"}},
};
static const struct llm_provider other = {
    .name = (char[]){"other"},
    .settings = {.model = (char[]){"m-2"}, .base_url = (char[]){"http://127.0.0.1:1/v1"}, .max_tokens = 9},
};

static void hear(void *arg, const char *piece, size_t len)
{
	HOLDS(len > 0 && utf8_valid(piece, len));
	buf_add(arg, piece, len);
}

/* Whether the line is a mere piece, and was taken as one. */
static bool add_piece(struct openai_answer *a, const struct buf *line)
{
	struct json_flat f = {0};
	struct buf scratch = BUF_INIT;
	bool taken = json_flat_read(&f, line->data, line->len) && openai_answer_add_piece(a, &f, &scratch);

	json_flat_clear(&f);
	buf_clear(&scratch);
	return taken;
}

static bool is_same(const struct openai_answer *a, const struct openai_answer *b)
{
	return a->text.len == b->text.len && memcmp(a->text.data, b->text.data, a->text.len) == 0 &&
	    a->refusal.len == b->refusal.len && a->calls.count == b->calls.count &&
	    a->extras.count == b->extras.count && strcmp(a->finish_reason, b->finish_reason) == 0 &&
	    a->begun == b->begun && a->done == b->done && memcmp(&a->usage, &b->usage, sizeof(a->usage)) == 0;
}

/* One line, as the reader of the stream takes it: raw control characters and bad bytes are forgiven. What is
 * a mere piece changes the answer as it changes one that gets all as trees. -1: given up. */
static int add_line(struct openai_answer *a, struct openai_answer *trees, struct surrogate *half,
    const char *line, size_t len)
{
	struct buf joined = BUF_INIT, clean = BUF_INIT;
	struct error err = {0};
	struct json_object *o;
	int rc = -1;

	surrogate_join(half, line, len, &joined);
	HOLDS(joined.len <= len + 6);
	bool taken = add_piece(a, &joined);
	o = json_parse(joined.data, joined.len, NULL);
	HOLDS(o || !taken);
	utf8_sanitize(&clean, joined.data, joined.len);
	if (!o)
		o = json_parse(clean.data, clean.len, NULL);
	if (o) {
		int tree_rc = openai_answer_add(trees, o, NULL);
		HOLDS(!taken || tree_rc == 0);
	}
	if (taken)
		rc = 0;
	else if (o) {
		rc = openai_answer_add(a, o, &err);
		HOLDS(rc == 0 || a->error_class != LLM_ERROR_NONE);
		if (rc != 0)
			fuzz_hold_sentence(err.text);
	}
	HOLDS(is_same(a, trees));
	json_object_put(o);
	buf_clear(&joined);
	buf_clear(&clean);
	return rc;
}

/* -1: broken off. */
static int read_stream(struct openai_answer *a, struct fuzz_input *in)
{
	struct openai_answer trees;
	struct surrogate half = {""};
	int rc = 0;

	openai_answer_init(&trees, NULL);
	while (in->at < in->end && rc == 0 && !a->done) {
		size_t len;
		char *line = fuzz_until(in, '\n', &len);

		if (strcmp(line, "[DONE]") == 0)
			a->done = trees.done = true;
		else if (len > 0)
			rc = add_line(a, &trees, &half, line, len);
		free(line);
	}
	openai_answer_clear(&trees);
	return rc;
}

static void check_answer(const struct llm_answer *answer, const struct buf *said)
{
	const struct llm_message *m = answer->message;
	bool said_blank = said->data[strspn(said->data, " \t\r\n")] == '\0';

	HOLDS(m && m->role == LLM_ASSISTANT && answer->error_class == LLM_ERROR_NONE);
	HOLDS(strcmp(m->provider, provider.name) == 0 && strcmp(m->model, provider.settings.model) == 0);
	HOLDS(answer->finish == LLM_FINISH_LENGTH ||
	    (answer->finish == LLM_FINISH_CALLS) == (m->call_count > 0));
	HOLDS(said_blank || strcmp(m->text, said->data) == 0);
	HOLDS((m->raw != NULL) == (m->text[0] != '\0' || m->call_count > 0));
	fuzz_hold_calls(m);
}

/* A history in which it stands, with a result for each of its calls. */
static void build_history(struct llm_history *h, const struct llm_message *m)
{
	llm_history_init(h);
	llm_history_add(h, llm_message_new(LLM_USER, "hello"));
	llm_history_add(h, llm_message_copy(m));
	for (size_t i = 0; i < m->call_count; i++) {
		struct llm_message *result = llm_message_new(LLM_TOOL, "{}");

		result->call_id = xstrdup(m->calls[i].id);
		llm_history_add(h, result);
	}
	llm_history_add(h, llm_message_new(LLM_USER, "go on"));
}

static void check_message(struct json_object *o, const struct llm_message *m)
{
	struct json_object *calls = json_get_array(o, "tool_calls");
	const char *content = json_get_str(o, "content");

	HOLDS(strcmp(json_get_str(o, "role"), "assistant") == 0);
	HOLDS(strcmp(content ? content : "", m->text) == 0);
	HOLDS((calls ? json_object_array_length(calls) : 0) == m->call_count);
	for (size_t i = 0; i < m->call_count; i++) {
		struct json_object *call = json_object_array_get_idx(calls, i);
		struct json_object *function = json_get_object(call, "function");

		HOLDS(strcmp(json_get_str(call, "id"), m->calls[i].id) == 0);
		HOLDS(strcmp(json_get_str(function, "name"), m->calls[i].name) == 0);
		HOLDS(strcmp(json_get_str(function, "arguments"), m->calls[i].arguments) == 0);
	}
}

static void check_request(const struct llm_history *h, const struct llm_provider *p, enum openai_repair mend)
{
	static const struct llm_tool tools[] = {
	    {.name = "read_file", .summary = "Reads.", .schema = "{\"type\":\"object\"}"}};
	const struct llm_request req = {
	    .system = "be kind", .history = h, .tools = tools, .tool_count = 1, .session_key = "k"};
	struct buf body = BUF_INIT;
	struct json_object *o, *messages;

	openai_request(&body, p, &req, mend);
	HOLDS(strlen(body.data) == body.len);
	o = fuzz_hold_json(body.data);
	messages = json_get_array(o, "messages");
	HOLDS(messages && json_object_array_length(messages) == h->count + 1);
	check_message(json_object_array_get_idx(messages, 2), h->messages[1]);
	json_object_put(o);
	buf_clear(&body);
}

/* Taken as the whole answer of a server, the raw message says what the history says. */
static void check_raw(const struct llm_message *m)
{
	struct json_object *o = json_object_new_object(), *choices = json_object_new_array(),
			   *choice = json_object_new_object();
	struct llm_answer again = {0};
	struct openai_answer a;

	json_set(choice, "message", fuzz_hold_json(m->raw));
	json_object_array_add(choices, choice);
	json_set(o, "choices", choices);
	openai_answer_init(&a, NULL);
	HOLDS(openai_answer_add(&a, o, NULL) == 0);
	a.done = true;
	/* Text that looks like a call is a failure of its own, which calls beside it had covered. */
	if (openai_answer_finish(&a, &provider, &again, NULL) == 0) {
		HOLDS(strcmp(again.message->text, m->text) == 0);
		HOLDS(again.message->call_count == m->call_count);
		for (size_t i = 0; i < m->call_count; i++)
			HOLDS(strcmp(again.message->calls[i].arguments, m->calls[i].arguments) == 0);
	}
	llm_answer_clear(&again);
	openai_answer_clear(&a);
	json_object_put(o);
}

static void check_history(const struct llm_message *m)
{
	static const enum openai_repair mends[] = {
	    OPENAI_AS_IS, OPENAI_PLAIN, OPENAI_REASONING, OPENAI_SIGNATURE};
	struct llm_history h;
	struct error err = {0};

	build_history(&h, m);
	HOLDS(llm_history_validate(&h, SIZE_MAX, &err) == 0);
	HOLDS(llm_history_repair(&h) == 0);
	for (size_t i = 0; i < ARRAY_LEN(mends); i++) {
		check_request(&h, &provider, mends[i]);
		check_request(&h, &other, mends[i]);
	}
	llm_history_clear(&h);
}

void fuzz_openai(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct buf said = BUF_INIT;
	const struct llm_sink sink = {.text = hear, .arg = &said};
	struct llm_answer answer = {0};
	struct openai_answer a;
	struct error err = {0};

	/* Ids that the server did not give are random: the same ones in every run. */
	clock_fake(1700000000000, 1);
	openai_answer_init(&a, &sink);
	if (read_stream(&a, &in) == 0) {
		if (openai_answer_finish(&a, &provider, &answer, &err) == 0) {
			check_answer(&answer, &said);
			if (answer.message->raw) {
				check_raw(answer.message);
				check_history(answer.message);
			}
		} else {
			HOLDS(answer.error_class != LLM_ERROR_NONE && !answer.message);
			fuzz_hold_sentence(err.text);
		}
	}
	llm_answer_clear(&answer);
	openai_answer_clear(&a);
	buf_clear(&said);
}

FUZZ_PROGRAM(fuzz_openai)
