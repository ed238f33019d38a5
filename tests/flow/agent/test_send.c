/* What becomes of messages to others: who is told when one does not arrive. */
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

#define REFUSE                                                                                              \
	"{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":1,\"kind\":\"status\",\"status\":" \
	"400,"                                                                                              \
	"\"text\":\"Bad Request: not enough rights to send text messages to the chat\"}"
#define WAIT_S                                                                                        \
	"{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":1,\"kind\":\"retry_after\"," \
	"\"seconds\":8}"

/* Of the bot: flow_config. */
#define TOKEN "4242424242:AAEflowTestTokenOfTheFlowTests0123456"

static struct flow f;

static void ready(const char *top)
{
	flow_config(&f, top, "allow = [\"77\"]; admins = [\"78\", \"404\"];");
	flow_gateway(&f, true);
	flow_say(&f, "78", "78", "/whoami", "private");
	flow_await(&f, "78", 1);
}

static void expect_asked(const char *words)
{
	struct json_object *o = flow_get(&f, "/control/model");
	const char *text = json_object_to_json_string(o);

	if (!strstr(text, words))
		fail_msg("the model was never asked with \"%s\": %s", words, text);
	json_object_put(o);
}

static void a_message_that_fails_is_reported_to_the_admins_once(void **state)
{
	char *out;

	(void)state;
	ready("");
	assert_int_equal(flow_myna(&f, &out, "send", "telegram:-555", "the **build** is red", NULL), 1);
	free(out);
	flow_expect(&f, "78", 1, "telegram:-555: failed, ");
	flow_expect(&f, "78", 1, "(it began: the **build** is red)");
	/* An admin who never wrote to the bot cannot be reached, and nobody is told about that. */
	flow_await_log(&f, "to=telegram:404");
	assert_int_equal(flow_myna(&f, &out, "send", "telegram:-556", "again", NULL), 1);
	free(out);
	flow_expect(&f, "78", 2, "telegram:-556: failed, ");
	assert_int_equal(flow_bot_messages(&f, "78"), 3);
}

static void a_command_that_fails_is_told_in_its_answer_alone(void **state)
{
	char *out;

	(void)state;
	ready("");
	flow_say(&f, "78", "78", "/send telegram:-557 hello", "private");
	flow_expect(&f, "78", 1, "telegram:-557: failed, ");
	/* The report of another comes after the time in which it would be reported, too. */
	assert_int_equal(flow_myna(&f, &out, "send", "telegram:-555", "x", NULL), 1);
	free(out);
	flow_expect(&f, "78", 2, "telegram:-555: failed, ");
	char *report = flow_bot_text(&f, "78", 2);
	assert_null(strstr(report, "-557"));
	free(report);
}

static void reports_go_where_the_configuration_says(void **state)
{
	char *out;

	(void)state;
	ready("targets: { duty = [\"telegram:77\"]; }; reports = \"duty\";");
	flow_say(&f, "77", "77", "/whoami", "private");
	flow_await(&f, "77", 1);
	assert_int_equal(flow_myna(&f, &out, "send", "telegram:-555", "x", NULL), 1);
	free(out);
	flow_expect(&f, "77", 1, "telegram:-555: failed, ");
	assert_int_equal(flow_bot_messages(&f, "78"), 1);
}

/* Runs myna send with the text on its standard input. */
static int send_input(const char *text, size_t len, char **out)
{
	FILE *input = tmpfile();
	int kept = dup(0), status;

	assert_non_null(input);
	assert_int_equal(fwrite(text, 1, len, input), len);
	rewind(input);
	assert_int_not_equal(dup2(fileno(input), 0), -1);
	status = flow_myna(&f, out, "send", "telegram:77", "-", NULL);
	assert_int_not_equal(dup2(kept, 0), -1);
	close(kept);
	fclose(input);
	return status;
}

static void what_comes_on_standard_input_is_sent(void **state)
{
	struct buf large = BUF_INIT;
	char *out;

	(void)state;
	ready("");
	flow_say(&f, "77", "77", "/whoami", "private");
	flow_await(&f, "77", 1);
	assert_int_equal(send_input("one\n\xff **two**\n\n", 16, &out), 0);
	free(out);
	flow_expect(&f, "77", 1, "one\n\xef\xbf\xbd two");
	assert_int_equal(send_input(" \n", 2, &out), 1);
	assert_non_null(strstr(out, "not blank"));
	free(out);
	while (large.len <= 256 << 10)
		buf_addstr(&large, "more and more ");
	assert_int_equal(send_input(large.data, large.len, &out), 1);
	assert_string_equal(out, "myna: standard input is longer than 256 KiB: send a shorter text\n");
	free(out);
	buf_clear(&large);
	assert_int_equal(flow_bot_messages(&f, "77"), 2);
}

/* Runs myna send --file with a file of so many bytes that begins with text; caption may be NULL. */
static int send_a_file(const char *text, size_t len, const char *to, const char *caption, char **out)
{
	char *path = xasprintf("%s/report, new.bin", f.dir);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(ftruncate(fileno(file), (off_t)len), 0);
	fclose(file);
	int status = flow_myna(&f, out, "send", to, "--file", path, caption, NULL);
	free(path);
	return status;
}

/* The name and size of the file in the bot's message i, as "NAME SIZE". */
static char *file_in(size_t i)
{
	struct json_object *o = flow_transcript(&f, "telegram", "77"), *list = json_get_array(o, "messages"),
			   *m = NULL;
	size_t bots = 0;

	for (size_t at = 0; at < json_object_array_length(list); at++) {
		struct json_object *one = json_object_array_get_idx(list, at);
		if (json_get_bool(one, "bot", false) && bots++ == i)
			m = one;
	}
	struct json_object *file = m ? json_object_array_get_idx(json_get_array(m, "files"), 0) : NULL;
	char *text =
	    xasprintf("%s %lld", json_get_str(file, "name"), (long long)json_get_int(file, "size", -1));
	json_object_put(o);
	return text;
}

static void a_file_is_sent_with_a_caption_or_without(void **state)
{
	char *out;

	(void)state;
	ready("");
	flow_say(&f, "77", "77", "/whoami", "private");
	flow_await(&f, "77", 1);
	assert_int_equal(send_a_file("%PDF", 3 << 20, "telegram:77", "the **report**", &out), 0);
	free(out);
	flow_expect(&f, "77", 1, "the report");
	char *file = file_in(1);
	assert_string_equal(file, "report, new.bin 3145728");
	free(file);
	assert_int_equal(send_a_file("x\ny", 3, "telegram:77", NULL, &out), 0);
	free(out);
	flow_await(&f, "77", 3);
	file = file_in(2);
	assert_string_equal(file, "report, new.bin 3");
	free(file);
}

static void a_file_that_cannot_be_sent_is_told(void **state)
{
	char *out;

	(void)state;
	ready("");
	assert_int_equal(send_a_file("", 0, "telegram:77", NULL, &out), 1);
	assert_non_null(strstr(out, "empty"));
	free(out);
	assert_int_equal(send_a_file(TOKEN, 100, "telegram:77", "x", &out), 1);
	assert_non_null(strstr(out, "key or token"));
	free(out);
	assert_int_equal(flow_myna(&f, &out, "send", "--file", "/nonexistent/file", "telegram:77", NULL), 1);
	assert_string_equal(out, "myna: /nonexistent/file cannot be read: No such file or directory\n");
	free(out);
	assert_int_equal(flow_myna(&f, &out, "send", "--file", f.dir, "telegram:77", NULL), 1);
	assert_non_null(strstr(out, " cannot be read: Is a directory\n"));
	free(out);
	assert_int_equal(
	    flow_myna(&f, &out, "send", "--dry-run", "--file", "/etc/hosts", "telegram:77", "x", NULL), 0);
	free(out);
	assert_int_equal(flow_bot_messages(&f, "77"), 0);
}

static void the_agent_hears_of_an_answer_that_did_not_arrive(void **state)
{
	(void)state;
	ready("");
	json_object_put(flow_control(&f, "fault", REFUSE));
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_expect(&f, "78", 1, "telegram:77: failed, ");
	flow_say(&f, "77", "77", "what is 7*7", "private");
	flow_expect(&f, "77", 0, "49");
	expect_asked("What became of your answer: telegram:77: failed, ");
	expect_asked("not enough rights");
}

/* The tool waited for five seconds and said that it is queued. */
static void the_agent_hears_of_what_came_out_after_its_turn(void **state)
{
	(void)state;
	ready("targets: { ops = [\"telegram:-1001\"]; };");
	flow_say(&f, "-1001", "79", "hello, this is ops", "group");
	json_object_put(flow_control(&f, "fault", WAIT_S));
	flow_say(&f, "77", "77", "tell ops that the build is green", "private");
	flow_expect(&f, "77", 0, "queued");
	json_object_put(flow_control(&f, "fault", REFUSE));
	flow_expect(&f, "78", 1, "telegram:-1001: failed, ");
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 7*7", "private");
	flow_expect(&f, "77", 1, "49");
	expect_asked("What became of a message that you sent: telegram:-1001: failed, ");
}

#define FLOW(test) FLOW_TEST(test, flow_begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_message_that_fails_is_reported_to_the_admins_once),
	    FLOW(a_command_that_fails_is_told_in_its_answer_alone),
	    FLOW(reports_go_where_the_configuration_says),
	    FLOW(what_comes_on_standard_input_is_sent),
	    FLOW(a_file_is_sent_with_a_caption_or_without),
	    FLOW(a_file_that_cannot_be_sent_is_told),
	    FLOW(the_agent_hears_of_an_answer_that_did_not_arrive),
	    FLOW(the_agent_hears_of_what_came_out_after_its_turn),
	};

	return cmocka_run_group_tests_name("send", tests, NULL, NULL);
}
