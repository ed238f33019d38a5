/*
 * Nobody is let in by mistake: strangers try every way in on all three platforms, against lists that name
 * nobody, and no model is asked, nothing is answered, and no command of theirs has an effect.
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

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

/* The stranger is called like somebody in the lists. */
static const struct side {
	const char *platform, *chat, *kind, *mention, *admin, *stranger;
} sides[] = {
    {"telegram", "-1001", "group", "@myna_bot ", "78", "Ann"},
    {"slack", "C0TEAM", "channel", "@bot ", "U0ADMIN", "Ann"},
    {"discord", "200000000000000001", "group", "@myna ", "378", "Ann"},
};

/* How the stranger says it: members of POST /control/say. Each names the stranger's number, so that what the
 * model hears is found. */
static const struct way {
	const char *name, *platform, *more;
	bool in_private;
	const char *text; /* NULL: a mention */
} ways[] = {
    {"private chat", NULL, "", true, NULL},
    {"mention", NULL, "", false, NULL},
    {"thread", "slack", ",\"thread\":\"%s\"", false, NULL},
    {"reply", "telegram", ",\"reply_to\":\"%s\"", false, NULL},
    {"reply", "discord", ",\"reply_to\":\"%s\"", false, NULL},
    {"forward", "telegram", ",\"forward\":{\"user\":\"78\"}", true, NULL},
    {"forward", "discord", ",\"forward\":\"intruder forwards\"", true, NULL},
    {"anonymous administrator", "telegram", ",\"sender_chat\":\"self\"", false, NULL},
    {"channel's voice", "telegram", ",\"sender_chat\":\"-1009\"", false, NULL},
    {"webhook", "discord", ",\"webhook\":true", false, NULL},
    {"bot", "discord", ",\"as_bot\":true", false, NULL},
    {"bot", "slack", ",\"subtype\":\"bot_message\"", false, NULL},
    {"command in private", NULL, "", true, "/allow Ann admin"},
    {"command", "telegram", "", false, "/allow@myna_bot Ann admin"},
    {"command with a mention", NULL, "", false, "/pair AAAAAAAA"},
    {"list in private", NULL, "", true, "/allow"},
};

static struct flow f;

static void write_config(const char *const allow[], bool pairs, const char *reports)
{
	static const char *const admins[] = {"78", "U0ADMIN", "378"};
	char *channels[ARRAY_LEN(admins)];

	for (size_t i = 0; i < ARRAY_LEN(admins); i++)
		channels[i] = xasprintf("pairing = %s; allow = [%s]; admins = [\"%s\"];",
		    pairs ? "true" : "false", allow[i], admins[i]);
	flow_config_channels(&f, reports, channels[0], channels[1], channels[2]);
	for (size_t i = 0; i < ARRAY_LEN(admins); i++)
		free(channels[i]);
}

/* The id of the last message of the bot in the chat that has the text and, where wanted, buttons; malloc'd,
 * NULL: none. */
static char *find(const struct side *s, const char *chat, const char *text, bool buttons)
{
	struct json_object *o = flow_transcript(&f, s->platform, chat), *all = json_get_array(o, "messages");
	char *id = NULL;

	for (size_t i = 0; all && i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		if (!json_get_bool(m, "bot", false) || !strstr(json_get_str(m, "text"), text) ||
		    (buttons && json_object_array_length(json_get_array(m, "buttons")) == 0))
			continue;
		free(id);
		id = xstrdup(json_get_str(m, "id"));
	}
	json_object_put(o);
	return id;
}

static char *await_in(const struct side *s, const char *chat, const char *text, bool buttons)
{
	char *id;

	for (uint64_t due = flow_deadline(); !(id = find(s, chat, text, buttons));)
		flow_look(&f, due, "nobody said \"%s\" in %s on %s", text, chat, s->platform);
	return id;
}

static char *await(const struct side *s, const char *text, bool buttons)
{
	return await_in(s, s->chat, text, buttons);
}

/* A person says something; the id of the message, malloc'd. */
static char *say(const struct side *s, const char *chat, const char *kind, const char *user, const char *text,
    const char *more)
{
	struct json_object *o = flow_control(&f, "say",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"kind\":\"%s\",\"user\":\"%s\",\"text\":\"%s\"%s}",
	    s->platform, chat, kind, user, text, more);
	const char *id = json_get_str(o, "message_id");

	if (!json_get_bool(o, "ok", false))
		fail_msg("%s on %s: %s", more, s->platform, json_object_to_json_string(o));
	char *copy = xstrdup(id ? id : "");
	json_object_put(o);
	return copy;
}

static void admin_says(const struct side *s, const char *text)
{
	char *words = xasprintf("%s%s", s->mention, text);

	free(say(s, s->chat, s->kind, s->admin, words, ""));
	free(words);
}

static void try_way(const struct side *s, size_t i, const char *answered)
{
	const struct way *w = &ways[i];
	char *text, *more;

	if (w->platform && strcmp(w->platform, s->platform) != 0)
		return;
	if (w->text)
		text = xasprintf("%s%s", w->in_private || *w->text == '/' ? "" : s->mention, w->text);
	else
		text = xasprintf("%sintruder %zu", w->in_private ? "" : s->mention, i);
	more = strstr(w->more, "%s") ?
	    xasprintf("%.*s%s\"", (int)(strstr(w->more, "%s") - w->more), w->more, answered) :
	    xstrdup(w->more);
	free(say(s, w->in_private ? s->stranger : s->chat, w->in_private ? "private" : s->kind, s->stranger,
	    text, more));
	free(text);
	free(more);
}

static void press(const struct side *s, const char *chat, const char *user, const char *id)
{
	flow_press(&f, s->platform, chat, user, id, "Let in");
}

/* Says something harmless, and makes it what would be an order. */
static void try_edit(const struct side *s)
{
	char *id = say(s, s->chat, s->kind, s->stranger, "nice weather", "");
	char *more = xasprintf(",\"edit\":\"%s\"", id), *text = xasprintf("%sintruder edits", s->mention);

	free(say(s, s->chat, s->kind, s->stranger, text, more));
	free(text);
	free(more);
	free(id);
}

/* Presses what an admin was asked, and reacts to it. */
static void try_button(const struct side *s)
{
	char *command = xasprintf("/broadcast --dry-run %s:%s intruder pressed", s->platform, s->chat);

	admin_says(s, command);
	char *id = await(s, "This would go to 1 address", true);
	flow_press(&f, s->platform, s->chat, s->stranger, id, "Send");
	json_object_put(flow_control(&f, "react",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"message_id\":\"%s\",\"emoji\":\"%s\"}",
	    s->platform, s->chat, s->stranger, id, strcmp(s->platform, "slack") == 0 ? "thumbsup" : "👍"));
	free(id);
	free(command);
}

/* After the admin was answered, what the stranger said before was judged. */
static void expect_nothing(const struct side *s, const char *ping)
{
	char *said, *id;

	admin_says(s, ping);
	free(await(s, ping, false));
	said = find(s, s->chat, "intruder pressed", false);
	id = find(s, s->stranger, "", false);
	/* The question of the admin shows the text, and nothing else does. */
	char *question = find(s, s->chat, "This would go to", false);
	if (id || (said && strcmp(said, question) != 0))
		fail_msg("a stranger was answered on %s", s->platform);
	free(question);
	free(said);
	free(id);
}

static void expect_model_heard_no_stranger(void)
{
	struct json_object *o = flow_get(&f, "/control/model"), *all = json_get_array(o, "requests");

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		const char *request = json_object_to_json_string(json_object_array_get_idx(all, i));
		/* The last message of a request is what it answers: only an admin's. */
		const char *last = strstr(request, "[Addressed to you:]");
		if (strstr(last ? last : request, "intruder"))
			fail_msg("the model was asked for a stranger: %s", request);
	}
	json_object_put(o);
}

static void strangers_try(const char *const allow[])
{
	write_config(allow, false, "");
	flow_gateway(&f, true);
	flow_say(&f, "-1009", "5", "a group in whose name somebody speaks", "group");
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		const struct side *s = &sides[k];
		admin_says(s, "first");
		char *answered = await(s, "first", false);
		for (size_t i = 0; i < ARRAY_LEN(ways); i++)
			try_way(s, i, answered);
		try_edit(s);
		try_button(s);
		expect_nothing(s, "last");
		free(answered);
	}
	expect_model_heard_no_stranger();
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void an_empty_list_admits_nobody(void **state)
{
	static const char *const none[] = {"", "", ""};

	(void)state;
	strangers_try(none);
}

/* What begins like somebody's id. */
static void another_id_admits_nobody(void **state)
{
	static const char *const near[] = {"\"7\", \"1001\"", "\"U0\", \"U0ANNA\"", "\"3\", \"37\""};

	(void)state;
	strangers_try(near);
}

/* Blank entries, names, and ids of groups. */
static void what_is_no_id_of_a_person_starts_nothing(void **state)
{
#define NAMES "\"\", \" \", \"Ann\", \"ann\", \"@Ann\", \"7x\", \"U\""
	static const char *const odd[] = {
	    NAMES ", \"-1001\", \"-1009\"", NAMES ", \"7\", \"C0TEAM\"", NAMES ", \"-5\""};
	static const size_t counts[] = {9, 9, 8};
	char *out = NULL;

	(void)state;
	write_config(odd, false, "");
	assert_int_not_equal(flow_myna(&f, &out, "check", NULL), 0);
	for (size_t k = 0; k < ARRAY_LEN(sides); k++)
		for (size_t i = 0; i < counts[k]; i++) {
			char *line = xasprintf("channels.%s.allow[%zu]: \"", sides[k].platform, i);
			assert_non_null(strstr(out, line));
			free(line);
		}
	free(out);
	flow_run(&f);
	assert_int_not_equal(flow_gateway_wait(&f), 0);
}

static void an_unknown_key_starts_nothing(void **state)
{
	static const char *const none[] = {"]; allow_all = [\"*\"", "", ""};
	char *out = NULL;

	(void)state;
	write_config(none, false, "");
	assert_int_not_equal(flow_myna(&f, &out, "check", NULL), 0);
	assert_non_null(strstr(out, "allow_all"));
	free(out);
	flow_run(&f);
	assert_int_not_equal(flow_gateway_wait(&f), 0);
}

/* The text of that message, malloc'd. */
static char *text_of(const struct side *s, const char *chat, const char *id)
{
	struct json_object *o = flow_transcript(&f, s->platform, chat), *all = json_get_array(o, "messages");
	char *text = NULL;

	for (size_t i = 0; i < json_object_array_length(all) && !text; i++)
		if (strcmp(json_get_str(json_object_array_get_idx(all, i), "id"), id) == 0)
			text = xstrdup(json_get_str(json_object_array_get_idx(all, i), "text"));
	json_object_put(o);
	return text;
}

/* A stranger writes and is given a code, in the words of the platform; malloc'd. */
static char *knock(const struct side *s)
{
	free(say(s, s->stranger, "private", s->stranger, "let me in", ""));
	char *id = await_in(s, s->stranger, "I do not know you", false), *text = text_of(s, s->stranger, id);
	char *at = strstr(text, "pair ");
	assert_non_null(at);
	char *code = xstrndup(at + strlen("pair "), 8);
	free(text);
	free(id);
	return code;
}

static void expect_let_in(const struct side *s)
{
	free(await_in(s, s->stranger, "You may talk to me now.", false));
	free(say(s, s->stranger, "private", s->stranger, "third", ""));
	free(await_in(s, s->stranger, "third", false));
}

static void a_stranger_is_let_in_by_an_admin_with_the_code(void **state)
{
	static const char *const none[] = {"", "", ""};

	(void)state;
	write_config(none, true, "");
	flow_gateway(&f, true);
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		const struct side *s = &sides[k];
		char *code = knock(s), *text = xasprintf("/pair %s", code);
		free(say(s, s->stranger, "private", s->stranger, text, ""));
		/* Over a kill. */
		flow_gateway_kill(&f);
		flow_gateway(&f, true);
		assert_null(find(s, s->stranger, "You may talk", false));
		free(say(s, s->admin, "private", s->admin, text, ""));
		expect_let_in(s);
		free(text);
		free(code);
	}
}

static void a_stranger_is_let_in_by_a_button(void **state)
{
	static const char *const none[] = {"", "", ""};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		const struct side *s = &sides[k];
		char *reports = xasprintf("reports = \"%s:%s\";", s->platform, s->chat);
		write_config(none, true, reports);
		flow_gateway(&f, true);
		/* The bot must be in the chat to be heard there. */
		admin_says(s, "first");
		free(await(s, "first", false));
		free(knock(s));
		char *id = await(s, "Someone I do not know", true);
		press(s, s->chat, s->stranger, id);
		press(s, s->chat, s->admin, id);
		expect_let_in(s);
		assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
		free(id);
		free(reports);
	}
}

static void a_stranger_is_let_in_by_a_button_in_an_admins_private_chat(void **state)
{
	static const char *const none[] = {"", "", ""};

	(void)state;
	write_config(none, true, "");
	flow_gateway(&f, true);
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		const struct side *s = &sides[k];
		free(say(s, s->admin, "private", s->admin, "first", ""));
		free(await_in(s, s->admin, "first", false));
		free(knock(s));
		char *id = await_in(s, s->admin, "Someone I do not know", true);
		press(s, s->admin, s->admin, id);
		expect_let_in(s);
		free(id);
	}
}

/* The emoji that stops on each platform. */
static void react(const struct side *s, const char *user, const char *id)
{
	const char *emoji = strcmp(s->platform, "slack") == 0 ? "octagonal_sign" :
	    strcmp(s->platform, "discord") == 0               ? "🛑" :
								"👎";
	struct json_object *o = flow_control(&f, "react",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"message_id\":\"%s\",\"emoji\":\"%s\"}",
	    s->platform, s->chat, user, id, emoji);

	if (!json_get_bool(o, "ok", false))
		fail_msg("a reaction on %s: %s", s->platform, json_object_to_json_string(o));
	json_object_put(o);
}

static size_t refusals(const struct side *s)
{
	char *chat = xasprintf("chat=%s:%s\n", s->platform, s->chat), *log = flow_log(&f);
	size_t n = 0;

	for (const char *at = log; (at = strstr(at, "not answered: ")); at++) {
		const char *end = strchr(at, '\n'), *found = strstr(at, chat);
		n += found && end && found < end;
	}
	free(log);
	free(chat);
	return n;
}

static void await_refusals(const struct side *s, size_t count)
{
	flow_until(&f, refusals(s) >= count);
}

static void a_reaction_stops_what_the_person_may_stop(void **state)
{
	static const char *const none[] = {"", "", ""};

	(void)state;
	write_config(none, false, "");
	flow_gateway(&f, true);
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		const struct side *s = &sides[k];
		admin_says(s, "first");
		free(await(s, "first", false));
		/* Telegram tells administrators alone of reactions in groups. */
		if (k == 0)
			json_object_put(flow_control(&f, "member",
			    "{\"platform\":\"telegram\",\"chat\":\"%s\",\"user\":\"78\",\"action\":"
			    "\"promote\"}",
			    s->chat));
		char *words = xasprintf("%scount to 900", s->mention),
		     *asked = say(s, s->chat, s->kind, s->admin, words, "");
		char *answer = await(s, "5", false);
		react(s, s->stranger, asked);
		react(s, s->stranger, answer);
		await_refusals(s, 2);
		assert_null(find(s, s->chat, "topped", false));
		react(s, s->admin, asked);
		free(await(s, "Stopped.", false));
		free(answer);
		free(asked);
		free(words);
	}
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

#define FLOW(test) FLOW_TEST(test, flow_begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(an_empty_list_admits_nobody),
	    FLOW(another_id_admits_nobody),
	    FLOW(what_is_no_id_of_a_person_starts_nothing),
	    FLOW(a_stranger_is_let_in_by_an_admin_with_the_code),
	    FLOW(a_stranger_is_let_in_by_a_button),
	    FLOW(a_stranger_is_let_in_by_a_button_in_an_admins_private_chat),
	    FLOW(a_reaction_stops_what_the_person_may_stop),
	    FLOW(an_unknown_key_starts_nothing),
	};

	return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
