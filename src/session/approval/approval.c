#include "session/approval/approval.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "session/approval/question.h"
#include "session/session_internal.h"
#include "store/questions.h"
#include "store/turn/turns.h"
#include "tools/approval.h"
#include "tools/tools.h"

/* The wall clock may jump: expiry is checked again after this time. */
#define LOOK_AGAIN_MS (60 * 1000)
/* Characters of an id that people type: 40 bits, without letters that look alike. */
#define ID_LENGTH  8
#define ID_LETTERS "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
/* Characters shown of a name, which strangers choose. */
#define NAME_SIZE_MAX 40
/* Stored instead of a list of approvers, whose ids have a colon: the admins of the whole channel decide. */
#define CHANNEL_ADMINS "admins"

/* A turn that waits for an approval. */
struct waiter {
	struct list link;
	int64_t turn;
	struct task *task;
	bool woken;
	struct address where;            /* of the open request */
	char token[QUESTION_TOKEN_SIZE]; /* its id; "": not asked yet */
	bool excused;                    /* a crash during the wait does not count against the turn */
	bool lent;                       /* the turn's slot is released meanwhile */
};

/* The parts of one request. */
struct request {
	struct sessions *all;
	const struct turn *turn;
	const char *call_id;
	const struct approval *approval;
	const struct approval_settings *settings;
	struct address where;
	char id[ID_LENGTH + 1];
};

const struct question_choice approval_choices[] = {
    {.name = "allow", .label = "Allow", .style = BUTTON_PRIMARY},
    {.name = "reject", .label = "Reject", .style = BUTTON_DANGER},
    {.name = NULL},
};

static void run(struct task *t, struct sessions *all, const struct store_question *p, struct buf *reply)
{
	(void)t, (void)reply;
	approval_ended(all, p->turn);
}

const struct question_kind question_approval = {
    .name = "approval",
    .role = ACCESS_USER,
    .choices = approval_choices,
    .refuse = approval_refuse,
    .run = run,
};

static const struct approval_settings *settings_of(const struct sessions *all)
{
	return tools_approvals(all->options.agent->tools);
}

/* Returns whether the list, one id a line, has the person. */
static bool has_line(const char *list, const char *person)
{
	size_t len = strlen(person);

	for (; *list; list += strcspn(list, "\n"), list += *list == '\n')
		if (strcspn(list, "\n") == len && strncmp(list, person, len) == 0)
			return true;
	return false;
}

/* The approvers are those listed when the request was made, as far as they still have access; with an empty
 * list, the admins. An admin of one group counts only for what that group asks. */
const char *approval_refuse(const struct sessions *all, const struct store_question *p,
    const struct message *m, enum access_role role)
{
	const struct approval_settings *s = settings_of(all);
	char *person = xasprintf("%s:%s", m->from.channel, m->sender_id ? m->sender_id : "");
	bool wide = strcmp(p->person, CHANNEL_ADMINS) == 0;
	bool admin = (wide ? sessions_channel_role(all, m) : role) >= ACCESS_ADMIN;
	bool then = wide || !*p->person ? admin : has_line(p->person, person);
	bool now = s->approvers.count > 0 ? config_strings_have(&s->approvers, person) : admin;

	free(person);
	if (wide && !admin && role >= ACCESS_ADMIN)
		return "Another chat asks this: only admins of the whole channel can decide it.";
	return then && now ? NULL : "Only people who may approve can decide this.";
}

void approval_ended(struct sessions *all, int64_t turn)
{
	list_each(&all->approvals, it, tmp) {
		struct waiter *w = list_entry(it, struct waiter, link);
		if (turn == 0 || w->turn != turn)
			continue;
		w->woken = true;
		task_wake(w->task);
	}
}

void approval_withdraw(struct task *t, struct sessions *all, int64_t turn)
{
	struct store_question *p = NULL;
	struct error err = {0};

	task_shield(t);
	int rc = store_question_of(t, all->options.agent->store, turn, NULL, &p, &err);
	if (rc > 0)
		rc = question_withdraw(t, all, p, &err);
	task_unshield(t);
	if (rc < 0)
		log_warn("approval", "a question stays open: %s turn=%lld", err.text, (long long)turn);
	store_question_free(p);
}

static void make_id(char *out)
{
	unsigned char bytes[ID_LENGTH];

	clock_random(bytes, sizeof(bytes));
	for (size_t i = 0; i < ID_LENGTH; i++)
		out[i] = ID_LETTERS[bytes[i] & 31];
	out[ID_LENGTH] = '\0';
}

/* Nobody could approve: the request's channel does not run, or it would be shown only in a private chat whose
 * person may not decide. */
static bool cannot_be_decided(const struct request *r)
{
	const struct message *asked = r->turn->row.asked;
	const struct approval_settings *s = r->settings;

	if (!sessions_serve(r->all, &r->where))
		return true;
	if (s->elsewhere || asked->chat_kind != CHAT_PRIVATE || !asked->sender_id)
		return false;
	if (s->approvers.count == 0)
		return !r->turn->admin;
	char *person = xasprintf("%s:%s", asked->from.channel, asked->sender_id);
	bool listed = config_strings_have(&s->approvers, person);
	free(person);
	return !listed;
}

static void add_who(struct buf *out, const struct request *r)
{
	const struct message *asked = r->turn->row.asked;
	struct buf who = BUF_INIT;
	char chat[ADDRESS_TEXT_MAX];

	if (asked->sender_name || asked->sender_id)
		escape_name(&who, asked->sender_name ? asked->sender_name : asked->sender_id, NAME_SIZE_MAX,
		    UTF8_CHARS);
	if (asked->sender_id)
		buf_addf(&who, " (%s)", asked->sender_id);
	if (r->settings->elsewhere)
		buf_addf(&who, " in %s", address_format(&r->turn->chat, chat));
	if (who.len > 0) {
		buf_addstr(out, "Asked by ");
		escape_markdown(out, who.data);
		buf_addstr(out, ". ");
	}
	buf_clear(&who);
}

/* The id comes last, so that whoever can type it has received the complete action. */
static char *write_text(const struct request *r, bool buttons)
{
	struct buf text = BUF_INIT;
	int64_t s = r->settings->timeout_ms / 1000;
	char *how = xasprintf("`/approve %s` or `/reject %s` and why, within %lld %s.", r->id, r->id,
		 (long long)(s % 60 == 0 ? s / 60 : s), s % 60 == 0 ? "min" : "s"),
	     *own = bus_own_text(r->all->options.agent->bus, &r->where, how);

	buf_addf(&text, "**May I run %s?** ", r->approval->tool);
	add_who(&text, r);
	buf_addf(&text, "This is all of it:\n\n```json\n%s\n```\n\n", r->approval->action);
	if (!buttons)
		buf_addstr(&text, "Answer `y` or `n`, or ");
	buf_addstr(&text, own);
	free(how);
	free(own);
	return buf_take(&text);
}

static char *write_approvers(const struct request *r)
{
	const struct config_strings *people = &r->settings->approvers;
	const struct address *chat = &r->turn->chat;
	struct buf out = BUF_INIT;

	if (people->count == 0 &&
	    (strcmp(r->where.channel, chat->channel) != 0 || strcmp(r->where.chat, chat->chat) != 0))
		buf_addstr(&out, CHANNEL_ADMINS);
	for (size_t i = 0; i < people->count; i++)
		buf_addf(&out, "%s%s", i > 0 ? "\n" : "", people->items[i]);
	return buf_take(&out);
}

static struct outbound **rows_of(const struct request *r, const struct address *to, const char *text,
    const char *what, size_t *count, struct error *err)
{
	const struct turn *turn = r->turn;
	char *key = xasprintf("turn:%lld:%s:%s", (long long)turn->row.id, what, r->id);
	const char *reply_to = address_equal(to, &turn->chat) ? turn->reply_to : NULL;
	struct outbound **rows = bus_rows(
	    r->all->options.agent->bus, to, OUTBOUND_REPLY, text, reply_to, key, turn->row.id, count, err);

	free(key);
	return rows;
}

/* Appends the second rows to the first, which may be NULL. */
static struct outbound **join(
    struct outbound **first, size_t first_count, struct outbound **second, size_t second_count)
{
	struct outbound **all = xcalloc(first_count + second_count + 1, sizeof(*all));

	for (size_t i = 0; i < first_count; i++)
		all[i] = first[i];
	for (size_t i = 0; i < second_count; i++)
		all[first_count + i] = second[i];
	free(first);
	free(second);
	return all;
}

/* The notice for the waiting chat, if the request goes elsewhere, then the request. NULL when it cannot be
 * addressed. */
static struct outbound **write_rows(const struct request *r, size_t *count, struct error *err)
{
	struct bus *bus = r->all->options.agent->bus;
	const struct channel *ch = bus_channel(bus, r->where.channel);
	size_t waits_count = 0;

	if (!ch) {
		error_set(err, ERROR_REFUSED, "There is no channel named %s.", r->where.channel);
		return NULL;
	}
	bool buttons = ch->ops->caps & CHANNEL_BUTTONS;
	char *text = write_text(r, buttons);
	struct outbound **waits = NULL, **rows = rows_of(r, &r->where, text, "approval", count, err);
	free(text);
	if (!rows)
		return NULL;
	if (buttons)
		rows[*count - 1]->buttons = question_buttons(&question_approval, r->id);
	if (!address_equal(&r->where, &r->turn->chat)) {
		text = xasprintf("I wait for the approval of a call of %s, for which I asked elsewhere.",
		    r->approval->tool);
		waits = rows_of(r, &r->turn->chat, text, "waits", &waits_count, err);
		free(text);
	}
	rows = join(waits, waits_count, rows, *count);
	*count += waits_count;
	return rows;
}

/* 1: the request is open. 0: it cannot be made, and answer says why. -1: the store failed. */
static int put(struct task *t, const struct request *r, struct approval_answer *answer, struct error *err)
{
	const struct agent *agent = r->all->options.agent;
	size_t count = 0;

	answer->verdict =
	    strlen(r->approval->action) > APPROVAL_SHOWN_MAX ? APPROVAL_TOO_LONG : APPROVAL_NOBODY;
	if (answer->verdict == APPROVAL_TOO_LONG || cannot_be_decided(r))
		return 0;
	struct outbound **rows = write_rows(r, &count, err);
	if (!rows) {
		log_warn("approval", "cannot be asked: %s turn=%lld", err->text, (long long)r->turn->row.id);
		return 0;
	}
	char *people = write_approvers(r);
	struct store_question p = {.where = r->where,
	    .expires_ms = clock_wall() + r->settings->timeout_ms,
	    .token = (char *)(uintptr_t)r->id,
	    .person = people,
	    .action = (char *)(uintptr_t)question_approval.name,
	    .data = r->approval->action,
	    .turn = r->turn->row.id,
	    .call_id = (char *)(uintptr_t)r->call_id,
	    .hash = (char *)(uintptr_t)r->approval->hash};
	task_shield(t);
	int rc = store_question_put(t, agent->store, &p, 0, rows, count, err);
	task_unshield(t);
	for (size_t i = 0; rc == 0 && i < count; i++)
		bus_wake(agent->bus, &rows[i]->to);
	if (rc == 0)
		log_info("approval", "asked question=%lld tool=%s hash=%.16s turn=%lld", (long long)p.id,
		    r->approval->tool, r->approval->hash, (long long)p.turn);
	if (rc == 0 && r->all->watch)
		task_wake(r->all->watch);
	bus_rows_free(rows, count);
	free(people);
	return rc < 0 ? -1 : 1;
}

/* Reads the answer of an ended request. */
static void read_answer(
    const struct store_question *p, const struct approval *a, struct approval_answer *answer)
{
	bool same = p->hash && strcmp(p->hash, a->hash) == 0;

	if (p->state == STORE_QUESTION_PRESSED && p->choice &&
	    strcmp(p->choice, approval_choices[0].name) == 0)
		answer->verdict = same ? APPROVAL_ALLOWED : APPROVAL_CHANGED;
	else if (p->state == STORE_QUESTION_PRESSED)
		answer->verdict = APPROVAL_DENIED;
	else if (!same)
		answer->verdict = APPROVAL_CHANGED;
	else
		answer->verdict = p->ended_by && strcmp(p->ended_by, "timeout") == 0 ? APPROVAL_NO_ANSWER :
										       APPROVAL_WITHDRAWN;
	answer->reason = xstrdup(p->reason);
}

/* Waits until the request ends, or its time is over. */
static int wait_for(
    struct task *t, const struct request *r, struct waiter *w, struct store_question *p, struct error *err)
{
	int64_t left = p->expires_ms - clock_wall();

	w->where = p->where;
	str_copy(w->token, sizeof(w->token), p->token);
	if (!p->hash || strcmp(p->hash, r->approval->hash) != 0)
		return question_withdraw(t, r->all, p, err);
	if (left <= 0)
		return question_expire(t, r->all, p, err);
	if (!w->excused && store_turn_uncount_attempt(t, r->all->options.agent->store, w->turn, err) < 0)
		return -1;
	w->excused = true;
	/* A turn that waits for a person needs no slot. Nothing else of it runs: its calls are asked one by
	 * one. */
	if (!w->lent)
		turn_slot_release(r->turn->turn_owner);
	w->lent = true;
	uint64_t due = clock_now() + (uint64_t)(left < LOOK_AGAIN_MS ? left : LOOK_AGAIN_MS);
	int rc = 0;
	while (rc == 0 && !w->woken)
		rc = task_wait_until(t, due, err);
	return rc < 0 ? -1 : 0;
}

/* Checks the store once: 1 there is an answer, 0 check again, -1. */
static int ask_step(struct task *t, const struct request *r, struct waiter *w, struct approval_answer *answer,
    struct error *err)
{
	struct store_question *p = NULL;

	w->woken = false;
	int rc = store_question_of(t, r->all->options.agent->store, r->turn->row.id, r->call_id, &p, err);
	if (rc == 0) {
		rc = put(t, r, answer, err);
		return rc < 0 ? -1 : rc == 0;
	}
	if (rc > 0 && p->state == STORE_QUESTION_OPEN) {
		rc = wait_for(t, r, w, p, err);
	} else if (rc > 0) {
		read_answer(p, r->approval, answer);
		rc = 1;
	}
	store_question_free(p);
	return rc;
}

int approval_ask(struct task *t, void *arg, const struct turn *turn, const char *call_id,
    const struct approval *a, struct approval_answer *answer, struct error *err)
{
	struct sessions *all = arg;
	struct request r = {
	    .all = all, .turn = turn, .call_id = call_id, .approval = a, .settings = settings_of(all)};
	struct waiter w = {.turn = turn->row.id, .task = t};
	int rc;

	r.where = r.settings->elsewhere ? r.settings->where : turn->chat;
	make_id(r.id);
	/* Registered before the first check, so that no wake-up is missed. */
	list_append(&all->approvals, &w.link);
	do
		rc = ask_step(t, &r, &w, answer, err);
	while (rc == 0);
	list_remove(&w.link);
	if (w.lent && turn_slot_retake(t, turn->turn_owner, err) < 0)
		rc = -1;
	if (rc < 0) {
		free(answer->reason);
		answer->reason = NULL;
	}
	if (rc < 0 && turn->stopped)
		approval_withdraw(t, all, turn->row.id);
	return rc < 0 ? -1 : 0;
}

/* The command that the answer means; NULL: it is none. */
static const char *decision_of(const char *text)
{
	static const struct {
		const char *word, *command;
	} words[] = {{"y", "/approve"}, {"yes", "/approve"}, {"n", "/reject"}, {"no", "/reject"}};
	size_t begin = strspn(text, " \t\r\n"), len = strcspn(text + begin, " \t\r\n");

	if (text[begin + len + strspn(text + begin + len, " \t\r\n")] != '\0')
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i].word) == len && strncasecmp(text + begin, words[i].word, len) == 0)
			return words[i].command;
	return NULL;
}

void approval_read_decision(const struct sessions *all, struct message *m)
{
	const struct channel *ch = bus_channel(all->options.agent->bus, m->from.channel);
	const char *command = m->kind == MESSAGE_TEXT ? decision_of(m->text) : NULL, *token = NULL;
	size_t open = 0;

	if (!command || !ch || (ch->ops->caps & CHANNEL_BUTTONS))
		return;
	list_each(&all->approvals, it, tmp) {
		const struct waiter *w = list_entry(it, struct waiter, link);
		if (*w->token && address_equal(&w->where, &m->from)) {
			token = w->token;
			open++;
		}
	}
	if (open != 1)
		return;
	free(m->text);
	m->text = xasprintf("%s %s", command, token);
}
