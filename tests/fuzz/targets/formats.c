/* A stream of events in the format of Anthropic's Messages (a first line "m") or of OpenAI's Responses, line
 * by line. Whatever comes of it can stand in a history: with the results of its calls it is valid, and the
 * requests that are built of it are JSON that holds each of its calls once. */
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
#include "llm/formats/anthropic/answer.h"
#include "llm/formats/anthropic/request.h"
#include "llm/formats/responses/answer.h"
#include "llm/formats/responses/request.h"

static const struct llm_provider provider = {
    .name = (char[]){"main"},
    .settings = {.model = (char[]){"m-1"}, .base_url = (char[]){"https://api.anthropic.com"}},
};

static void hear(void *arg, const char *piece, size_t len)
{
	HOLDS(len > 0 && utf8_valid(piece, len));
	buf_add(arg, piece, len);
}

/* Both formats as one. */
struct format {
	int (*add)(void *answer, struct json_object *o, enum llm_error_class *class, struct error *err);
	bool (*add_piece)(void *answer, const struct json_flat *event, struct buf *scratch);
	bool (*is_same)(const void *a, const void *b);
	int (*finish)(const void *answer, struct llm_answer *out, struct error *err);
	void (*request)(struct buf *out, const struct llm_request *req, bool plain);
};

static int messages_add(void *answer, struct json_object *o, enum llm_error_class *class, struct error *err)
{
	return anthropic_answer_add(answer, o, class, err);
}

static bool messages_add_piece(void *answer, const struct json_flat *event, struct buf *scratch)
{
	return anthropic_answer_add_piece(answer, event, scratch);
}

static bool same_bytes(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static bool messages_same(const void *one, const void *other)
{
	const struct anthropic_answer *a = one, *b = other;
	bool same = same_bytes(&a->text, &b->text) && a->blocks.count == b->blocks.count &&
	    a->begun == b->begun && a->done == b->done;

	for (size_t i = 0; same && i < a->blocks.count; i++)
		same = same_bytes(&a->blocks.items[i].text, &b->blocks.items[i].text) &&
		    same_bytes(&a->blocks.items[i].signature, &b->blocks.items[i].signature) &&
		    a->blocks.items[i].stopped == b->blocks.items[i].stopped;
	return same;
}

static int messages_finish(const void *answer, struct llm_answer *out, struct error *err)
{
	return anthropic_answer_finish(answer, &provider, out, err);
}

static void messages_request(struct buf *out, const struct llm_request *req, bool plain)
{
	anthropic_request(out, &provider, req, plain);
}

static int items_add(void *answer, struct json_object *o, enum llm_error_class *class, struct error *err)
{
	return responses_answer_add(answer, o, class, err);
}

static bool items_add_piece(void *answer, const struct json_flat *event, struct buf *scratch)
{
	return responses_answer_add_piece(answer, event, scratch);
}

static bool items_same(const void *one, const void *other)
{
	const struct responses_answer *a = one, *b = other;

	return same_bytes(&a->text, &b->text) && same_bytes(&a->refusal, &b->refusal) &&
	    strcmp(a->text_item, b->text_item) == 0 && a->begun == b->begun && (a->end) == (b->end) &&
	    json_object_array_length(a->items) == json_object_array_length(b->items);
}

static int items_finish(const void *answer, struct llm_answer *out, struct error *err)
{
	return responses_answer_finish(answer, &provider, out, err);
}

static void items_request(struct buf *out, const struct llm_request *req, bool plain)
{
	responses_request(out, &provider, req, plain, true);
}

static const struct format messages_format = {
    messages_add, messages_add_piece, messages_same, messages_finish, messages_request};
static const struct format items_format = {
    items_add, items_add_piece, items_same, items_finish, items_request};

/* Whether the line is a mere piece, and was taken as one. */
static bool add_piece(const struct format *f, void *answer, const char *line, size_t len)
{
	struct json_flat flat = {0};
	struct buf scratch = BUF_INIT;
	bool taken = json_flat_read(&flat, line, len) && f->add_piece(answer, &flat, &scratch);

	json_flat_clear(&flat);
	buf_clear(&scratch);
	return taken;
}

/* -1: broken off, for a reason. A mere piece changes the answer as it changes trees, which gets all as
 * trees. */
static int read_stream(const struct format *f, void *answer, void *trees, struct fuzz_input *in)
{
	int rc = 0;

	while (in->at < in->end && rc == 0) {
		struct error err = {0};
		enum llm_error_class class = LLM_ERROR_NONE;
		size_t len;
		char *line = fuzz_until(in, '\n', &len);
		struct json_object *o = json_parse(line, len, NULL);
		bool taken = add_piece(f, answer, line, len);
		HOLDS(o || !taken);
		if (o) {
			rc = f->add(trees, o, &class, &err);
			HOLDS(!taken || rc == 0);
		}
		if (o && !taken)
			rc = f->add(answer, o, &class, &err);
		HOLDS(f->is_same(answer, trees));
		HOLDS(rc == 0 || class != LLM_ERROR_NONE);
		if (rc != 0)
			fuzz_hold_sentence(err.text);
		json_object_put(o);
		free(line);
	}
	return rc;
}

static bool is_one_of(struct json_object *o, const char *a, const char *b)
{
	const char *type = json_get_str(o, "type");

	return type && (strcmp(type, a) == 0 || strcmp(type, b) == 0);
}

/* Calls and results in a body: items of the one format, blocks of the messages of the other. */
static void count_parts(struct json_object *list, size_t *calls, size_t *results)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i),
				   *blocks = json_get_array(o, "content");
		*calls += is_one_of(o, "function_call", "tool_use");
		*results += is_one_of(o, "function_call_output", "tool_result");
		/* An item of the other format that holds blocks is what a provider made of it. */
		if (blocks && !json_get_str(o, "type"))
			count_parts(blocks, calls, results);
	}
}

static void check_request(const struct format *f, const struct llm_history *h, bool plain)
{
	static const struct llm_tool tools[] = {
	    {.name = "read_file", .summary = "Reads.", .schema = "{\"type\":\"object\"}"}};
	const struct llm_request req = {
	    .system = "be kind", .history = h, .tools = tools, .tool_count = 1, .session_key = "k"};
	struct buf body = BUF_INIT;
	size_t calls = 0, results = 0;

	f->request(&body, &req, plain);
	HOLDS(strlen(body.data) == body.len);
	struct json_object *o = fuzz_hold_json(body.data);
	count_parts(
	    json_get(o, "messages") ? json_get(o, "messages") : json_get(o, "input"), &calls, &results);
	HOLDS(calls == h->messages[1]->call_count && results == calls);
	json_object_put(o);
	buf_clear(&body);
}

static void check_history(const struct llm_message *m)
{
	struct llm_history h;
	struct error err = {0};

	llm_history_init(&h);
	llm_history_add(&h, llm_message_new(LLM_USER, "hello"));
	llm_history_add(&h, llm_message_copy(m));
	for (size_t i = 0; i < m->call_count; i++) {
		struct llm_message *result = llm_message_new(LLM_TOOL, "{}");
		result->call_id = xstrdup(m->calls[i].id);
		llm_history_add(&h, result);
	}
	llm_history_add(&h, llm_message_new(LLM_USER, "go on"));
	HOLDS(llm_history_validate(&h, SIZE_MAX, &err) == 0);
	for (int plain = 0; plain < 2; plain++) {
		check_request(&messages_format, &h, plain);
		check_request(&items_format, &h, plain);
	}
	llm_history_clear(&h);
}

static void check_answer(const struct llm_answer *answer, const struct buf *said)
{
	const struct llm_message *m = answer->message;

	HOLDS(m && m->role == LLM_ASSISTANT && answer->error_class == LLM_ERROR_NONE);
	HOLDS(answer->finish == LLM_FINISH_LENGTH ||
	    (answer->finish == LLM_FINISH_CALLS) == (m->call_count > 0));
	HOLDS(said->data[strspn(said->data, " \t\r\n")] == '\0' || strcmp(m->text, said->data) == 0);
	HOLDS((m->raw != NULL) == (m->text[0] != '\0' || m->call_count > 0));
	fuzz_hold_calls(m);
	if (m->raw)
		check_history(m);
}

void fuzz_formats(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct buf said = BUF_INIT;
	const struct llm_sink sink = {.text = hear, .arg = &said};
	struct anthropic_answer messages, message_trees;
	struct responses_answer items, item_trees;
	struct llm_answer answer = {0};
	struct error err = {0};
	size_t len;
	char *first = fuzz_until(&in, '\n', &len);
	bool is_messages = strcmp(first, "m") == 0;
	const struct format *f = is_messages ? &messages_format : &items_format;
	void *into = is_messages ? (void *)&messages : (void *)&items;
	void *trees = is_messages ? (void *)&message_trees : (void *)&item_trees;

	/* Ids that the server did not give are random: the same ones in every run. */
	clock_fake(1700000000000, 1);
	anthropic_answer_init(&messages, &sink);
	responses_answer_init(&items, &sink);
	anthropic_answer_init(&message_trees, NULL);
	responses_answer_init(&item_trees, NULL);
	if (read_stream(f, into, trees, &in) == 0) {
		if (f->finish(into, &answer, &err) == 0) {
			check_answer(&answer, &said);
		} else {
			HOLDS(answer.error_class != LLM_ERROR_NONE && !answer.message);
			fuzz_hold_sentence(err.text);
		}
	}
	llm_answer_clear(&answer);
	anthropic_answer_clear(&messages);
	responses_answer_clear(&items);
	anthropic_answer_clear(&message_trees);
	responses_answer_clear(&item_trees);
	buf_clear(&said);
	free(first);
}

FUZZ_PROGRAM(fuzz_formats)
