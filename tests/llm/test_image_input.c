/* What requests show of images, and what they say of those that they do not show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/anthropic/request.h"
#include "llm/image.h"
#include "llm/llm_internal.h"
#include "llm/formats/openai/request.h"
#include "llm/formats/responses/request.h"
#include "llm/vision.h"
#include "llm/tokens.h"
#include "llm/image_input.h"

static struct {
	struct llm llm;
	struct llm_provider provider;
	struct llm_candidate order[1];
	struct llm_learned learned;
	struct llm_history history;
	struct llm_image_loader image_loader;
	struct llm_request req;
	struct llm_image_input view;
	const char *missing;
} now;

static int load(struct task *t, void *arg, const struct llm_image *image, struct buf *out, struct error *err)
{
	(void)t;
	(void)arg;
	if (now.missing && strcmp(image->path, now.missing) == 0)
		return error_set(err, ERROR_REFUSED, "it is gone");
	buf_addf(out, "data+of+%s", image->path);
	return 0;
}

static struct llm_message *say(enum llm_role role, const char *text)
{
	struct llm_message *m = llm_message_new(role, text);

	llm_history_add(&now.history, m);
	if (role == LLM_ASSISTANT)
		m->provider = xstrdup("p");
	return m;
}

static void show(struct llm_message *m, const char *path)
{
	struct llm_image *i = llm_images_add(&m->images, &m->image_count);

	*i = (struct llm_image){.path = xstrdup(path),
	    .hash = xstrdup("h"),
	    .name = xstrdup(path),
	    .mime = xstrdup("image/png"),
	    .width = 800,
	    .height = 600,
	    .bytes = 3000};
}

static int begin(void **state)
{
	(void)state;
	memset(&now, 0, sizeof(now));
	now.provider = (struct llm_provider){.name = (char *)"p",
	    .learned = &now.learned,
	    .settings = {.images = true, .model = (char *)"m", .base_url = (char *)"http://127.0.0.1:1"}};
	now.order[0].provider = &now.provider;
	now.llm = (struct llm){.providers = &now.provider,
	    .count = 1,
	    .order = now.order,
	    .order_count = 1,
	    .vision = {.count = 20, .request_bytes = 1 << 20, .memory = 1 << 24}};
	task_semaphore_init(&now.llm.image_memory, 1 << 24);
	llm_history_init(&now.history);
	now.image_loader = (struct llm_image_loader){.load = load};
	now.req = (struct llm_request){
	    .history = &now.history, .image_loader = &now.image_loader, .view = &now.view};
	now.view = (struct llm_image_input){.llm = &now.llm, .provider = &now.provider, .req = &now.req};
	return 0;
}

static int end(void **state)
{
	(void)state;
	llm_image_input_settle(&now.view, false);
	assert_int_equal(now.llm.image_memory.available, 1 << 24);
	llm_history_clear(&now.history);
	return 0;
}

static void open_view(void)
{
	struct error err = {0};

	assert_int_equal(llm_image_input_open(NULL, &now.view, &err), 0);
}

/* The request in a format, which has to be JSON; to be freed. */
static char *build(void (*write)(struct buf *out))
{
	struct buf out = BUF_INIT;

	write(&out);
	struct json_object *o = json_parse_object(out.data, out.len, NULL);
	assert_non_null(o);
	json_object_put(o);
	return buf_take(&out);
}

static void write_messages(struct buf *out)
{
	anthropic_request(out, &now.provider, &now.req, false);
}

static void write_chat(struct buf *out)
{
	openai_request(out, &now.provider, &now.req, OPENAI_AS_IS);
}

static void write_responses(struct buf *out)
{
	responses_request(out, &now.provider, &now.req, false, false);
}

static void assert_holds(void (*write)(struct buf *out), const char *part)
{
	char *text = build(write);

	if (!strstr(text, part))
		fail_msg("%s lacks %s", text, part);
	free(text);
}

static void assert_lacks(void (*write)(struct buf *out), const char *part)
{
	char *text = build(write);

	if (strstr(text, part))
		fail_msg("%s has %s", text, part);
	free(text);
}

static void fill(void)
{
	show(say(LLM_USER, "what is it?"), "one");
	struct llm_message *call = say(LLM_ASSISTANT, "");
	llm_message_add_call(call, "c1", "read_file", "{}");
	llm_message_add_call(call, "c2", "read_file", "{}");
	struct llm_message *result = say(LLM_TOOL, "{}");
	result->call_id = xstrdup("c1");
	show(result, "two");
	say(LLM_TOOL, "{}")->call_id = xstrdup("c2");
}

static void each_format_shows_images_of_people_and_of_results(void **state)
{
	(void)state;
	fill();
	open_view();
	assert_holds(write_messages,
	    "[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/"
	    "png\",\"data\":\"data+of+one\"}},{\"type\":\"text\",\"text\":\"what is it?\",\"cache_control\"");
	assert_holds(write_messages, "\"tool_use_id\":\"c1\",\"content\":[{\"type\":\"image\"");
	assert_holds(write_messages, "data+of+two\"}},{\"type\":\"text\",\"text\":\"{}\"}]");
	assert_holds(write_chat,
	    "[{\"type\":\"text\",\"text\":\"what is "
	    "it?\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,data+of+one\"}}]");
	/* Behind the last result, so that no result stands apart from its calls. */
	assert_holds(write_chat,
	    "\"tool_call_id\":\"c2\",\"content\":\"{}\"},{\"role\":\"user\",\"content\":[{\"type\":\"text\"");
	assert_holds(write_chat, "{\"url\":\"data:image/png;base64,data+of+two\"}}]}");
	assert_holds(write_responses,
	    "[{\"type\":\"input_text\",\"text\":\"what is "
	    "it?\"},{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,data+of+one\"}]");
	assert_holds(write_responses,
	    "\"output\":[{\"type\":\"input_text\",\"text\":\"{}\"},{\"type\":\"input_image\"");
	llm_image_input_close(&now.view);
}

static void a_model_that_does_not_see_reads_a_line_instead(void **state)
{
	static void (*const writes[])(struct buf * out) = {write_messages, write_chat, write_responses};

	(void)state;
	fill();
	now.provider.settings.images = false;
	now.history.messages[0]->images[0].description = xstrdup("a cat");
	open_view();
	for (size_t i = 0; i < ARRAY_LEN(writes); i++) {
		assert_lacks(writes[i], "data+of");
		assert_holds(writes[i],
		    "what is it?\\n[image: one, 800x600: this model cannot see images. Another model says "
		    "that it shows: a cat]");
	}
	llm_image_input_close(&now.view);
}

static void one_that_is_gone_does_not_spoil_the_others(void **state)
{
	(void)state;
	fill();
	now.missing = "one";
	open_view();
	assert_holds(write_chat, "[image: one, 800x600, no longer there]");
	assert_holds(write_chat, "data+of+two");
	llm_image_input_close(&now.view);
}

static void what_is_new_is_left_out_first_when_a_request_is_refused(void **state)
{
	struct error err = {
	    .kind = ERROR_REFUSED, .code = 400, .text = "p: answered 400: Could not process image"};

	(void)state;
	show(say(LLM_USER, "old"), "one");
	say(LLM_ASSISTANT, "fine");
	show(say(LLM_USER, "new"), "two");
	open_view();
	assert_true(llm_image_input_blame(&now.view, LLM_ERROR_FATAL, &err));
	llm_image_input_close(&now.view);
	open_view();
	assert_holds(write_chat, "data+of+one");
	assert_holds(write_chat, "[image: two, 800x600, not shown: it was refused]");
	llm_image_input_close(&now.view);
	assert_true(llm_image_input_settle(&now.view, true));
	assert_null(now.history.messages[0]->images[0].refused);
	assert_non_null(now.history.messages[2]->images[0].refused);
	assert_true(now.history.messages[2]->images[0].changed);
	assert_false(now.learned.no_images);
}

static void then_all_are_and_never_more_often(void **state)
{
	struct error err = {.kind = ERROR_REFUSED, .code = 400, .text = "p: answered 400: who knows"};

	(void)state;
	show(say(LLM_USER, "old"), "one");
	say(LLM_ASSISTANT, "fine");
	show(say(LLM_USER, "new"), "two");
	for (int i = 0; i < 2; i++) {
		open_view();
		assert_true(llm_image_input_blame(&now.view, LLM_ERROR_FATAL, &err));
		llm_image_input_close(&now.view);
	}
	open_view();
	assert_lacks(write_chat, "data+of");
	assert_false(llm_image_input_blame(&now.view, LLM_ERROR_FATAL, &err));
	llm_image_input_close(&now.view);
	/* It was not for the images: they are shown again. */
	assert_false(llm_image_input_settle(&now.view, false));
	assert_null(now.history.messages[2]->images[0].refused);
}

static void a_model_without_eyes_is_known_by_its_words(void **state)
{
	static const char *const words[] = {
	    "p: answered 404: No endpoints found that support image input",
	    "p: answered 400 invalid_request_error: unknown variant `image_url`, expected `text`",
	    "p: answered 500: image input is not supported - hint: you may need to provide the mmproj",
	};

	(void)state;
	show(say(LLM_USER, "new"), "one");
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct error err = {.kind = ERROR_REFUSED, .code = i == 0 ? 404 : i == 1 ? 400 : 500};
		now.learned.no_images = now.view.no_images = false;
		str_copy(err.text, sizeof(err.text), words[i]);
		open_view();
		assert_true(
		    llm_image_input_blame(&now.view, i == 2 ? LLM_ERROR_OVERLOADED : LLM_ERROR_FATAL, &err));
		llm_image_input_close(&now.view);
		assert_true(llm_image_input_settle(&now.view, true));
		assert_true(now.learned.no_images);
		assert_null(now.history.messages[0]->images[0].refused);
	}
}

static void other_failures_are_not_for_the_images(void **state)
{
	static const struct {
		enum llm_error_class class;
		int code;
		const char *text;
	} others[] = {
	    {LLM_ERROR_RATE_LIMIT, 429, "p: answered 429: too many images"},
	    {LLM_ERROR_AUTH, 401, "p: answered 401: no key"},
	    {LLM_ERROR_OVERFLOW, 400, "p: answered 400: prompt is too long"},
	    {LLM_ERROR_OVERLOADED, 529, "p: answered 529: overloaded"},
	    {LLM_ERROR_TRANSIENT, 0, "p: cannot connect"},
	};

	(void)state;
	show(say(LLM_USER, "new"), "one");
	open_view();
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		struct error err = {.kind = ERROR_REFUSED, .code = others[i].code};
		str_copy(err.text, sizeof(err.text), others[i].text);
		assert_false(llm_image_input_blame(&now.view, others[i].class, &err));
	}
	llm_image_input_close(&now.view);
}

static size_t count_old(void)
{
	size_t n = 0;

	for (size_t i = 0; i < now.history.count; i++)
		for (size_t k = 0; k < now.history.messages[i]->image_count; k++)
			n += now.history.messages[i]->images[k].superseded;
	return n;
}

static void the_newest_are_shown_within_number_and_bytes(void **state)
{
	struct llm_message *m = say(LLM_USER, "many");

	(void)state;
	for (int i = 0; i < 20; i++)
		show(m, "x");
	llm_vision_choose(&now.llm, NULL, &now.history);
	assert_int_equal(count_old(), 0);
	show(m, "x");
	llm_vision_choose(&now.llm, NULL, &now.history);
	assert_int_equal(count_old(), 10);
	assert_true(m->images[9].superseded);
	assert_false(m->images[10].superseded);
	now.llm.vision.request_bytes = 3 * 3000;
	llm_vision_choose(&now.llm, NULL, &now.history);
	assert_int_equal(count_old(), 18);
	now.llm.vision.count = 0;
	llm_vision_choose(&now.llm, NULL, &now.history);
	assert_int_equal(count_old(), 21);
}

static void images_take_tokens_while_they_are_shown(void **state)
{
	struct llm_message *m = say(LLM_USER, "one");
	size_t without = llm_message_tokens(m);

	(void)state;
	show(m, "x");
	assert_int_equal(llm_message_tokens(m) - without, 800 * 600 / 750);
	m->images[0].superseded = true;
	assert_true(llm_message_tokens(m) - without < 100);
}

static void a_reference_survives_being_stored(void **state)
{
	struct llm_message *m = say(LLM_USER, "one"), *copy;

	(void)state;
	show(m, "x \"y\"");
	m->images[0].refused = xstrdup("too large");
	copy = llm_message_copy(m);
	char *text = llm_images_text(copy->images, copy->image_count), *again;
	llm_history_add(&now.history, copy);
	llm_images_parse(text, &m->images, &m->image_count);
	llm_images_parse("[{\"path\":\"x\"},7]", &m->images, &m->image_count);
	llm_images_parse("nonsense", &m->images, &m->image_count);
	llm_images_parse(NULL, &m->images, &m->image_count);
	assert_int_equal(m->image_count, 2);
	again = llm_images_text(&m->images[1], 1);
	assert_string_equal(again, text);
	free(again);
	free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(each_format_shows_images_of_people_and_of_results),
	    TEST(a_model_that_does_not_see_reads_a_line_instead),
	    TEST(one_that_is_gone_does_not_spoil_the_others),
	    TEST(what_is_new_is_left_out_first_when_a_request_is_refused),
	    TEST(then_all_are_and_never_more_often),
	    TEST(a_model_without_eyes_is_known_by_its_words),
	    TEST(other_failures_are_not_for_the_images),
	    TEST(the_newest_are_shown_within_number_and_bytes),
	    TEST(images_take_tokens_while_they_are_shown),
	    TEST(a_reference_survives_being_stored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
