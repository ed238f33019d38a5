#include "cluster/ledger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "cluster/nodes.h"

#define MARK "(may be a repeat)"
/* Ends the beginning of an answer that a node died of. */
#define UNFINISHED " \u2026"
#define ASKED_MAX  4096
/* Private chats: of one person each. */
#define FIRST_CHAT 7000

struct asked {
	size_t side;
	unsigned chat;
	uint64_t at_ms, answered_ms; /* 0: not yet */
	size_t answers, marked;      /* at the last look at its chat */
};

static struct {
	struct asked list[ASKED_MAX];
	unsigned count; /* numbers begin at 1 */
	unsigned chats;
} asked;

static struct asked *find(unsigned number)
{
	assert_in_range(number, 1, asked.count);
	return &asked.list[number - 1];
}

void ledger_begin(void)
{
	memset(&asked, 0, sizeof(asked));
}

unsigned ledger_ask(size_t side, unsigned chat, enum question kind)
{
	static const char *const words[] = {"question", "long", "work"};
	struct asked *a;
	unsigned id = FIRST_CHAT + chat;

	assert_true(asked.count < ASKED_MAX);
	a = &asked.list[asked.count++];
	*a = (struct asked){.side = side, .chat = chat, .at_ms = flow_now_ms()};
	asked.chats = chat >= asked.chats ? chat + 1 : asked.chats;
	json_object_put(flow_control(&platforms, "say",
	    "{\"platform\":\"%s\",\"chat\":\"%u\",\"user\":\"%u\",\"text\":\"%s %u.\",\"kind\":\"private\"}",
	    sides[side], id, id, words[kind], asked.count));
	return asked.count;
}

unsigned ledger_ask_anew(size_t side, enum question kind)
{
	return ledger_ask(side, asked.chats, kind);
}

unsigned ledger_ask_all(void)
{
	unsigned chat = asked.chats, first = asked.count + 1;

	for (size_t i = 0; i < SIDES; i++)
		ledger_ask(i, chat, QUESTION_SHORT);
	return first;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

/* The number of the question that the text answers; 0: none. */
static unsigned number_in(const char *text)
{
	const char *at = ends_with(text, UNFINISHED) ? NULL : strstr(text, "It is <");

	return at ? (unsigned)strtoul(at + strlen("It is <"), NULL, 10) : 0;
}

/* Counts the answers in a chat. */
static void read_chat(size_t side, unsigned chat)
{
	char *path = xasprintf("/control/transcript?platform=%s&chat=%u", sides[side], FIRST_CHAT + chat);
	struct json_object *o = flow_get(&platforms, path), *all = json_get_array(o, "messages");
	unsigned last = 0;

	free(path);
	for (unsigned n = 1; n <= asked.count; n++)
		if (find(n)->side == side && find(n)->chat == chat)
			find(n)->answers = find(n)->marked = 0;
	for (size_t i = 0; all && i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		const char *text = json_get_str(m, "text");
		bool counts = json_get_bool(m, "bot", false) && !json_get_bool(m, "deleted", false) &&
		    !json_get_bool(m, "draft", false);
		unsigned number = counts ? number_in(text) : 0;

		if (number == 0)
			continue;
		struct asked *a = find(number);
		if (a->side != side || a->chat != chat)
			fail_msg(
			    "the answer to %u came to another chat, %u on %s", number, chat, sides[side]);
		/* Slack delivers again what was not acknowledged, after what came later. */
		if (a->answers++ == 0 && number < last && strcmp(sides[side], "slack") != 0)
			fail_msg("%u was answered before %u, on %s", last, number, sides[side]);
		a->marked += strstr(text, MARK) != NULL;
		last = number > last ? number : last;
		if (a->answered_ms == 0)
			a->answered_ms = flow_now_ms();
	}
	json_object_put(o);
}

size_t ledger_look(void)
{
	size_t left = 0;

	for (unsigned n = 1; n <= asked.count; n++) {
		if (find(n)->answered_ms == 0)
			read_chat(find(n)->side, find(n)->chat);
		left += find(n)->answered_ms == 0;
	}
	return left;
}

bool ledger_is_answered(unsigned number)
{
	return find(number)->answered_ms > 0;
}

uint64_t ledger_took_ms(unsigned number)
{
	return find(number)->answered_ms - find(number)->at_ms;
}

/* Says which node has it: its log is shown. */
static void await(unsigned number)
{
	struct asked *a = find(number);

	for (uint64_t due = flow_deadline(); a->answered_ms == 0;) {
		struct node *n;

		read_chat(a->side, a->chat);
		if (a->answered_ms > 0)
			return;
		n = flow_now_ms() > due ? nodes_owner(a->side) : NULL;
		if (n)
			nodes_show_journal();
		flow_look(n ? &n->flow : &platforms, due,
		    "%u was never answered, in the chat %u on %s, which %s serves", number, a->chat,
		    sides[a->side], n ? n->name : "nobody");
	}
}

void ledger_await(unsigned number)
{
	await(number);
}

size_t ledger_answers(unsigned number, size_t *marked)
{
	struct asked *a = find(number);

	read_chat(a->side, a->chat);
	*marked = a->marked;
	return a->answers;
}

void ledger_judge(size_t marks)
{
	size_t marked = 0;

	for (unsigned n = 1; n <= asked.count; n++)
		await(n);
	for (unsigned n = 1; n <= asked.count; n++) {
		size_t repeats, answers = ledger_answers(n, &repeats);

		/* The answer that its repeat may repeat did not always arrive. */
		if (answers - repeats > 1 || repeats > 1)
			fail_msg("%u was answered %zu times on %s, %zu times with a mark", n, answers,
			    sides[find(n)->side], repeats);
		if (repeats > 0 && strcmp(sides[find(n)->side], "telegram") != 0)
			fail_msg("%u has a repeat on %s, where none is needed", n, sides[find(n)->side]);
		marked += repeats;
	}
	if (marked > marks)
		fail_msg("%zu repeats, and at most %zu had a reason", marked, marks);
	nodes_judge();
}
