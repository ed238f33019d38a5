/* Who is let in from chat: codes for strangers, and what admins say of people. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "lib/stage_press.h"
#include "session/access/pairing.h"
#include "session/session_internal.h"
#include "store/grants.h"

/* Hands it in, and waits for all that follows; what was shown before is forgotten. */
static void hear(struct task *t, struct stage *st, struct message *m)
{
	buf_reset(&st->shown);
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
}

static void say(struct task *t, struct stage *st, const char *person, const char *text)
{
	hear(t, st, stage_message_by(st, person, person, text));
}

/* The code in what a stranger was answered, malloc'd. */
static char *code_shown(const struct stage *st)
{
	const char *at = strstr(st->shown.data, "this code: `");

	if (!at)
		fail_msg("no code in: %s", st->shown.data);
	return xstrndup(at + strlen("this code: `"), PAIRING_CODE_LEN);
}

/* A stranger writes and is given a code. */
static char *knock(struct task *t, struct stage *st, const char *person)
{
	st->access.pairing = true;
	say(t, st, person, "hello");
	return code_shown(st);
}

static void pair(struct task *t, struct stage *st, const char *admin, const char *code, const char *role)
{
	char *text = xasprintf("/pair %s%s", code, role);

	say(t, st, admin, text);
	free(text);
}

static void expect_admitted(struct task *t, struct stage *st, const char *person)
{
	char *want = xasprintf("%s >m%u: re: are you there", person, st->said + 1);

	say(t, st, person, "are you there");
	assert_has(st->shown.data, want);
	free(want);
}

static void expect_nothing(struct task *t, struct stage *st, const char *person)
{
	size_t asked = st->asked;

	say(t, st, person, "are you there");
	assert_int_equal(st->asked, asked);
	assert_string_equal(st->shown.data, "");
}

STAGE_TEST(a_stranger_is_given_one_code_and_an_admin_lets_them_in)
{
	char *code = knock(t, st, "99");

	assert_has(st->shown.data, "99 >m1: Hello, I am Tess, an AI agent. I do not know you");
	assert_int_equal(strspn(code, "23456789ABCDEFGHJKMNPQRSTUVWXYZ"), PAIRING_CODE_LEN);
	expect_nothing(t, st, "99");
	pair(t, st, "78", code, "");
	assert_has(st->shown.data, "78 >m3: 99 on chat may talk to me in private now, as a user.");
	assert_has(st->shown.data, "99: You may talk to me now.");
	expect_admitted(t, st, "99");
	/* A group is another matter: nobody said so. */
	struct message *m = stage_message_by(st, "-100", "99", "hello all");
	m->chat_kind = CHAT_GROUP;
	hear(t, st, m);
	assert_string_equal(st->shown.data, "");
	free(code);
}

STAGE_TEST(an_id_that_cannot_exist_is_refused_with_where_to_find_the_right_one)
{
	static struct channel_ops ops;

	ops = *st->channel->ops;
	ops.person_ids = "^[1-9][0-9]*$";
	ops.person_id_help = "Ids are numbers: ask for /whoami.";
	st->channel->ops = &ops;
	say(t, st, "78", "/allow ann");
	assert_has(st->shown.data, "\"ann\" cannot be the id of a person. Ids are numbers: ask for /whoami.");
	say(t, st, "78", "/allow @ann");
	assert_has(st->shown.data, "cannot be the id of a person");
	say(t, st, "78", "/deny 12345x");
	assert_has(st->shown.data, "\"12345x\" cannot be the id of a person");
	say(t, st, "78", "/allow 12345");
	assert_has(st->shown.data, "12345 is a user on chat now.");
}

STAGE_TEST(a_code_alone_admits_nobody)
{
	char *code = knock(t, st, "99"), *text = xasprintf("/pair %s", code);

	say(t, st, "99", code);
	assert_string_equal(st->shown.data, "");
	say(t, st, "99", text);
	assert_string_equal(st->shown.data, "");
	say(t, st, "77", text); /* a user, no admin */
	assert_has(st->shown.data, "/pair is for admins.");
	expect_nothing(t, st, "99");
	free(text);
	free(code);
}

STAGE_TEST(a_code_lets_in_only_whom_it_was_given_to)
{
	char *first = knock(t, st, "98"), *second = knock(t, st, "99");

	assert_string_not_equal(first, second);
	pair(t, st, "78", first, " guest");
	assert_has(st->shown.data, "98 on chat may talk to me in private now, as a guest.");
	expect_admitted(t, st, "98");
	expect_nothing(t, st, "99");
	/* And once. */
	pair(t, st, "78", first, " admin");
	assert_has(st->shown.data, "98 on chat was admitted by chat:78.");
	say(t, st, "98", "/whoami");
	assert_has(st->shown.data, "and a guest here");
	free(first);
	free(second);
}

STAGE_TEST(what_is_no_private_message_of_a_person_gets_no_code)
{
	struct message *m[7];

	st->access.pairing = true;
	for (size_t i = 0; i < ARRAY_LEN(m); i++)
		m[i] = stage_message_by(st, "99", "99", "hello");
	m[0]->chat_kind = CHAT_GROUP;
	m[1]->sender_is_bot = true;
	m[2]->sender_is_chat = true;
	m[3]->kind = MESSAGE_EDIT;
	m[4]->kind = MESSAGE_PRESS;
	m[5]->kind = MESSAGE_JOINED;
	m[6]->addressed = false;
	stage_receive(t, st, m, ARRAY_LEN(m));
	stage_settle(t, st);
	assert_string_equal(st->shown.data, "");
	/* Nor does anybody where no admin could let them in, or where it is switched off. */
	struct config_strings admins = st->access.admins;
	st->access.admins = (struct config_strings){0};
	expect_nothing(t, st, "99");
	st->access.admins = admins;
	st->access.pairing = false;
	expect_nothing(t, st, "99");
}

static int64_t ahead;

static void pass_minutes(int64_t minutes)
{
	ahead += minutes * 60000;
	clock_set_ahead(minutes * 60000);
}

static int restore_clock(void **state)
{
	(void)state;
	clock_set_ahead(-ahead);
	ahead = 0;
	return 0;
}

/* A channel that names nobody who could let others in. */
static struct config_strings without_admins(struct stage *st)
{
	struct config_strings admins = st->access.admins;

	st->access.admins = (struct config_strings){0};
	st->access.pairing = true;
	return admins;
}

STAGE_TEST(the_operator_lets_in_the_first_admin_while_they_watch)
{
	struct config_strings admins = without_admins(st);
	struct buf said = BUF_INIT;
	struct message *m;

	expect_nothing(t, st, "99");
	assert_true(pairing_lacks_admin(st->sessions, "chat"));
	pairing_watch(st->sessions);
	char *code = knock(t, st, "99");
	const struct store_pairing *p = pairing_next(st->sessions, NULL);
	assert_string_equal(p->person, "99");
	buf_reset(&st->shown);
	pairing_decide(t, st->sessions, p, ACCESS_ADMIN, "the operator", NULL, &said);
	stage_settle(t, st);
	assert_string_equal(said.data, "99 on chat may talk to me now, as an admin.");
	assert_has(st->shown.data, "99: You may talk to me now.");
	assert_null(pairing_next(st->sessions, NULL));
	/* As if the settings named them: in groups, too, and they let in others. */
	m = stage_message_by(st, "-100", "99", "hello all");
	m->chat_kind = CHAT_GROUP;
	hear(t, st, m);
	assert_has(st->shown.data, "re: hello all");
	assert_false(pairing_lacks_admin(st->sessions, "chat"));
	pass_minutes(2);
	free(code);
	code = knock(t, st, "98");
	pair(t, st, "99", code, "");
	expect_admitted(t, st, "98");
	st->access.admins = admins;
	buf_clear(&said);
	free(code);
}

STAGE_TEST(an_operator_who_has_gone_lets_in_nobody)
{
	struct config_strings admins = without_admins(st);

	pairing_watch(st->sessions);
	free(knock(t, st, "98"));
	pass_minutes(2);
	expect_nothing(t, st, "99");
	st->access.pairing = false;
	pairing_watch(st->sessions);
	expect_nothing(t, st, "99");
	assert_false(pairing_lacks_admin(st->sessions, "chat"));
	st->access.admins = admins;
}

STAGE_TEST(wrong_codes_are_few)
{
	char *code = knock(t, st, "99");

	for (int i = 0; i < 5; i++) {
		pair(t, st, "78", "AAAAAAAA", "");
		assert_has(st->shown.data, "There is no such code");
	}
	pair(t, st, "78", code, "");
	assert_has(st->shown.data, "Too many wrong codes.");
	expect_nothing(t, st, "99");
	free(code);
}

static void all_are_old(const struct stage *st)
{
	char *path = xasprintf("%s/myna.db", st->dir);
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db,
		"UPDATE pairings SET created_ms = created_ms - 3700000, expires_ms = expires_ms - 3700000",
		NULL, NULL, NULL),
	    SQLITE_OK);
	sqlite3_close(db);
	free(path);
}

STAGE_TEST(a_code_survives_a_restart_and_ends_after_an_hour)
{
	char *code = knock(t, st, "99"), *next;

	stage_close(t, st);
	stage_open(t, st);
	expect_nothing(t, st, "99");
	stage_close(t, st);
	all_are_old(st);
	stage_open(t, st);
	pair(t, st, "78", code, "");
	assert_has(st->shown.data, "There is no such code");
	next = knock(t, st, "99");
	pair(t, st, "78", next, "");
	stage_close(t, st);
	stage_open(t, st);
	expect_admitted(t, st, "99");
	free(code);
	free(next);
}

/* /pair lists these, and no other. */
static void expect_listed(struct task *t, struct stage *st, const char *const *codes, size_t count)
{
	say(t, st, "78", "/pair");
	for (size_t i = 0; i < count; i++)
		assert_int_equal(count_of(st->shown.data, codes[i]), 1);
	assert_int_equal(count_of(st->shown.data, ": id "), count);
	if (count == 0)
		assert_has(st->shown.data, "Nobody asks to be let in.");
}

static void expect_over(struct task *t, struct stage *st, const char *code)
{
	pair(t, st, "78", code, "");
	assert_has(st->shown.data, "There is no such code, or it has expired.");
}

STAGE_TEST(each_code_ends_after_its_hour_while_it_runs)
{
	char *first = knock(t, st, "98"), *second, *third;

	pass_minutes(40);
	second = knock(t, st, "99");
	pass_minutes(30);
	expect_over(t, st, first);
	expect_nothing(t, st, "99"); /* who has one gets no other */
	third = knock(t, st, "98");
	pass_minutes(61);
	expect_over(t, st, second);
	expect_over(t, st, third);
	free(third);
	third = knock(t, st, "98");
	pair(t, st, "78", third, "");
	expect_admitted(t, st, "98");
	free(first);
	free(second);
	free(third);
}

STAGE_TEST(codes_that_are_over_are_not_listed)
{
	char *first = knock(t, st, "98"), *second;

	pass_minutes(40);
	second = knock(t, st, "99");
	expect_listed(t, st, (const char *[]){first, second}, 2);
	pass_minutes(30);
	expect_listed(t, st, (const char *[]){second}, 1);
	pass_minutes(31);
	expect_listed(t, st, NULL, 0);
	free(first);
	free(second);
}

STAGE_TEST(what_is_decided_is_not_listed_and_hides_none_behind_it)
{
	char *codes[] = {knock(t, st, "96"), knock(t, st, "97"), knock(t, st, "98"), knock(t, st, "99")};

	pair(t, st, "78", codes[0], "");
	expect_listed(t, st, (const char *[]){codes[1], codes[2], codes[3]}, 3);
	pair(t, st, "78", codes[2], "");
	expect_listed(t, st, (const char *[]){codes[1], codes[3]}, 2);
	pair(t, st, "78", codes[3], "");
	pair(t, st, "78", codes[1], "");
	expect_listed(t, st, NULL, 0);
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		free(codes[i]);
}

STAGE_TEST(an_open_code_costs_nothing)
{
	free(knock(t, st, "99"));
	stage_rest(t);
}

/* --- what admins say of people */

static const struct {
	const char *who, *text, *reply;
} rows[] = {
    {"77", "/allow 99", "/allow is for admins."},
    {"77", "/deny 78", "/deny is for admins."},
    {"78", "/allow 77", "The settings of the channel name that id"},
    {"78", "/deny 77", "The settings of the channel name that id"},
    {"78", "/deny 78", "The settings of the channel name that id"},
    {"78", "/role 80 admin", "The settings of the channel name that id"}, /* the owner */
    {"78", "/deny 80", "The settings of the channel name that id"},
    {"78", "/allow 99 owner", "ROLE is one of guest, user, admin."},
    {"78", "/allow 99 user now", "That is more than it takes."},
    {"78", "/allow *", "That is not a person's id."},
    {"78", "/allow -1001", "That is not a person's id."},
    {"78", "/allow @", "That is not a person's id."},
    {"78", "/allow other:99", "There is no such channel."},
    {"78", "/role 99", "99 has no role on chat, or is denied."},
    {"78", "/role 80", "80 on chat: owner."},
    {"78", "/allow 99 guest", "99 is a guest on chat now."},
    {"78", "/allow <@99>", "99 is a user on chat now."},
    {"78", "/role chat:99 admin", "99 is an admin on chat now."},
    {"99", "/role 99", "99 on chat: admin."},
    {"99", "/deny 99", "99 may not talk to me on chat any more."},
    {"78", "/role 99", "99 has no role on chat, or is denied."},
    {"78", "/allow <@99|Cy Z> guest", "Cy Z (99) is a guest on chat now."},
    {"78", "/role <@99|>", "99 on chat: guest."},
    {"78", "/deny <@99|Cy Z>", "Cy Z (99) may not talk to me on chat any more."},
};

static void answer(struct task *t, struct stage *st, const char *admin, const char *person, const char *name,
    const char *text)
{
	struct message *m = stage_message_by(st, "7", admin, text);

	m->reply_to = xstrdup("m0");
	m->reply_sender_id = xstrdup(person);
	m->reply_sender_name = xstrdup(name);
	hear(t, st, m);
}

STAGE_TEST(an_admin_who_answers_a_person_needs_no_id)
{
	answer(t, st, "78", "99", "Cy *Z*", "/allow");
	assert_has(st->shown.data, "Cy \\*Z\\* (99) is a user on chat now.");
	answer(t, st, "78", "99", NULL, "/allow guest");
	assert_has(st->shown.data, " 99 is a guest on chat now.");
	answer(t, st, "78", "99", "Cy", "/role");
	assert_has(st->shown.data, "Cy (99) on chat: guest.");
	answer(t, st, "78", "99", "Cy", "/role admin");
	assert_has(st->shown.data, "Cy (99) is an admin on chat now.");
	answer(t, st, "78", "99", "Cy", "/deny 98");
	assert_has(st->shown.data, " 98 may not talk to me");
	answer(t, st, "78", "99", "Cy", "/deny");
	assert_has(st->shown.data, "Cy (99) may not talk to me on chat any more.");
	expect_nothing(t, st, "99");
	/* Who answers themselves asks for the list, and who is no admin does nothing. */
	answer(t, st, "78", "78", "Bea", "/allow");
	assert_has(st->shown.data, "- 77: user, by the settings");
	answer(t, st, "77", "99", "Cy", "/allow");
	assert_has(st->shown.data, "/allow is for admins.");
}

STAGE_TEST(admins_give_roles_up_to_their_own_and_settings_win)
{
	static char zoe[] = "80", *owners[] = {zoe};

	st->access.owners = (struct config_strings){owners, 1};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *want = xasprintf("%s >m%u: %s", rows[i].who, st->said + 1, rows[i].reply);
		say(t, st, rows[i].who, rows[i].text);
		if (strncmp(st->shown.data, want, strlen(want)) != 0)
			fail_msg("%s gave %s", rows[i].text, st->shown.data);
		free(want);
	}
	expect_nothing(t, st, "99");
	st->access.owners = (struct config_strings){0};
	assert_int_equal(st->asked, 0);
}

STAGE_TEST(a_grant_counts_at_once_and_after_a_crash)
{
	say(t, st, "78", "/deny");
	assert_has(st->shown.data, ": Nobody is denied.\n");
	expect_nothing(t, st, "99");
	say(t, st, "78", "/allow 99");
	expect_admitted(t, st, "99");
	stage_snapshot(st);
	stage_crash(t, st);
	expect_admitted(t, st, "99");
	say(t, st, "78", "/deny 99");
	expect_nothing(t, st, "99");
	say(t, st, "78", "/allow");
	assert_lacks(st->shown.data, "99");
	assert_has(st->shown.data, "77: user, by the settings");
	say(t, st, "78", "/deny");
	assert_has(st->shown.data, "99: denied, by chat:78");
}

/* What is kept out stays out though everybody else may talk. */
STAGE_TEST(who_is_kept_out_is_not_everybody)
{
	static char star[] = "*", *all[] = {star};
	struct config_strings allow = st->access.allow;

	st->access.allow = (struct config_strings){all, 1};
	expect_admitted(t, st, "99");
	say(t, st, "78", "/deny 99");
	st->access.pairing = true;
	expect_nothing(t, st, "99");
	say(t, st, "78", "/role 99 guest");
	say(t, st, "99", "/whoami");
	assert_has(st->shown.data, "and a guest here");
	st->access.allow = allow;
}

STAGE_TEST(a_guest_talks_and_no_tool_writes)
{
	say(t, st, "78", "/allow 99 guest");
	stage_play(st, {.calls = "1 touch {\"what\":\"a\"}"}, {.text = "I may not."});
	say(t, st, "99", "do it");
	assert_string_equal(st->ran.data, "");
	assert_has(st->heard.data, "ACCESS_DENIED");
	assert_has(st->shown.data, "I may not.");
	say(t, st, "99", "/broadcast ops hello");
	assert_has(st->shown.data, "/broadcast is for admins.");
	stage_play(st, {.calls = "1 touch {\"what\":\"b\"}"}, {.text = "Done."});
	say(t, st, "77", "do it");
	assert_has(st->ran.data, "+b -b");
}

/* A command in what was changed is none. */
STAGE_TEST(an_edit_lets_nobody_in)
{
	struct message *m = stage_message_by(st, "78", "78", "/allow 99");

	m->kind = MESSAGE_EDIT;
	hear(t, st, m);
	expect_nothing(t, st, "99");
}

/* --- buttons of the notice */

static char ops_chat[] = "-500";

static bool reports_to_ops(void *arg, struct address **to, size_t *count)
{
	(void)arg;
	*to = xcalloc(1, sizeof(**to));
	*count = 1;
	assert_int_equal(address_set(*to, "chat", ops_chat, NULL, NULL), 0);
	return true;
}

static void press(struct task *t, struct stage *st, const char *person, const char *id)
{
	struct message *m = stage_press(stage_group_message(st, ops_chat, person, id), "1");

	buf_reset(&st->pressed);
	hear(t, st, m);
}

STAGE_TEST(strangers_who_ask_keep_nobody_else_from_asking)
{
	char person[16], *codes[PAIRING_OPEN_MAX], *late;

	st->reports = reports_to_ops;
	for (int i = 0; i < PAIRING_OPEN_MAX; i++) {
		snprintf(person, sizeof(person), "%d", 1000 + i);
		codes[i] = knock(t, st, person);
		assert_int_equal(
		    count_of(st->shown.data, "Someone I do not know") > 0, i < PAIRING_NOTICES_MAX);
	}
	say(t, st, "78", "/pair");
	assert_has(st->shown.data, "200 strangers ask. The newest:");
	assert_int_equal(count_of(st->shown.data, ": id "), 20);
	expect_nothing(t, st, "99");
	pass_minutes(11);
	late = knock(t, st, "99");
	expect_over(t, st, codes[0]);
	expect_nothing(t, st, "1001");
	pair(t, st, "78", late, "");
	expect_admitted(t, st, "99");
	pair(t, st, "78", codes[1], "");
	expect_admitted(t, st, "1001");
	for (int i = 0; i < PAIRING_OPEN_MAX; i++)
		free(codes[i]);
	free(late);
}

STAGE_TEST(admins_let_in_by_a_button_and_nobody_else_does)
{
	st->reports = reports_to_ops;
	char *code = knock(t, st, "99"), *in = stage_button(st, 0, 3);

	assert_has(st->shown.data, "-500: Someone I do not know wrote to me on chat: id 99");
	press(t, st, "99", in);
	assert_string_equal(st->pressed.data, "You may not use this.\n");
	press(t, st, "77", in);
	assert_string_equal(st->pressed.data, "You may no longer do this.\n");
	expect_nothing(t, st, "99");
	press(t, st, "78", in);
	assert_has(st->shown.data, "99: You may talk to me now.");
	assert_has(st->shown.data, "99 on chat may talk to me in private now, as a user.");
	expect_admitted(t, st, "99");
	free(in);
	free(code);
}

static struct access_settings other_access;

static const struct access_settings *access_of_two(void *arg, const char *channel)
{
	struct stage *st = arg;

	return strcmp(channel, "other") == 0 ? &other_access : &st->access;
}

/* A stranger writes on the second channel, whose only admin is 90. */
static void knock_elsewhere(struct task *t, struct stage *st, const char *person)
{
	static char max[] = "90", *admins[] = {max};
	struct channel *first = st->channel;
	struct message *m = stage_message_by(st, person, person, "hello");

	other_access = (struct access_settings){.pairing = true, .admins = {admins, 1}};
	st->sessions->options.access = access_of_two;
	st->channel = bus_add_channel(st->bus, "other", first->ops, NULL);
	assert_int_equal(first->ops->start(st->channel, NULL, NULL), 0);
	str_copy(m->from.channel, sizeof(m->from.channel), "other");
	hear(t, st, m);
	st->channel = first;
}

STAGE_TEST(of_a_stranger_on_another_channel_only_an_owner_decides)
{
	static char zoe[] = "80", *owners[] = {zoe};

	st->reports = reports_to_ops;
	st->access.owners = (struct config_strings){owners, 1};
	knock_elsewhere(t, st, "99");
	char *code = code_shown(st), *in = stage_button(st, 0, 3), *refuse = stage_button(st, 2, 3);

	assert_has(st->shown.data, "-500: Someone I do not know wrote to me on other: id 99");
	press(t, st, "78", in);
	assert_string_equal(
	    st->pressed.data, "Only an admin of the stranger's whole channel, or an owner, decides that.\n");
	press(t, st, "78", refuse);
	assert_string_equal(
	    st->pressed.data, "Only an admin of the stranger's whole channel, or an owner, decides that.\n");
	assert_string_equal(st->shown.data, "");
	press(t, st, "80", in);
	assert_has(st->shown.data, "99 on other may talk to me in private now, as a user.");
	st->access.owners = (struct config_strings){0};
	free(refuse);
	free(in);
	free(code);
}

/* Nobody knows whose it is. */
STAGE_TEST(a_button_whose_code_is_gone_decides_nothing)
{
	st->reports = reports_to_ops;
	char *code = knock(t, st, "99"), *in = stage_button(st, 0, 3);

	pairing_forget(st->sessions, code);
	press(t, st, "78", in);
	assert_string_equal(st->pressed.data, "This code has expired.\n");
	assert_string_equal(st->edits.data, "");
	assert_int_equal(stage_number(st, "SELECT count(*) FROM prompts WHERE state = 0"), 1);
	free(in);
	free(code);
}

STAGE_TEST(a_button_is_void_once_the_code_was_said)
{
	st->reports = reports_to_ops;
	char *code = knock(t, st, "99"), *refuse = stage_button(st, 2, 3);

	pair(t, st, "78", code, "");
	press(t, st, "78", refuse);
	assert_string_equal(st->pressed.data, "This is decided already.\n");
	expect_admitted(t, st, "99");
	free(refuse);
	free(code);
}

STAGE_TEST(who_was_refused_is_told_nothing)
{
	st->reports = reports_to_ops;
	char *code = knock(t, st, "99"), *refuse = stage_button(st, 2, 3);

	press(t, st, "78", refuse);
	assert_has(st->shown.data, "99 on chat was refused.");
	assert_lacks(st->shown.data, "99: ");
	expect_nothing(t, st, "99");
	pair(t, st, "78", code, "");
	assert_has(st->shown.data, "99 on chat was refused by chat:78.");
	expect_nothing(t, st, "99");
	free(refuse);
	free(code);
}

/* The press is committed, and nothing has followed from it. */
static void crash_as_it_is_decided(struct stage *st, const char *what)
{
	if (strcmp(what, "press") == 0)
		stage_snapshot(st);
	st->hook = NULL;
}

STAGE_TEST(a_press_that_a_crash_cut_off_lets_in_once)
{
	st->reports = reports_to_ops;
	char *code = knock(t, st, "99"), *in = stage_button(st, 0, 3);

	st->hook = crash_as_it_is_decided;
	press(t, st, "78", in);
	buf_reset(&st->shown);
	stage_crash(t, st);
	stage_settle(t, st);
	assert_has(st->shown.data, "99: You may talk to me now.");
	expect_admitted(t, st, "99");
	free(in);
	free(code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_stranger_is_given_one_code_and_an_admin_lets_them_in),
	    cmocka_unit_test(an_id_that_cannot_exist_is_refused_with_where_to_find_the_right_one),
	    cmocka_unit_test(a_code_alone_admits_nobody),
	    cmocka_unit_test(a_code_lets_in_only_whom_it_was_given_to),
	    cmocka_unit_test(what_is_no_private_message_of_a_person_gets_no_code),
	    cmocka_unit_test_teardown(the_operator_lets_in_the_first_admin_while_they_watch, restore_clock),
	    cmocka_unit_test_teardown(an_operator_who_has_gone_lets_in_nobody, restore_clock),
	    cmocka_unit_test(wrong_codes_are_few),
	    cmocka_unit_test_teardown(strangers_who_ask_keep_nobody_else_from_asking, restore_clock),
	    cmocka_unit_test(a_code_survives_a_restart_and_ends_after_an_hour),
	    cmocka_unit_test_teardown(each_code_ends_after_its_hour_while_it_runs, restore_clock),
	    cmocka_unit_test_teardown(codes_that_are_over_are_not_listed, restore_clock),
	    cmocka_unit_test(what_is_decided_is_not_listed_and_hides_none_behind_it),
	    cmocka_unit_test(an_open_code_costs_nothing),
	    cmocka_unit_test(an_admin_who_answers_a_person_needs_no_id),
	    cmocka_unit_test(admins_give_roles_up_to_their_own_and_settings_win),
	    cmocka_unit_test(a_grant_counts_at_once_and_after_a_crash),
	    cmocka_unit_test(who_is_kept_out_is_not_everybody),
	    cmocka_unit_test(a_guest_talks_and_no_tool_writes),
	    cmocka_unit_test(an_edit_lets_nobody_in),
	    cmocka_unit_test(admins_let_in_by_a_button_and_nobody_else_does),
	    cmocka_unit_test(of_a_stranger_on_another_channel_only_an_owner_decides),
	    cmocka_unit_test(a_button_whose_code_is_gone_decides_nothing),
	    cmocka_unit_test(a_button_is_void_once_the_code_was_said),
	    cmocka_unit_test(who_was_refused_is_told_nothing),
	    cmocka_unit_test(a_press_that_a_crash_cut_off_lets_in_once),
	};

	return cmocka_run_group_tests_name("pairing", tests, NULL, NULL);
}
