#include "session/inbound.h"

#include <string.h>

#include "base/log.h"
#include "bus/bus.h"
#include "bus/message.h"
#include "session/direct_reply.h"
#include "session/guest_limit.h"
#include "session/approval/approval.h"
#include "session/approval/ask_user.h"
#include "session/commands/command.h"
#include "session/access/pairing.h"
#include "session/approval/question.h"
#include "session/queue_mode.h"
#include "session/reminder_scheduler.h"
#include "session/turn/coalesce.h"
#include "session/session_internal.h"
#include "session/queue.h"
#include "session/turn/turn.h"

#define FULL_TEXT                                                                                            \
	"Too many messages wait here already. I do not keep this one, nor what comes after it until I have " \
	"answered half "                                                                                     \
	"of them; please send it again then."

#define GUEST_COMMANDS_TEXT                                                                                  \
	"So many commands at once leave no room for what I answer others here. I give no answer to more of " \
	"yours "                                                                                             \
	"for some minutes; /stop works."
#define GUEST_WAITING_TEXT                                                                                   \
	"Several messages of yours wait here already. I do not keep this one, nor more of them until those " \
	"are "                                                                                               \
	"answered; please send it again then."

static bool is_blank(const struct message *m)
{
	return m->attachment_count == 0 && m->text[strspn(m->text, " \t\r\n")] == '\0';
}

/* Classifies a message whose sender has access. */
static void classify_admitted(struct inbound_decision *decision, const struct message *m)
{
	if (is_blank(m)) {
		decision->why = "empty";
	} else if (m->kind == MESSAGE_EDIT) {
		decision->kind = INBOUND_EDIT;
		decision->why = JOURNAL_CONTEXT;
	} else {
		decision->kind = command_is(m->text) && m->addressed ? INBOUND_COMMAND : INBOUND_TURN;
	}
}

/* Classifies a message that gets no answer: in a group that the agent serves, it is kept as context for the
 * next turn. */
static void classify_unaddressed(struct inbound_decision *decision, const struct message *m)
{
	bool words = (m->kind == MESSAGE_TEXT || m->kind == MESSAGE_EDIT) && !is_blank(m);

	if (!words || (command_is(m->text) && m->addressed))
		return;
	decision->why = JOURNAL_CONTEXT;
	/* An edit of a message to the bot need not mention it again. */
	if (m->kind == MESSAGE_EDIT && decision->verdict == ACCESS_NOT_ADDRESSED)
		decision->kind = INBOUND_EDIT;
}

static void classify_text(struct inbound_decision *decision, const struct access_settings *access,
    const struct grants *grants, const struct message *m, const char *former)
{
	decision->verdict = access_check(access, grants, m, former, &decision->role);
	decision->why = decision->verdict != ACCESS_ADMITTED ? access_verdict_text(decision->verdict) : NULL;
	if (decision->verdict == ACCESS_ADMITTED)
		classify_admitted(decision, m);
	else if (access_admits_group(access, grants, m, former))
		classify_unaddressed(decision, m);
}

struct inbound_decision inbound_classify(const struct sessions *all, const struct message *m)
{
	const struct access_settings *access = all->options.access(all->options.arg, m->from.channel);
	const char *former = bus_former_chat_id(all->options.agent->bus, &m->from);
	struct inbound_decision decision = {.kind = INBOUND_IGNORED, .why = "channel not configured"};

	if (!access)
		return decision;
	if (m->kind == MESSAGE_MOVED) {
		decision.kind = INBOUND_MOVED;
		decision.why = "the chat has another id";
	} else if (m->kind == MESSAGE_JOINED) {
		bool admitted = access_admits_group(access, all->grants, m, former);
		if (m->chat_kind == CHAT_PRIVATE) {
			decision.verdict = access_check(access, all->grants, m, former, &decision.role);
			admitted = decision.verdict == ACCESS_ADMITTED;
		}
		decision.kind = admitted ? INBOUND_JOINED : INBOUND_IGNORED;
		decision.why = m->chat_kind == CHAT_PRIVATE ? "opened" : "joined";
	} else if (m->kind == MESSAGE_SCHEDULE) {
		decision.verdict = access_check(access, all->grants, m, former, &decision.role);
		decision.kind = decision.verdict == ACCESS_ADMITTED ? INBOUND_TURN : INBOUND_SCHEDULE;
		decision.why = "whose it is may not use me any more";
	} else if (m->kind == MESSAGE_PRESS) {
		decision.kind = INBOUND_PRESS;
		decision.verdict = access_check(access, all->grants, m, former, &decision.role);
		decision.why = "press";
	} else {
		classify_text(&decision, access, all->grants, m, former);
	}
	return decision;
}

static void log_refusal(const struct message *m, const struct inbound_decision *decision)
{
	char from[ADDRESS_TEXT_MAX];
	bool loud = m->addressed && decision->verdict != ACCESS_NOT_ADDRESSED;

	log_write(loud ? LOG_LEVEL_INFO : LOG_LEVEL_DEBUG, "access",
	    "not answered: %s id=\"%s\" name=\"%s\" chat=%s", access_verdict_text(decision->verdict),
	    m->sender_id ? m->sender_id : "", m->sender_name ? m->sender_name : "",
	    address_format(&m->from, from));
}

static void finish_unanswered(
    struct sessions *all, struct message *m, const struct inbound_decision *decision)
{
	char from[ADDRESS_TEXT_MAX];

	if (decision->kind == INBOUND_IGNORED && decision->verdict == ACCESS_ADMITTED && m->addressed)
		log_info("session", "not answered: %s id=\"%s\" chat=%s", decision->why,
		    m->sender_id ? m->sender_id : "", address_format(&m->from, from));
	direct_reply_none(all, pending_new(m), decision->why);
}

/* A guest in a group: others wait there, too. */
static bool is_limited(const struct message *m, enum access_role role)
{
	return role <= ACCESS_GUEST && m->chat_kind != CHAT_PRIVATE;
}

static void finish_command(struct sessions *all, struct message *m, enum access_role role)
{
	enum guest_limit_verdict verdict = is_limited(m, role) && !command_is_stop(m->text) ?
	    guest_limit_command(all->guests, m) :
	    GUEST_LIMIT_ADMITTED;

	if (verdict == GUEST_LIMIT_ADMITTED)
		direct_reply_command(all, m, role);
	else
		direct_reply_refusal(all, pending_new(m), "too many commands of a guest",
		    verdict == GUEST_LIMIT_REFUSED ? GUEST_COMMANDS_TEXT : "");
}

void inbound_finish(struct sessions *all, struct message *m, const struct inbound_decision *decision)
{
	if (decision->verdict != ACCESS_ADMITTED)
		log_refusal(m, decision);
	if (decision->kind == INBOUND_COMMAND)
		finish_command(all, m, decision->role);
	else if (decision->kind == INBOUND_PRESS)
		question_pressed(all, m, decision->verdict, decision->role);
	else if (decision->kind == INBOUND_JOINED)
		direct_reply_greeting(all, m);
	else if (decision->kind == INBOUND_MOVED)
		direct_reply_chat_moved(all, m);
	else if (decision->kind == INBOUND_SCHEDULE)
		reminder_pause_unauthorized(all, m);
	else if (pairing_is_offered(all, m, decision->verdict))
		pairing_request(all, m);
	else
		finish_unanswered(all, m, decision);
}

/* A due reminder does not interrupt: nobody waits for it. Nor does a guest an answer to somebody else. */
static bool interrupts(const struct session *s, const struct message *m)
{
	const struct turn *turn = s->runner.turn;

	if (m->kind == MESSAGE_SCHEDULE || queue_mode(s->all, &m->from) != QUEUE_INTERRUPT)
		return false;
	return !turn || turn->guest || session_role(s, m) > ACCESS_GUEST;
}

void inbound_resume(struct sessions *all, struct message *m, struct message **before)
{
	struct inbound_decision decision = inbound_classify(all, m);
	struct session *s = session_wake(all, &m->from);
	bool first = queue_resume(s, m);

	if (decision.kind == INBOUND_TURN ||
	    (*before && decision.verdict == ACCESS_NOT_ADDRESSED && coalesce_continues(*before, m))) {
		if (first)
			queue_count(s, m);
		if (first && interrupts(s, m) && !ask_user_accepts(all, m))
			session_interrupt(s);
		message_free(*before);
		*before = m;
	} else if (!first || decision.kind == INBOUND_EDIT) {
		message_free(m);
	} else {
		inbound_finish(all, m, &decision);
	}
}

/* Limits the queue, which would grow as long as messages arrive faster than the model answers. */
static void inbound_for_turn(struct sessions *all, struct message *m)
{
	struct session *s = session_wake(all, &m->from);
	bool first, interrupt = interrupts(s, m);

	if (ask_user_accepts(all, m)) {
		queue_leave_in_journal(s, m);
		return;
	}
	if (m->kind != MESSAGE_SCHEDULE && is_limited(m, session_role(s, m)) &&
	    queue_count_of(s, m->sender_id) >= GUEST_LIMIT_WAITING) {
		bool notified = guest_limit_notice(all->guests, m) == GUEST_LIMIT_SILENT;
		queue_note_other(s, m);
		direct_reply_refusal(
		    all, pending_new(m), "too many of a guest waited", notified ? "" : GUEST_WAITING_TEXT);
		return;
	}
	/* Due reminders are accepted even when the queue is full. */
	if (queue_has_room(s, &first) || m->kind == MESSAGE_SCHEDULE) {
		queue_put(s, m);
		if (interrupt)
			session_interrupt(s);
		return;
	}
	if (first)
		log_warn("session",
		    "too many messages wait in a chat, more are refused: waiting=%zu inbound=%lld",
		    s->queue.backlog, (long long)m->id);
	queue_note_other(s, m);
	direct_reply_refusal(all, pending_new(m), "too many waited", first ? FULL_TEXT : "");
}

void sessions_received(void *arg, struct message *m)
{
	struct sessions *all = arg;

	if (all->stopping) {
		message_free(m); /* stays pending in the journal */
		return;
	}
	approval_read_decision(all, m);
	struct inbound_decision decision = inbound_classify(all, m);
	struct session *s = session_find(all, &m->from);
	if (decision.kind == INBOUND_TURN) {
		/* An edit that adds a mention, where its message waits for a turn without one. */
		if (!s || !queue_merge(s, m))
			inbound_for_turn(all, m);
		return;
	}
	if (s && decision.kind == INBOUND_EDIT && queue_edit(s, m))
		return;
	if (s && decision.verdict == ACCESS_NOT_ADDRESSED && !s->queue.journal_has_more &&
	    coalesce_accepts(s, m)) {
		queue_put(s, m);
		return;
	}
	if (s)
		queue_note_other(s, m);
	inbound_finish(all, m, &decision);
}
