/* Messages to the playground's Discord: what is shown, what failures become, and that what may have gone out
 * is repeated under the same nonce. */
#include "tests/channels/discord/discord_stage.h"

#include <stdlib.h>
#include <string.h>

#include "bus/buttons.h"
#include "bus/message.h"
#include "tests/playground/fixture.h"

#define POST  "POST /channels/messages"
#define PATCH "PATCH /channels/messages"

/* Ann writes in the channel "general" of a server. Returns the address of the channel, and the message's id.
 */
static struct address open_channel(struct task *t, char **message)
{
	size_t before = the_stage.received_count;

	discord_stage_start_ready(t);
	discord_stage_say("general", "group", "hello");
	discord_stage_until(the_stage.received_count > before);
	if (message)
		*message = the_stage.received[before]->message_id;
	return the_stage.received[before]->from;
}

static struct outbound *row_new(const struct address *to, enum outbound_kind kind, const char *text)
{
	struct outbound *row = outbound_new(to, kind, text);

	row->part = row->parts = 1;
	row->created_ms = row->updated_ms = clock_wall();
	return row;
}

/* Takes row. */
static void put(struct task *t, struct outbound *row)
{
	struct error err = {0};

	if (bus_send(t, the_stage.bus, &row, 1, &err) < 0)
		fail_msg("%s", err.text);
	outbound_free(row);
}

static void reply(struct task *t, const struct address *to, const char *text)
{
	put(t, row_new(to, OUTBOUND_REPLY, text));
}

static size_t ended(void)
{
	size_t lines = 0;

	for (const char *at = the_stage.ends.data; at && (at = strchr(at, '\n')); at++)
		lines++;
	return lines;
}

/* So many are finished, and one of them so. */
static void expect_end(struct task *t, size_t lines, const char *part)
{
	discord_stage_until(ended() == lines);
	if (!strstr(the_stage.ends.data, part))
		fail_msg("the ends lack \"%s\":\n%s", part, the_stage.ends.data);
}

static void expect_said(const char *want)
{
	char *said = discord_stage_said("general", NULL);

	assert_string_equal(said, want);
	free(said);
}

STAGE_TEST(an_answer_is_shown_where_it_was_asked)
{
	char *asked;
	struct address to = open_channel(t, &asked);
	struct outbound *row = row_new(&to, OUTBOUND_REPLY, "**there** @everyone");

	row->reply_to = xstrdup(asked);
	put(t, row);
	expect_end(t, 1, "sent");
	reply(t, &to, "and more");
	expect_end(t, 2, "sent");
	expect_said("> **there** @\u2060everyone\nand more\n"); /* a word joiner: nobody is called */
}

/* Ids that Discord does not have, chats that the bot cannot reach, and texts that are none. */
STAGE_TEST(what_discord_refuses_has_failed_and_says_why)
{
	static const struct {
		const char *verb, *does, *undoes, *says;
	} table[] = {
	    {"member", "\"action\":\"hide\"", "\"action\":\"show\"", "View Channel"},
	    {"member", "\"action\":\"mute\"", "\"action\":\"unmute\"", "Send Messages"},
	    {"chat", "\"gone\":\"left\"", "\"gone\":\"no\"", "cannot see this channel"},
	};
	struct address to = open_channel(t, NULL), wrong;
	size_t n = 0;

	for (; n < ARRAY_LEN(table); n++) {
		json_object_put(control(
		    table[n].verb, "{\"platform\":\"discord\",\"chat\":\"general\",%s}", table[n].does));
		reply(t, &to, "hello");
		expect_end(t, n + 1, table[n].says);
		json_object_put(control(
		    table[n].verb, "{\"platform\":\"discord\",\"chat\":\"general\",%s}", table[n].undoes));
	}
	assert_int_equal(address_set(&wrong, "discord", "77", NULL, NULL), 0);
	reply(t, &wrong, "hello");
	expect_end(t, ++n, "there is no such channel");
	assert_int_equal(address_set(&wrong, "discord", "general", NULL, NULL), 0);
	reply(t, &wrong, "hello");
	expect_end(t, ++n, "is not the id of a Discord channel");
	reply(t, &to, " \n ");
	expect_end(t, ++n, "an empty message cannot be sent");
	assert_null(strstr(the_stage.ends.data, "sent:"));
	assert_int_equal(discord_stage_calls(POST), ARRAY_LEN(table) + 1);
	expect_said("");
}

/* The answer is lost at every kind of place: never a second message, never none. */
STAGE_TEST(a_lost_answer_is_repeated_under_the_same_nonce)
{
	static const char *const faults[] = {
	    "\"kind\":\"cut\",\"at_byte\":0,\"count\":2",
	    "\"kind\":\"close\",\"count\":2",
	    "\"kind\":\"status\",\"status\":500,\"count\":2",
	    "\"kind\":\"garbage\",\"count\":2",
	    "\"kind\":\"garbage\",\"text\":\"{}\",\"count\":1",
	};
	struct address to = open_channel(t, NULL);
	struct buf want = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		char *text = xasprintf("number %zu", i);

		discord_stage_fault(POST, faults[i]);
		reply(t, &to, text);
		discord_stage_until(ended() == i + 1);
		buf_addf(&want, "%s\n", text);
		free(text);
	}
	expect_said(want.data);
	assert_null(strstr(the_stage.ends.data, "uncertain"));
	assert_int_equal(discord_stage_calls(POST), 4 * 3 + 2);
	buf_clear(&want);
}

/* Discord has forgotten the nonce: an answer is repeated with a mark, and anything else is held. */
STAGE_TEST(what_discord_no_longer_recognises_is_marked_or_held)
{
	the_stage.limits.nonce_ms = 0;
	struct address to = open_channel(t, NULL);

	discord_stage_fault(POST, "\"kind\":\"cut\",\"at_byte\":0,\"count\":1");
	put(t, row_new(&to, OUTBOUND_NOTIFICATION, "news"));
	expect_end(t, 1, "uncertain");
	discord_stage_fault(POST, "\"kind\":\"close\",\"count\":1");
	reply(t, &to, "an answer");
	expect_end(t, 2, "sent");
	char *said = discord_stage_said("general", NULL);
	assert_non_null(strstr(said, "an answer"));
	assert_non_null(strstr(said, "(may be a repeat)"));
	free(said);
}

/* An edit can be made twice without harm, so it is never in doubt. */
STAGE_TEST(an_edit_whose_answer_was_lost_is_made_again)
{
	static const char *const faults[] = {
	    "\"kind\":\"cut\",\"at_byte\":0,\"count\":1", "\"kind\":\"status\",\"status\":502,\"count\":1"};
	struct address to = open_channel(t, NULL);
	struct json_object *o, *list;

	the_stage.limits.nonce_ms = 0;
	reply(t, &to, "first");
	expect_end(t, 1, "sent");
	o = client_get(at("/control/transcript?platform=discord&chat=general"), 200);
	list = json_get_array(o, "messages");
	char *id =
	    xstrdup(json_get_str(json_object_array_get_idx(list, json_object_array_length(list) - 1), "id"));
	json_object_put(o);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		struct outbound *row = row_new(&to, OUTBOUND_NOTIFICATION, i == 0 ? "second" : "third");

		row->edit_of = xstrdup(id);
		discord_stage_fault(PATCH, faults[i]);
		put(t, row);
		discord_stage_until(ended() == i + 2);
	}
	assert_null(strstr(the_stage.ends.data, "uncertain"));
	assert_int_equal(discord_stage_calls(PATCH), 4);
	expect_said("third\n");
	free(id);
}

STAGE_TEST(a_pause_that_discord_asks_for_is_kept)
{
	struct address to = open_channel(t, NULL);
	uint64_t began = clock_now();

	the_stage.limits.limited_extra_ms = 10;
	discord_stage_fault(POST, "\"kind\":\"retry_after\",\"seconds\":1,\"count\":1");
	reply(t, &to, "one");
	reply(t, &to, "two");
	expect_end(t, 2, "sent");
	assert_true(clock_now() - began >= 1000);
	expect_said("one\ntwo\n");
	assert_int_equal(discord_stage_calls(POST), 3);
	assert_null(strstr(the_stage.ends.data, "uncertain"));
}

/* The message waits for whoever puts the token right; it has not failed. */
STAGE_TEST(a_refused_token_stops_the_channel_and_loses_nothing)
{
	struct address to = open_channel(t, NULL);

	discord_stage_fault(POST, "\"kind\":\"status\",\"status\":401,\"count\":1");
	reply(t, &to, "one");
	discord_stage_until(the_stage.channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(the_stage.channel->status_text, "token was refused"));
	assert_int_equal(ended(), 0);
	discord_stage_stop(t);
	discord_stage_start_ready(t);
	expect_end(t, 1, "sent");
	expect_said("one\n");

	/* The call before it, which opens the chat, finds the token refused. */
	char *chat = xasprintf("@%s", the_stage.received[0]->sender_id);
	struct address person;
	assert_int_equal(address_set(&person, the_stage.channel->name, chat, NULL, NULL), 0);
	discord_stage_fault("POST /users/@me/channels", "\"kind\":\"status\",\"status\":401,\"count\":1");
	reply(t, &person, "two");
	discord_stage_until(the_stage.channel->status == CHANNEL_STOPPED);
	discord_stage_stop(t);
	discord_stage_start_ready(t);
	expect_end(t, 2, "sent");
	assert_null(strstr(the_stage.ends.data, "failed"));
	free(chat);
}

STAGE_TEST(an_answer_to_a_message_that_is_gone_is_said_without_it)
{
	struct address to = open_channel(t, NULL);
	struct outbound *row = row_new(&to, OUTBOUND_REPLY, "late");

	row->reply_to = xstrdup("1");
	put(t, row);
	expect_end(t, 1, "sent");
	expect_said("late\n");
}

/* To answer a message, a bot needs the right to read those of before. */
STAGE_TEST(an_answer_that_may_not_refer_to_its_message_is_said_without_it)
{
	char *asked;
	struct address to = open_channel(t, &asked);
	struct outbound *row = row_new(&to, OUTBOUND_REPLY, "here");

	json_object_put(control("member",
	    "{\"platform\":\"discord\",\"chat\":\"general\",\"action\":\"deny\",\"permission\":"
	    "\"READ_MESSAGE_HISTORY\"}"));
	row->reply_to = xstrdup(asked);
	put(t, row);
	expect_end(t, 1, "sent");
	expect_said("here\n");
	assert_int_equal(discord_stage_calls(POST), 2);
}

STAGE_TEST(an_archived_thread_is_opened_again_once)
{
	struct address to = open_channel(t, NULL);
	struct json_object *o = control("topic",
	    "{\"platform\":\"discord\",\"chat\":\"general\",\"thread\":\"ideas\",\"user\":\"ann\",\"action\":"
	    "\"create\"}");
	char *thread = xstrdup(json_get_str(o, "thread"));

	json_object_put(o);
	str_copy(to.thread, sizeof(to.thread), thread);
	json_object_put(control("topic",
	    "{\"platform\":\"discord\",\"chat\":\"general\",\"thread\":\"ideas\",\"action\":\"archive\"}"));
	discord_stage_fault(
	    POST, "\"kind\":\"status\",\"status\":400,\"text\":\"50083: Thread is archived\",\"count\":1");
	reply(t, &to, "one");
	expect_end(t, 1, "sent");
	assert_int_equal(discord_stage_calls("PATCH /channels"), 1);
	char *said = discord_stage_said("general", thread);
	assert_string_equal(said, "one\n");
	free(said);
	free(thread);
}

/* "@" and the id of a person: the private chat is opened first. */
STAGE_TEST(a_person_is_reached_by_id)
{
	struct address to = open_channel(t, NULL);
	char *chat = xasprintf("@%s", the_stage.received[0]->sender_id);

	assert_int_equal(address_set(&to, "discord", chat, NULL, NULL), 0);
	put(t, row_new(&to, OUTBOUND_NOTIFICATION, "psst"));
	expect_end(t, 1, "sent");
	char *said = discord_stage_said("ann", NULL);
	assert_string_equal(said, "psst\n");
	free(said);
	free(chat);
}

static void add_piece(struct task *t, void *arg)
{
	struct preview *p = arg;

	(void)t;
	buf_addstr(&p->text, " two");
}

STAGE_TEST(a_piece_that_comes_while_a_preview_is_in_flight_is_not_shown_yet)
{
	struct preview p = {.text = BUF_INIT};
	struct error err = {0};

	the_stage.settings.previews = true;
	p.where = open_channel(t, NULL);
	p.since_ms = clock_now() - (uint64_t)the_stage.settings.preview_after_ms;
	buf_addstr(&p.text, "one");
	task_start(NULL, "piece", add_piece, &p);
	if (the_stage.channel->ops->preview(t, the_stage.channel, &p, &err) <= 0)
		fail_msg("%s", err.text);
	assert_string_equal(p.text.data, "one two");
	assert_int_equal(p.shown_len, strlen("one"));
	expect_said("one …\n");
	buf_clear(&p.text);
	free(p.message_id);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_is_shown_where_it_was_asked),
	    cmocka_unit_test(what_discord_refuses_has_failed_and_says_why),
	    cmocka_unit_test(a_lost_answer_is_repeated_under_the_same_nonce),
	    cmocka_unit_test(what_discord_no_longer_recognises_is_marked_or_held),
	    cmocka_unit_test(an_edit_whose_answer_was_lost_is_made_again),
	    cmocka_unit_test(a_pause_that_discord_asks_for_is_kept),
	    cmocka_unit_test(a_refused_token_stops_the_channel_and_loses_nothing),
	    cmocka_unit_test(an_answer_to_a_message_that_is_gone_is_said_without_it),
	    cmocka_unit_test(an_answer_that_may_not_refer_to_its_message_is_said_without_it),
	    cmocka_unit_test(an_archived_thread_is_opened_again_once),
	    cmocka_unit_test(a_person_is_reached_by_id),
	    cmocka_unit_test(a_piece_that_comes_while_a_preview_is_in_flight_is_not_shown_yet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
