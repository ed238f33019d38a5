#include "session/turn/turn.h"

#include <stdlib.h>
#include <string.h>

#include "agent/compact.h"
#include "agent/turn_state.h"
#include "base/time/clock.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/trace.h"
#include "base/wrong.h"
#include "bus/bus.h"
#include "net/backoff.h"
#include "session/access/access.h"
#include "session/approval/approval.h"
#include "session/approval/ask_user.h"
#include "session/direct_reply.h"
#include "session/plan.h"
#include "session/chat_settings.h"
#include "session/turn/attachments.h"
#include "session/reminder_scheduler.h"
#include "session/turn/coalesce.h"
#include "session/session_internal.h"
#include "session/queue.h"
#include "session/session_settings.h"
#include "session/turn/turn_input.h"
#include "store/store.h"
#include "store/turn/turns.h"
#include "store/turn/undo.h"
#include "tools/background.h"
#include "tools/tools.h"

/* A turn that crashes interrupted this often is not tried again. */
#define TURN_ATTEMPTS_MAX 3
/* A turn begun this often may be what crashes the process: it runs while no other suspect turn does. */
#define TURN_ATTEMPTS_SUSPECT 2
#define GIVE_UP_TEXT                                                                                   \
	"I am sorry: something went wrong three times while I worked on your message, so I leave it. " \
	"Please ask again in other words, or tell the operator to look into the log."

struct turn_run {
	struct session *s;
	struct turn *turn;
	bool give_up;
	int rc;
	struct error err;
};

struct tools *session_tools_pin(const struct sessions *all, const struct address *where, const char *person)
{
	const struct agent *agent = all->options.agent;

	return tools_pin_chat(agent->tools, where, person, bus_former_chat_id(agent->bus, where));
}

static void turn_task(struct task *t, void *arg)
{
	struct turn_run *run = arg;
	/* The turn keeps the model and the tools that it began with. */
	struct epoch *epoch = epoch_enter();
	struct agent agent = *run->s->all->options.agent;
	tools_refresh(t, agent.tools);
	struct tools *tools = WRONG("resumed-for-all") && run->turn->resumed ?
	    tools_pin(agent.tools) :
	    session_tools_pin(run->s->all, &run->s->where, run->turn->row.person);

	agent.tools = tools;
	if (run->give_up)
		run->rc = agent_give_up(t, &agent, run->turn, GIVE_UP_TEXT, &run->err);
	else
		run->rc = agent_run(t, &agent, run->turn, &run->err);
	tools_unpin(tools);
	epoch_leave(epoch);
	/* Cleared here, because a task that has ended must not be cancelled. */
	run->s->runner.turn = NULL;
	run->s->runner.task = NULL;
}

static void stop_running(struct session *s)
{
	s->runner.turn->stopped = true;
	s->runner.turn->without_notice = s->runner.without_notice;
	task_cancel(s->runner.task);
}

static bool drop_waiting(struct session *s)
{
	struct coalesced b;

	if (!coalesce_shift(s, &b))
		return false;
	queue_done(s, b.count);
	for (size_t i = 0; i < b.count; i++)
		direct_reply_none(s->all, b.items[i], "stopped before it began");
	task_wake(s->task); /* it may wait for a slot that it no longer needs */
	return true;
}

bool session_stop(struct session *s)
{
	if (!session_has_turn(s))
		return drop_waiting(s);
	s->runner.stop_requested = true;
	if (s->runner.task)
		stop_running(s);
	attachments_stop(s);
	task_wake(s->task); /* it may wait for the model */
	return true;
}

bool session_stop_of(struct session *s, const char *person)
{
	const struct turn *turn = s->runner.turn;

	if (!person || (turn && message_is_of(turn->row.asked, person)))
		return session_stop(s);
	return queue_drop_of(s, person);
}

void session_turn_ended(struct session *s)
{
	s->runner.stop_requested = s->runner.without_notice = false;
}

void session_interrupt(struct session *s)
{
	if (!session_has_turn(s))
		return;
	/* A person's /stop takes precedence, with its notice. */
	if (!s->runner.stop_requested)
		s->runner.without_notice = true;
	session_stop(s);
}

/* Runs the turn in a task of its own, which can be cancelled alone. 0: it has ended. 1: it waits for the
 * model. */
static int run_once(struct task *t, struct session *s, struct turn *turn, bool give_up, struct error *err)
{
	struct turn_run run = {.s = s, .turn = turn, .give_up = give_up};
	struct task_group group;

	task_group_init(&group);
	turn->buttons = stop_button_new(s);
	session_move(s, SESSION_RUNNING);
	s->runner.turn = turn;
	s->runner.task = task_start(&group, "turn", turn_task, &run);
	if (s->runner.stop_requested)
		stop_running(s);
	if (task_group_wait(t, &group, NULL) < 0)
		task_group_finish(t, &group);
	free(turn->buttons);
	turn->buttons = NULL;
	if (run.rc < 0)
		*err = run.err;
	return run.rc;
}

/* The store failed during the turn: continues from the journal, as after a crash. 1: reloaded. 0: the turn
 * has ended after all. -1: cancelled. */
static int reload(
    struct task *t, struct session *s, struct turn *turn, struct backoff *wait, struct error *err)
{
	struct store *store = s->all->options.agent->store;
	int64_t id = turn->row.id;
	char *preview = turn->row.preview;
	int rc;

	session_move(s, SESSION_RESUMING);
	turn->row.preview = NULL;
	store_turn_clear(&turn->row);
	do {
		log_error("session", "a turn waits because the store failed: %s turn=%lld", err->text,
		    (long long)id);
		rc = task_sleep(t, backoff_next(wait), err);
		if (rc == 0)
			rc = store_turn_resume(t, store, &s->where, &turn->row, err);
	} while (rc < 0 && task_check(t, NULL) == 0);
	/* It may have been shown when it could not be recorded. */
	if (rc > 0 && preview && !turn->row.preview)
		turn_state_record_preview(t, store, &turn->row, preview);
	free(preview);
	return rc;
}

static const struct access_settings *access_of(const struct session *s)
{
	return s->all->options.access(s->all->options.arg, s->where.channel);
}

static enum access_role role_of(const struct sessions *all, const struct message *m)
{
	const struct access_settings *access = all->options.access(all->options.arg, m->from.channel);

	return access ?
	    access_role(access, all->grants, m, bus_former_chat_id(all->options.agent->bus, &m->from)) :
	    ACCESS_NONE;
}

enum access_role session_role(const struct session *s, const struct message *m)
{
	return role_of(s->all, m);
}

bool session_is_denied(const struct session *s, const struct message *m)
{
	return access_of(s) && session_role(s, m) == ACCESS_NONE;
}

struct budget_spender session_spender(const struct session *s, const struct message *m)
{
	enum access_role role = session_role(s, m);

	return (struct budget_spender){.agent = s->all->options.agent,
	    .chat = &s->where,
	    .person = m->sender_is_chat ? NULL : m->sender_id,
	    .role = role >= ACCESS_ADMIN ? BUDGET_ADMIN :
		role <= ACCESS_GUEST     ? BUDGET_GUEST :
					   BUDGET_USER};
}

static void set_rights(const struct sessions *all, const struct message *asked, struct turn *turn)
{
	const struct access_settings *access = all->options.access(all->options.arg, asked->from.channel);
	enum access_role role = role_of(all, asked);

	turn->admin = role >= ACCESS_ADMIN && !turn_is_of_several(turn);
	turn->admin_here =
	    turn->admin && access && access_role_on_channel(access, all->grants, asked) < ACCESS_ADMIN;
	turn->guest = role <= ACCESS_GUEST;
	turn->denied = access && role == ACCESS_NONE;
}

static void read_rights(void *all, struct turn *turn)
{
	set_rights(all, turn->row.asked, turn);
}

void session_turn_context(const struct sessions *all, const struct message *asked, struct turn *turn)
{
	turn->chat_kind = asked->chat_kind == CHAT_PRIVATE ? "private chat" : "group";
	turn->is_private = asked->chat_kind == CHAT_PRIVATE;
	turn->chat_title = asked->chat_title;
	turn->chat_instructions = chat_instructions(all, &turn->chat);
	set_rights(all, asked, turn);
}

void session_turn_fill(struct session *s, struct turn *turn)
{
	const struct message *asked = turn->row.asked;

	turn->chat = s->where;
	session_turn_context(s->all, asked, turn);
	turn->row.model = chat_model(s->all, &s->where, turn->row.model);
	turn->reply_to = strcmp(asked->from.chat, s->where.chat) == 0 ? asked->message_id : NULL;
	turn->approve = approval_ask;
	turn->approve_arg = s->all;
	/* Nobody waits at the chat for a reminder to finish. */
	turn->ask_person = asked->kind == MESSAGE_SCHEDULE ? NULL : ask_person;
	turn->show_plan = asked->kind == MESSAGE_SCHEDULE ? NULL : plan_show;
	turn->join = join_turn;
	turn->rights = read_rights;
	turn->turn_owner = s;
}

/* Runs a turn until its end is committed or the process stops; 1: until it waits for the model. */
static int run(struct task *t, struct session *s, struct turn *turn)
{
	/* Without its channel nobody could read the answer. */
	bool give_up = turn->row.attempts > TURN_ATTEMPTS_MAX || !access_of(s), waits;
	/* For all failures of the store: each may come after a model was paid. */
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct error err = {0};
	int rc;

	trace_step(.step = turn->row.attempts > 1 ? "turn resumed" : "turn begun", .turn = turn->row.id,
	    .channel = s->where.channel, .chat = s->where.chat, .thread = s->where.thread,
	    .try = turn->row.attempts);
	if (give_up)
		approval_withdraw(t, s->all, turn->row.id);
	do {
		/* Keeps valid what the turn borrows from the configuration. */
		struct epoch *epoch = epoch_enter();
		session_turn_fill(s, turn);
		if (turn->denied && !give_up && !turn_is_of_several(turn))
			s->runner.stop_requested = s->runner.without_notice = true;
		turn->overdue = outage_is_overdue(s);
		rc = run_once(t, s, turn, give_up, &err);
		epoch_leave(epoch);
		waits = rc > 0;
		rc = rc < 0 && task_check(t, NULL) == 0 ? reload(t, s, turn, &wait, &err) : 0;
	} while (rc > 0);
	if (waits)
		outage_wait_begin(s, turn->row.session, turn->row.waiting_since_ms);
	else
		outage_wait_end(s);
	if (turn->abandons_queue)
		queue_abandon(s);
	store_turn_clear(&turn->row);
	return waits;
}

static int resume_alone(struct task *t, struct session *s, struct turn *turn, struct error *err)
{
	struct store *store = s->all->options.agent->store;
	unsigned attempts;

	if (store_turn_attempts(t, store, &s->where, &attempts, NULL, err) < 0)
		return -1;
	if (attempts >= TURN_ATTEMPTS_SUSPECT && turn_suspect_begin(t, s, err) < 0)
		return -1;
	return store_turn_resume(t, store, &s->where, &turn->row, err);
}

int session_turn_resume(struct task *t, struct session *s, struct error *err)
{
	struct turn turn = {0};
	int rc = resume_alone(t, s, &turn, err);

	if (rc > 0) {
		log_info("session", "going on with turn=%lld attempt=%u", (long long)turn.row.id,
		    turn.row.attempts);
		turn.resumed = true;
		if (turn.row.waiting_since_ms > 0)
			outage_wait_begin(s, turn.row.session, turn.row.waiting_since_ms);
		rc = run(t, s, &turn);
	}
	turn_suspect_end(s);
	return rc;
}

/* Returns the thread whose messages are the turn's context. A message that opens a thread (on Slack a thread
 * has the id of its first message) continues what was said outside of threads. */
static const char *context_thread(const struct session *s, const struct message *first)
{
	bool opens = first->message_id && strcmp(first->message_id, s->where.thread) == 0;

	return opens ? "" : s->where.thread;
}

/* Begins the conversation of an address that has none. */
static int open_session(
    struct task *t, struct session *s, const struct message *first, int64_t *session, struct error *err)
{
	if (first->kind == MESSAGE_TEXT && address_equal(&first->from, &s->where) &&
	    session_role(s, first) != ACCESS_NONE)
		return direct_reply_open_session(t, s->all, first, 0, session, err);
	return store_session(t, s->all->options.agent->store, &s->where, session, err);
}

/* Says once in the chat that its conversation has ended by its time. */
static struct outbound **expiry_rows(
    const struct session *s, int64_t session, const struct message *m, size_t *count, struct error *err)
{
	struct bus *bus = s->all->options.agent->bus;
	char *key = xasprintf("expired:%lld", (long long)session),
	     *text = bus_own_text(bus, &s->where,
		 "(A new conversation begins: the last one ended by its time. I remember my notes of it "
		 "only.)");
	struct outbound **rows = bus_rows(bus, &s->where, OUTBOUND_REPLY, text, NULL, key, 0, count, err);

	log_info("session", "the conversation is over by its time, a new one begins: inbound=%lld",
	    (long long)m->id);
	free(text);
	free(key);
	return rows;
}

/* What is read of the history of a chat that has chosen no model. */
static size_t history_max(const struct session *s)
{
	char *model = chat_model(s->all, &s->where, NULL);
	size_t max = compact_history_max(s->all->options.agent, model);

	free(model);
	return max;
}

/* Begins a turn as the opening, whose messages it takes, needs it. 1: it was not begun, and *o says what the
 * opening is. */
static int begin_with(struct task *t, struct session *s, const struct coalesced *b,
    struct store_turn_opening *o, struct turn *turn, struct error *err)
{
	const struct agent *agent = s->all->options.agent;
	const struct message *first = b->items[0]->m;
	struct outbound **rows = NULL;
	size_t count = 0;
	struct turn_input k;
	int rc = 0;

	turn_input_init_context(&k, b, o->context, o->context_count);
	o->context_count = 0;
	struct llm_message *user = turn_input_message(&k, s);
	struct store_turn_start start = {.session = o->session,
	    .where = &s->where,
	    .context = context_thread(s, first),
	    .fresh_ms = session_settings_cutoff_ms(s->all->options.settings, clock_wall()),
	    .history_max = history_max(s),
	    .inbound = k.rows,
	    .inbound_count = k.count,
	    .user = user,
	    .person = turn_input_person(&k, NULL),
	    .renew = o->expired};
	if (start.renew && first->kind != MESSAGE_SCHEDULE) {
		rows = expiry_rows(s, o->session, first, &count, err);
		rc = rows ? 0 : -1;
	}
	start.rows = rows;
	start.row_count = count;
	if (rc == 0)
		rc = store_turn_start(t, agent->store, &start, &turn->row, o, err);
	for (size_t i = 0; rc == 0 && i < k.count; i++)
		trace_step(.step = "taken", .inbound = k.rows[i]->id, .turn = turn->row.id);
	if (rc == 0 && count > 0)
		bus_wake(agent->bus, &s->where);
	if (rc == 0 && start.renew)
		background_stop(agent->background, &s->where, NULL);
	bus_rows_free(rows, count);
	llm_message_free(user);
	turn_input_clear(&k);
	return rc;
}

static int begin(
    struct task *t, struct session *s, const struct coalesced *b, struct turn *turn, struct error *err)
{
	struct store_turn_opening opening = {0};
	struct epoch *epoch = epoch_enter();
	int rc = attachments_download(t, s, b, err);

	epoch_leave(epoch);
	if (rc < 0)
		return -1;
	rc = begin_with(t, s, b, &opening, turn, err);
	if (rc > 0 && opening.session == 0 && open_session(t, s, b->items[0]->m, &opening.session, err) < 0)
		rc = -1;
	if (rc > 0)
		rc = begin_with(t, s, b, &opening, turn, err);
	store_turn_opening_clear(&opening);
	return rc;
}

/* Begins a turn that asks the last exchange again. 1: begun. 0: there is no exchange. */
static int begin_again(
    struct task *t, struct session *s, const struct coalesced *b, struct turn *turn, struct error *err)
{
	struct store *store = s->all->options.agent->store;
	struct store_exchange x;
	struct turn_input k;
	int rc = store_exchange_last(t, store, &s->where, &x, err);

	if (rc <= 0)
		return rc;
	turn_input_init(&k, b);
	struct llm_message *user = llm_message_new(LLM_USER, x.user_text);
	user->images = llm_images_copy(x.images, x.image_count);
	user->image_count = x.image_count;
	struct store_turn_start start = {.session = x.session,
	    .inbound = k.rows,
	    .inbound_count = k.count,
	    .user = user,
	    .person = turn_input_person(&k, x.person),
	    .again = x.turn};
	/* Otherwise the text of one person would be answered with the rights of another. */
	bool own = *start.person || b->items[0]->m->chat_kind == CHAT_PRIVATE;
	rc = !own ? 0 : store_turn_start(t, store, &start, &turn->row, NULL, err) < 0 ? -1 : 1;
	llm_message_free(user);
	turn_input_clear(&k);
	store_exchange_clear(&x);
	return rc;
}

/* As session_turn_take. What cannot be asked again gets an answer that says so. */
static int take_again(struct task *t, struct session *s, struct coalesced *b, struct error *err)
{
	struct turn turn = {0};
	int rc = begin_again(t, s, b, &turn, err);

	if (rc > 0)
		return run(t, s, &turn);
	if (rc < 0 && err->kind != ERROR_REFUSED)
		return -1;
	direct_reply_refusal(s->all, b->items[0], "nothing to answer again",
	    "There is no message of yours that I could answer again.");
	b->items[0] = NULL;
	return 0;
}

int session_turn_take(struct task *t, struct session *s, struct coalesced *b, struct error *err)
{
	struct turn turn = {0};

	if (b->items[0]->is_retry)
		return take_again(t, s, b, err);
	if (b->items[0]->m->kind == MESSAGE_SCHEDULE && session_role(s, b->items[0]->m) == ACCESS_NONE) {
		reminder_pause_unauthorized(s->all, message_copy(b->items[0]->m));
		return 0;
	}
	if (begin(t, s, b, &turn, err) < 0)
		return -1;
	return run(t, s, &turn);
}
