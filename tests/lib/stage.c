#include "lib/stage.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "agent/prompt.h"
#include "base/config/config.h"
#include "base/json/json.h"
#include "base/log.h"
#include "bus/bus_internal.h"
#include "lib/fake_channel.h"
#include "lib/sql_tap.h"
#include "store/store_internal.h"
#include "store/turn/turns.h"
#include "tools/background.h"
#include "tools/services.h"
#include "tools/tools_internal.h"
#include "tools/reminders/schedule.h"

/* A message takes 7 of them from its arrival to its answer. */
#define STEPS_MAX 60

static struct stage *stage;

/* --- the platform */

static int chat_send(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	const struct address *to = &row->to;

	(void)t, (void)ch, (void)err;
	if (row->buttons) {
		free(stage->buttons);
		stage->buttons = xstrdup(row->buttons);
	}
	buf_addf(row->edit_of ? &stage->edits : &stage->shown, "%s%s%s%s%s: %s\n", to->chat,
	    *to->thread ? "/" : "", to->thread, row->reply_to ? " >" : "", row->reply_to ? row->reply_to : "",
	    row->text);
	*platform_id = xstrdup("1");
	return 0;
}

static int chat_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err)
{
	(void)t, (void)ch, (void)where, (void)err;
	stage->typings++;
	return 0;
}

static int chat_fetch(struct task *t, struct channel *ch, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err)
{
	char bytes[128];
	int n = snprintf(bytes, sizeof(bytes), "bytes of %s", a->ref);

	(void)ch;
	stage->fetches++;
	if (stage->fetch)
		return stage->fetch(t, stage, a, sink, err);
	return sink->data(bytes, (size_t)n, sink->arg) < 0 ? error_set(err, ERROR_OURS, "not wanted") : 0;
}

static void chat_answer_press(struct channel *ch, const struct message *m, const char *text)
{
	(void)ch, (void)m;
	buf_addf(&stage->pressed, "%s\n", text ? text : "-");
	if (stage->hook)
		stage->hook(stage, "press");
}

static const struct channel_ops chat_ops = {
    FAKE_CHANNEL("chat"),
    .caps = CHANNEL_TYPING | CHANNEL_BUTTONS,
    .repeat_uncertain_replies = true,
    .send = chat_send,
    .fetch = chat_fetch,
    .typing = chat_typing,
    .answer_press = chat_answer_press,
};

/* --- the model */

/* What a person wrote stands behind the line in brackets, and that behind what was said to others. */
static const char *words_of(const struct llm_message *m)
{
	static const char to_us[] = "\n[Addressed to you:]\n";
	const char *after = strstr(m->text, to_us),
		   *line = strstr(after ? after + strlen(to_us) : m->text, "]\n");

	return m->role == LLM_USER && line ? line + 2 : m->text;
}

static void write_message(struct buf *out, const struct llm_message *m)
{
	static const char *const roles[] = {
	    [LLM_USER] = "user", [LLM_ASSISTANT] = "assistant", [LLM_TOOL] = "tool"};

	buf_addf(out, "%s%s%s%s: %s", roles[m->role], m->call_id ? " " : "", m->call_id ? m->call_id : "",
	    m->is_error ? "!" : "", words_of(m));
	for (size_t i = 0; i < m->call_count; i++)
		buf_addf(out, " [%s %s %s]", m->calls[i].id, m->calls[i].name, m->calls[i].arguments);
	buf_addch(out, '\n');
}

static void write_history(struct buf *out, const struct llm_history *h)
{
	for (size_t i = 0; i < h->count; i++)
		write_message(out, h->messages[i]);
}

static const char *last_words(const struct llm_history *h)
{
	size_t i = h->count;

	while (i > 0 && h->messages[i - 1]->role != LLM_USER)
		i--;
	return i > 0 ? words_of(h->messages[i - 1]) : "";
}

static void note_told(struct stage *st, const struct llm_history *h)
{
	buf_reset(&st->told);
	for (size_t i = h->count; i > 0; i--) {
		if (h->messages[i - 1]->role != LLM_USER)
			continue;
		buf_addstr(&st->told, h->messages[i - 1]->text);
		return;
	}
}

static void add_calls(struct llm_message *m, const char *calls)
{
	while (*calls) {
		char id[32], name[32], arguments[256];
		assert_int_equal(sscanf(calls, "%31s %31s %255[^\n]", id, name, arguments), 3);
		llm_message_add_call(m, strcmp(id, "-") == 0 ? "" : id, name, arguments);
		calls += strcspn(calls, "\n");
		calls += *calls == '\n';
	}
}

static int say_line(
    const struct line *line, const struct llm_provider *p, struct llm_answer *answer, struct error *err)
{
	answer->error_class = line->fails;
	if (line->broke) {
		answer->begun = true;
		answer->usage = (struct llm_usage){.input_tokens = 90, .output_tokens = 3, .estimated = true};
	}
	if (line->fails != LLM_ERROR_NONE) {
		error_set(err, ERROR_REFUSED, "the script fails");
		err->retry_ms = stage->retry_ms;
		return -1;
	}
	answer->message = llm_message_new(LLM_ASSISTANT, line->text);
	answer->message->provider = xstrdup(p->name);
	answer->message->model = xstrdup("scripted");
	llm_message_set_raw(answer->message, xstrdup("{\"role\":\"assistant\",\"of\":\"the provider\"}"));
	answer->usage = (struct llm_usage){.input_tokens = 100, .cached_tokens = 60, .output_tokens = 7};
	answer->finish = line->finish;
	if (line->calls)
		add_calls(answer->message, line->calls);
	return 0;
}

static int model_complete(struct task *t, const struct llm_provider *p, const struct llm_request *req,
    const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	struct stage *st = stage;
	size_t n = st->asked++;
	char *echo = xasprintf("re: %s", last_words(req->history));
	struct line line =
	    n < st->script_count ? st->script[n] : (struct line){.text = echo, .takes_ms = st->model_ms};
	int rc;

	(void)sink;
	if (st->down != LLM_ERROR_NONE)
		line = (struct line){.fails = st->down};
	else if (st->poison && strstr(last_words(req->history), st->poison))
		line = (struct line){.fails = LLM_ERROR_OVERLOADED};
	buf_addf(&st->answered_by, "%s ", p->name);
	st->forbidden = req->forbid_tools;
	buf_reset(&st->heard);
	write_history(&st->heard, req->history);
	note_told(st, req->history);
	buf_reset(&st->system);
	buf_addstr(&st->system, req->system ? req->system : "");
	buf_addf(&st->asked_by, "[%s] %s\n", req->session_key, last_words(req->history));
	if (st->hook)
		st->hook(st, "ask");
	st->asking++;
	st->max_asking = st->asking > st->max_asking ? st->asking : st->max_asking;
	rc = line.takes_ms > 0 ? task_sleep(t, line.takes_ms, err) : 0;
	while (rc == 0 && st->held)
		rc = task_sleep(t, 1, err);
	st->asking--;
	if (rc < 0)
		line.fails = LLM_ERROR_CANCELLED;
	if (rc == 0 || line.broke)
		rc = say_line(&line, p, answer, err);
	answer->error_class = line.fails;
	free(echo);
	return rc;
}

static const struct llm_ops model_ops = {.complete = model_complete};

void stage_script(struct stage *st, const struct line *lines, size_t count)
{
	free((void *)(uintptr_t)st->script);
	st->script = xmemdup(lines, count * sizeof(*lines));
	st->script_count = count;
	st->asked = 0;
}

/* --- the tools */

static struct json_object *use(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const char *what = json_get_str(args, "what");
	struct error err = {0};

	(void)call;
	buf_addf(&stage->ran, "+%s ", what);
	if (stage->hook)
		stage->hook(stage, what);
	int rc = task_sleep(t, (uint64_t)json_get_int(args, "ms", 0), &err);
	while (rc == 0 && stage->tools_held)
		rc = task_sleep(t, 1, &err);
	if (rc < 0) {
		buf_addf(&stage->ran, "!%s ", what);
		return tool_failure("look", "INTERRUPTED", "STOPPED", "The turn was stopped while this ran.");
	}
	buf_addf(&stage->ran, "-%s ", what);
	if (json_get_bool(args, "fail", false))
		return tool_failure(
		    "look", "NOT_FOUND", NULL, "There is no %s. Look for something else.", what);
	struct json_object *o = json_object_new_object();
	json_set_str(o, "seen", what);
	return o;
}

#define SCHEMA                                                                                             \
	"{\"type\":\"object\",\"properties\":{\"what\":{\"type\":\"string\",\"description\":\"A thing\"}," \
	"\"ms\":{\"type\":\"integer\",\"description\":\"How "                                              \
	"long\"},\"fail\":{\"type\":\"boolean\",\"description\":\"Whether\"}},"                            \
	"\"required\":[\"what\"]}"

static struct json_object *ponder(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *o;
	struct error err = {0};
	char *answer = NULL;

	if (call->services->ask_model(t, call->services->agent, json_get_str(args, "what"),
		"[A text] of a stranger", &answer, &err) < 0)
		return tool_failure("ponder", "UNAVAILABLE", "SERVER_DOWN", "%s.", err.text);
	o = json_object_new_object();
	json_set_str(o, "answer", answer);
	free(answer);
	return o;
}

static const struct tool tool_look = {
    .name = "look", .summary = "Look. Returns: {seen}", .schema = SCHEMA, .run = use};
static const struct tool tool_ponder = {
    .name = "ponder", .summary = "Ponder. Returns: {answer}", .schema = SCHEMA, .run = ponder};
static const struct tool tool_touch = {
    .name = "touch", .flags = TOOL_WRITES, .summary = "Touch. Returns: {seen}", .schema = SCHEMA, .run = use};
extern const struct tool tool_ask_user, tool_memory_forget, tool_memory_read, tool_memory_search,
    tool_memory_write, tool_message, tool_react, tool_remind, tool_task, tool_todo_write;

static const struct tool *const stage_tools[] = {&tool_ask_user, &tool_look, &tool_memory_forget,
    &tool_memory_read, &tool_memory_search, &tool_memory_write, &tool_message, &tool_ponder, &tool_react,
    &tool_remind, &tool_task, &tool_todo_write, &tool_touch, NULL};

/* --- the parts */

static const struct access_settings *stage_access(void *arg, const char *channel)
{
	struct stage *st = arg;

	return strcmp(channel, "chat") == 0 && !st->channel_gone ? &st->access : NULL;
}

static void stage_status(struct task *t, void *arg, bool details, struct buf *out)
{
	(void)t, (void)arg;
	buf_addstr(out, details ? "all is well, in detail" : "all is well");
}

static void stage_doctor(struct task *t, void *arg, struct buf *out)
{
	(void)t, (void)arg;
	buf_addstr(out, "All is well.");
}

static void stage_restart(void *arg)
{
	struct stage *st = arg;

	st->restarts++;
}

static void stage_received(void *arg, struct message *m)
{
	struct stage *st = arg;

	if (st->sessions)
		sessions_received(st->sessions, m);
	else
		message_free(m);
}

static void stage_moved(void *arg, const struct journal_move *move, bool committed)
{
	struct stage *st = arg;

	if (st->sessions)
		sessions_moved(st->sessions, move, committed);
}

static void read_config(struct stage *st, const char *text)
{
	struct error err = {0};
	struct buf problems = BUF_INIT;
	/* The channel gone is named there, and never comes up. */
	char *whole = xasprintf("state = \"%s\";\nchannels: { chat: { }; gone: { }; };\n%s", st->dir, text);

	st->cfg = config_parse("stage.conf", whole, &err);
	if (!st->cfg)
		fail_msg("%s", err.text);
	targets_read(&st->targets, st->cfg);
	config_read(st->cfg, "files", &files_section, &st->files);
	session_settings_read(&st->settings, st->cfg);
	st->tools = tools_new_with(st->cfg, &st->targets, stage_tools);
	const char *zone = tools_reminders(st->tools)->time_zone;
	budget_settings_read(&st->budgets, st->cfg, &st->targets, zone ? zone : "UTC", &st->llm);
	config_errors(st->cfg, &problems);
	assert_string_equal(problems.data, "");
	if (tools_open(st->tools, &err) < 0)
		fail_msg("%s", err.text);
	buf_clear(&problems);
	free(whole);
}

static void forget_config(struct stage *st)
{
	budget_settings_clear(&st->budgets);
	tools_free(st->tools);
	targets_clear(&st->targets);
	session_settings_clear(&st->settings);
	config_free(st->cfg);
}

static bool stage_reports(void *arg, struct address **to, size_t *count)
{
	return stage->reports && stage->reports(arg, to, count);
}

static void open_parts(struct task *t, struct stage *st)
{
	struct store_options store = {.dir = st->dir};
	struct bus_handler handler = {.received = stage_received, .moved = stage_moved, .arg = st};
	struct error err = {0};

	st->store = store_open(t, &store, &err);
	if (!st->store)
		fail_msg("%s", err.text);
	struct journal journal = store_journal(st->store);
	st->bus = bus_new(&journal, &handler);
	st->agent = (struct agent){.store = st->store,
	    .bus = st->bus,
	    .llm = &st->llm,
	    .tools = st->tools,
	    .background = background_new(),
	    .budget = budget_new(st->store, st->bus),
	    .name = "Tess"};
	budget_apply(st->agent.budget, &st->budgets, "USD");
	assert_int_equal(budget_load(t, st->agent.budget, &err), 0);
	struct sessions_options options = {.agent = &st->agent,
	    .access = stage_access,
	    .status = stage_status,
	    .doctor = stage_doctor,
	    .reports = stage_reports,
	    .restart = stage_restart,
	    .arg = st,
	    .turns_at_once = st->turns_at_once,
	    .queue_most = st->queue_most,
	    .files = &st->files,
	    .settings = &st->settings};
	st->sessions = sessions_new(&options);
	st->channel = bus_add_channel(st->bus, "chat", &chat_ops, NULL);
	assert_int_equal(bus_resume(t, st->bus, &err), 0);
	assert_int_equal(chat_ops.start(st->channel, NULL, &err), 0);
}

void stage_open(struct task *t, struct stage *st)
{
	struct error err = {0};

	open_parts(t, st);
	if (sessions_resume(t, st->sessions, &err) < 0)
		fail_msg("%s", err.text);
}

void stage_close(struct task *t, struct stage *st)
{
	sessions_free(t, st->sessions);
	st->sessions = NULL;
	background_free(t, st->agent.background);
	st->agent.background = NULL;
	assert_true(list_is_empty(&st->bus->previews));
	budget_free(st->agent.budget);
	bus_free(t, st->bus);
	struct store *store = st->store;
	st->store = NULL;
	store_close(t, store);
}

bool stage_works(void)
{
	return (stage && stage->store && stage->store->queue.open > 0) ||
	    uv_default_loop()->active_reqs.count > 0;
}

void stage_configure(struct task *t, struct stage *st, const char *text)
{
	stage_close(t, st);
	forget_config(st);
	read_config(st, text);
	stage_open(t, st);
}

static void copy_file(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out;
	char chunk[65536];
	ssize_t n;

	if (in < 0)
		return;
	out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(out >= 0);
	while ((n = read(in, chunk, sizeof(chunk))) > 0)
		assert_int_equal(write(out, chunk, (size_t)n), n);
	close(in);
	close(out);
}

static void copy_database(const char *from, const char *to)
{
	static const char *const names[] = {"myna.db", "myna.db-wal"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *source = xasprintf("%s/%s", from, names[i]), *target = xasprintf("%s/%s", to, names[i]);
		unlink(target);
		copy_file(source, target);
		free(source);
		free(target);
	}
}

void stage_snapshot(struct stage *st)
{
	mkdir(st->snapshot, 0700);
	copy_database(st->dir, st->snapshot);
}

int64_t stage_snapshot_number(struct stage *st, const char *sql)
{
	char *path = xasprintf("%s/myna.db", st->snapshot);
	sqlite3_stmt *row;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	int64_t n = sqlite3_step(row) == SQLITE_ROW ? sqlite3_column_int64(row, 0) : -1;
	sqlite3_finalize(row);
	sqlite3_close(db);
	free(path);
	return n;
}

int64_t stage_number(struct stage *st, const char *sql)
{
	stage_snapshot(st);
	return stage_snapshot_number(st, sql);
}

static void crash(struct task *t, struct stage *st)
{
	stage_close(t, st);
	copy_database(st->snapshot, st->dir);
	/* What was known of the models is gone, too. */
	outage_clear(&st->llm.outage);
	outage_init(&st->llm.outage);
}

void stage_crash(struct task *t, struct stage *st)
{
	crash(t, st);
	stage_open(t, st);
}

void stage_crash_quietly(struct task *t, struct stage *st)
{
	crash(t, st);
	open_parts(t, st);
}

/* --- what tests do and see */

struct message *stage_message(struct stage *st, const char *chat, const char *text)
{
	struct message *m = message_new();
	struct error err = {0};
	char *address = xasprintf("chat:%s", chat);

	if (address_parse(address, &m->from, &err) < 0)
		fail_msg("%s", err.text);
	st->said++;
	m->account = xstrdup("chat:1");
	m->event_id = xasprintf("%u", st->said);
	m->message_id = xasprintf("m%u", st->said);
	m->sender_id = xstrdup("77");
	m->sender_name = xstrdup("Ann");
	m->addressed = true;
	free(m->text);
	m->text = xstrdup(text);
	free(address);
	return m;
}

struct message *stage_message_by(struct stage *st, const char *chat, const char *person, const char *text)
{
	struct message *m = stage_message(st, chat, text);

	free(m->sender_id);
	m->sender_id = xstrdup(person);
	return m;
}

struct message *stage_group_message(struct stage *st, const char *chat, const char *person, const char *text)
{
	struct message *m = stage_message_by(st, chat, person, text);

	m->chat_kind = CHAT_GROUP;
	return m;
}

void stage_receive(struct task *t, struct stage *st, struct message **messages, size_t count)
{
	struct error err = {0};

	if (channel_received(t, st->channel, messages, count, NULL, &err) < 0)
		fail_msg("%s", err.text);
}

void stage_say(struct task *t, struct stage *st, const char *chat, const char *text)
{
	struct message *m = stage_message(st, chat, text);

	stage_receive(t, st, &m, 1);
}

void stage_say_by(struct task *t, struct stage *st, const char *chat, const char *person, const char *text)
{
	struct message *m = stage_message_by(st, chat, person, text);

	stage_receive(t, st, &m, 1);
}

void stage_say_in_group(
    struct task *t, struct stage *st, const char *chat, const char *person, const char *text)
{
	struct message *m = stage_group_message(st, chat, person, text);

	stage_receive(t, st, &m, 1);
}

size_t stage_lines(const struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->data[i] == '\n';
	return n;
}

void stage_await(struct task *t, struct stage *st, size_t lines)
{
	stage_until(t, stage_lines(&st->shown) >= lines);
}

/* Steps of the wait for rest, of REST_MS; so many without anything are rest. A wait that spins makes
 * thousands of turns of the loop in one. */
#define REST_STEPS 25
#define REST_MS    2
#define REST_TURNS 10

static unsigned long loop_turns;

static void on_loop_turn(uv_prepare_t *prepare)
{
	(void)prepare;
	loop_turns++;
}

static void count_loop_turns(void)
{
	static uv_prepare_t prepare;

	if (uv_is_active((uv_handle_t *)&prepare))
		return;
	uv_prepare_init(uv_default_loop(), &prepare);
	uv_prepare_start(&prepare, on_loop_turn);
	uv_unref((uv_handle_t *)&prepare);
}

void stage_rest(struct task *t)
{
	unsigned long asked = 0, turns = 0;

	count_loop_turns();
	for (int n = 0, quiet = 0; quiet < REST_STEPS; n++) {
		if (n == 2000)
			fail_msg("no rest: %lu steps of SQLite and %lu turns of the loop in %d ms", asked,
			    turns, REST_MS);
		unsigned long asked_before = sql_steps(), turns_before = loop_turns;
		task_sleep(t, REST_MS, NULL);
		asked = sql_steps() - asked_before;
		turns = loop_turns - turns_before;
		quiet = asked == 0 && turns <= REST_TURNS ? quiet + 1 : 0;
	}
}

struct store_counts stage_counts(struct task *t, struct stage *st)
{
	struct store_counts counts;
	struct error err = {0};

	if (store_count(t, st->store, &counts, &err) < 0)
		fail_msg("%s", err.text);
	return counts;
}

void stage_calm(struct task *t, struct stage *st)
{
	for (int i = 0; i < STEPS_MAX; i++) {
		stage_counts(t, st);
		task_turns(t, 2);
	}
}

void stage_settle(struct task *t, struct stage *st)
{
	struct store_counts c;

	do {
		task_sleep(t, 2, NULL);
		c = stage_counts(t, st);
	} while (c.inbox_pending + c.outbox_queued + c.turns_open > 0 || sessions_running(st->sessions) > 0);
}

char *stage_transcript(struct task *t, struct stage *st, const char *chat)
{
	struct address where;
	struct llm_history h;
	struct buf out = BUF_INIT;
	struct error err = {0};
	int64_t session;

	assert_int_equal(address_set(&where, "chat", chat, NULL, &err), 0);
	assert_int_equal(store_session(t, st->store, &where, &session, &err), 0);
	llm_history_init(&h);
	assert_int_equal(store_history(t, st->store, session, SIZE_MAX / 2, &h, &err), 0);
	write_history(&out, &h);
	llm_history_clear(&h);
	return buf_take(&out);
}

static void lend(struct turn *turn)
{
	turn->chat = turn->row.asked->from;
	turn->chat_kind = "private chat";
	turn->reply_to = turn->row.asked->message_id;
}

void stage_turn(struct task *t, struct stage *st, const char *chat, const char *text, struct turn *turn)
{
	const struct journal *j = bus_journal(st->bus);
	struct message *m = stage_message(st, chat, text);
	const struct message *inbound = m;
	struct buf prompt = BUF_INIT;
	struct error err = {0};
	int64_t session;

	*turn = (struct turn){0};
	prompt_user(&prompt, m, false);
	struct llm_message *user = llm_message_new(LLM_USER, prompt.data);
	assert_int_equal(j->ops->put_inbound(t, j->self, &m, 1, NULL, &err), 0);
	assert_int_equal(store_session(t, st->store, &m->from, &session, &err), 0);
	assert_int_equal(store_turn_begin(t, st->store, session, &inbound, 1, user, &turn->row, &err), 0);
	lend(turn);
	llm_message_free(user);
	message_free(m);
	buf_clear(&prompt);
}

void stage_play_turn(struct task *t, struct stage *st, struct turn *turn)
{
	struct error err = {0};

	if (agent_run(t, &st->agent, turn, &err) < 0)
		fail_msg("%s", err.text);
	store_turn_clear(&turn->row);
	stage_settle(t, st);
}

void stage_ask(struct task *t, struct stage *st, const char *chat, const char *text)
{
	struct turn turn;

	stage_turn(t, st, chat, text, &turn);
	stage_play_turn(t, st, &turn);
}

static void turn_task(struct task *t, void *arg)
{
	struct stage_turn *run = arg;

	run->rc = agent_run(t, &run->stage->agent, &run->turn, &run->err);
	run->task = NULL;
}

void stage_turn_start(struct stage *st, struct stage_turn *run)
{
	run->stage = st;
	run->err = (struct error){0};
	task_group_init(&run->group);
	run->task = task_start(&run->group, "turn", turn_task, run);
}

void stage_turn_cancel(struct task *t, struct stage_turn *run)
{
	if (run->task)
		task_cancel(run->task);
	task_group_wait(t, &run->group, NULL);
	store_turn_clear(&run->turn.row);
}

void stage_resume(struct task *t, struct stage *st, const char *chat, struct turn *turn)
{
	struct address where;
	struct error err = {0};

	*turn = (struct turn){0};
	assert_int_equal(address_set(&where, "chat", chat, NULL, &err), 0);
	assert_int_equal(store_turn_resume(t, st->store, &where, &turn->row, &err), 1);
	lend(turn);
}

void stage_disk_left(const struct stage *st, long bytes)
{
	char *path = xasprintf("%s/myna.db-wal", st->dir);
	struct stat wal = {0};
	struct rlimit limit;

	stat(path, &wal);
	free(path);
	getrlimit(RLIMIT_FSIZE, &limit);
	/* None at all: not in the log as it is, either, which may begin anew. */
	limit.rlim_cur = bytes < 0 ? RLIM_INFINITY : bytes == 0 ? 1 : (rlim_t)(wal.st_size + bytes);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

void assert_has(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text ? text : "(nothing)");
}

void assert_lacks(const char *text, const char *part)
{
	if (text && strstr(text, part))
		fail_msg("\"%s\" is in:\n%s", part, text);
}

size_t count_of(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

/* --- a test */

static void note_line(const char *line, void *arg)
{
	struct stage *st = arg;

	buf_addf(&st->log, "%s\n", line);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status, (void)kind, (void)where;
	return remove(path);
}

static void stage_init(struct stage *st)
{
	static char ann[] = "77", bea[] = "78", *users[] = {ann}, *admins[] = {bea};

	*st = (struct stage){.shown = BUF_INIT,
	    .heard = BUF_INIT,
	    .told = BUF_INIT,
	    .asked_by = BUF_INIT,
	    .ran = BUF_INIT,
	    .log = BUF_INIT,
	    .edits = BUF_INIT,
	    .pressed = BUF_INIT,
	    .answered_by = BUF_INIT,
	    .system = BUF_INIT,
	    .turns_at_once = 100,
	    .queue_most = 10000};
	str_copy(st->dir, sizeof(st->dir), "/tmp/myna-stage-XXXXXX");
	assert_non_null(mkdtemp(st->dir));
	snprintf(st->snapshot, sizeof(st->snapshot), "%s.crash", st->dir);
	st->access.allow = (struct config_strings){users, 1};
	st->access.admins = (struct config_strings){admins, 1};
	static char main_name[] = "main", other_name[] = "other", main_model[] = "m-1", other_model[] = "m-2";

	st->providers[0] =
	    (struct llm_provider){.name = main_name, .ops = &model_ops, .settings.model = main_model};
	st->providers[1] =
	    (struct llm_provider){.name = other_name, .ops = &model_ops, .settings.model = other_model};
	st->order[0].provider = &st->providers[0];
	st->order[1].provider = &st->providers[1];
	st->llm = (struct llm){.providers = st->providers,
	    .count = 2,
	    .order = st->order,
	    .order_count = 1,
	    .patience_ms = 3600 * 1000};
	outage_init(&st->llm.outage);
	signal(SIGXFSZ, SIG_IGN);
	log_setup(LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
	log_capture(note_line, st);
	read_config(st, "");
}

static void stage_clear(struct stage *st)
{
	stage_disk_left(st, -1);
	outage_clear(&st->llm.outage);
	log_capture(NULL, NULL);
	forget_config(st);
	free((void *)(uintptr_t)st->script);
	buf_clear(&st->answered_by);
	buf_clear(&st->shown);
	buf_clear(&st->edits);
	buf_clear(&st->pressed);
	free(st->buttons);
	buf_clear(&st->heard);
	buf_clear(&st->told);
	buf_clear(&st->system);
	buf_clear(&st->asked_by);
	buf_clear(&st->ran);
	buf_clear(&st->log);
	nftw(st->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	nftw(st->snapshot, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void stage_task(struct task *t, void *arg)
{
	void (**body)(struct task * t, struct stage * st) = arg;

	stage_open(t, stage);
	(*body)(t, stage);
	stage_close(t, stage);
}

void stage_run(void (*body)(struct task *t, struct stage *st))
{
	static struct stage one;

	stage = &one;
	stage_init(stage);
	task_run("test", stage_task, &body);
	assert_int_equal(task_count(), 0);
	stage_clear(stage);
}
