/* Today's gateway on the state that an earlier version left when it was killed (tests/old-state): what was
 * begun is finished, what was known is known, and each chat gets the files that it had sent. */
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "lib/old_state.h"

static const char script[] =
    "{\"rules\": [{\"when\": \"ask ([a-z]+)\", \"steps\": [{\"text\": \"Answer to {{1}}.\"}]}], "
    "\"else\": {\"steps\": [{\"obey\": true, \"text\": \"did {{steps}}: {{result}}\"}]}}";

static const struct side {
	const char *platform, *chat, *user, *kind;
} ann = {"telegram", "77", "77", "private"}, boss = {"telegram", "78", "78", "private"},
  cy = {"telegram", "79", "79", "private"}, club = {"telegram", "-1000000000400", "77", "group"},
  slack_ann = {"slack", "D0J8EN5HPQL", "U0ANN", "private"},
  slack_boss = {"slack", "D0VDGSVOYB2", "U0ADMIN", "private"},
  discord_kim = {"discord", "524631109167157655", "377", "private"};

static struct flow f;

static char *path_in(const char *name)
{
	return xasprintf("%s/%s", f.dir, name);
}

/* The reminder that comes once is due now. */
static void make_due(const char *database)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(database, &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db, "UPDATE schedules SET at_ms = created_ms, next_ms = created_ms WHERE at_ms > 0",
		NULL, NULL, NULL),
	    SQLITE_OK);
	sqlite3_close(db);
}

static int begin(void **state)
{
	(void)state;
	flow_make(&f);
	char *platforms = path_in("platforms"), *saved = path_in("platforms/playground.json"),
	     *conf = path_in("myna.conf"), *own = path_in("state"), *database = path_in("state/myna.db");
	struct old_state_place here = {.dir = f.dir, .url = "http://127.0.0.1:1"};

	/* Commands run as somebody else when we are root. */
	assert_int_equal(chmod(f.dir, 0755), 0);
	assert_int_equal(mkdir(platforms, 0755), 0);
	old_state_text(&here, "playground.json", saved);
	flow_playground(&f, script);
	json_object_put(flow_control(&f, "settings",
	    "{\"telegram\":{\"limits\":false},\"slack\":{\"limits\":false},\"discord\":{\"limits\":false}}"));
	here.url = f.url;
	old_state_text(&here, "myna.conf", conf);
	old_state_files(own);
	assert_int_equal(chmod(own, 0700), 0);
	old_state_database(&here, database);
	make_due(database);
	free(platforms);
	free(saved);
	free(conf);
	free(own);
	free(database);
	return 0;
}

/* How many messages of the bot have the text; *id: of the last one, malloc'd, if id. */
static size_t count_of(const struct side *s, const char *text, char **id)
{
	struct json_object *said = flow_said(&f, s->platform, s->chat, text);
	size_t n = json_object_array_length(said);

	if (id && n > 0) {
		free(*id);
		*id = xstrdup(json_get_str(json_object_array_get_idx(said, n - 1), "id"));
	}
	json_object_put(said);
	return n;
}

static void await(const struct side *s, const char *text, size_t count)
{
	for (uint64_t due = flow_deadline(); count_of(s, text, NULL) < count;)
		flow_look(&f, due, "%s:%s has not \"%s\"", s->platform, s->chat, text);
}

static void say(const struct side *s, const char *text)
{
	flow_say_on(&f, s->platform, s->chat, s->user, text, s->kind);
}

/* Has the model call a tool there, and awaits the answer with the text. */
static void expect(const struct side *s, const char *call, const char *text)
{
	char *words = xasprintf("%sCALL %s", strcmp(s->kind, "group") == 0 ? "@myna_bot " : "", call);
	size_t before = count_of(s, text, NULL);

	say(s, words);
	await(s, text, before + 1);
	free(words);
}

/* On the question with this text. */
static void press(const struct side *s, const char *question, const char *button)
{
	char *id = NULL;

	assert_int_equal(count_of(s, question, &id), 1);
	flow_press(&f, s->platform, s->chat, s->user, id, button);
	free(id);
}

static char *myna(int status, const char *one, const char *two, const char *three, const char *four)
{
	char *out;

	assert_int_equal(flow_myna(&f, &out, one, two, three, four, NULL), status);
	return out;
}

static void expect_output(const char *out, const char *text)
{
	if (!strstr(out, text))
		fail_msg("\"%s\" is not in: %s", text, out);
}

static void what_was_begun_is_finished(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	/* Killed in the middle of the first, with two more in the queue. */
	await(&cy, "Answer to sigma.", 1);
	await(&cy, "Answer to tau.", 1);
	await(&cy, "Answer to upsilon.", 1);
	await(&cy, "sail far", 2);
	press(&ann, "Which one?", "SQLite");
	await(&ann, "\"answer\":\"SQLite\"", 1);
	await(&ann, "Answer to reminder.", 1);
	press(&discord_kim, "Which boat?", "Blue");
	await(&discord_kim, "\"answer\":\"Blue\"", 1);
	/* It was asked about with the workspace of all, and does not run in another one. */
	await(&boss, "What a person was asked about is not what would run now", 1);
	assert_int_equal(count_of(&cy, "Answer to sigma.", NULL), 1);
	assert_int_equal(count_of(&cy, "Answer to tau.", NULL), 1);
	assert_int_equal(count_of(&cy, "Answer to upsilon.", NULL), 1);
}

/* Whoever wants the workspace to be for all says so. */
static void what_is_allowed_runs_in_the_workspace_of_all(void **state)
{
	char *conf = path_in("myna.conf"),
	     *more = xasprintf("sed -i 's/^tools: { /&workspace_scope = \"shared\"; /' '%s'", conf);

	(void)state;
	assert_int_equal(system(more), 0);
	flow_gateway(&f, true);
	press(&boss, "May I run edit_file?", "Allow");
	await(&boss, "did 1:", 3);
	press(&slack_boss, "May I run memory_search?", "Allow");
	await(&slack_boss, "did 1:", 1);
	assert_int_equal(count_of(&boss, "BLOCKED", NULL) + count_of(&slack_boss, "BLOCKED", NULL), 0);
	expect(&cy, "read_file {\"path\":\"draft.txt\"}", "two");
	free(more);
	free(conf);
}

static void what_was_known_is_known(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	press(&ann, "Which one?", "SQLite");
	expect(&ann, "memory_read {}", "Ann moves to Lisbon.");
	expect(&ann, "memory_read {\"scope\":\"person\"}", "Ann likes tea.");
	expect(&cy, "memory_read {\"scope\":\"shared\"}", "The office closes at six.");
	expect(&club, "memory_read {}", "The club meets on Monday.");
	say(&ann, "/remind");
	await(&ann, "water the plants", 1);
	say(&boss, "/pair CYARHA3D");
	await(&boss, "90", 2);
	say(&boss, "/model");
	await(&boss, "scripted-big", 2);
}

static void chats_get_the_files_that_they_had_sent(void **state)
{
	char *out;

	(void)state;
	flow_gateway(&f, true);
	press(&ann, "Which one?", "SQLite");
	press(&discord_kim, "Which boat?", "Blue");
	flow_myna(&f, &out, "doctor", NULL);
	expect_output(out, "myna workspace move");
	free(out);
	out = myna(0, "workspace", "move", NULL, NULL);
	expect_output(out, "files/telegram-77/plan-");
	expect_output(out, "notes stays: no chat sees it there");
	expect_output(out, "Nothing was moved yet");
	free(out);
	expect(&ann, "glob {\"pattern\":\"**/*\"}", "\"count\":0");
	/* It has files of its own under its new id when those of its former one come. */
	expect(&club, "write_file {\"path\":\"new.txt\",\"content\":\"hiking\"}", "Wrote 6 bytes");
	free(myna(0, "workspace", "move", "--yes", NULL));
	expect(&ann, "grep {\"pattern\":\"wom.at\"}", "files/telegram-77/plan-");
	expect(&slack_ann, "grep {\"pattern\":\"1,2\"}", "files/slack-D0J8EN5HPQL/sums-");
	expect(&discord_kim, "grep {\"pattern\":\"Kim\"}", "files/discord-524631109167157655/crew-");
	/* Sent under the chat's former id. */
	expect(&club, "grep {\"pattern\":\"no running\"}", "files/telegram--400/rules-");
	expect(&club, "read_file {\"path\":\"new.txt\"}", "hiking");
	expect(&cy, "glob {\"pattern\":\"**/*\"}", "\"count\":0");
	/* What was for all. */
	out = xasprintf("%s", "telegram:77");
	free(myna(0, "workspace", "move", "--to", out));
	int status = flow_myna(&f, NULL, "workspace", "move", "--to", out, "--yes", NULL);
	assert_int_equal(status, 0);
	free(out);
	expect(&ann, "read_file {\"path\":\"notes/list.txt\"}", "boxes, tape");
	expect(&ann, "read_file {\"path\":\"made.txt\"}", "from-the-background");
	out = myna(0, "workspace", "move", NULL, NULL);
	expect_output(out, "There is nothing to move.");
	free(out);
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(what_was_begun_is_finished),
	    FLOW(what_is_allowed_runs_in_the_workspace_of_all),
	    FLOW(what_was_known_is_known),
	    FLOW(chats_get_the_files_that_they_had_sent),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests_name("upgrade", tests, NULL, NULL);
}
