#include "session/approval/question.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "net/backoff.h"
#include "session/approval/approval.h"
#include "session/approval/ask_user.h"
#include "session/approval/approval_internal.h"
#include "session/session_internal.h"
#include "store/questions.h"

/* The wall clock may jump: expiry is checked again after this time. */
#define LOOK_AGAIN_MS (60 * 1000)
/* So is what another node is to end. */
#define FOREIGN_MS 1000

void question_token(char *out)
{
	struct buf text = BUF_INIT;
	unsigned char bytes[16];

	clock_random(bytes, sizeof(bytes));
	base64_encode(&text, bytes, sizeof(bytes));
	for (size_t i = 0; i + 1 < QUESTION_TOKEN_SIZE; i++)
		out[i] = text.data[i] == '+' ? '-' : text.data[i] == '/' ? '_' : text.data[i];
	out[QUESTION_TOKEN_SIZE - 1] = '\0';
	buf_clear(&text);
}

char *question_buttons(const struct question_kind *action, const char *token)
{
	struct buttons b = {0};

	for (const struct question_choice *c = action->choices; c->name; c++) {
		char *id = xasprintf("p:%s:%s", token, c->name);
		buttons_add(&b, id, c->label, c->style, false);
		free(id);
	}
	char *text = buttons_write(&b);
	buttons_clear(&b);
	return text;
}

bool question_is_possible(const struct sessions *all, const struct message *m)
{
	const struct channel *ch = bus_channel(all->options.agent->bus, m->from.channel);

	return ch && (ch->ops->caps & CHANNEL_BUTTONS);
}

int question_ask(struct task *t, struct sessions *all, const struct question_request *q, struct error *err)
{
	struct bus *bus = all->options.agent->bus;
	char token[QUESTION_TOKEN_SIZE], *key = xasprintf("inbound:%lld", (long long)q->asked->id);
	size_t count = 0;
	struct outbound **rows = bus_rows(
	    bus, &q->asked->from, OUTBOUND_REPLY, q->text, q->asked->message_id, key, 0, &count, err);
	int rc = -1;

	free(key);
	if (rows) {
		question_token(token);
		struct store_question p = {.where = rows[count - 1]->to,
		    .expires_ms = clock_wall() + (int64_t)q->ms,
		    .token = token,
		    .person = q->asked->sender_id,
		    .action = (char *)(uintptr_t)q->action->name,
		    .data = (char *)(uintptr_t)q->data};
		rows[count - 1]->buttons = question_buttons(q->action, token);
		rc = store_question_put(t, all->options.agent->store, &p, q->asked->id, rows, count, err);
		bus_rows_free(rows, count);
	}
	if (rc == 0)
		bus_wake(bus, &q->asked->from);
	if (rc == 0 && all->watch)
		task_wake(all->watch);
	return rc;
}

struct outbound *question_closed_outbound(
    const struct outbound *shown, const char *message_id, const char *note)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s\n\n", shown->text);
	escape_markdown(&text, note);
	struct outbound *row = outbound_new(&shown->to, OUTBOUND_REPLY, text.data);
	row->edit_of = xstrdup(message_id);
	buf_clear(&text);
	return row;
}

/* note is shown, way is stored. */
static int close_without(struct task *t, struct sessions *all, struct store_question *p, const char *way,
    const char *note, struct error *err)
{
	struct bus *bus = all->options.agent->bus;
	const struct journal *j = bus_journal(bus);
	struct outbound *shown = j->ops->get_outbound(t, j->self, p->outbox, NULL), *row = NULL;

	/* A message that may not have arrived keeps its buttons, which do nothing any more. */
	if (shown && shown->state == OUTBOUND_SENT && shown->platform_id)
		row = question_closed_outbound(shown, shown->platform_id, note);
	p->state = STORE_QUESTION_EXPIRED;
	free(p->ended_by);
	p->ended_by = xstrdup(way);
	int rc = store_question_end(t, all->options.agent->store, p, 0, &row, row != NULL, err);
	if (rc == 0 && row)
		bus_wake(bus, &row->to);
	if (rc == 0)
		log_info("question", "ended: %s question=%lld action=%s", way, (long long)p->id, p->action);
	approval_ended(all, p->turn);
	ask_user_ended(all, p->turn);
	outbound_free(shown);
	outbound_free(row);
	return rc < 0 && err->kind != ERROR_REFUSED ? -1 : 0;
}

int question_withdraw(struct task *t, struct sessions *all, struct store_question *p, struct error *err)
{
	return close_without(t, all, p, "stopped", "This is no longer needed.", err);
}

int question_expire(struct task *t, struct sessions *all, struct store_question *p, struct error *err)
{
	return close_without(t, all, p, "timeout", "Nobody answered in time.", err);
}

/* Another node expires the questions of channels that it serves. */
static int next_question(struct task *t, struct sessions *all, struct store_question **out, struct error *err)
{
	struct bus *bus = all->options.agent->bus;
	struct store *store = all->options.agent->store;
	struct store_question *p;
	bool all_here = true;

	*out = NULL;
	for (struct channel *ch = NULL; (ch = bus_next_channel(bus, ch));)
		all_here &= ch->status != CHANNEL_ELSEWHERE;
	if (all_here)
		return store_question_next(t, store, NULL, out, err);
	for (struct channel *ch = NULL; (ch = bus_next_channel(bus, ch));) {
		if (ch->status == CHANNEL_ELSEWHERE ||
		    (all->options.only_channel && strcmp(all->options.only_channel, ch->name) != 0))
			continue;
		if (store_question_next(t, store, ch->channel, &p, err) < 0) {
			store_question_free(*out);
			*out = NULL;
			return -1;
		}
		if (p && (!*out || p->expires_ms < (*out)->expires_ms)) {
			store_question_free(*out);
			*out = p;
		} else {
			store_question_free(p);
		}
	}
	return *out != NULL;
}

/* Waits until the question is due, or expires it. */
static int watch_question(struct task *t, struct sessions *all, struct store_question *p, struct error *err)
{
	int64_t left = p->expires_ms - clock_wall();
	const struct channel *ch;

	/* The question of another unit is for its node; we wait for that, as none of ours expires before
	 * it. */
	if (left <= 0) {
		if (bus_locate(t, all->options.agent->bus, &p->where, err) < 0)
			return -1;
		ch = bus_channel_of(all->options.agent->bus, &p->where);
		left = ch && ch->status == CHANNEL_ELSEWHERE ? FOREIGN_MS : left;
	}
	if (left <= 0)
		return question_expire(t, all, p, err);
	left = left < LOOK_AGAIN_MS ? left : LOOK_AGAIN_MS;
	return task_wait_until(t, clock_now() + (uint64_t)left, err) < 0 ? -1 : 0;
}

/* Expires what is due. -1: the store failed, or the process stops. */
static int watch_step(struct task *t, struct sessions *all, struct error *err)
{
	struct store_question *p;
	int rc = next_question(t, all, &p, err);

	if (rc < 0)
		return -1;
	rc = p ? watch_question(t, all, p, err) : task_wait(t, err);
	store_question_free(p);
	return rc;
}

static void watch_task(struct task *t, void *arg)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct sessions *all = arg;
	struct error err = {0};

	while (task_check(t, NULL) == 0) {
		if (watch_step(t, all, &err) >= 0) {
			backoff_reset(&wait);
			continue;
		}
		if (task_check(t, NULL) < 0)
			break;
		log_error("question", "cannot check open questions for expiry, trying again: %s", err.text);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	all->watch = NULL;
}

void question_watch(struct sessions *all)
{
	all->watch = task_start(&all->tasks, "questions", watch_task, all);
}
