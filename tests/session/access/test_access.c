#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "bus/message.h"
#include "session/access/access.h"

/* The lists are of strings that their owner may change. */
static char id_77[] = "77", id_78[] = "78", id_star[] = "*", id_blank[] = "", id_ops[] = "-1001",
	    name_ann[] = "Ann";
static char id_at_ann[] = "@ann", *name[] = {id_at_ann};
static char *ann[] = {id_77}, *bea[] = {id_78}, *both[] = {id_77, id_78}, *star[] = {id_star},
	    *blank[] = {id_blank};
static char *ops[] = {id_ops}, *ann_name[] = {name_ann};

#define NONE            \
	{               \
		NULL, 0 \
	}
#define LIST(a)                 \
	{                       \
		a, ARRAY_LEN(a) \
	}

static const struct row {
	const char *what;
	struct access_settings settings;
	const char *sender_id, *chat;
	enum chat_kind kind;
	bool is_chat, is_bot, addressed;
	enum access_verdict verdict;
	enum access_role role;
} rows[] = {
    {"empty lists admit nobody", {.allow = NONE}, "77", "77", CHAT_PRIVATE, 0, 0, 1, ACCESS_STRANGER,
	ACCESS_NONE},
    {"an allowed person", {.allow = LIST(ann)}, "77", "77", CHAT_PRIVATE, 0, 0, 1, ACCESS_ADMITTED,
	ACCESS_USER},
    {"another person", {.allow = LIST(ann)}, "78", "78", CHAT_PRIVATE, 0, 0, 1, ACCESS_STRANGER, ACCESS_NONE},
    {"an id that begins alike", {.allow = LIST(ann)}, "770", "770", CHAT_PRIVATE, 0, 0, 1, ACCESS_STRANGER,
	ACCESS_NONE},
    {"a name in the list is no id", {.allow = LIST(ann_name)}, "77", "77", CHAT_PRIVATE, 0, 0, 1,
	ACCESS_STRANGER, ACCESS_NONE},
    {"a blank entry admits nobody", {.allow = LIST(blank)}, "77", "77", CHAT_PRIVATE, 0, 0, 1,
	ACCESS_STRANGER, ACCESS_NONE},
    {"no sender at all", {.allow = LIST(star)}, NULL, "77", CHAT_PRIVATE, 0, 0, 1, ACCESS_STRANGER,
	ACCESS_NONE},
    {"everybody", {.allow = LIST(star)}, "5", "5", CHAT_PRIVATE, 0, 0, 1, ACCESS_ADMITTED, ACCESS_USER},
    {"everybody does not mean bots", {.allow = LIST(star)}, "5", "5", CHAT_PRIVATE, 0, 1, 1, ACCESS_STRANGER,
	ACCESS_NONE},
    {"a chat's own voice is nobody", {.allow = LIST(star)}, "-1001", "-1001", CHAT_GROUP, 1, 0, 1,
	ACCESS_STRANGER, ACCESS_NONE},
    {"an admin need not be in allow", {.admins = LIST(bea)}, "78", "78", CHAT_PRIVATE, 0, 0, 1,
	ACCESS_ADMITTED, ACCESS_ADMIN},
    {"a star makes nobody an admin", {.allow = LIST(ann), .admins = LIST(star)}, "78", "78", CHAT_PRIVATE, 0,
	0, 1, ACCESS_STRANGER, ACCESS_NONE},
    {"a star in both makes users", {.allow = LIST(star), .admins = LIST(star)}, "78", "78", CHAT_PRIVATE, 0,
	0, 1, ACCESS_ADMITTED, ACCESS_USER},
    {"addressed in a group", {.allow = LIST(ann)}, "77", "-1001", CHAT_GROUP, 0, 0, 1, ACCESS_ADMITTED,
	ACCESS_USER},
    {"not addressed in a group", {.allow = LIST(ann)}, "77", "-1001", CHAT_GROUP, 0, 0, 0,
	ACCESS_NOT_ADDRESSED, ACCESS_USER},
    {"group = all", {.allow = LIST(ann), .group = ACCESS_GROUP_ALL}, "77", "-1001", CHAT_GROUP, 0, 0, 0,
	ACCESS_ADMITTED, ACCESS_USER},
    {"group = all admits no stranger", {.allow = LIST(ann), .group = ACCESS_GROUP_ALL}, "78", "-1001",
	CHAT_GROUP, 0, 0, 1, ACCESS_STRANGER, ACCESS_NONE},
    {"group = off", {.allow = LIST(ann), .group = ACCESS_GROUP_OFF}, "77", "-1001", CHAT_GROUP, 0, 0, 1,
	ACCESS_WRONG_CHAT, ACCESS_USER},
    {"group = off leaves private chats", {.allow = LIST(ann), .group = ACCESS_GROUP_OFF}, "77", "77",
	CHAT_PRIVATE, 0, 0, 1, ACCESS_ADMITTED, ACCESS_USER},
    {"a listed group", {.allow = LIST(both), .chats = LIST(ops)}, "78", "-1001", CHAT_GROUP, 0, 0, 1,
	ACCESS_ADMITTED, ACCESS_USER},
    {"a group that is not listed", {.allow = LIST(both), .chats = LIST(ops)}, "78", "-1002", CHAT_GROUP, 0, 0,
	1, ACCESS_WRONG_CHAT, ACCESS_USER},
    {"a listed group admits no stranger", {.allow = LIST(ann), .chats = LIST(ops)}, "78", "-1001", CHAT_GROUP,
	0, 0, 1, ACCESS_STRANGER, ACCESS_NONE},
    {"an anonymous admin of a listed group is nobody", {.allow = LIST(star), .chats = LIST(ops)}, "-1001",
	"-1001", CHAT_GROUP, 1, 0, 1, ACCESS_STRANGER, ACCESS_NONE},
    {"a group's id in admins is no person", {.admins = LIST(ops)}, "-1001", "-1001", CHAT_GROUP, 1, 0, 1,
	ACCESS_STRANGER, ACCESS_NONE},
    {"a bot is not answered in a listed group", {.allow = LIST(both), .chats = LIST(ops)}, "77", "-1001",
	CHAT_GROUP, 0, 1, 1, ACCESS_STRANGER, ACCESS_NONE},
    {"a group's id in allow is no person", {.allow = LIST(ops)}, "77", "-1001", CHAT_GROUP, 0, 0, 1,
	ACCESS_STRANGER, ACCESS_NONE},
};

static void one_group_may_be_different(void **state)
{
	static char noisy[] = "-1001", shut[] = "-1002", plain[] = "-1003";
	struct access_group_settings places[] = {
	    {.chat = noisy, .group = 1 + ACCESS_GROUP_ALL, .allow = LIST(bea)},
	    {.chat = shut, .group = 1 + ACCESS_GROUP_OFF}, {.chat = plain}};
	const struct access_settings s = {
	    .allow = LIST(ann), .chats = LIST(ops), .groups = places, .group_count = 3};
	static const struct {
		const char *chat, *former, *sender;
		enum chat_kind kind;
		bool is_bot, addressed;
		enum access_verdict verdict;
	} table[] = {
	    {"-1001", NULL, "77", CHAT_GROUP, false, false, ACCESS_ADMITTED},
	    {"-1001", NULL, "78", CHAT_GROUP, false, false, ACCESS_ADMITTED},
	    {"-1001", NULL, "78", CHAT_GROUP, true, true, ACCESS_STRANGER},
	    {"-1001", NULL, "79", CHAT_GROUP, false, true, ACCESS_STRANGER},
	    {"-2001", "-1001", "78", CHAT_GROUP, false, false, ACCESS_ADMITTED},
	    {"-1001", NULL, "78", CHAT_PRIVATE, false, true, ACCESS_STRANGER},
	    {"-1002", NULL, "77", CHAT_GROUP, false, true, ACCESS_WRONG_CHAT},
	    {"-1003", NULL, "77", CHAT_GROUP, false, true, ACCESS_ADMITTED}, /* listed by its block */
	    {"-1003", NULL, "77", CHAT_GROUP, false, false, ACCESS_NOT_ADDRESSED},
	    {"-1003", NULL, "78", CHAT_GROUP, false, true, ACCESS_STRANGER},
	    {"-1004", NULL, "77", CHAT_GROUP, false, true, ACCESS_WRONG_CHAT},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct message *m = message_new();
		enum access_role role;

		m->sender_id = xstrdup(table[i].sender);
		m->sender_is_bot = table[i].is_bot;
		m->addressed = table[i].addressed;
		m->chat_kind = table[i].kind;
		assert_int_equal(address_set(&m->from, "telegram", table[i].chat, NULL, NULL), 0);
		if (access_check(&s, NULL, m, table[i].former, &role) != table[i].verdict)
			fail_msg("row %zu", i);
		message_free(m);
	}
}

static void nobody_is_admitted_wrongly(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];
		struct message *m = message_new();
		enum access_role role;

		m->sender_id = xstrdup(r->sender_id);
		m->sender_name = xstrdup("Ann");
		m->sender_is_chat = r->is_chat;
		m->sender_is_bot = r->is_bot;
		m->addressed = r->addressed;
		m->chat_kind = r->kind;
		assert_int_equal(address_set(&m->from, "telegram", r->chat, NULL, NULL), 0);
		if (access_check(&r->settings, NULL, m, NULL, &role) != r->verdict || role != r->role)
			fail_msg("%s", r->what);
		message_free(m);
	}
}

/* A group that the settings know by another id. */
static void a_group_that_moved_is_listed_under_its_old_id(void **state)
{
	const struct access_settings s = {.allow = LIST(ann), .chats = LIST(ops)};
	struct message *m = message_new();
	enum access_role role;

	(void)state;
	m->sender_id = xstrdup("77");
	m->chat_kind = CHAT_GROUP;
	m->addressed = true;
	assert_int_equal(address_set(&m->from, "telegram", "-2002", NULL, NULL), 0);
	assert_int_equal(access_check(&s, NULL, m, NULL, &role), ACCESS_WRONG_CHAT);
	assert_int_equal(access_check(&s, NULL, m, "-1001", &role), ACCESS_ADMITTED);
	assert_false(access_admits_group(&s, NULL, m, NULL));
	assert_true(access_admits_group(&s, NULL, m, "-1001"));
	message_free(m);
}

/* Where all messages count, but this one is for another bot. */
static void what_is_said_to_another_bot_is_not_for_us(void **state)
{
	const struct access_settings s = {.allow = LIST(ann), .group = ACCESS_GROUP_ALL};
	struct message *m = message_new();
	enum access_role role;

	(void)state;
	m->sender_id = xstrdup("77");
	m->chat_kind = CHAT_GROUP;
	assert_int_equal(address_set(&m->from, "telegram", "-1001", NULL, NULL), 0);
	assert_int_equal(access_check(&s, NULL, m, NULL, &role), ACCESS_ADMITTED);
	m->to_another = true;
	assert_int_equal(access_check(&s, NULL, m, NULL, &role), ACCESS_NOT_ADDRESSED);
	message_free(m);
}

static void what_the_lists_do_is_said(void **state)
{
	struct access_settings nobody = {.allow = NONE}, everybody = {.allow = LIST(star)},
			       some = {.allow = LIST(ann)};
	struct access_settings admins = {.allow = LIST(ann), .admins = LIST(star)};
	struct access_settings named = {.allow = LIST(ann), .admins = LIST(name)};

	(void)state;
	assert_non_null(access_warning(&nobody));
	assert_non_null(access_warning(&everybody));
	assert_non_null(access_warning(&admins));
	assert_non_null(access_warning(&named));
	assert_null(access_warning(&some));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nobody_is_admitted_wrongly),
	    cmocka_unit_test(one_group_may_be_different),
	    cmocka_unit_test(a_group_that_moved_is_listed_under_its_old_id),
	    cmocka_unit_test(what_is_said_to_another_bot_is_not_for_us),
	    cmocka_unit_test(what_the_lists_do_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
