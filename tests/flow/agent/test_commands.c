/*
 * Every row of the commands, as the program lists them, on every platform: answered while a turn runs, while
 * the model is away and when none is configured; and refused to users where it is for admins. A new row is
 * tried by itself.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

#define PEOPLE       6
#define COMMANDS_MAX 64

/* admins and users: PEOPLE ids each, made from these. */
static const struct side {
	const char *platform, *admin, *user;
} sides[] = {
    {"telegram", "78%zu", "77%zu"},
    {"slack", "U0ADMIN%zu", "U0USER%zu"},
    {"discord", "378%zu", "377%zu"},
};

static struct flow f;
static struct command {
	char name[32];
	bool for_admins;
} commands[COMMANDS_MAX];
static size_t count;

static void add_ids(struct buf *channel, const char *key, const char *format)
{
	buf_addf(channel, " %s = [", key);
	for (size_t i = 0; i < PEOPLE; i++) {
		buf_addf(channel, "%s\"", i ? ", " : "");
		/* NOLINTNEXTLINE: one of the formats above. */
		buf_addf(channel, format, i);
		buf_addch(channel, '"');
	}
	buf_addstr(channel, "];");
}

static void write_config(bool with_model)
{
	struct buf channels[ARRAY_LEN(sides)] = {BUF_INIT, BUF_INIT, BUF_INIT};

	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		add_ids(&channels[k], "admins", sides[k].admin);
		add_ids(&channels[k], "allow", sides[k].user);
	}
	flow_config_channels(
	    &f, with_model ? "" : "llm: { };", channels[0].data, channels[1].data, channels[2].data);
	for (size_t k = 0; k < ARRAY_LEN(sides); k++)
		buf_clear(&channels[k]);
}

/* The rows of myna help chat: "  /name ARGUMENTS", and a line on it that ends with "(admins)" where it is for
 * them. */
static void read_commands(void)
{
	char *text, *rest;

	assert_int_equal(flow_myna(&f, &text, "help", "chat", NULL), 0);
	count = 0;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (strncmp(line, "  /", 3) == 0) {
			assert_true(count < COMMANDS_MAX);
			commands[count] = (struct command){0};
			snprintf(commands[count].name, sizeof(commands[count].name), "%.*s",
			    (int)strcspn(line + 3, " "), line + 3);
			count++;
		} else if (count > 0 && strstr(line, "(admins)")) {
			commands[count - 1].for_admins = true;
		}
	}
	free(text);
	assert_true(count > 20);
}

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	read_commands();
	return 0;
}

static char *person(const char *format, size_t i)
{
	/* NOLINTNEXTLINE: one of the formats above. */
	return xasprintf(format, i % PEOPLE);
}

static void say(const struct side *s, const char *who, const char *text)
{
	flow_say_on(&f, s->platform, who, who, text, "private");
}

/* Slack tells when a person opens the app, so that a welcome may come beside the answer to the first command.
 */
static bool is_answer(const char *command, const char *text)
{
	static const char welcome[] = "Hello, I am Myna";

	return strcmp(command, "start") == 0 || strncmp(text, welcome, strlen(welcome)) != 0;
}

/* Messages of the bot in the chat that may answer the command; *last the text of the newest, malloc'd, NULL:
 * none. */
static size_t bot_messages(const struct side *s, const char *chat, const char *command, char **last)
{
	struct json_object *o = flow_transcript(&f, s->platform, chat), *all = json_get_array(o, "messages");
	size_t n = 0;

	*last = NULL;
	for (size_t i = 0; all && i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		if (!json_get_bool(m, "bot", false) || !is_answer(command, json_get_str(m, "text")))
			continue;
		n++;
		free(*last);
		*last = xstrdup(json_get_str(m, "text"));
	}
	json_object_put(o);
	return n;
}

/* Waits for one more message than before; its text, malloc'd. */
static char *await_answer(const struct side *s, const char *chat, size_t before, const char *command)
{
	char *last;

	for (uint64_t due = flow_deadline(); bot_messages(s, chat, command, &last) <= before;) {
		free(last);
		flow_look(&f, due, "/%s was not answered in %s on %s", command, chat, s->platform);
	}
	return last;
}

/* Says the command on all platforms, and then waits for all answers. */
static void try_command(const struct command *c, size_t turn, bool by_admins)
{
	size_t before[ARRAY_LEN(sides)];
	char *who[ARRAY_LEN(sides)], *text = xasprintf("/%s", c->name),
				     *refusal = xasprintf("%s is for admins", c->name), *last;

	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		who[k] = person(by_admins ? sides[k].admin : sides[k].user, turn);
		before[k] = bot_messages(&sides[k], who[k], c->name, &last);
		free(last);
		say(&sides[k], who[k], text);
	}
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		last = await_answer(&sides[k], who[k], before[k], c->name);
		if (strstr(last, "There is no command"))
			fail_msg("%s knows no /%s: %s", sides[k].platform, c->name, last);
		if ((strstr(last, refusal) != NULL) != (c->for_admins && !by_admins))
			fail_msg("/%s of %s on %s: %s", c->name, by_admins ? "an admin" : "a user",
			    sides[k].platform, last);
		free(last);
		free(who[k]);
	}
	free(refusal);
	free(text);
}

/* /restart ends what the others would be tried on. */
static void try_all(bool by_admins)
{
	for (size_t i = 0; i < count; i++)
		if (!by_admins || strcmp(commands[i].name, "restart") != 0)
			try_command(&commands[i], i, by_admins);
}

static void model_fault(const char *kind)
{
	json_object_put(flow_control(
	    &f, "fault", "{\"platform\":\"model\",\"method\":\"*\",\"count\":1000,\"kind\":\"%s\"}", kind));
}

static void admins_are_answered_while_turns_run(void **state)
{
	(void)state;
	write_config(true);
	flow_gateway(&f, true);
	model_fault("stall");
	for (size_t k = 0; k < ARRAY_LEN(sides); k++)
		for (size_t i = 0; i < PEOPLE; i++) {
			char *who = person(sides[k].admin, i);
			say(&sides[k], who, "tell me a long story");
			free(who);
		}
	try_all(true);
}

static void users_are_answered_while_the_model_is_away(void **state)
{
	(void)state;
	write_config(true);
	flow_gateway(&f, true);
	model_fault("close");
	try_all(false);
}

static void admins_are_answered_without_any_model(void **state)
{
	(void)state;
	write_config(false);
	flow_gateway(&f, true);
	try_all(true);
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(admins_are_answered_while_turns_run),
	    FLOW(users_are_answered_while_the_model_is_away),
	    FLOW(admins_are_answered_without_any_model),
	};

	return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
