#include "session/approval/approval_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/epoch.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "net/backoff.h"
#include "session/direct_reply.h"
#include "session/approval/question.h"
#include "session/session_internal.h"
#include "store/questions.h"

#define OLD_TEXT "This button does nothing any more."
/* Characters shown of a name, which strangers choose. */
#define NAME_SIZE_MAX 40

static const struct question_kind *const actions[] = {
    &question_approval, &question_ask_user, &question_broadcast, &question_memory, &question_pair};

struct press {
	struct sessions *all;
	struct message *m;
	enum access_verdict verdict;
	enum access_role role;
	const char *notice; /* shown to the person; a literal */
	bool answered;
	struct buf reply; /* sent to the chat, together with the end of the press */
};

static const struct question_kind *find_action(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(actions); i++)
		if (strcmp(actions[i]->name, name) == 0)
			return actions[i];
	return NULL;
}

/* Finds the choice. made: filled when the question defines its own choices; the caller owns its label. */
static const struct question_choice *find_choice(const struct question_kind *a,
    const struct store_question *p, const char *name, struct question_choice *made)
{
	if (a && a->label) {
		*made = (struct question_choice){.name = name, .label = a->label(p, name)};
		return made->label ? made : NULL;
	}
	for (const struct question_choice *c = a ? a->choices : NULL; c && c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* Parses "p:TOKEN:CHOICE"; NULL when the button is not a question's. Both malloc'd. */
static char *read_id(const char *id, char **choice)
{
	const char *colon = strncmp(id, "p:", 2) == 0 ? strchr(id + 2, ':') : NULL;

	*choice = colon ? xstrdup(colon + 1) : NULL;
	return colon ? xstrndup(id + 2, (size_t)(colon - id) - 2) : NULL;
}

/* The question was addressed to the person's own id, and the press names the chat by the platform's id. */
static bool is_private_chat_of(const struct press *x, const struct address *where)
{
	const struct channel *ch = bus_channel(x->all->options.agent->bus, where->channel);
	size_t len = ch && ch->ops->person_chat ? strlen(ch->ops->person_chat) : 0;

	return ch && ch->ops->person_chat && x->m->chat_kind == CHAT_PRIVATE &&
	    strncmp(where->chat, ch->ops->person_chat, len) == 0 &&
	    strcmp(where->chat + len, x->m->sender_id) == 0;
}

/* Returns whether the pressed message may be the one that shows the question. A delivery that was repeated
 * shows it twice. */
static bool is_its_message(
    const struct press *x, const struct store_question *p, const struct outbound *shown)
{
	struct address where = p->where;

	bus_follow_move(x->all->options.agent->bus, &where);
	if (strcmp(where.channel, x->m->from.channel) != 0)
		return false;
	if (strcmp(where.chat, x->m->from.chat) != 0 && !is_private_chat_of(x, &where))
		return false;
	return !shown->platform_id || shown->repeat ||
	    (x->m->message_id && strcmp(shown->platform_id, x->m->message_id) == 0);
}

static bool has_role(const struct press *x, const struct question_kind *action)
{
	bool group = x->m->chat_kind != CHAT_PRIVATE && action->group_role != ACCESS_NONE;
	enum access_role role = group ? action->group_role : action->role;

	return x->role >= role && (!action->channel_wide || sessions_channel_role(x->all, x->m) >= role);
}

/* Returns why the press does nothing; NULL: it counts. */
static const char *refusal(const struct press *x, const struct store_question *p,
    const struct outbound *shown, const struct question_kind *action, const struct question_choice *choice)
{
	if (!shown || !choice || !is_its_message(x, p, shown))
		return OLD_TEXT;
	if (!action->refuse && strcmp(p->person, x->m->sender_id) != 0)
		return "This question is for someone else.";
	if (!has_role(x, action))
		return "You may no longer do this.";
	const char *why = action->refuse ? action->refuse(x->all, p, x->m, x->role) : NULL;
	if (why)
		return why;
	if (p->state == STORE_QUESTION_PRESSED || (p->ended_by && strcmp(p->ended_by, "elsewhere") == 0))
		return "This is decided already.";
	if (p->state == STORE_QUESTION_EXPIRED || p->expires_ms <= clock_wall())
		return "It is too late to answer this.";
	return NULL;
}

struct outbound *question_chosen_outbound(const struct outbound *shown, const char *message_id,
    const struct question_choice *choice, const struct message *m)
{
	const char *name = m->sender_name ? m->sender_name : m->sender_id;
	char *note = xasprintf("%s (by %.*s)", choice->label,
	    (int)utf8_cut(name, strlen(name), NAME_SIZE_MAX, UTF8_BYTES), name);
	struct outbound *row = question_closed_outbound(shown, message_id, note);

	free(note);
	return row;
}

/* Commits the first press and removes the buttons. 0: this press counts. 1: another one was first. */
static int commit_choice(struct task *t, struct press *x, struct store_question *p,
    const struct outbound *shown, const struct question_choice *choice, struct error *err)
{
	struct outbound *row = question_chosen_outbound(shown, x->m->message_id, choice, x->m);

	p->state = STORE_QUESTION_PRESSED;
	p->press = x->m->id;
	free(p->choice);
	p->choice = xstrdup(choice->name);
	free(p->decider);
	p->decider = xstrdup(x->m->sender_id);
	free(p->ended_by);
	p->ended_by = xstrdup("button");
	int rc = store_question_end(t, x->all->options.agent->store, p, 0, &row, 1, err);
	if (rc == 0) {
		bus_wake(x->all->options.agent->bus, &row->to);
		log_info("question", "pressed question=%lld action=%s choice=%s by=\"%s\" inbound=%lld",
		    (long long)p->id, p->action, p->choice, x->m->sender_id, (long long)x->m->id);
	}
	outbound_free(row);
	return rc < 0 && err->kind == ERROR_REFUSED ? 1 : rc;
}

static void answer(struct press *x)
{
	struct channel *ch = bus_channel_of(x->all->options.agent->bus, &x->m->from);

	if (!x->answered && x->m->press_id && ch && ch->state && ch->ops->answer_press)
		ch->ops->answer_press(ch, x->m, x->notice);
	x->answered = true;
}

static int decide(
    struct task *t, struct press *x, struct store_question *p, const char *choice_name, struct error *err)
{
	const struct journal *j = bus_journal(x->all->options.agent->bus);
	const struct question_kind *action = find_action(p->action);
	struct question_choice made = {0};
	const struct question_choice *choice = find_choice(action, p, choice_name, &made);
	bool again =
	    p->state == STORE_QUESTION_PRESSED && p->press == x->m->id; /* a crash interrupted the action */
	struct outbound *shown = again ? NULL : j->ops->get_outbound(t, j->self, p->outbox, NULL);
	int rc = 0;

	if (!again)
		x->notice = refusal(x, p, shown, action, choice);
	if (!x->notice && !again)
		rc = commit_choice(t, x, p, shown, choice, err);
	outbound_free(shown);
	free((char *)(uintptr_t)made.label);
	if (rc > 0)
		x->notice = "This is decided already.";
	if (rc < 0 || x->notice)
		return rc < 0 ? -1 : 0;
	answer(x);
	if (action)
		action->run(t, x->all, p, &x->reply);
	return task_check(t, err);
}

/* 0: notice and reply have the result. -1: the store failed, or the process stops. */
static int press_question(struct task *t, struct press *x, struct error *err)
{
	struct store_question *p = NULL;
	char *choice, *token = read_id(x->m->text, &choice);
	int rc = token ? store_question_find(t, x->all->options.agent->store, token, &p, err) : 0;

	x->notice = NULL;
	if (rc == 0)
		x->notice = OLD_TEXT;
	else if (rc > 0)
		rc = decide(t, x, p, choice, err);
	store_question_free(p);
	free(token);
	free(choice);
	return rc < 0 ? -1 : 0;
}

static int press_once(struct task *t, struct press *x, struct error *err)
{
	if (x->verdict != ACCESS_ADMITTED) {
		x->notice = "You may not use this.";
		return 0;
	}
	if (stop_button_pressed(x->all, x->m, x->role, &x->notice))
		return 0;
	const char *reply;
	int rc = stop_reaction_received(t, x->all, x->m, x->role, &reply, err);
	if (rc == 0)
		return press_question(t, x, err);
	buf_addstr(&x->reply, reply);
	return rc < 0 ? -1 : 0;
}

static void press_task(struct task *t, void *arg)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct press *x = arg;
	struct error err = {0};
	struct epoch *epoch = epoch_enter();
	int rc;

	while ((rc = press_once(t, x, &err)) < 0 && task_check(t, NULL) == 0) {
		log_error("question", "cannot take a press, trying again: %s inbound=%lld", err.text,
		    (long long)x->m->id);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	if (rc == 0) {
		answer(x);
		direct_reply_now(t, x->all, x->m, "press", x->reply.data);
		x->m = NULL;
	}
	epoch_leave(epoch);
	message_free(x->m);
	buf_clear(&x->reply);
	free(x);
}

void question_pressed(
    struct sessions *all, struct message *m, enum access_verdict verdict, enum access_role role)
{
	struct press *x = xcalloc(1, sizeof(*x));

	x->all = all;
	x->m = m;
	x->verdict = verdict;
	x->role = role;
	buf_init(&x->reply);
	task_start(&all->tasks, "press", press_task, x);
}
