/* llm/history: any list of messages is mended into one that may be sent, what is good is left alone, and the
 * newest message of the user is never lost. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "llm/history.h"

#define MESSAGES_MAX 24

static const char *const texts[] = {"", " \n", "hi", "\xff", "a\tb", "\xf0\x9f\x99\x82"};
static const char *const ids[] = {"a", "b", "a_2", "", "\xc3", "\xff", "call", "call_2"};
static const char *const names[] = {"read_file", "", "bad name!", "\xff",
    "a234567890123456789012345678901234567890123456789012345678901234",
    "a2345678901234567890123456789012345678901234567890123456789012345"};
static const char *const arguments[] = {
    "{}", "", "null", "{\"a\":[1]}", "[1]", "{\"a\":", "{\"a\":\"\xff\"}"};
static const char *const raws[] = {NULL, NULL, "{\"role\":\"assistant\"}", "\xff"};

#define PICK(in, list) (list)[fuzz_below(in, ARRAY_LEN(list))]

static struct llm_message *read_message(struct fuzz_input *in)
{
	enum llm_role role = (enum llm_role)fuzz_below(in, 3);
	struct llm_message *m = llm_message_new(role, PICK(in, texts));
	/* Calls stand in an assistant's message; now and then elsewhere. */
	size_t calls = role == LLM_ASSISTANT ? fuzz_below(in, 4) : fuzz_below(in, 16) / 15;

	for (size_t i = 0; i < calls; i++) {
		const char *id = PICK(in, ids), *name = PICK(in, names);

		llm_message_add_call(m, id, name, PICK(in, arguments));
	}
	if (role == LLM_TOOL && fuzz_below(in, 8) != 7)
		m->call_id = xstrdup(PICK(in, ids));
	if (role == LLM_ASSISTANT)
		llm_message_set_raw(m, xstrdup(PICK(in, raws)));
	return m;
}

static void read_history(struct llm_history *h, struct fuzz_input *in)
{
	llm_history_init(h);
	while (in->at < in->end && h->count < MESSAGES_MAX)
		llm_history_add(h, read_message(in));
}

static const struct llm_message *newest_user(const struct llm_history *h)
{
	for (size_t i = h->count; i > 0; i--)
		if (h->messages[i - 1]->role == LLM_USER)
			return h->messages[i - 1];
	return NULL;
}

/* JSON holds no bad bytes. */
static bool is_kept(const char *text, const char *stored)
{
	return strcmp(text, stored) == 0 || !utf8_valid(text, strlen(text));
}

static void check_calls(const struct llm_message *m)
{
	char *text = llm_calls_text(m);
	struct llm_message *copy = llm_message_new(LLM_ASSISTANT, "");

	HOLDS((!text) == (m->call_count == 0));
	HOLDS(!text || llm_calls_parse(copy, text, NULL) == 0);
	HOLDS(copy->call_count == m->call_count);
	for (size_t i = 0; i < m->call_count; i++)
		HOLDS(is_kept(m->calls[i].id, copy->calls[i].id) &&
		    is_kept(m->calls[i].name, copy->calls[i].name) &&
		    is_kept(m->calls[i].arguments, copy->calls[i].arguments));
	llm_message_free(copy);
	free(text);
}

static void check_repair(struct llm_history *h)
{
	struct error err = {0};
	const struct llm_message *newest = newest_user(h);
	bool good = llm_history_validate(h, SIZE_MAX, &err) == 0, text_is_good;
	char *text;
	size_t changes;

	if (!good)
		fuzz_hold_sentence(err.text);
	if (!newest) {
		HOLDS(!good && llm_history_repair(h) == 0);
		return;
	}
	text = xstrdup(newest->text);
	text_is_good = utf8_valid(text, strlen(text)) && text[strspn(text, " \n")] != '\0';
	changes = llm_history_repair(h);
	HOLDS(good ? changes == 0 : changes > 0);
	HOLDS(llm_history_validate(h, SIZE_MAX, NULL) == 0);
	HOLDS(llm_history_repair(h) == 0);
	HOLDS(newest_user(h) == newest && (!text_is_good || strcmp(text, newest->text) == 0));
	free(text);
}

static void check_prune(struct llm_history *h, size_t max)
{
	const struct llm_message *newest = newest_user(h);
	size_t before = h->count, bytes = 0, gone;
	bool good = newest && llm_history_validate(h, SIZE_MAX, NULL) == 0;

	gone = llm_history_prune(h, max);
	HOLDS(h->count + gone == before);
	HOLDS(newest_user(h) == newest);
	for (size_t i = 0; i < h->count; i++)
		bytes += llm_message_bytes(h->messages[i]);
	HOLDS(!newest || bytes <= max || h->messages[0] == newest);
	HOLDS(!good || llm_history_validate(h, bytes, NULL) == 0);
}

void fuzz_history(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t max = 64 * fuzz_below(&in, 32);
	struct llm_history h;

	read_history(&h, &in);
	for (size_t i = 0; i < h.count; i++)
		check_calls(h.messages[i]);
	check_repair(&h);
	check_prune(&h, max);
	llm_history_clear(&h);
}

FUZZ_PROGRAM(fuzz_history)
