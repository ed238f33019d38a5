#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/fake_channel.h"
#include "lib/journal_memory.h"
#include "bus/outbox_file.h"
#include "tools/tools_internal.h"
#include "tools/tools_fixture.h"

static struct tools_fixture w;
static struct journal_memory *memory;
static struct buf sent; /* "channel:chat NAME MIME BYTES CAPTION" of all that was shown, one a line */
static struct address here;

static int send_row(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	char where[ADDRESS_TEXT_MAX];
	struct buf bytes = BUF_INIT;

	(void)ch;
	if (row->file && outbox_file_load(t, row, &bytes, err) < 0)
		return -1;
	if (strcmp(row->to.chat, "gone") == 0) {
		buf_clear(&bytes);
		return error_set(err, ERROR_REFUSED, "chat not found");
	}
	buf_addf(&sent, "%s %s %s %s %s\n", address_format(&row->to, where),
	    row->file ? row->file->name : "-", row->file ? row->file->mime : "-", bytes.data, row->text);
	buf_clear(&bytes);
	*platform_id = xstrdup("m1");
	return 0;
}

static struct channel_ops files = {
    FAKE_CHANNEL("files"), .caps = CHANNEL_FILES, .file_max = 4000, .caption_max = 20, .send = send_row};
static const struct channel_ops plain = {FAKE_CHANNEL("plain"), .send = send_row};

static void ignore_message(void *arg, struct message *m)
{
	(void)arg;
	message_free(m);
}

static int set_up(void **state)
{
	const struct bus_handler handler = {.received = ignore_message};

	(void)state;
	sent = (struct buf)BUF_INIT;
	tools_fixture_init(&w);
	tools_fixture_open(&w,
	    "channels: { telegram: { type = \"telegram\"; }; slack: { type = \"slack\"; }; };\n"
	    "targets: { ops = [\"telegram:1\", \"telegram:2\"]; mixed = [\"telegram:1\", \"slack:1\"]; };",
	    "send_limit = \"1 MiB\";", NULL);
	memory = journal_memory_new();
	struct journal journal = journal_memory_face(memory);
	char *copies = tools_fixture_path(&w, "copies");
	w.call.bus = bus_new(&journal, &handler);
	bus_set_files(w.call.bus, copies);
	assert_int_equal(
	    fake_channel_start(bus_add_channel(w.call.bus, "telegram", &files, NULL), NULL, NULL), 0);
	assert_int_equal(
	    fake_channel_start(bus_add_channel(w.call.bus, "slack", &plain, NULL), NULL, NULL), 0);
	assert_int_equal(address_set(&here, "telegram", "77", NULL, NULL), 0);
	w.call.chat = &here;
	w.call.turn = 5;
	w.call.call_id = "call_1";
	free(copies);
	return 0;
}

static void close_bus(struct task *t, void *arg)
{
	(void)arg;
	bus_free(t, w.call.bus);
}

static int tear_down(void **state)
{
	(void)state;
	task_run("close", close_bus, NULL);
	journal_memory_free(memory);
	tools_fixture_clear(&w);
	buf_clear(&sent);
	return 0;
}

static struct json_object *send_file(const char *arguments)
{
	return tools_fixture_run(&w, "send_file", arguments);
}

static void a_file_goes_to_the_own_chat(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/out/plan.txt", "tea at five");
	struct json_object *o = send_file("{\"path\": \"out/plan.txt\", \"caption\": \"the plan\"}");
	assert_str(o, "status", "sent");
	assert_str(o, "channel", "telegram");
	assert_str(o, "chat_id", "77");
	assert_str(o, "message_id", "m1");
	assert_int(o, "content_length", 8);
	assert_int(o, "size", 11);
	assert_string_equal(sent.data, "telegram:77 plan.txt text/plain tea at five the plan\n");
	json_object_put(o);
}

static void the_alias_of_the_path_is_known(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a.txt", "x");
	json_object_put(send_file("{\"file_path\": \"a.txt\"}"));
	assert_string_equal(sent.data, "telegram:77 a.txt text/plain x \n");
}

static void a_target_gets_a_file_each(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a.txt", "x");
	struct json_object *o = send_file("{\"path\": \"a.txt\", \"target\": \"ops\"}");
	assert_str(o, "status", "sent");
	assert_int_equal(json_object_array_length(json_get_array(o, "results")), 2);
	assert_holds(sent.data, "telegram:1 a.txt text/plain x \n");
	assert_holds(sent.data, "telegram:2 a.txt text/plain x \n");
	json_object_put(o);
}

static void a_long_caption_follows_the_file(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a.txt", "x");
	json_object_put(send_file("{\"path\": \"a.txt\", \"caption\": \"more than twenty characters\"}"));
	assert_string_equal(
	    sent.data, "telegram:77 a.txt text/plain x \ntelegram:77 - -  more than twenty characters\n");
}

static void who_may_not_be_written_to_gets_no_file(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a.txt", "x");
	tools_fixture_refused(&w, "send_file",
	    "{\"path\": \"a.txt\", \"channel\": \"telegram\", \"chat_id\": \"99\"}", "ACCESS_DENIED",
	    "TARGET_NOT_ALLOWED");
	assert_string_equal(sent.data, "");
}

static struct approval asked;

static void ask_task(struct task *t, void *arg)
{
	assert_true(tools_approval(t, &w.call, "send_file", arg, &asked));
}

/* Asks for a yes to the call, which is given from then on. */
static void allow(const char *arguments)
{
	approval_clear(&asked);
	task_run("ask", ask_task, (void *)(uintptr_t)arguments);
	w.call.approved = asked.hash;
}

static void what_was_allowed_is_what_is_sent(void **state)
{
	static const char plan[] = "{\"path\": \"a.txt\"}", none[] = "{\"path\": \"b.txt\"}";
	static char name[] = "send_file", *names[] = {name};

	(void)state;
	w.tools->approvals.ask = (struct config_strings){.items = names, .count = 1};
	tools_fixture_put_text(&w, "ws/a.txt", "tea at five");
	allow(plan);
	assert_holds(asked.action, "\"size\": 11");
	assert_holds(asked.action, "\"sha256\": \"");
	tools_fixture_put_text(&w, "ws/a.txt", "tea at nine");
	tools_fixture_refused(&w, "send_file", plan, "BLOCKED", "CHANGED");
	allow(none);
	tools_fixture_put_text(&w, "ws/b.txt", "new");
	tools_fixture_refused(&w, "send_file", none, "BLOCKED", "CHANGED");
	assert_string_equal(sent.data, "");
	allow(plan);
	json_object_put(send_file(plan));
	assert_string_equal(sent.data, "telegram:77 a.txt text/plain tea at nine \n");
	approval_clear(&asked);
	w.tools->approvals.ask = (struct config_strings){0};
}

struct now {
	struct json_object *args, *result;
};

static void run_now(struct task *t, void *arg)
{
	struct now *now = arg;

	now->result = w.call.tool->run(t, &w.call, now->args);
}

static void what_changes_after_the_last_look_is_not_sent(void **state)
{
	struct json_object *facts = json_object_new_object();
	struct now now = {.args = json_object_new_object()};

	(void)state;
	tools_fixture_put_text(&w, "ws/a.txt", "tea at five");
	json_set_str(now.args, "path", "a.txt");
	json_set_str(facts, "sha256", "0000");
	w.call.tool = tools_find(w.tools, "send_file");
	w.call.facts = facts;
	task_run("now", run_now, &now);
	assert_failure(now.result, "BLOCKED", "CHANGED");
	assert_string_equal(sent.data, "");
	json_object_put(now.result);
	json_object_put(now.args);
	json_object_put(facts);
	w.call.facts = NULL;
}

static void a_platform_without_files_is_told(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a.txt", "x");
	tools_fixture_refused(
	    &w, "send_file", "{\"path\": \"a.txt\", \"target\": \"mixed\"}", "UNAVAILABLE", "PLATFORM");
	assert_string_equal(sent.data, "");
}

static void without_a_chat_there_is_nobody(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a.txt", "x");
	w.call.chat = NULL;
	tools_fixture_refused(&w, "send_file", "{\"path\": \"a.txt\"}", "UNAVAILABLE", "NO_CHAT");
}

static void a_chat_that_is_gone_is_told(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/a.txt", "x");
	assert_int_equal(address_set(&here, "telegram", "gone", NULL, NULL), 0);
	tools_fixture_refused(&w, "send_file", "{\"path\": \"a.txt\"}", "NOT_FOUND", "TARGET_NOT_FOUND");
}

static void what_no_file_tool_opens_is_not_sent(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "outside.txt", "x");
	tools_fixture_put_text(&w, "ws/.ssh/id_rsa", "x");
	tools_fixture_put_text(&w, "ws/empty.txt", "");
	char *target = tools_fixture_path(&w, "outside.txt"), *link = tools_fixture_path(&w, "ws/link.txt");
	assert_int_equal(symlink(target, link), 0);
	tools_fixture_refused(
	    &w, "send_file", "{\"path\": \"../outside.txt\"}", "ACCESS_DENIED", "OUTSIDE_ROOTS");
	tools_fixture_refused(
	    &w, "send_file", "{\"path\": \"/etc/passwd\"}", "ACCESS_DENIED", "OUTSIDE_ROOTS");
	tools_fixture_refused(&w, "send_file", "{\"path\": \"link.txt\"}", "ACCESS_DENIED", "OUTSIDE_ROOTS");
	tools_fixture_refused(&w, "send_file", "{\"path\": \".ssh/id_rsa\"}", "BLOCKED", "RULE");
	tools_fixture_refused(&w, "send_file", "{\"path\": \"nothing.txt\"}", "NOT_FOUND", "FILE_NOT_FOUND");
	tools_fixture_refused(&w, "send_file", "{\"path\": \".\"}", "INVALID_ARGUMENT", "IS_A_DIRECTORY");
	tools_fixture_refused(&w, "send_file", "{\"path\": \"empty.txt\"}", "INVALID_ARGUMENT", "RANGE");
	assert_string_equal(sent.data, "");
	free(target);
	free(link);
}

static void a_file_with_a_secret_is_not_sent(void **state)
{
	static char bytes[300 * 1024];
	static const char key[] = "sk-the-key-of-the-model";
	const size_t block = 256 * 1024, places[] = {0, 100, block - 5, block, sizeof(bytes) - sizeof(key)};

	(void)state;
	secret_register(key);
	files.file_max = 0;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		memset(bytes, 'x', sizeof(bytes));
		memcpy(bytes + places[i], key, sizeof(key) - 1);
		tools_fixture_put(&w, "ws/a.txt", bytes, sizeof(bytes));
		tools_fixture_refused(&w, "send_file", "{\"path\": \"a.txt\"}", "BLOCKED", "SECRET");
	}
	assert_string_equal(sent.data, "");
	secret_forget_all();
	files.file_max = 4000;
}

static void the_least_of_the_limits_holds(void **state)
{
	char bytes[4001];

	(void)state;
	memset(bytes, 'x', sizeof(bytes));
	tools_fixture_put(&w, "ws/a.txt", bytes, 4001);
	tools_fixture_put(&w, "ws/b.txt", bytes, 4000);
	char *text = tools_fixture_error(&w, "send_file", "{\"path\": \"a.txt\"}");
	assert_string_equal(
	    text, "a.txt has 4001 bytes, the limit is 4000. Send a part of it, or make it smaller.");
	tools_fixture_refused(&w, "send_file", "{\"path\": \"a.txt\"}", "LIMIT_REACHED", "TOO_LARGE");
	struct json_object *o = send_file("{\"path\": \"b.txt\"}");
	assert_str(o, "status", "sent");
	json_object_put(o);
	free(text);
}

static void space_stays_free_on_the_disk_of_the_state(void **state)
{
	char *copies = tools_fixture_path(&w, "copies");

	(void)state;
	tools_fixture_put_text(&w, "ws/a.txt", "hello");
	w.tools->settings.disk_reserve = INT64_MAX / 2;
	tools_fixture_refused(
	    &w, "send_file", "{\"target\":\"ops\",\"path\":\"a.txt\"}", "LIMIT_REACHED", "DISK");
	assert_int_equal(rmdir(copies), 0); /* it is empty */
	free(copies);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_file_goes_to_the_own_chat),
	    TEST(the_alias_of_the_path_is_known),
	    TEST(a_target_gets_a_file_each),
	    TEST(a_long_caption_follows_the_file),
	    TEST(who_may_not_be_written_to_gets_no_file),
	    TEST(what_was_allowed_is_what_is_sent),
	    TEST(what_changes_after_the_last_look_is_not_sent),
	    TEST(a_platform_without_files_is_told),
	    TEST(without_a_chat_there_is_nobody),
	    TEST(a_chat_that_is_gone_is_told),
	    TEST(what_no_file_tool_opens_is_not_sent),
	    TEST(a_file_with_a_secret_is_not_sent),
	    TEST(the_least_of_the_limits_holds),
	    TEST(space_stays_free_on_the_disk_of_the_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
