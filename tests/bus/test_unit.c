/* A channel that is divided into units: each has the chats of its places, and every node finds the same one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "bus/channel.h"
#include "lib/journal_memory.h"

static unsigned three(const void *settings)
{
	(void)settings;
	return 3;
}

static const struct channel_ops ops = {.type = "fake", .person_chat = "dm:", .units = three};

static void drop(void *arg, struct message *m)
{
	(void)arg;
	message_free(m);
}

/* A node, with a bus of its own at the same journal. */
static struct bus *node_new(struct journal_memory *memory)
{
	const struct journal journal = journal_memory_face(memory);
	const struct bus_handler handler = {.received = drop};
	struct bus *b = bus_new(&journal, &handler);

	bus_add_channel(b, "fake", &ops, "settings");
	return b;
}

static struct address chat_of(const char *chat)
{
	struct address a;

	assert_int_equal(address_set(&a, "fake", chat, NULL, NULL), 0);
	return a;
}

static void hear(struct task *t, struct bus *b, const char *chat, uint64_t place)
{
	struct message *m = message_new();
	struct error err = {0};

	m->from = chat_of(chat);
	m->unit_key = place;
	m->account = xstrdup("fake:1");
	m->event_id = xasprintf("%s %llu", chat, (unsigned long long)place);
	assert_int_equal(channel_received(t, bus_channel(b, "fake"), &m, 1, NULL, &err), 0);
}

static const char *unit_at(struct task *t, struct bus *b, const char *chat)
{
	const struct address a = chat_of(chat);
	struct error err = {0};

	assert_int_equal(bus_locate(t, b, &a, &err), 0);
	assert_ptr_equal(bus_channel(b, bus_unit(b, &a)), bus_channel_of(b, &a));
	return bus_unit(b, &a);
}

static void route(struct task *t, void *arg)
{
	struct journal_memory *memory = journal_memory_new();
	struct bus *here = node_new(memory), *there = node_new(memory);

	(void)arg;
	hear(t, here, "a", 3);
	hear(t, here, "b", 4);
	hear(t, here, "c", (1ULL << 42) + 1); /* in thirds 2 is left */
	assert_string_equal(unit_at(t, here, "a"), "fake");
	assert_string_equal(unit_at(t, here, "b"), "fake#1");
	assert_string_equal(unit_at(t, here, "c"), "fake#2");
	/* Another node has heard none of them. */
	assert_string_equal(unit_at(t, there, "a"), "fake");
	assert_string_equal(unit_at(t, there, "b"), "fake#1");
	assert_string_equal(unit_at(t, there, "c"), "fake#2");
	/* Nobody has. */
	assert_string_equal(unit_at(t, there, "unknown"), "fake");
	assert_string_equal(unit_at(t, there, "dm:1"), "fake");
	/* What is unknown is looked for again. */
	hear(t, here, "unknown", 2);
	assert_string_equal(unit_at(t, there, "unknown"), "fake#2");
	bus_free(t, here);
	bus_free(t, there);
	journal_memory_free(memory);
}

static void every_node_finds_the_unit_of_a_chat(void **state)
{
	(void)state;
	task_run("test", route, NULL);
}

/* The place is stored before the message: where it is not, the platform gives the message again. */
static void lose(struct task *t, void *arg)
{
	struct journal_memory *memory = journal_memory_new();
	struct bus *b = node_new(memory);
	struct message *m = message_new();
	struct error err = {0};

	(void)arg;
	m->from = chat_of("a");
	m->unit_key = 1;
	journal_memory_fail_next(memory, &(struct error){.kind = ERROR_OURS, .text = "no space left"});
	assert_int_equal(channel_received(t, bus_channel(b, "fake"), &m, 1, NULL, &err), -1);
	assert_string_equal(err.text, "no space left");
	assert_string_equal(unit_at(t, b, "a"), "fake");
	bus_free(t, b);
	journal_memory_free(memory);
}

static void a_place_that_is_not_stored_is_not_known(void **state)
{
	(void)state;
	task_run("test", lose, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_node_finds_the_unit_of_a_chat),
	    cmocka_unit_test(a_place_that_is_not_stored_is_not_known),
	};

	return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
