#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "llm/history.h"

#define NO_LIMIT SIZE_MAX

/* A history in short: u user, a assistant, A1,2 assistant that calls c1 and c2, t1 result of c1, blanks
 * between. */
static void build(struct llm_history *h, const char *script)
{
	struct llm_message *m;
	char id[16];

	llm_history_init(h);
	for (const char *p = script; *p != '\0'; p++) {
		if (*p == ' ')
			continue;
		m = llm_message_new(*p == 'u' ? LLM_USER :
			*p == 't'             ? LLM_TOOL :
						LLM_ASSISTANT,
		    *p == 'A' ? "" : "text");
		while (p[1] != '\0' && strchr("0123456789,", p[1])) {
			p++;
			if (*p == ',')
				continue;
			snprintf(id, sizeof(id), "c%c", *p);
			if (m->role == LLM_TOOL)
				m->call_id = xstrdup(id);
			else
				llm_message_add_call(m, id, "shell", "{\"command\":\"ls\"}");
		}
		llm_history_add(h, m);
	}
}

/* The same the other way; a result that repair added is T. */
static char *describe(const struct llm_history *h)
{
	struct buf out = BUF_INIT;
	const struct llm_message *m;

	for (size_t i = 0; i < h->count; i++) {
		m = h->messages[i];
		buf_addstr(&out, i > 0 ? " " : "");
		if (m->role == LLM_TOOL)
			buf_addf(&out, "%c%s", m->is_error ? 'T' : 't', m->call_id + 1);
		else
			buf_addch(&out, m->role == LLM_USER ? 'u' : m->call_count > 0 ? 'A' : 'a');
		for (size_t k = 0; k < m->call_count; k++)
			buf_addf(&out, "%s%s", k > 0 ? "," : "", m->calls[k].id + 1);
	}
	return buf_take(&out);
}

static void assert_history(const struct llm_history *h, const char *script)
{
	char *found = describe(h);

	assert_string_equal(found, script);
	free(found);
}

static void assert_refused(const char *script, const char *because)
{
	struct llm_history h;
	struct error err = {0};

	build(&h, script);
	assert_int_equal(llm_history_validate(&h, NO_LIMIT, &err), -1);
	if (!strstr(err.text, because))
		fail_msg("\"%s\" was refused with \"%s\", not because of \"%s\"", script, err.text, because);
	llm_history_clear(&h);
}

static void assert_repaired(const char *script, const char *into)
{
	struct llm_history h;
	struct error err = {0};

	build(&h, script);
	assert_true(llm_history_repair(&h) > 0);
	assert_history(&h, into);
	if (llm_history_validate(&h, NO_LIMIT, &err) != 0)
		fail_msg("\"%s\" was repaired, but refused: %s", script, err.text);
	assert_int_equal(llm_history_repair(&h), 0);
	llm_history_clear(&h);
}

static void whole_conversations_are_valid(void **state)
{
	static const char *const scripts[] = {
	    "u",
	    "u a u",
	    "u u",
	    "u A1 t1",
	    "u A1,2 t1 t2",
	    "u A1,2 t2 t1 a u",
	    "u A1 t1 A2 t2 a u a u",
	    "u A1 t1 u",
	};
	struct llm_history h;
	struct error err = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
		build(&h, scripts[i]);
		if (llm_history_validate(&h, NO_LIMIT, &err) != 0)
			fail_msg("\"%s\" was refused: %s", scripts[i], err.text);
		assert_int_equal(llm_history_repair(&h), 0);
		assert_history(&h, scripts[i]);
		llm_history_clear(&h);
	}
}

static void broken_orders_are_refused_by_name_and_place(void **state)
{
	(void)state;
	assert_refused("", "no message");
	assert_refused("a u", "message 1 of 2 (assistant) stands first");
	assert_refused("t1 u", "message 1 of 2 (tool) stands first");
	assert_refused("u a", "message 2 of 2 (assistant) stands last");
	assert_refused("u A1", "has 1 calls, of which 0 are answered");
	assert_refused("u A1,2 t1 u", "has 2 calls, of which 1 are answered");
	assert_refused("u A1 u t1", "has 1 calls, of which 0 are answered");
	assert_refused("u t1", "message 2 of 2 (tool) answers no call");
	assert_refused("u a t1", "message 3 of 3 (tool) answers no call");
	assert_refused("u A1 t1 t2", "message 4 of 4 (tool) answers no call");
	assert_refused("u A1 t1 t1", "message 4 of 4 (tool) answers a call a second time");
	assert_refused("u A1 t1 A1 t1", "two calls of the conversation have the id c1");
	assert_refused("u A1,1 t1 t1", "two calls of the conversation have the id c1");
}

static void broken_orders_are_mended_with_the_least_change(void **state)
{
	(void)state;
	assert_repaired("a u", "u");
	assert_repaired("A1 t1 u", "u");
	assert_repaired("t1 a u", "u");
	assert_repaired("u a", "u");
	assert_repaired("u A1 t1 a a", "u A1 t1");
	assert_repaired("u A1", "u A1 T1");
	assert_repaired("u A1,2,3 t2 u", "u A1,2,3 t2 T1 T3 u");
	assert_repaired("u A1 u t1", "u A1 t1 u");
	assert_repaired("u A1,2 t2 u t1 a u", "u A1,2 t2 t1 u a u");
	assert_repaired("u A1 A2 t1 t2", "u A1 T1 A2 t2");
	assert_repaired("u t1 a u", "u a u");
	assert_repaired("u A1 t1 t1 u", "u A1 t1 u");
	assert_repaired("u A1 t2", "u A1 T1");
}

static void ids_that_stand_twice_are_renamed_with_their_results(void **state)
{
	struct llm_history h;

	(void)state;
	assert_repaired("u A1 t1 A1 t1", "u A1 t1 A1_2 t1_2");
	assert_repaired("u A1,1 t1 t1", "u A1,1_2 t1 t1_2");
	assert_repaired("u A1 t1 A1,2,1 t2 u", "u A1 t1 A1_2,2,1_3 t2 T1_2 T1_3 u");

	/* The name that a renamed id would get is taken already, before or behind. */
	build(&h, "u A1 t1 A1 t1 A1 t1");
	free(h.messages[5]->calls[0].id);
	free(h.messages[6]->call_id);
	h.messages[5]->calls[0].id = xstrdup("c1_2");
	h.messages[6]->call_id = xstrdup("c1_2");
	assert_int_not_equal(llm_history_repair(&h), 0);
	assert_int_equal(llm_history_validate(&h, NO_LIMIT, NULL), 0);
	llm_history_clear(&h);
}

static void calls_without_an_id_get_one(void **state)
{
	struct llm_history h;

	(void)state;
	build(&h, "u A1,2 t1 t2");
	h.messages[1]->calls[0].id[0] = '\0';
	h.messages[2]->call_id[0] = '\0';
	free(h.messages[1]->calls[1].id);
	h.messages[1]->calls[1].id = xstrdup("call_2");
	free(h.messages[3]->call_id);
	h.messages[3]->call_id = xstrdup("call_2");
	assert_int_equal(llm_history_validate(&h, NO_LIMIT, NULL), -1);
	assert_int_not_equal(llm_history_repair(&h), 0);
	assert_int_equal(llm_history_validate(&h, NO_LIMIT, NULL), 0);
	assert_false(h.messages[2]->is_error);
	llm_history_clear(&h);
}

static void set(char **field, const char *value)
{
	free(*field);
	*field = xstrdup(value);
}

static void what_a_field_must_hold_is_checked_and_mended(void **state)
{
	static const struct {
		size_t message;
		int field;
		const char *value, *refusal, *mended;
	} cases[] = {
	    {0, 't', "", "message 1 of 4 (user) has an empty text", "(empty message)"},
	    {0, 't', " \n\t", "message 1 of 4 (user) has an empty text", "(empty message)"},
	    {2, 't', "", "message 3 of 4 (tool) has an empty text", "(no output)"},
	    {3, 't', "a\xff", "message 4 of 4 (user) holds bytes that are not UTF-8", "a\xef\xbf\xbd"},
	    {1, 'n', "", "name is not 1 to 64", "unknown"},
	    {1, 'n', "read file!", "name is not 1 to 64", "read_file_"},
	    {1, 'a', "[1]", "arguments that are not a JSON object", "{}"},
	    {1, 'a', "{\"a\":1}}", "arguments that are not a JSON object", "{}"},
	    {1, 'a', "", "arguments that are not a JSON object", "{}"},
	};
	struct llm_history h;
	struct error err = {0};
	struct llm_message *m;
	char **field;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		build(&h, "u A1 t1 u");
		m = h.messages[cases[i].field == 't' ? cases[i].message : 1];
		field = NULL;
		if (cases[i].field == 't')
			llm_message_set_text(m, xstrdup(cases[i].value));
		else
			set(field = cases[i].field == 'n' ? &m->calls[0].name : &m->calls[0].arguments,
			    cases[i].value);
		assert_int_equal(llm_history_validate(&h, NO_LIMIT, &err), -1);
		assert_non_null(strstr(err.text, cases[i].refusal));
		assert_int_equal(llm_history_repair(&h), 1);
		assert_string_equal(field ? *field : m->text, cases[i].mended);
		assert_int_equal(llm_history_validate(&h, NO_LIMIT, &err), 0);
		llm_history_clear(&h);
	}
}

static void an_empty_answer_is_dropped(void **state)
{
	struct llm_history h;

	(void)state;
	build(&h, "u a u");
	llm_message_set_text(h.messages[1], xstrdup(""));
	assert_int_equal(llm_history_repair(&h), 1);
	assert_history(&h, "u u");
	llm_history_clear(&h);
}

static void a_long_tool_name_is_cut(void **state)
{
	struct llm_history h;

	(void)state;
	build(&h, "u A1 t1");
	free(h.messages[1]->calls[0].name);
	h.messages[1]->calls[0].name = xcalloc(1, 66);
	memset(h.messages[1]->calls[0].name, 'x', 65);
	assert_int_equal(llm_history_validate(&h, NO_LIMIT, NULL), -1);
	llm_history_repair(&h);
	assert_int_equal(strlen(h.messages[1]->calls[0].name), 64);
	llm_history_clear(&h);
}

static void a_mended_message_loses_its_raw_text(void **state)
{
	struct llm_history h;

	(void)state;
	build(&h, "u A1 t1 A1 t1 a u");
	for (size_t i = 0; i < h.count; i++)
		if (h.messages[i]->role == LLM_ASSISTANT)
			llm_message_set_raw(h.messages[i], xstrdup("{}"));
	llm_history_repair(&h);
	assert_non_null(h.messages[1]->raw);
	assert_null(h.messages[3]->raw);
	assert_non_null(h.messages[5]->raw);
	llm_history_clear(&h);
}

static void a_conversation_without_a_user_stays_refused(void **state)
{
	struct llm_history h;

	(void)state;
	build(&h, "a A1 t1");
	assert_int_equal(llm_history_repair(&h), 0);
	assert_int_equal(llm_history_validate(&h, NO_LIMIT, NULL), -1);
	llm_history_clear(&h);
}

static void the_size_is_limited(void **state)
{
	struct llm_history h;
	struct error err = {0};
	size_t bytes = 0;

	(void)state;
	build(&h, "u A1 t1 a u");
	for (size_t i = 0; i < h.count; i++)
		bytes += llm_message_bytes(h.messages[i]);
	assert_int_equal(llm_history_validate(&h, bytes, &err), 0);
	assert_int_equal(llm_history_validate(&h, bytes - 1, &err), -1);
	assert_non_null(strstr(err.text, "bytes, more than"));
	llm_history_clear(&h);
}

static void the_oldest_turns_are_pruned_whole(void **state)
{
	struct llm_history h;
	size_t last;

	(void)state;
	build(&h, "u A1 t1 a u a u A2 t2");
	last = llm_message_bytes(h.messages[6]) + llm_message_bytes(h.messages[7]) +
	    llm_message_bytes(h.messages[8]);
	assert_int_equal(llm_history_prune(&h, NO_LIMIT), 0);
	assert_int_equal(llm_history_prune(&h, last + 4 * llm_message_bytes(h.messages[0])), 4);
	assert_history(&h, "u a u A2 t2");
	assert_int_equal(llm_history_prune(&h, last), 2);
	assert_history(&h, "u A2 t2");
	assert_int_equal(llm_history_prune(&h, 1), 0);
	assert_history(&h, "u A2 t2");
	llm_history_clear(&h);

	llm_history_init(&h);
	assert_int_equal(llm_history_prune(&h, 0), 0);
	llm_history_clear(&h);
}

static void calls_survive_as_text(void **state)
{
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, ""),
			   *back = llm_message_new(LLM_ASSISTANT, "");
	struct error err;
	char *text;

	(void)state;
	assert_null(llm_calls_text(m));
	llm_message_add_call(m, "c/1", "read", "{\"path\":\"a \\\"b\\\"/\xc3\xbc\"}");
	llm_message_add_call(m, "c2", "shell", NULL);
	text = llm_calls_text(m);
	assert_int_equal(llm_calls_parse(back, text, &err), 0);
	assert_int_equal(back->call_count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(back->calls[i].id, m->calls[i].id);
		assert_string_equal(back->calls[i].name, m->calls[i].name);
		assert_string_equal(back->calls[i].arguments, m->calls[i].arguments);
	}
	assert_int_equal(llm_calls_parse(back, "{}", &err), -1);
	assert_int_equal(llm_calls_parse(back, "[{\"id\":\"x\"}]", &err), -1);
	assert_int_equal(llm_calls_parse(back, "[", &err), -1);
	assert_int_equal(back->call_count, 2);
	free(text);
	llm_message_free(back);
	llm_message_free(m);
}

static void a_message_weighs_what_is_sent_of_it(void **state)
{
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, "0123456789");
	size_t frame = llm_message_bytes(m) - 10;

	(void)state;
	llm_message_add_call(m, "c1", "shell", "{}");
	assert_int_equal(llm_message_bytes(m), frame + 10 + 2 + 5 + 2);
	llm_message_set_raw(m, xstrdup("{}"));
	assert_int_equal(llm_message_bytes(m), frame + 10 + 2 + 5 + 2);
	llm_message_set_raw(m, xstrdup("{\"role\":\"assistant\",\"content\":\"0123456789\"}"));
	assert_int_equal(llm_message_bytes(m), frame + strlen(m->raw));
	llm_message_free(m);
}

static void a_copy_owns_everything(void **state)
{
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, "text"), *copy;

	(void)state;
	llm_message_add_call(m, "c1", "shell", "{}");
	m->provider = xstrdup("p");
	m->model = xstrdup("m");
	llm_message_set_raw(m, xstrdup("{\"role\":\"assistant\"}"));
	m->turn = 7;
	copy = llm_message_copy(m);
	assert_int_equal(llm_message_bytes(copy), llm_message_bytes(m));
	llm_message_free(m);
	assert_string_equal(copy->calls[0].arguments, "{}");
	assert_string_equal(copy->raw, "{\"role\":\"assistant\"}");
	assert_string_equal(copy->provider, "p");
	assert_int_equal(copy->turn, 7);
	llm_message_free(copy);
	llm_message_free(NULL);
}

static uint32_t seed;

static unsigned below(unsigned bound)
{
	seed = seed * 1664525u + 1013904223u;
	return (unsigned)(((uint64_t)(seed >> 8) * bound) >> 24);
}

static void add_round(struct llm_history *h, unsigned *ids)
{
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, below(2) ? "thinking" : ""), *result;
	unsigned calls = 1 + below(4), first = *ids;
	char *id;

	for (unsigned k = 0; k < calls; k++) {
		id = xasprintf("c%u", (*ids)++);
		llm_message_add_call(m, id, "tool_name", below(2) ? "{}" : "{\"a\":[1,2]}");
		free(id);
	}
	if (below(2))
		llm_message_set_raw(m, xstrdup("{\"role\":\"assistant\"}"));
	llm_history_add(h, m);
	for (unsigned k = 0; k < calls; k++) {
		result = llm_message_new(LLM_TOOL, "result");
		result->call_id = xasprintf("c%u", first + (k + calls / 2) % calls);
		llm_history_add(h, result);
	}
}

static void random_history(struct llm_history *h)
{
	unsigned ids = 0, turns = 1 + below(6);

	llm_history_init(h);
	for (unsigned i = 0; i < turns; i++) {
		llm_history_add(h, llm_message_new(LLM_USER, "question"));
		for (unsigned rounds = below(4); rounds > 0; rounds--)
			add_round(h, &ids);
		if (i + 1 < turns && below(4) > 0)
			llm_history_add(h, llm_message_new(LLM_ASSISTANT, "answer"));
	}
}

static void damage_fields(struct llm_message *m)
{
	static const char *const values[] = {
	    "", " ", "c1", "c2", "\xf0\x9f", "not a name", "{", "[]", "{\"b\":2}"};
	const char *value = values[below(ARRAY_LEN(values))];
	struct llm_call *c = m->call_count > 0 ? &m->calls[below((unsigned)m->call_count)] : NULL;

	switch (below(5)) {
	case 0:
		llm_message_set_text(m, xstrdup(value));
		break;
	case 1:
		set(&m->call_id, value);
		break;
	case 2:
		if (c)
			set(&c->id, value);
		break;
	case 3:
		if (c)
			set(&c->name, value);
		break;
	default:
		if (c)
			set(&c->arguments, value);
	}
}

/* Drops, swaps, doubles or damages a message. */
static void damage(struct llm_history *h)
{
	size_t a = below((unsigned)h->count), b = below((unsigned)h->count);
	struct llm_message *m = h->messages[a];

	switch (below(4)) {
	case 0:
		if (h->count == 1)
			return;
		llm_message_free(m);
		memmove(h->messages + a, h->messages + a + 1, (--h->count - a) * sizeof(*h->messages));
		break;
	case 1:
		h->messages[a] = h->messages[b];
		h->messages[b] = m;
		break;
	case 2:
		llm_history_add(h, llm_message_copy(m));
		break;
	default:
		damage_fields(m);
	}
}

static const struct llm_message *newest_user(const struct llm_history *h)
{
	for (size_t i = h->count; i-- > 0;)
		if (h->messages[i]->role == LLM_USER)
			return h->messages[i];
	return NULL;
}

static void repair_of_any_damage_passes_the_validator(void **state)
{
	const struct llm_message *newest;
	struct llm_history h;
	struct error err = {0};

	(void)state;
	for (seed = 1; seed < 5000; seed++) {
		uint32_t began = seed;

		random_history(&h);
		for (unsigned n = 1 + below(8); n > 0; n--)
			damage(&h);
		newest = newest_user(&h);
		llm_history_repair(&h);
		if (newest && llm_history_validate(&h, NO_LIMIT, &err) != 0)
			fail_msg("seed %u: %s", began, err.text);
		if (newest_user(&h) != newest)
			fail_msg("seed %u: the newest user message is gone", began);
		assert_int_equal(llm_history_repair(&h), 0);
		llm_history_clear(&h);
		seed = began;
	}
}

static void repair_of_a_valid_history_changes_nothing(void **state)
{
	struct llm_history h, before;
	struct error err = {0};

	(void)state;
	for (seed = 1; seed < 5000; seed++) {
		uint32_t began = seed;

		random_history(&h);
		llm_history_init(&before);
		for (size_t i = 0; i < h.count; i++)
			llm_history_add(&before, llm_message_copy(h.messages[i]));
		if (h.messages[h.count - 1]->role == LLM_ASSISTANT ||
		    llm_history_validate(&h, NO_LIMIT, &err) != 0)
			fail_msg("seed %u: %s", began, err.text);
		assert_int_equal(llm_history_repair(&h), 0);
		assert_int_equal(h.count, before.count);
		for (size_t i = 0; i < h.count; i++) {
			assert_string_equal(h.messages[i]->text, before.messages[i]->text);
			assert_int_equal(h.messages[i]->call_count, before.messages[i]->call_count);
			assert_int_equal(h.messages[i]->raw != NULL, before.messages[i]->raw != NULL);
		}
		llm_history_clear(&before);
		llm_history_clear(&h);
		seed = began;
	}
}

static void pruning_keeps_a_history_valid_and_its_newest_user_message(void **state)
{
	const struct llm_message *newest;
	struct llm_history h;
	struct error err = {0};
	size_t total, max;

	(void)state;
	for (seed = 1; seed < 5000; seed++) {
		uint32_t began = seed;

		random_history(&h);
		newest = newest_user(&h);
		max = below(4000);
		llm_history_prune(&h, max);
		total = 0;
		for (size_t i = 0; i < h.count; i++)
			total += llm_message_bytes(h.messages[i]);
		if (llm_history_validate(&h, NO_LIMIT, &err) != 0)
			fail_msg("seed %u: %s", began, err.text);
		assert_ptr_equal(newest_user(&h), newest);
		if (total > max && h.messages[0] != newest)
			fail_msg("seed %u: %zu bytes are left of %zu", began, total, max);
		llm_history_clear(&h);
		seed = began;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(whole_conversations_are_valid),
	    cmocka_unit_test(broken_orders_are_refused_by_name_and_place),
	    cmocka_unit_test(broken_orders_are_mended_with_the_least_change),
	    cmocka_unit_test(ids_that_stand_twice_are_renamed_with_their_results),
	    cmocka_unit_test(calls_without_an_id_get_one),
	    cmocka_unit_test(what_a_field_must_hold_is_checked_and_mended),
	    cmocka_unit_test(an_empty_answer_is_dropped),
	    cmocka_unit_test(a_long_tool_name_is_cut),
	    cmocka_unit_test(a_mended_message_loses_its_raw_text),
	    cmocka_unit_test(a_conversation_without_a_user_stays_refused),
	    cmocka_unit_test(the_size_is_limited),
	    cmocka_unit_test(the_oldest_turns_are_pruned_whole),
	    cmocka_unit_test(calls_survive_as_text),
	    cmocka_unit_test(a_message_weighs_what_is_sent_of_it),
	    cmocka_unit_test(a_copy_owns_everything),
	    cmocka_unit_test(repair_of_any_damage_passes_the_validator),
	    cmocka_unit_test(repair_of_a_valid_history_changes_nothing),
	    cmocka_unit_test(pruning_keeps_a_history_valid_and_its_newest_user_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
