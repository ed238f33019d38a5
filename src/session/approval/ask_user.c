#include "session/approval/ask_user.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "net/backoff.h"
#include "session/approval/approval.h"
#include "session/approval/approval_internal.h"
#include "session/inbound.h"
#include "session/session_internal.h"
#include "session/queue.h"
#include "store/questions.h"
#include "store/turn/turns.h"
#include "tools/services.h"
#include "tools/tools.h"

/* The wall clock may jump: expiry is checked again after this time. */
#define LOOK_AGAIN_MS (60 * 1000)
/* Messages read from the journal at a time. */
#define BATCH 16

/* An open question, also one whose turn has not resumed yet after a start. */
struct ask {
	struct list link;
	int64_t turn;
	struct address where;
	char *person;
	int64_t last_inbound; /* inbox rows up to this one are no answer; INT64_MAX: not asked yet */
	struct task *task;    /* the waiting task; NULL: the turn does not run yet */
	bool woken;
	bool excused; /* a crash during the wait does not count against the turn */
	bool lent;    /* the turn's slot is released meanwhile */
};

/* The parts of one call. */
struct request {
	struct session *s;
	const struct turn *turn;
	const char *call_id;
	const struct tool_question *q;
	struct ask *ask;
};

static void run(struct task *t, struct sessions *all, const struct store_question *p, struct buf *reply)
{
	(void)t, (void)reply;
	ask_user_ended(all, p->turn);
}

const struct question_kind question_ask_user = {
    .name = "ask",
    .role = ACCESS_GUEST,
    .label = ask_user_label,
    .run = run,
};

static struct ask *ask_user_new(
    struct sessions *all, int64_t turn, const struct address *where, const char *person, int64_t last_inbound)
{
	struct ask *a = xcalloc(1, sizeof(*a));

	a->turn = turn;
	a->where = *where;
	a->person = xstrdup(person);
	a->last_inbound = last_inbound;
	list_append(&all->asks, &a->link);
	return a;
}

static void ask_user_free(struct ask *a)
{
	list_remove(&a->link);
	free(a->person);
	free(a);
}

static struct ask *ask_user_find(struct sessions *all, int64_t turn)
{
	list_each(&all->asks, it, tmp)
		if (list_entry(it, struct ask, link)->turn == turn)
			return list_entry(it, struct ask, link);
	return NULL;
}

void ask_user_clear(struct sessions *all)
{
	list_each(&all->asks, it, tmp)
		ask_user_free(list_entry(it, struct ask, link));
}

void ask_user_ended(struct sessions *all, int64_t turn)
{
	struct ask *a = turn != 0 ? ask_user_find(all, turn) : NULL;

	if (!a)
		return;
	a->woken = true;
	if (a->task)
		task_wake(a->task);
	else
		ask_user_free(a);
}

static bool fits(const struct sessions *all, const struct ask *a, const struct message *m)
{
	struct address where = a->where;

	bus_follow_move(all->options.agent->bus, &where);
	return m->kind == MESSAGE_TEXT && m->id > a->last_inbound && address_equal(&where, &m->from) &&
	    m->sender_id && !m->sender_is_chat && strcmp(m->sender_id, a->person) == 0 &&
	    m->attachment_count == 0 && m->text[strspn(m->text, " \t\r\n")] != '\0';
}

bool ask_user_accepts(struct sessions *all, const struct message *m)
{
	list_each(&all->asks, it, tmp) {
		struct ask *a = list_entry(it, struct ask, link);
		if (!fits(all, a, m))
			continue;
		a->woken = true;
		if (a->task)
			task_wake(a->task);
		return true;
	}
	return false;
}

static int load_one(
    struct task *t, struct sessions *all, bool taking, struct store_question *p, struct error *err)
{
	if (bus_locate(t, all->options.agent->bus, &p->where, err) < 0)
		return -1;
	if (!sessions_should_load(all, taking, &p->where) && (taking || !all->options.only_channel))
		return 0;
	/* Loaded, or asked again, since an earlier try to take the channel. */
	if (ask_user_find(all, p->turn))
		return 0;
	/* Its call does not run again. */
	if (ask_user_is_once(p))
		return question_withdraw(t, all, p, err);
	ask_user_new(all, p->turn, &p->where, p->person, p->last_inbound);
	return 0;
}

int ask_user_load(struct task *t, struct sessions *all, bool taking, struct error *err)
{
	struct store_question *p;
	int64_t after_id = 0;
	int rc;

	while ((rc = store_question_open(
		    t, all->options.agent->store, question_ask_user.name, after_id, &p, err)) > 0) {
		after_id = p->id;
		rc = load_one(t, all, taking, p, err);
		store_question_free(p);
		if (rc < 0)
			break;
	}
	return rc;
}

static int put(struct task *t, const struct request *r, struct tool_reply *reply, struct error *err)
{
	const struct agent *agent = r->s->all->options.agent;
	const struct channel *ch = bus_channel(agent->bus, r->s->where.channel);
	char token[QUESTION_TOKEN_SIZE];
	size_t count = 0;

	question_token(token);
	bool buttons = ch && (ch->ops->caps & CHANNEL_BUTTONS),
	     numbered = ask_user_is_numbered(r->q, buttons);
	char *text = ask_user_text(r->q, buttons, ask_user_needs_mention(r->s->all, r->turn->row.asked)),
	     *data = ask_user_data(r->q, numbered);
	char *key = xasprintf("turn:%lld:ask:%s", (long long)r->turn->row.id, token);
	struct outbound **rows = bus_rows(agent->bus, &r->s->where, OUTBOUND_REPLY, text, r->turn->reply_to,
	    key, r->turn->row.id, &count, err);
	int rc = 0;

	if (!rows) {
		log_warn("question", "cannot be asked: %s turn=%lld", err->text, (long long)r->turn->row.id);
		reply->kind = TOOL_REPLY_NOBODY;
		rc = 1;
	} else {
		struct store_question p = {.where = r->s->where,
		    .expires_ms = clock_wall() + (int64_t)r->q->ms,
		    .token = token,
		    .person = r->ask->person,
		    .action = (char *)(uintptr_t)question_ask_user.name,
		    .data = data,
		    .turn = r->turn->row.id,
		    .call_id = (char *)(uintptr_t)r->call_id};
		rows[count - 1]->buttons = buttons ? ask_user_buttons(r->q, token) : NULL;
		task_shield(t);
		rc = store_question_put(t, agent->store, &p, 0, rows, count, err);
		task_unshield(t);
		if (rc == 0)
			log_info("question", "asked question=%lld options=%zu turn=%lld", (long long)p.id,
			    r->q->option_count, (long long)p.turn);
	}
	if (rc == 0)
		bus_wake(agent->bus, &r->s->where);
	if (rc == 0 && r->s->all->watch)
		task_wake(r->s->all->watch);
	bus_rows_free(rows, count);
	free(text);
	free(data);
	free(key);
	return rc;
}

/* The message is the answer: one commit ends both it and the question. 1: done, or another answer came
 * first. */
static int commit_words(struct task *t, const struct request *r, struct store_question *p,
    const struct message *m, struct error *err)
{
	const struct agent *agent = r->s->all->options.agent;
	const struct journal *j = bus_journal(agent->bus);
	struct outbound *shown = j->ops->get_outbound(t, j->self, p->outbox, NULL), *row = NULL;
	char *words = ask_user_trim(m->text);
	struct question_choice chosen = {.label = words};

	if (shown && shown->state == OUTBOUND_SENT && shown->platform_id)
		row = question_chosen_outbound(shown, shown->platform_id, &chosen, m);
	p->state = STORE_QUESTION_PRESSED;
	p->press = m->id;
	p->choice = ask_user_choice(p, words);
	p->decider = xstrdup(m->sender_id);
	p->ended_by = xstrdup("words");
	p->reason = words; /* moved */
	task_shield(t);
	int rc = store_question_end(t, agent->store, p, m->id, &row, row != NULL, err);
	task_unshield(t);
	if (rc == 0) {
		log_info("question", "answered question=%lld inbound=%lld turn=%lld", (long long)p->id,
		    (long long)m->id, (long long)p->turn);
		queue_drop(r->s, m->id);
		if (row)
			bus_wake(agent->bus, &row->to);
	}
	outbound_free(shown);
	outbound_free(row);
	return rc < 0 && err->kind != ERROR_REFUSED ? -1 : 1;
}

/* Searches the journal for the answer: 1 found, or another answer came first; 0 none; -1. */
static int take_words(struct task *t, const struct request *r, struct store_question *p, struct error *err)
{
	const struct journal *j = bus_journal(r->s->all->options.agent->bus);
	struct message *messages[BATCH], *found = NULL;
	int64_t after_id = p->last_inbound;
	int n, rc = 0;

	do {
		n = j->ops->list_inbound(t, j->self, &r->s->where, after_id, messages, BATCH, err);
		for (int i = 0; i < n; i++) {
			after_id = messages[i]->id;
			if (!found && fits(r->s->all, r->ask, messages[i]) &&
			    inbound_classify(r->s->all, messages[i]).kind == INBOUND_TURN)
				found = messages[i];
			else
				message_free(messages[i]);
		}
	} while (n == BATCH && !found);
	if (found)
		rc = commit_words(t, r, p, found, err);
	message_free(found);
	return n < 0 ? -1 : rc;
}

static bool is_over(const struct request *r)
{
	return r->q->over && *r->q->over;
}

/* Waits until a message may be the answer, or the time is over. A turn that waits for a person needs no
 * slot. */
static int wait_for(struct task *t, const struct request *r, int64_t left, struct error *err)
{
	struct ask *a = r->ask;
	uint64_t due = clock_now() + (uint64_t)(left < LOOK_AGAIN_MS ? left : LOOK_AGAIN_MS);
	int rc = 0;

	if (!a->excused && store_turn_uncount_attempt(t, r->s->all->options.agent->store, a->turn, err) < 0)
		return -1;
	a->excused = true;
	if (!a->lent)
		turn_slot_release(r->s);
	a->lent = true;
	while (rc == 0 && !a->woken && !is_over(r))
		rc = task_wait_until(t, due, err);
	return rc < 0 ? -1 : 0;
}

static int ask_step(struct task *t, const struct request *r, struct store_question *p, struct error *err)
{
	r->ask->last_inbound = p->last_inbound;
	int rc = take_words(t, r, p, err);
	int64_t left = p->expires_ms - clock_wall();

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	if (is_over(r))
		return question_withdraw(t, r->s->all, p, err);
	if (left <= 0)
		return question_expire(t, r->s->all, p, err);
	return wait_for(t, r, left, err);
}

/* Reads the answer of an ended question. */
static void read_reply(
    const struct store_question *p, const struct tool_question *q, struct tool_reply *reply)
{
	size_t choice = p->choice ? ask_user_option(q, p->choice) : 0;

	if (p->state == STORE_QUESTION_PRESSED)
		*reply = (struct tool_reply){TOOL_REPLY_GIVEN,
		    xstrdup(choice > 0 ? q->options[choice - 1] :
			    p->reason  ? p->reason :
					 ""),
		    choice};
	else
		reply->kind = p->ended_by && strcmp(p->ended_by, "timeout") == 0 ? TOOL_REPLY_TIMED_OUT :
										   TOOL_REPLY_WITHDRAWN;
}

/* Checks the store once: 1 there is a reply, 0 check again, -1. */
static int step(struct task *t, const struct request *r, struct tool_reply *reply, struct error *err)
{
	struct store_question *p = NULL;

	r->ask->woken = false;
	int rc = store_question_of(t, r->s->all->options.agent->store, r->turn->row.id, r->call_id, &p, err);
	if (rc == 0)
		return put(t, r, reply, err);
	if (rc > 0 && p->state == STORE_QUESTION_OPEN) {
		rc = ask_step(t, r, p, err);
	} else if (rc > 0) {
		read_reply(p, r->q, reply);
		rc = 1;
	}
	store_question_free(p);
	return rc;
}

/* Retries while the store fails: an answer must not be lost. */
static int ask_user_until_answered(
    struct task *t, const struct request *r, struct tool_reply *reply, struct error *err)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	int rc;

	while ((rc = step(t, r, reply, err)) <= 0) {
		if (rc == 0)
			continue;
		if (task_check(t, err) < 0)
			return -1;
		log_error("question", "a question waits because the store failed: %s turn=%lld", err->text,
		    (long long)r->ask->turn);
		if (task_sleep(t, backoff_next(&wait), err) < 0)
			return -1;
	}
	return 0;
}

int ask_person(struct task *t, void *turn_owner, const struct tool_call *call, const struct tool_question *q,
    struct tool_reply *reply, struct error *err)
{
	struct session *s = turn_owner;
	struct request r = {.s = s, .turn = s->runner.turn, .call_id = call->call_id, .q = q};
	const struct message *asked = s->runner.turn->row.asked;

	reply->kind = TOOL_REPLY_NOBODY;
	if (!call->call_id || !asked->sender_id || asked->sender_is_chat)
		return 0;
	r.ask = ask_user_find(s->all, call->turn);
	if (!r.ask)
		r.ask = ask_user_new(s->all, call->turn, &s->where, asked->sender_id, INT64_MAX);
	r.ask->task = t;
	int rc = ask_user_until_answered(t, &r, reply, err);
	if (r.ask->lent && turn_slot_retake(t, s, err) < 0)
		rc = -1;
	ask_user_free(r.ask);
	if (rc < 0 && (r.turn->stopped || q->once))
		approval_withdraw(t, s->all, call->turn);
	return rc;
}
