/* Pieces of a text, which are read without a tree: taken or not, an answer is as if all had come as trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/mem.h"
#include "llm/formats/anthropic/answer.h"
#include "llm/formats/openai/answer.h"
#include "llm/formats/responses/answer.h"

struct event {
	const char *json;
	bool taken;
};

struct answer {
	struct openai_answer chat;
	struct anthropic_answer messages;
	struct responses_answer responses;
	struct llm_sink sink;
	struct buf said;
};

/* One format: its readers, on the part of an answer that is its own. */
struct format {
	bool (*add_piece)(struct answer *a, const struct json_flat *f, struct buf *scratch);
	int (*add)(struct answer *a, struct json_object *o);
	const struct buf *(*text)(const struct answer *a);
};

static bool chat_piece(struct answer *a, const struct json_flat *f, struct buf *scratch)
{
	return openai_answer_add_piece(&a->chat, f, scratch);
}

static int chat_add(struct answer *a, struct json_object *o)
{
	return openai_answer_add(&a->chat, o, NULL);
}

static const struct buf *chat_text(const struct answer *a)
{
	return &a->chat.text;
}

static bool messages_piece(struct answer *a, const struct json_flat *f, struct buf *scratch)
{
	return anthropic_answer_add_piece(&a->messages, f, scratch);
}

static int messages_add(struct answer *a, struct json_object *o)
{
	enum llm_error_class class;

	return anthropic_answer_add(&a->messages, o, &class, NULL);
}

static const struct buf *messages_text(const struct answer *a)
{
	return &a->messages.text;
}

static bool responses_piece(struct answer *a, const struct json_flat *f, struct buf *scratch)
{
	return responses_answer_add_piece(&a->responses, f, scratch);
}

static int responses_add(struct answer *a, struct json_object *o)
{
	enum llm_error_class class;

	return responses_answer_add(&a->responses, o, &class, NULL);
}

static const struct buf *responses_text(const struct answer *a)
{
	return &a->responses.text;
}

static const struct format chat = {chat_piece, chat_add, chat_text},
			   messages = {messages_piece, messages_add, messages_text},
			   responses = {responses_piece, responses_add, responses_text};

static void hear(void *arg, const char *piece, size_t len)
{
	buf_add(arg, piece, len);
}

static void begin(struct answer *a)
{
	buf_init(&a->said);
	a->sink = (struct llm_sink){.text = hear, .arg = &a->said};
	openai_answer_init(&a->chat, &a->sink);
	anthropic_answer_init(&a->messages, &a->sink);
	responses_answer_init(&a->responses, &a->sink);
}

static void end(struct answer *a)
{
	openai_answer_clear(&a->chat);
	anthropic_answer_clear(&a->messages);
	responses_answer_clear(&a->responses);
	buf_clear(&a->said);
}

static void read_event(const struct format *f, struct answer *a, struct answer *trees, const struct event *e)
{
	struct json_object *o = json_parse(e->json, strlen(e->json), NULL);
	struct json_flat flat = {0};
	struct buf scratch = BUF_INIT;
	bool taken = json_flat_read(&flat, e->json, strlen(e->json)) && f->add_piece(a, &flat, &scratch);

	if (!o || taken != e->taken)
		fail_msg("%s: %s", e->json, o ? taken ? "taken" : "not taken" : "no JSON");
	int rc = f->add(trees, o);
	if (!taken)
		assert_int_equal(f->add(a, o), rc);
	else
		assert_int_equal(rc, 0);
	assert_string_equal(f->text(a)->data, f->text(trees)->data);
	assert_string_equal(a->said.data, trees->said.data);
	assert_int_equal(a->chat.begun, trees->chat.begun);
	assert_string_equal(a->chat.finish_reason, trees->chat.finish_reason);
	assert_memory_equal(&a->chat.usage, &trees->chat.usage, sizeof(a->chat.usage));
	json_flat_clear(&flat);
	buf_clear(&scratch);
	json_object_put(o);
}

static void read_all(const struct format *f, const struct event *events, size_t count, const char *text)
{
	struct answer a, trees;

	begin(&a);
	begin(&trees);
	for (size_t i = 0; i < count; i++)
		read_event(f, &a, &trees, &events[i]);
	assert_string_equal(a.said.data, text);
	end(&a);
	end(&trees);
}

#define LONG "a reason that is longer than what is kept of it, which is sixty-three bytes"
#define CHUNK(delta)                                                                               \
	"{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"obfuscation\":\"x\",\"usage\":null," \
	"\"choices\":[{\"index\":0,\"delta\":" delta ",\"finish_reason\":null}]}"

static void pieces_of_chat_completions(void **state)
{
	static const struct event events[] = {
	    {CHUNK("{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}"), true},
	    {CHUNK("{\"content\":\"Za\\u017c\\u00f3\\u0142\\u0107 \\ud83c\\udf27\\n\"}"), true},
	    {CHUNK("{\"content\":\"a\\u0000b\x7f\"}"), true},
	    {CHUNK("{\"con\\u0074ent\":\"c\"}"), true},
	    {CHUNK("{\"content\":\"\\ud800\"}"), false},
	    {CHUNK("{\"content\":\"x\",\"content\":\"y\"}"), true},
	    {CHUNK("{\"content\":\"x\",\"content\":null}"), true},
	    {CHUNK("{\"content\":[{\"type\":\"text\",\"text\":\"z\"}]}"), false},
	    {CHUNK("{\"content\":\"1\",\"reasoning_content\":\"hm\"}"), false},
	    {CHUNK("{\"content\":\"2\",\"refusal\":\"no\"}"), false},
	    {CHUNK("{\"content\":\"3\",\"tool_calls\":[{\"index\":0,\"id\":\"a\"}]}"), false},
	    {CHUNK("{\"content\":7}"), false},
	    {CHUNK("{}"), true},
	    {CHUNK("null"), false},
	    {"{\"choices\":[{\"delta\":{\"content\":\"4\"},\"finish_reason\":\"\"}]}", true},
	    {"{\"choices\":[{\"delta\":{\"content\":\"5\"},\"finish_reason\":\"stop\"}]}", true},
	    {"{\"choices\":[{\"delta\":{},\"finish_reason\":\"l\\u0065ngth\"}]}", false},
	    {"{\"choices\":[{\"delta\":{},\"finish_reason\":7}]}", false},
	    {"{\"choices\":[{\"delta\":{\"role\":\"assistant\"},\"finish_reason\":\"" LONG "\"}]}", true},
	    {"{\"choices\":[{\"message\":{\"content\":\"6\"}}]}", false},
	    {"{\"choices\":[{\"delta\":{\"content\":\"7\"}}],\"usage\":{\"prompt_tokens\":3}}", true},
	    {"{\"choices\":[],\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":5,\"prompt_cache_hit_"
	     "tokens\":1,"
	     "\"prompt_tokens_details\":{\"cached_tokens\":2}}}",
		true},
	    {"{\"choices\":[],\"usage\":{\"prompt_tokens\":-1,\"completion_tokens\":1000000001,"
	     "\"prompt_cache_hit_tokens\":6.0,\"prompt_tokens_details\":[{\"cached_tokens\":7}]}}",
		true},
	    {"{\"choices\":[],\"usage\":{\"prompt_tokens\":18446744073709551615,\"completion_tokens\":\"8\","
	     "\"prompt_cache_hit_tokens\":1000000000,\"prompt_tokens_details\":null}}",
		true},
	    {"{\"choices\":[],\"usage\":[]}", false},
	    {"{\"choices\":[null],\"usage\":{\"prompt_tokens\":3}}", false},
	    {"{\"choices\":{},\"usage\":{\"prompt_tokens\":3}}", false},
	    {"{\"usage\":{\"prompt_tokens\":3}}", false},
	    {"{\"choices\":[{\"delta\":{\"content\":\"8\"}}],\"error\":\"overloaded\"}", false},
	    {"{\"choices\":[{\"delta\":{\"content\":\"9\"},\"error\":{\"message\":\"m\"}}]}", false},
	    {"{\"choices\":[{\"delta\":{\"content\":\"9\"}}],\"object\":\"err\\u006fr\"}", false},
	    {"[{\"error\":{\"message\":\"m\"}}]", false},
	};

	(void)state;
	read_all(&chat, events, ARRAY_LEN(events),
	    "Za\xc5\xbc\xc3\xb3\xc5\x82\xc4\x87 \xf0\x9f\x8c\xa7\nabc\xef\xbf\xbdyz1234567");
}

#define DELTA(index, delta) "{\"type\":\"content_block_delta\",\"index\":" index ",\"delta\":" delta "}"

static void pieces_of_messages(void **state)
{
	static const struct event events[] = {
	    {DELTA("0", "{\"type\":\"text_delta\",\"text\":\"early\"}"), false},
	    {"{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\","
	     "\"thinking\":\"\"}}",
		false},
	    {DELTA("0", "{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}"), true},
	    {DELTA("0", "{\"type\":\"signature_delta\",\"signature\":\"s\"}"), false},
	    {DELTA("0", "{\"type\":\"text_delta\",\"text\":\"of another kind\"}"), false},
	    {"{\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":"
	     "\"a\"}}",
		false},
	    {DELTA("1", "{\"type\":\"text_delta\",\"text\":\"b\\\"\"}"), true},
	    {DELTA("1", "{\"type\":\"text_delta\",\"text\":\"c\",\"more\":{}}"), true},
	    {DELTA("1.0", "{\"type\":\"text_delta\",\"text\":\"nowhere\"}"), false},
	    {DELTA("1", "{\"type\":\"text_delta\",\"text\":7}"), false},
	    {DELTA("1", "{\"type\":\"text_delta\"}"), false},
	    {DELTA("1", "\"text_delta\""), false},
	    {"{\"type\":\"content_block_stop\",\"index\":1}", false},
	    {DELTA("1", "{\"type\":\"text_delta\",\"text\":\"late\"}"), false},
	    {"{\"type\":\"content_block_delta\",\"index\":0,\"error\":{},\"delta\":{\"type\":\"thinking_"
	     "delta\",\"thinking\":\"x\"}}",
		false},
	    {"{\"type\":\"ping\"}", false},
	};

	(void)state;
	read_all(&messages, events, ARRAY_LEN(events), "ab\"c");
}

#define TEXT(item, delta)                                                                  \
	"{\"type\":\"response.output_text.delta\",\"sequence_number\":4,\"item_id\":" item \
	",\"output_index\":0,\"delta\":" delta "}"

static void pieces_of_responses(void **state)
{
	static const struct event events[] = {
	    {"{\"type\":\"response.created\",\"response\":{\"object\":\"response\"}}", false},
	    {TEXT("\"i1\"", "\"a\""), false},
	    {TEXT("\"i1\"", "\"b\\n\""), true},
	    {TEXT("\"i2\"", "\"c\""), false},
	    {TEXT("\"i2\"", "\"d\""), true},
	    {TEXT("\"i\\u0032\"", "\"e\""), true},
	    {TEXT("null", "\"f\""), false},
	    {TEXT("\"i2\"", "8"), false},
	    {"{\"type\":\"response.output_text.delta\",\"item_id\":\"i2\",\"delta\":\"x\",\"error\":"
	     "\"overloaded\"}",
		false},
	    {"{\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"i2\",\"delta\":\"{\"}",
		false},
	    {"{\"type\":\"response.output_text.delta\",\"object\":\"response\",\"item_id\":\"i2\",\"delta\":"
	     "\"g\"}",
		false},
	};

	(void)state;
	read_all(&responses, events, ARRAY_LEN(events), "ab\n\n\ncdefg");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pieces_of_chat_completions),
	    cmocka_unit_test(pieces_of_messages),
	    cmocka_unit_test(pieces_of_responses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
