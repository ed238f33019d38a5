/* Every way that leads to a request: where a budget is used up, it is tried once, and no model and no service
 * is asked. */
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/config/config.h"
#include "bus/message.h"
#include "lib/stage.h"
#include "llm/image.h"
#include "llm/transcribe.h"
#include "net/http/http.h"
#include "net/raw_server.h"

/* That each request takes here. */
#define TOKENS 107
#define MINUTE INT64_C(60000)

/* Each way is gone in several chats, one after another. */
static const char *chat;
/* A service that turns speech into text; it plays one answer to all. */
static struct raw_server *hearer;

static void say(struct task *t, struct stage *st, const char *text)
{
	stage_say(t, st, chat, text);
	stage_settle(t, st);
}

static void go_message(struct task *t, struct stage *st)
{
	say(t, st, "hello");
}

static void go_reminder(struct task *t, struct stage *st)
{
	say(t, st, "/remind add in 20 min water the plants");
	size_t before = stage_lines(&st->shown);
	clock_set_ahead(21 * MINUTE);
	stage_await(t, st, before + 1);
	stage_settle(t, st);
	clock_set_ahead(-21 * MINUTE);
}

/* The model does not see, and another one is there that describes what is on images. */
static void go_image(struct task *t, struct stage *st)
{
	static char blind[] = "other", path[] = "images/a.png", hash[] = "00", name[] = "a.png",
		    mime[] = "image/png";
	const struct llm_image image = {
	    .path = path, .hash = hash, .name = name, .mime = mime, .width = 8, .height = 8, .bytes = 64};
	struct message *m = stage_message(st, chat, "what is this?");
	struct attachment *a = attachments_add(&m->attachments, &m->attachment_count, ATTACHMENT_IMAGE);

	st->providers[0].images_configured = st->providers[1].images_configured = true;
	st->providers[0].settings.images = false;
	st->providers[1].settings.images = true;
	st->llm.vision.describe_with = blind;
	st->llm.vision.count = 4;
	st->llm.vision.request_bytes = st->llm.vision.memory = 1 << 20;
	task_semaphore_init(&st->llm.image_memory, 1 << 20);
	a->path = xstrdup("files/a.png");
	a->model_view = llm_images_text(&image, 1);
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
}

static void go_compact(struct task *t, struct stage *st)
{
	say(t, st, "one");
	say(t, st, "two");
	say(t, st, "/compact");
}

/* The third message does not fit beside the others. */
static void go_full(struct task *t, struct stage *st)
{
	char *text = xmalloc(20001);

	memset(text, 'a', 20000);
	text[20000] = '\0';
	for (size_t i = 5; i < 20000; i += 6)
		text[i] = ' ';
	st->providers[0].settings.context = 32768;
	for (int i = 0; i < 3; i++)
		stage_ask(t, st, chat, text);
	free(text);
}

static void go_sub_agent(struct task *t, struct stage *st)
{
	stage_play(st, {.calls = "a task {\"prompt\":\"Run the tests\"}"});
	say(t, st, "go");
}

static void go_behind(struct task *t, struct stage *st)
{
	stage_play(st, {.calls = "a task {\"prompt\":\"Run the tests\",\"background\":true}"});
	stage_say(t, st, chat, "go");
	stage_until(t, strstr(st->shown.data ? st->shown.data : "", "The background task"));
	stage_settle(t, st);
}

static void go_question(struct task *t, struct stage *st)
{
	stage_play(st, {.calls = "a ponder {\"what\":\"Is it red?\"}"});
	say(t, st, "go");
}

static void go_tool(struct task *t, struct stage *st)
{
	stage_play(st, {.calls = "a look {\"what\":\"one\"}"});
	say(t, st, "go");
}

static void go_voice(struct task *t, struct stage *st)
{
	struct message *m = stage_message(st, chat, "");
	struct attachment *a = attachments_add(&m->attachments, &m->attachment_count, ATTACHMENT_VOICE);

	a->ref = xstrdup("r1");
	a->seconds = 5;
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
}

static const struct path {
	const char *name;
	void (*go)(struct task *t, struct stage *st);
	int before;       /* requests that the budget pays */
	int refused;      /* those behind them */
	const char *told; /* then */
	int asked;        /* where nothing is limited; 0: before and refused */
} paths[] = {
    {"a person's turn", go_message, 0, 1, ": ", 0},
    {"a reminder's turn", go_reminder, 0, 1, "late.)\n\n(", 0},
    {"an image that another model describes", go_image, 0, 2, ": ", 0},
    {"/compact", go_compact, 2, 1, "The conversation stays as it is: ", 0},
    {"a summary to make room", go_full, 2, 2, ": ", 5},
    {"a turn that goes on after a tool", go_tool, 1, 1, "I stop here, before I am done. ", 0},
    {"a sub-agent", go_sub_agent, 1, 2, "I stop here, before I am done. ", 0},
    {"a sub-agent behind the conversation", go_behind, 1, 2,
	"The background task \"Run the tests\" failed.\n\nError: ", 0},
    {"a tool that asks the model", go_question, 1, 2, "I stop here, before I am done. ", 0},
    {"a voice message", go_voice, 0, 2, ": ", 0},
};

/* What is counted, for whom and how long; %d: requests, or their tokens. */
static const struct kind {
	const char *chat;
	const char *budget;
	int each;
	bool shared; /* by the chats before it */
	const char *whose;
} kinds[] = {
    {"1", "budgets = ( { scope = \"chat\"; calls = %d; } );", 1, false, "The budget of this chat"},
    {"2", "budgets = ( { scope = \"person\"; window = \"month\"; tokens = %d; } );", TOKENS, true,
	"Your own budget"},
    {"3", "budgets = ( { scope = \"all\"; window = \"ever\"; calls = %d; } );", 1, true,
	"The budget of all chats together"},
};

static const struct path *path;

static int count(const char *text, const char *part)
{
	int n = 0;

	for (; text && (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

/* Goes the way once; how many requests were made. */
static int go(struct task *t, struct stage *st, const char *where)
{
	int heard = raw_server_requests(hearer);

	chat = where;
	buf_reset(&st->shown);
	buf_reset(&st->log);
	st->script_count = st->asked = 0;
	path->go(t, st);
	assert_int_equal(stage_counts(t, st).turns_open, 0);
	assert_int_equal(stage_counts(t, st).inbox_pending, 0);
	return (int)st->asked + raw_server_requests(hearer) - heard;
}

static void check_refusals(const struct stage *st, const struct kind *k, int requests)
{
	char *told = xasprintf("%s%s is used up: ", path->told, k->whose);
	int refused = count(st->log.data, "not asked: ");

	if (requests != path->before)
		fail_msg("%s, %s: %d requests, not %d", path->name, k->budget, requests, path->before);
	if (refused != path->refused)
		fail_msg("%s, %s: tried %d times, not %d\n%s", path->name, k->budget, refused, path->refused,
		    st->log.data);
	if (!strstr(st->shown.data, told) || !strstr(st->shown.data, "An admin can raise it"))
		fail_msg("%s, %s: \"%s\" is not in:\n%s", path->name, k->budget, told, st->shown.data);
	free(told);
}

/* paid: requests that count already. */
static void go_with(struct task *t, struct stage *st, const struct kind *k, int paid)
{
	const char *at = strstr(k->budget, "%d");
	char *text =
	    xasprintf("%.*s%d%s", (int)(at - k->budget), k->budget, (paid + path->before) * k->each, at + 2);
	struct config *cfg = config_parse("test", text, NULL);
	struct budget_settings budgets = {0};

	budget_settings_read(&budgets, cfg, &st->targets, "UTC", &st->llm);
	budget_apply(st->agent.budget, &budgets, "USD");
	check_refusals(st, k, go(t, st, k->chat));
	budget_apply(st->agent.budget, &st->budgets, "USD");
	budget_settings_clear(&budgets);
	config_free(cfg);
	free(text);
}

/* As the configuration would: there is no other way to one. */
static struct llm_transcriber *transcriber_new(void)
{
	char *text = xasprintf(
	    "llm: { transcribe: { base_url = \"http://127.0.0.1:%u/v1\"; model = \"whisper-1\"; }; };",
	    raw_server_port(hearer));
	struct config *cfg = config_parse("test", text, NULL);
	struct llm_transcriber *tr = llm_transcriber_new(cfg);

	config_free(cfg);
	free(text);
	return tr;
}

static void try_path(struct task *t, struct stage *st)
{
	st->llm.transcriber = transcriber_new();
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		go_with(t, st, &kinds[i], kinds[i].shared ? (int)i * path->before : 0);
	/* The way is one: where nothing is limited, each of them is a request. */
	int requests = go(t, st, "4"), all = path->asked > 0 ? path->asked : path->before + path->refused;
	if (requests != all)
		fail_msg("%s without a budget: %d requests, not %d", path->name, requests, all);
	llm_transcriber_free(st->llm.transcriber);
	st->llm.transcriber = NULL;
}

static void no_way_asks_what_a_budget_does_not_pay(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		path = &paths[i];
		stage_run(try_path);
		http_finish();
	}
}

static int listen_to_speech(void **state)
{
	static const struct raw_step steps[] = {READ,
	    SEND("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: "
		 "close\r\n\r\n{\"text\":\"what is said\"}"),
	    END};
	static const struct raw_step *const scripts[] = {steps};

	(void)state;
	hearer = raw_server_new(NULL, scripts, 1);
	return 0;
}

static int listen_no_more(void **state)
{
	(void)state;
	raw_server_free(hearer);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_way_asks_what_a_budget_does_not_pay),
	};

	return cmocka_run_group_tests(tests, listen_to_speech, listen_no_more);
}
