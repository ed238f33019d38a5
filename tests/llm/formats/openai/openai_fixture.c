#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "llm/formats/openai/openai_fixture.h"
#include "llm/formats/openai/answer.h"

static const struct llm_provider provider = {
    .name = (char[]){"main"}, .settings = {.model = (char[]){"m-1"}}};

static void hear(void *arg, const char *piece, size_t len)
{
	struct buf *said = arg;

	assert_true(len > 0);
	assert_true(utf8_valid(piece, len));
	buf_add(said, piece, len);
}

void assemble(struct outcome *o, const char *const *chunks, size_t count)
{
	const struct llm_sink sink = {.text = hear, .arg = &o->said};
	struct openai_answer a;

	*o = (struct outcome){.said = BUF_INIT};
	openai_answer_init(&a, &sink);
	for (size_t i = 0; i < count && o->rc == 0; i++) {
		if (strcmp(chunks[i], DONE) == 0) {
			a.done = true;
			continue;
		}
		struct json_object *chunk = json_parse(chunks[i], strlen(chunks[i]), &o->err);
		if (!chunk)
			fail_msg("%s: %s", o->err.text, chunks[i]);
		o->rc = openai_answer_add(&a, chunk, &o->err);
		json_object_put(chunk);
	}
	if (o->rc == 0)
		o->rc = openai_answer_finish(&a, &provider, &o->answer, &o->err);
	else
		o->answer.error_class = a.error_class;
	openai_answer_clear(&a);
}

void outcome_clear(struct outcome *o)
{
	llm_answer_clear(&o->answer);
	buf_clear(&o->said);
}

void assert_answer(const struct outcome *o, enum llm_finish finish, const char *text)
{
	if (o->rc != 0)
		print_message("%s\n", o->err.text);
	assert_int_equal(o->rc, 0);
	assert_int_equal(o->answer.error_class, LLM_ERROR_NONE);
	assert_int_equal(o->answer.finish, finish);
	assert_string_equal(o->answer.message->text, text);
	assert_int_equal(o->answer.message->role, LLM_ASSISTANT);
	assert_string_equal(o->answer.message->provider, "main");
	assert_string_equal(o->answer.message->model, "m-1");
}

void assert_answer_failure(const struct outcome *o, enum llm_error_class class)
{
	assert_int_equal(o->rc, -1);
	if (o->answer.error_class != class)
		print_message("%s: %s\n", llm_error_class_name(o->answer.error_class), o->err.text);
	assert_int_equal(o->answer.error_class, class);
	assert_true(o->err.text[0] != '\0');
	assert_null(o->answer.message);
}

void assert_calls(const struct outcome *o, const char *const *calls, size_t count)
{
	struct buf line = BUF_INIT;

	assert_answer(o, LLM_FINISH_CALLS, o->answer.message ? o->answer.message->text : "");
	assert_int_equal(o->answer.message->call_count, count);
	for (size_t i = 0; i < count; i++) {
		const struct llm_call *c = &o->answer.message->calls[i];
		bool any = calls[i][0] == '*';
		buf_reset(&line);
		buf_addf(&line, "%s %s %s", any ? "*" : c->id, c->name, c->arguments);
		assert_string_equal(line.data, calls[i]);
		if (any)
			assert_int_equal(strncmp(c->id, "call_", 5), 0);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(c->id, o->answer.message->calls[k].id);
	}
	buf_clear(&line);
}

struct json_object *raw_of(const struct outcome *o)
{
	assert_non_null(o->answer.message->raw);
	struct json_object *raw =
	    json_parse_object(o->answer.message->raw, strlen(o->answer.message->raw), NULL);
	assert_non_null(raw);
	return raw;
}
