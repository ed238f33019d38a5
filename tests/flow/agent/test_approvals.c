/* Calls that wait for a person's yes, with the real gateway, on each platform as people there see it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

static const struct side {
	const char *platform, *chat, *kind, *mention, *admin, *user, *stranger;
	unsigned words; /* that people can write in one message, and the bot, who has more to say, cannot
			   where it counts */
} sides[] = {
    {"telegram", "-1001", "group", "@myna_bot ", "78", "77", "99", 320},
    {"slack", "C0TEAM", "channel", "@bot ", "U0ADMIN", "U0ANN", "U0BOB", 320},
    {"discord", "200000000000000001", "group", "@myna ", "378", "377", "399", 150},
};

static struct flow f;
/* Where the last request was found; "" for no thread. */
static char thread[64];

static void write_config(const char *approvals)
{
	char *top = xasprintf(
	    "approvals: { ask = [\"write_*\"]; %s };\ntools: { workspace_scope = \"shared\"; };", approvals);

	flow_config_channels(&f, top,
	    "rate_private = 0; rate_group = 0; rate_global = 0; allow = [\"77\"]; admins = [\"78\"];",
	    "rate_chat = 0; rate_global = 0; allow = [\"U0ANN\"]; admins = [\"U0ADMIN\"];",
	    "rate_channel = 0; rate_global = 0; allow = [\"377\"]; admins = [\"378\"];");
	free(top);
}

static void say_in(const struct side *s, const char *chat, const char *user, const char *text)
{
	flow_say_on(&f, s->platform, chat, user, text, s->kind);
}

/* In the thread of the request, where the platform has made one for the conversation. */
static void stop(const struct side *s)
{
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"kind\":\"%s\",\"text\":\"%s/"
	    "stop\"%s%s%s}",
	    s->platform, s->chat, s->user, s->kind, *s->platform == 't' ? "" : s->mention,
	    *thread ? ",\"thread\":\"" : "", thread, *thread ? "\"" : ""));
}

static void say(const struct side *s, const char *user, const char *text)
{
	char *words = xasprintf("%s%s", *text == '/' && *s->platform == 't' ? "" : s->mention, text);

	say_in(s, s->chat, user, words);
	free(words);
}

static int begin_with(const char *approvals)
{
	flow_start(&f);
	write_config(approvals);
	json_object_put(flow_control(&f, "settings",
	    "{\"telegram\":{\"limits\":false},\"slack\":{\"limits\":false},\"discord\":{\"limits\":false}}"));
	flow_gateway(&f, true);
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		say_in(&sides[i], sides[i].chat, sides[i].stranger, "hello all");
	return 0;
}

static int begin(void **state)
{
	(void)state;
	return begin_with("");
}

/* All that the bot said there, a message after the other; the caller's. */
static char *said(const struct side *s, const char *chat)
{
	struct json_object *o = flow_transcript(&f, s->platform, chat), *all = json_get_array(o, "messages");
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		if (json_get_bool(m, "bot", false))
			buf_addf(&out, "%s\n", json_get_str(m, "text"));
	}
	json_object_put(o);
	return buf_take(&out);
}

/* The id of the last message of the bot with buttons, malloc'd; NULL: there is none. *text likewise. */
static char *find_buttons(const struct side *s, const char *chat, char **text)
{
	struct json_object *o = flow_transcript(&f, s->platform, chat), *all = json_get_array(o, "messages");
	char *id = NULL;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i),
				   *buttons = json_get_array(m, "buttons");
		if (!json_get_bool(m, "bot", false) || json_object_array_length(buttons) != 2)
			continue;
		free(id);
		free(*text);
		id = xstrdup(json_get_str(m, "id"));
		*text = xstrdup(json_get_str(m, "text"));
		const char *in = json_get_str(m, "thread");
		snprintf(thread, sizeof(thread), "%s", in ? in : "");
	}
	json_object_put(o);
	return id;
}

/* Waits for a request in the chat: the message with its buttons, and the id to type. Both malloc'd. */
static char *await_request_in(const struct side *s, const char *chat, char **approval)
{
	char *text = NULL, *id;

	for (uint64_t due = flow_deadline(); !(id = find_buttons(s, chat, &text));)
		flow_look(&f, due, "%s: nothing is asked in %s", s->platform, chat);
	const char *at = strstr(text, "approve ");
	assert_non_null(at);
	*approval = xstrndup(at + strlen("approve "), 8);
	free(text);
	return id;
}

static void await_said(const struct side *s, const char *chat, const char *text)
{
	for (uint64_t due = flow_deadline();;
	     flow_look(&f, due, "%s: nobody said \"%s\" in %s", s->platform, text, chat)) {
		char *all = said(s, chat);
		bool found = strstr(all, text);
		free(all);
		if (found)
			return;
	}
}

static void await_no_buttons(const struct side *s)
{
	char *id, *text = NULL;

	for (uint64_t due = flow_deadline(); (id = find_buttons(s, s->chat, &text));) {
		free(id);
		flow_look(&f, due, "%s: the buttons stay", s->platform);
	}
	free(text);
}

static void press(
    const struct side *s, const char *chat, const char *user, const char *id, const char *button)
{
	flow_press(&f, s->platform, chat, user, id, button);
}

/* Does a request that was taken have the text? What only one person sees is in no transcript. */
static bool has_request(const struct side *s, const char *text)
{
	char *path = xasprintf("/control/requests?platform=%s", s->platform);
	struct json_object *o = flow_get(&f, path), *all = json_get_array(o, "requests");
	bool taken = false;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *r = json_object_array_get_idx(all, i);
		taken |= strstr(json_object_to_json_string_ext(r, JSON_C_TO_STRING_NOSLASHESCAPE), text) &&
		    strcmp(json_get_str(r, "verdict"), "ok") == 0;
	}
	json_object_put(o);
	free(path);
	return taken;
}

static void await_told(const struct side *s, const char *text)
{
	for (uint64_t due = flow_deadline(); !has_request(s, text);)
		flow_look(&f, due, "%s took no request with \"%s\"", s->platform, text);
}

/* What the file of the workspace holds, malloc'd; NULL: there is none. */
static char *file_of(const char *name)
{
	char *path = xasprintf("%s/state/workspace/%s", f.dir, name), *text;
	FILE *in = fopen(path, "r");

	free(path);
	if (!in)
		return NULL;
	text = xcalloc(1, 65536);
	size_t n = fread(text, 1, 65535, in);
	text[n] = '\0';
	fclose(in);
	return text;
}

static bool has_file(const char *name)
{
	char *text = file_of(name);
	bool has = text;

	free(text);
	return has;
}

static void assert_no_file(const char *name)
{
	assert_false(has_file(name));
}

static void assert_file(const char *name, const char *want)
{
	char *text = file_of(name);

	assert_non_null(text);
	assert_string_equal(text, want);
	free(text);
}

static void is_allowed_by_a_button(const struct side *s)
{
	char *approval;

	say(s, s->user, "write hello to a.txt");
	char *id = await_request_in(s, s->chat, &approval), *all = said(s, s->chat);
	assert_non_null(strstr(all, "\"content\": \"hello\\n\""));
	assert_non_null(strstr(all, "\"path\": \"a.txt\""));
	assert_non_null(strstr(all, "\"tool\": \"write_file\""));
	press(s, s->chat, s->stranger, id, "Allow");
	await_told(s, "You may not use this.");
	press(s, s->chat, s->user, id, "Allow");
	await_told(s, "Only people who may approve can decide this.");
	/* A kill changes nothing about the request. */
	if (*s->platform == 's') {
		flow_gateway_kill(&f);
		flow_gateway(&f, true);
	}
	assert_no_file("a.txt");
	struct json_object *status = flow_status(&f);
	assert_int_equal(json_get_int(json_get_object(status, "queue"), "approvals_open", -1), 1);
	json_object_put(status);
	press(s, s->chat, s->admin, id, "Allow");
	await_said(s, s->chat, "Allow (by ");
	await_no_buttons(s);
	flow_until(&f, has_file("a.txt"));
	assert_file("a.txt", "hello\n");
	free(id);
	free(all);
	free(approval);
}

static void is_refused_by_a_command(const struct side *s)
{
	char *approval;

	say(s, s->user, "write hello to b.txt");
	char *id = await_request_in(s, s->chat, &approval);
	char *early = xasprintf("/reject %s", approval), *no = xasprintf("/reject %s too early", approval);
	say(s, s->user, early);
	await_said(s, s->chat, "Only people who may approve can decide this.");
	say(s, s->admin, no);
	await_said(s, s->chat, "Rejected.");
	await_said(s, s->chat, "A person said no.");
	await_no_buttons(s);
	assert_no_file("b.txt");
	free(id);
	free(early);
	free(no);
	free(approval);
}

/* With words that would call everybody, end the block, or turn the writing round; and all of a long text. */
static void is_shown_whole_and_calls_nobody(const struct side *s)
{
	struct buf words = BUF_INIT, want = BUF_INIT;
	char *approval;

	buf_addstr(&words, "write ```@everyone <!here> <@U0BOB> \xe2\x80\xaetxt.exe\xe2\x80\x8b ");
	for (unsigned i = 0; i < s->words; i++)
		buf_addf(&want, "%u-abcdefg ", i);
	buf_addf(&words, "%s| to c.txt", want.data);
	say(s, s->user, words.data);
	char *id = await_request_in(s, s->chat, &approval), *all = said(s, s->chat);
	assert_non_null(strstr(all, "\\u0060\\u0060\\u0060@everyone"));
	assert_non_null(strstr(all, "\\u202etxt.exe\\u200b"));
	assert_null(strstr(all, "\xe2\x80\xae"));
	/* The parts again as one: a cut may swallow the blank, or begin the block anew. */
	for (unsigned i = 0; i < s->words; i++) {
		char *piece = xasprintf("%u-abcdefg", i);
		assert_non_null(strstr(all, piece));
		free(piece);
	}
	assert_true(strcmp(s->platform, "slack") != 0 || !has_request(s, "<!here>"));
	assert_true(strcmp(s->platform, "discord") != 0 || has_request(s, "allowed_mentions"));
	stop(s);
	await_said(s, s->chat, "This is no longer needed.");
	await_no_buttons(s);
	char *late = xasprintf("/approve %s", approval);
	say(s, s->admin, late);
	await_said(s, s->chat, "It is too late");
	assert_no_file("c.txt");
	free(late);
	free(id);
	free(all);
	free(approval);
	buf_clear(&words);
	buf_clear(&want);
}

static void a_yes_by_a_button_lets_it_run_on_every_platform(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		char *path = xasprintf("%s/state/workspace/a.txt", f.dir);
		unlink(path);
		free(path);
		is_allowed_by_a_button(&sides[i]);
	}
}

static void a_no_by_a_command_is_told_on_every_platform(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		is_refused_by_a_command(&sides[i]);
}

static void an_action_is_shown_whole_and_stopped_on_every_platform(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		is_shown_whole_and_calls_nobody(&sides[i]);
}

static int begin_elsewhere(void **state)
{
	(void)state;
	return begin_with("chat = \"slack:C0TEAM\";");
}

static int begin_in_a_hurry(void **state)
{
	(void)state;
	return begin_with("chat = \"slack:C0TEAM\"; timeout = \"5 s\";");
}

/* Asked on Telegram, allowed on Slack. */
static void another_chat_decides(void **state)
{
	const struct side *here = &sides[0], *there = &sides[1];
	char *approval;

	(void)state;
	say(here, here->user, "write hello to d.txt");
	await_said(here, here->chat, "I wait for the approval of a call of write_file");
	char *id = await_request_in(there, there->chat, &approval);
	press(there, there->chat, there->admin, id, "Allow");
	await_said(there, there->chat, "Allow (by ");
	await_no_buttons(there);
	await_said(here, here->chat, "d.txt");
	assert_file("d.txt", "hello\n");
	free(id);
	free(approval);
}

static void nobody_in_time_is_a_no(void **state)
{
	const struct side *here = &sides[0], *there = &sides[1];

	(void)state;
	say(here, here->user, "write hello to e.txt");
	await_said(there, there->chat, "approve ");
	await_said(here, here->chat, "Nobody allowed it in time");
	await_no_buttons(there);
	assert_no_file("e.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(a_yes_by_a_button_lets_it_run_on_every_platform, begin, &f),
	    FLOW_TEST(a_no_by_a_command_is_told_on_every_platform, begin, &f),
	    FLOW_TEST(an_action_is_shown_whole_and_stopped_on_every_platform, begin, &f),
	    FLOW_TEST(another_chat_decides, begin_elsewhere, &f),
	    FLOW_TEST(nobody_in_time_is_a_no, begin_in_a_hurry, &f),
	};

	return cmocka_run_group_tests_name("approvals", tests, NULL, NULL);
}
