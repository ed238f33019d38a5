/*
 * Random histories with random damage, repaired, written in each wire format and judged by the playground's
 * checkers, which share no code with what is tested. MYNA_HISTORIES says how many (500 by default), MYNA_SEED
 * with which number they begin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/anthropic/request.h"
#include "llm/history.h"
#include "llm/formats/openai/request.h"
#include "llm/formats/responses/request.h"
#include "playground/model/chat/chat.h"
#include "playground/model/messages/messages.h"
#include "playground/model/api.h"
#include "playground/model/responses/responses.h"

#define MESSAGES_MAX 256

static uint32_t seed;

static unsigned below(unsigned bound)
{
	seed = seed * 1664525u + 1013904223u;
	return (unsigned)(((uint64_t)(seed >> 8) * bound) >> 24);
}

/* What the provider itself said, as it is stored, in one of the formats. Thoughts of others have signatures
 * that nobody else takes. */
static void add_chat_raw(struct buf *out, const struct llm_message *m)
{
	buf_addstr(out, "{\"role\":\"assistant\",\"content\":\"raw\"");
	for (size_t i = 0; i < m->call_count; i++)
		buf_addf(out,
		    "%s{\"id\":\"%s\",\"type\":\"function\",\"function\":{\"name\":\"%s\",\"arguments\":\"{}"
		    "\"}}",
		    i ? "," : ",\"tool_calls\":[", m->calls[i].id, m->calls[i].name);
	buf_addstr(out, m->call_count > 0 ? "]}" : "}");
}

static void add_messages_raw(struct buf *out, const struct llm_message *m, bool own)
{
	char signature[SIGNATURE_SIZE] = "of another model";

	if (own)
		messages_sign("hm", signature);
	buf_addf(out,
	    "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":"
	    "\"%s\"},{\"type\":\"text\",\"text\":\"raw\"}",
	    signature);
	for (size_t i = 0; i < m->call_count; i++)
		buf_addf(out, ",{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"%s\",\"input\":{}}",
		    m->calls[i].id, m->calls[i].name);
	buf_addstr(out, "]}");
}

static void add_responses_raw(struct buf *out, const struct llm_message *m, bool own)
{
	char sealed[RESPONSES_SEALED_SIZE] = "of another model";

	if (own)
		responses_seal("rs_1", sealed);
	buf_addf(out,
	    "[{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"%s\"},{\"id\":"
	    "\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\","
	    "\"text\":\"raw\"}]}",
	    sealed);
	for (size_t i = 0; i < m->call_count; i++)
		buf_addf(out,
		    ",{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"%s\",\"name\":\"%s\","
		    "\"arguments\":\"{}\"}",
		    m->calls[i].id, m->calls[i].name);
	buf_addch(out, ']');
}

/* So long that a message keeps it quoted. */
#define TEN(text) text text text text text text text text text text
#define LONG      TEN(TEN("and so on"))

static void make_raw(struct llm_message *m)
{
	struct buf raw = BUF_INIT;
	bool own = below(2);

	switch (below(4)) {
	case 0:
		return;
	case 1:
		add_chat_raw(&raw, m);
		break;
	case 2:
		/* Who speaks this format gives no such ids. */
		if (m->call_count > 0 && strpbrk(m->calls[0].id, ".:"))
			return;
		add_messages_raw(&raw, m, own);
		break;
	default:
		add_responses_raw(&raw, m, own);
	}
	m->provider = xstrdup(own ? "main" : below(2) ? "other" : "main");
	m->model = xstrdup(own ? "scripted" : "another");
	llm_message_set_raw(m, buf_take(&raw));
}

static void add_calls(struct llm_history *h, struct llm_message *m, unsigned *ids)
{
	static const char *const shapes[] = {"c%u", "call_%u", "toolu_%u", "functions.look:%u",
	    "call_of_a_provider_that_gives_very_long_ids_which_others_do_not_take_%u"};
	unsigned calls = 1 + below(4), first = *ids, shape = below(ARRAY_LEN(shapes));

	for (unsigned k = 0; k < calls; k++) {
		char id[96];
		int n = snprintf(id, sizeof(id), "%.*s", (int)(strlen(shapes[shape]) - 2), shapes[shape]);
		snprintf(id + n, sizeof(id) - (size_t)n, "%u", (*ids)++);
		llm_message_add_call(m, id, "look", below(2) ? "{}" : "{\"a\":[1,2]}");
	}
	make_raw(m);
	llm_history_add(h, m);
	for (unsigned k = 0; k < calls; k++) {
		struct llm_message *result = llm_message_new(LLM_TOOL, below(2) ? "result" : "result " LONG);
		result->call_id = xstrdup(m->calls[(*ids - first > k ? k + calls / 2 : 0) % calls].id);
		llm_history_add(h, result);
	}
}

static void random_history(struct llm_history *h)
{
	unsigned ids = 0, turns = 1 + below(6);

	llm_history_init(h);
	if (below(4) == 0)
		llm_history_add(h, llm_message_new_summary("Much was said.", 0));
	for (unsigned i = 0; i < turns; i++) {
		llm_history_add(h, llm_message_new(LLM_USER, below(2) ? "question" : "\"question\" " LONG));
		for (unsigned rounds = below(4); rounds > 0; rounds--)
			add_calls(h, llm_message_new(LLM_ASSISTANT, below(2) ? "I look." : ""), &ids);
		if (i + 1 == turns || below(4) == 0)
			continue;
		struct llm_message *answer = llm_message_new(LLM_ASSISTANT, "answer");
		make_raw(answer);
		llm_history_add(h, answer);
	}
}

static void set(char **field, const char *value)
{
	free(*field);
	*field = xstrdup(value);
}

static void damage_field(struct llm_message *m)
{
	static const char *const texts[] = {"", " \n", "\xf0\x9f", "\xed\xa0\x80 half",
	    "\xed\xa0\x80 half " LONG, "words", "words " LONG},
				 *const ids[] = {"", "c0", "c1", "call_2", "an id"},
				 *const names[] = {"", "not a name", "t\xc3\xb6ne", "look"},
				 *const arguments[] = {
				     "", "{", "[]", "\"{}\"", "{\"b\":2}", "{'a':1}", "null"};
	struct llm_call *c = m->call_count > 0 ? &m->calls[below((unsigned)m->call_count)] : NULL;
	unsigned what = below(c ? 5 : 2);

	m->raw_checked = m->raw_fits = 0;

	if (what == 0)
		llm_message_set_text(m, xstrdup(texts[below(ARRAY_LEN(texts))]));
	else if (what == 1 && m->role == LLM_TOOL)
		set(&m->call_id, ids[below(ARRAY_LEN(ids))]);
	else if (what == 2)
		set(&c->id, ids[below(ARRAY_LEN(ids))]);
	else if (what == 3)
		set(&c->name, names[below(ARRAY_LEN(names))]);
	else if (what == 4)
		set(&c->arguments, arguments[below(ARRAY_LEN(arguments))]);
}

static void drop(struct llm_history *h, size_t from, size_t count)
{
	for (size_t i = from; i < from + count; i++)
		llm_message_free(h->messages[i]);
	memmove(
	    h->messages + from, h->messages + from + count, (h->count - from - count) * sizeof(*h->messages));
	h->count -= count;
}

/* A hole, a cut at either end, two that change places, one that comes twice, or a field that holds something
 * else. */
static void damage(struct llm_history *h)
{
	size_t a = below((unsigned)h->count), b = below((unsigned)h->count);
	struct llm_message *m = h->messages[a];

	switch (below(6)) {
	case 0:
		drop(h, a, h->count > 1);
		break;
	case 1:
		drop(h, 0, a);
		break;
	case 2:
		drop(h, a + 1, h->count - a - 1);
		break;
	case 3:
		h->messages[a] = h->messages[b];
		h->messages[b] = m;
		break;
	case 4:
		llm_history_add(h, llm_message_copy(m));
		break;
	default:
		damage_field(m);
	}
}

static bool judge_chat(struct json_object *o, struct refusal *r)
{
	return chat_check(o, r) == 0;
}

static bool judge_messages(struct json_object *o, struct refusal *r)
{
	return messages_check(o, "2023-06-01", r) == 0 && messages_check(o, "2026-10-21", r) == 0;
}

static bool judge_responses(struct json_object *o, struct refusal *r)
{
	return responses_check(o, r) == 0;
}

static bool is_taken(const char *format, const struct buf *body,
    bool (*judge)(struct json_object *o, struct refusal *r), char why[512])
{
	struct json_object *o = json_parse_object(body->data, body->len, NULL);
	struct refusal r = {.message = "it is no JSON"};
	bool taken = o && judge(o, &r);

	if (!taken)
		snprintf(why, 512, "%s: %.400s", format, r.message);
	json_object_put(o);
	return taken;
}

/* In all three formats. */
struct bodies {
	struct buf chat, messages, responses;
};

static void bodies_clear(struct bodies *b)
{
	buf_clear(&b->chat);
	buf_clear(&b->messages);
	buf_clear(&b->responses);
}

static struct bodies write_down(const struct llm_history *h)
{
	static char name[] = "main", url[] = "http://127.0.0.1:1/v1", model[] = "scripted";
	static const struct llm_tool tool = {
	    .name = "look", .summary = "Looks.", .schema = "{\"type\":\"object\",\"properties\":{}}"};
	const struct llm_provider p = {.name = name, .settings = {.base_url = url, .model = model}};
	const struct llm_request req = {.system = "Be kind.", .history = h, .tools = &tool, .tool_count = 1};
	struct bodies b = {BUF_INIT, BUF_INIT, BUF_INIT};

	openai_request(&b.chat, &p, &req, OPENAI_AS_IS);
	anthropic_request(&b.messages, &p, &req, false);
	responses_request(&b.responses, &p, &req, false, true);
	return b;
}

/* A message keeps what was made of it for a request: that is never older than itself. */
static bool is_fresh(const struct llm_history *h, const struct bodies *b, char why[512])
{
	struct llm_history copy;

	llm_history_init(&copy);
	for (size_t i = 0; i < h->count; i++)
		llm_history_add(&copy, llm_message_copy(h->messages[i]));
	struct bodies want = write_down(&copy);
	bool same = strcmp(b->chat.data, want.chat.data) == 0 &&
	    strcmp(b->messages.data, want.messages.data) == 0 &&
	    strcmp(b->responses.data, want.responses.data) == 0;
	if (!same)
		snprintf(why, 512, "the request says what the conversation said before");
	bodies_clear(&want);
	llm_history_clear(&copy);
	return same;
}

static bool is_taken_everywhere(const struct llm_history *h, char why[512])
{
	struct bodies b = write_down(h);
	bool taken = is_taken("chat", &b.chat, judge_chat, why) &&
	    is_taken("messages", &b.messages, judge_messages, why) &&
	    is_taken("responses", &b.responses, judge_responses, why) && is_fresh(h, &b, why);

	bodies_clear(&b);
	return taken;
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " \t\r\n\v\f")] == '\0';
}

/* Of a history before its repair: which messages no rule speaks against, by place. */
static void find_innocent(const struct llm_history *h, bool stays[MESSAGES_MAX])
{
	bool used[MESSAGES_MAX][8] = {{false}}, begun = false, end = true;
	size_t owner = SIZE_MAX;

	for (size_t i = 0; i < h->count; i++) {
		const struct llm_message *m = h->messages[i];
		stays[i] = m->role == LLM_USER ||
		    (m->role == LLM_ASSISTANT && begun && (m->call_count > 0 || !is_blank(m->text)));
		begun = begun || m->role == LLM_USER;
		if (m->role == LLM_ASSISTANT)
			owner = i;
		if (m->role != LLM_TOOL || owner == SIZE_MAX || !stays[owner])
			continue;
		for (size_t k = 0; k < h->messages[owner]->call_count && !stays[i]; k++)
			if (!used[owner][k] && strcmp(h->messages[owner]->calls[k].id, m->call_id) == 0)
				stays[i] = used[owner][k] = true;
	}
	/* Answers that nothing follows. */
	for (size_t i = h->count; i-- > 0 && end;) {
		end = !stays[i] || (h->messages[i]->role == LLM_ASSISTANT && h->messages[i]->call_count == 0);
		if (end)
			stays[i] = false;
	}
}

static int64_t newest_user(const struct llm_history *h)
{
	for (size_t i = h->count; i-- > 0;)
		if (h->messages[i]->role == LLM_USER)
			return h->messages[i]->id;
	return -1;
}

static bool has(const struct llm_history *h, int64_t id)
{
	for (size_t i = 0; i < h->count; i++)
		if (h->messages[i]->id == id)
			return true;
	return false;
}

/* What is wrong with a history after its repair; false: nothing. */
static bool is_wrong(
    const struct llm_history *h, const bool stays[MESSAGES_MAX], size_t count, int64_t newest, char why[512])
{
	struct error err = {0};

	if (llm_history_validate(h, SIZE_MAX, &err) != 0)
		return snprintf(why, 512, "the validator refuses: %.400s", err.text) > 0;
	if (newest_user(h) != newest)
		return snprintf(why, 512, "the newest user message is gone") > 0;
	for (size_t i = 0; i < count; i++)
		if (has(h, (int64_t)i + 1) != stays[i])
			return snprintf(why, 512, "message %zu is %s", i + 1,
				   stays[i] ? "gone" : "still there") > 0;
	return !is_taken_everywhere(h, why);
}

/* Runs one history through a repair. True: it came out wrong. */
static bool try_one(size_t (*repair)(struct llm_history *h), char why[512])
{
	bool stays[MESSAGES_MAX] = {false}, wrong;
	struct llm_history h;

	random_history(&h);
	struct bodies before = write_down(&h);
	bodies_clear(&before);
	for (unsigned n = below(6); n > 0; n--)
		damage(&h);
	assert_true(h.count <= MESSAGES_MAX);
	for (size_t i = 0; i < h.count; i++)
		h.messages[i]->id = (int64_t)i + 1;
	int64_t newest = newest_user(&h);
	size_t count = h.count;
	find_innocent(&h, stays);
	size_t changes = repair(&h);
	wrong = newest >= 0 && is_wrong(&h, stays, count, newest, why);
	if (newest >= 0 && !wrong && llm_history_repair(&h) != 0)
		wrong = snprintf(why, 512, "a second repair changes it again") > 0;
	if (newest < 0 && changes != 0)
		wrong = snprintf(why, 512, "it was changed, although nobody asked anything") > 0;
	llm_history_clear(&h);
	return wrong;
}

static uint32_t number(const char *name, uint32_t otherwise)
{
	const char *text = getenv(name);

	return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

#define EACH_SEED(s)                                                                       \
	for (uint32_t s = number("MYNA_SEED", 1), end = s + number("MYNA_HISTORIES", 500); \
	     s < end && (seed = s * 2654435761u, true); s++)

static void what_is_repaired_is_taken_in_every_format_and_no_more_is_lost_than_must_be(void **state)
{
	char why[512];

	(void)state;
	EACH_SEED(s)
	if (try_one(llm_history_repair, why))
		fail_msg("MYNA_SEED=%u: %s", s, why);
	printf("# histories: %u from seed %u\n", number("MYNA_HISTORIES", 500), number("MYNA_SEED", 1));
}

static void what_the_validator_passes_is_taken_in_every_format(void **state)
{
	char why[512];
	unsigned passed = 0;

	(void)state;
	EACH_SEED(s)
	{
		struct llm_history h;
		random_history(&h);
		for (unsigned n = below(3); n > 0; n--)
			damage(&h);
		if (llm_history_validate(&h, SIZE_MAX, NULL) == 0) {
			passed++;
			if (!is_taken_everywhere(&h, why))
				fail_msg("MYNA_SEED=%u: %s", s, why);
		}
		llm_history_clear(&h);
	}
	assert_true(passed > 0);
}

static void a_history_that_was_pruned_is_taken_in_every_format(void **state)
{
	char why[512];

	(void)state;
	EACH_SEED(s)
	{
		struct llm_history h;
		random_history(&h);
		int64_t last = (int64_t)h.count;
		for (size_t i = 0; i < h.count; i++)
			h.messages[i]->id = (int64_t)i + 1;
		int64_t newest = newest_user(&h);
		llm_history_prune(&h, below(6000));
		if (!is_taken_everywhere(&h, why))
			fail_msg("MYNA_SEED=%u: %s", s, why);
		assert_true(has(&h, newest) && has(&h, last));
		llm_history_clear(&h);
	}
}

/* Repairs as they have been got wrong elsewhere. */
static size_t repair_nothing(struct llm_history *h)
{
	(void)h;
	return 0;
}

static size_t leave_holes(struct llm_history *h)
{
	size_t changes = llm_history_repair(h);

	for (size_t i = h->count; i-- > 0;)
		if (h->messages[i]->role == LLM_TOOL && h->messages[i]->id == 0)
			drop(h, i, 1);
	return changes;
}

/* Limits the history behind the repair, without regard to pairs. */
static size_t cut_behind(struct llm_history *h)
{
	size_t changes = llm_history_repair(h);

	if (h->count > 4)
		drop(h, 0, h->count - 4);
	return changes;
}

/* An orphan makes it forget all that was said before. */
static size_t forget_all(struct llm_history *h)
{
	size_t changes = llm_history_repair(h), newest = h->count;

	while (newest > 0 && h->messages[newest - 1]->role != LLM_USER)
		newest--;
	if (changes > 0 && newest > 1)
		drop(h, 0, newest - 1);
	return changes;
}

static size_t double_a_result(struct llm_history *h)
{
	size_t changes = llm_history_repair(h);

	if (h->count > 0 && h->messages[h->count - 1]->role == LLM_TOOL)
		llm_history_add(h, llm_message_copy(h->messages[h->count - 1]));
	return changes;
}

static void a_repair_that_is_wrong_is_noticed(void **state)
{
	size_t (*const repairs[])(struct llm_history * h) = {
	    repair_nothing, leave_holes, cut_behind, forget_all, double_a_result};
	char why[512];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(repairs); i++) {
		unsigned noticed = 0;
		for (uint32_t s = 1; s <= 200; s++) {
			seed = s * 2654435761u;
			noticed += try_one(repairs[i], why);
		}
		if (noticed < 10)
			fail_msg("wrong repair %zu is noticed in %u of 200 histories", i, noticed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_repaired_is_taken_in_every_format_and_no_more_is_lost_than_must_be),
	    cmocka_unit_test(what_the_validator_passes_is_taken_in_every_format),
	    cmocka_unit_test(a_history_that_was_pruned_is_taken_in_every_format),
	    cmocka_unit_test(a_repair_that_is_wrong_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
