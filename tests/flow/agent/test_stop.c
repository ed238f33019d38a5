/* /stop in each state that a turn can be in, over the simulated Telegram with the real gateway: how long it
 * takes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

/* What is promised is a second, of a machine that has time; this is for one that has not. */
#define STOP_MOST_MS 30000

static struct flow f;

struct state {
	const char *name, *person; /* whose private chat it is */
	const char *before;        /* a command that is given first, NULL: none */
	const char *fault;         /* members of POST /control/fault, NULL: none */
	const char *text, *more;   /* what is said, with further members of POST /control/say */
	const char *also;          /* what is said once it is so far, NULL: nothing */
	const char *reached;       /* is in the log when it is, NULL: a draft is shown */
	const char *answer;        /* to what was said also */
};

static const struct state states[] = {
    {"before the model's first byte", "101", NULL,
	"\"platform\":\"model\",\"method\":\"*\",\"kind\":\"stall\",\"seconds\":60", "hello", "", NULL,
	"state: session telegram:101: runs a turn", NULL},
    {"while the model writes", "102", NULL, NULL, "count to 900", "", NULL, NULL, NULL},
    {"before the next try", "103", NULL,
	"\"platform\":\"model\",\"method\":\"*\",\"kind\":\"retry_after\",\"seconds\":19", "hello", "", NULL,
	"llm: trying again: class=rate_limit", NULL},
    {"while a file is loaded", "104", NULL,
	"\"platform\":\"telegram\",\"method\":\"getFile\",\"kind\":\"stall\",\"seconds\":60", "look at this",
	",\"files\":[{\"name\":\"a.txt\",\"base64\":\"aGVsbG8=\"}]", NULL,
	"state: session telegram:104: loads files", NULL},
    {"in a call of a tool", "105", NULL,
	"\"platform\":\"telegram\",\"method\":\"sendMessage\",\"kind\":\"stall\",\"seconds\":3",
	"tell ops that it works", "", NULL, "state: sender telegram:5: sends", NULL},
    {"before a person's yes", "106", NULL, NULL, "write hello to new.txt", "", NULL, "approval: asked", NULL},
    {"with a message that may steer it", "107", "/queue steer", NULL, "count to 900", "", "what is 6*7", NULL,
	"42"},
    {"with messages to be collected", "108", "/queue collect", NULL, "count to 900", "", "what is 6*7", NULL,
	"42"},
    /* Last: what is left of the fault is for nobody. */
    {"while no model answers", "109", NULL,
	"\"platform\":\"model\",\"method\":\"*\",\"kind\":\"status\",\"status\":402,\"count\":1000", "hello",
	"", NULL, "state: session telegram:109: waits for a model", NULL},
};

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f,
	    "targets: { ops = [\"telegram:5\"]; }; approvals: { ask = [\"write_file\"]; approvers = "
	    "[\"telegram:106\"]; };",
	    "allow = [\"5\", \"101\", \"102\", \"103\", \"104\", \"105\", \"107\", \"108\", \"109\"]; admins "
	    "= [\"106\"]; preview_after = \"0 s\"; rate_private = 0;");
	flow_gateway(&f, true);
	flow_say(&f, "5", "5", "/whoami", "private");
	flow_await(&f, "5", 1);
	return 0;
}

static bool has_draft(const char *chat)
{
	struct json_object *o = flow_transcript(&f, "telegram", chat);
	bool has = json_object_array_length(json_get_array(o, "drafts")) > 0;

	json_object_put(o);
	return has;
}

static bool has_said(const char *chat, const char *text)
{
	bool found = false;
	char *said;

	for (size_t i = 0; !found && (said = flow_bot_text(&f, chat, i)); i++) {
		found = strstr(said, text);
		free(said);
	}
	return found;
}

/* Did each fault that was ordered meet a request? One that did not would meet one of the next state. */
static bool faults_have_come(void)
{
	struct json_object *o = flow_get(&f, "/control/faults"), *all = json_get_array(o, "faults");
	bool come = true;

	for (size_t i = 0; i < json_object_array_length(all); i++)
		come &= json_get_int(json_object_array_get_idx(all, i), "used", 0) > 0;
	json_object_put(o);
	return come;
}

static bool is_reached(const struct state *s, size_t before)
{
	if (!faults_have_come())
		return false;
	if (!s->reached)
		return has_draft(s->person);
	kill(f.gateway, SIGUSR2);
	char *log = flow_log(&f);
	bool has = strlen(log) > before && strstr(log + before, s->reached);
	free(log);
	return has;
}

/* before: how long the log was before it could be. */
static void await_state(const struct state *s, size_t before)
{
	for (uint64_t due = flow_deadline(); !is_reached(s, before);)
		flow_look(&f, due, "%s was never reached", s->name);
}

static int64_t turns_running(void)
{
	struct json_object *o = flow_status(&f);
	int64_t n = json_get_int(o, "turns_running", -1);

	json_object_put(o);
	return n;
}

/* The last words of the person's chat are the answer to /stop, and nothing runs any more. */
static bool has_stopped(const struct state *s)
{
	return has_said(s->person, "Stopped.") && (s->answer || turns_running() == 0);
}

static void say_to(const struct state *s, const char *text, const char *more)
{
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"%s\",\"user\":\"%s\",\"kind\":\"private\",\"text\":\"%s\"%"
	    "s}",
	    s->person, s->person, text, more));
}

static void prepare(const struct state *s)
{
	if (s->before) {
		say_to(s, s->before, "");
		flow_await(&f, s->person, 1);
	}
	if (s->fault)
		json_object_put(flow_control(&f, "fault", "{%s}", s->fault));
	char *log = flow_log(&f);
	size_t before = strlen(log);
	free(log);
	say_to(s, s->text, s->more);
	await_state(s, before);
	if (s->also)
		say_to(s, s->also, "");
}

static void stop_ends_it_in_each_state(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		const struct state *s = &states[i];
		prepare(s);
		uint64_t from = flow_now_ms();
		say_to(s, "/stop", "");
		while (!has_stopped(s) && flow_now_ms() < from + STOP_MOST_MS)
			usleep(5000);
		uint64_t took = flow_now_ms() - from;
		print_message("stop %s: %llu ms\n", s->name, (unsigned long long)took);
		if (took >= STOP_MOST_MS)
			fail_msg("%s: it was not stopped", s->name);
		if (s->answer)
			flow_until(&f, has_said(s->person, s->answer));
	}
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(stop_ends_it_in_each_state, begin, &f),
	};

	return cmocka_run_group_tests_name("stop", tests, NULL, NULL);
}
