#include "session/session_internal.h"

#include "agent/agent.h"
#include "base/error.h"
#include "base/log.h"
#include "session/turn/attachments.h"
#include "session/queue_mode.h"
#include "session/turn/coalesce.h"
#include "session/queue.h"
#include "session/turn/turn_input.h"
#include "session/turn/turn.h"
#include "store/turn/turns.h"
#include "tools/tools.h"

/* Messages after /new belong to the new conversation. */
static bool may_join(const struct session *s, const struct turn *turn)
{
	return queue_mode(s->all, &s->where) == QUEUE_STEER && !turn->stopped && !s->runner.stop_requested &&
	    !s->predecessor && s->queue.drop_up_to_id == 0 && list_is_empty(&s->renewals);
}

/* Guests and others do not share a turn, as each is answered with its sender's rights, nor do people whose
 * files are apart; a reminder is a turn of its own. */
static bool is_of_equals(struct session *s, const struct turn *turn)
{
	const struct message *first = queue_first(s);

	if (first->kind == MESSAGE_SCHEDULE || turn->row.asked->kind == MESSAGE_SCHEDULE)
		return false;
	if (!tools_same_folder(s->all->options.agent->tools, &s->where, turn->row.person, first->sender_id))
		return false;
	return (session_role(s, first) <= ACCESS_GUEST) == turn->guest;
}

/* Whoever joined last pays for the rest of the turn; someone whose budget is used up would end it for the
 * others. -1: cancelled, or the store failed. */
static int is_paid(struct task *t, const struct session *s, const struct coalesced *b, struct error *err)
{
	int rc = 1;

	for (size_t i = 0; i < b->count && rc > 0; i++) {
		const struct budget_spender who = session_spender(s, b->items[i]->m);
		if (i == 0 || !coalesce_same_sender(b->items[i - 1]->m, b->items[i]->m))
			rc = budget_admits_turn(t, &who, err);
	}
	return rc;
}

/* One commit makes the rows part of the turn and adds their text to its transcript. */
static int commit(struct task *t, struct session *s, struct turn *turn, const struct coalesced *b,
    struct llm_history *add, struct error *err)
{
	struct turn_input k;

	turn_input_init(&k, b);
	struct llm_message *user = turn_input_message(&k, s);
	task_shield(t);
	int rc = store_turn_join(t, s->all->options.agent->store, &turn->row, k.rows, k.count, user,
	    turn_input_person(&k, turn->row.person), err);
	task_unshield(t);
	turn_input_clear(&k);
	if (rc < 0) {
		llm_message_free(user);
		return -1;
	}
	llm_history_add(add, user);
	session_turn_fill(s, turn);
	turn->counted = false;
	log_info(
	    "session", "joined a running turn: messages=%zu turn=%lld", b->count, (long long)turn->row.id);
	return 0;
}

/* 1: joined. 0: it shall be a turn of its own. */
static int join(
    struct task *t, struct session *s, struct turn *turn, struct llm_history *add, struct error *err)
{
	struct coalesced b;

	coalesce_shift(s, &b);
	int rc = is_paid(t, s, &b, err);
	if (rc > 0 && (attachments_download(t, s, &b, err) < 0 || commit(t, s, turn, &b, add, err) < 0))
		rc = -1;
	if (rc > 0) {
		queue_done(s, b.count);
		coalesce_clear(&b);
		return 1;
	}
	coalesce_unshift(s, &b);
	if (rc < 0 && err->kind == ERROR_REFUSED)
		queue_restart(s);
	return rc;
}

int join_turn(struct task *t, struct turn *turn, struct llm_history *add, struct error *err)
{
	struct session *s = turn->turn_owner;

	for (;;) {
		if (!may_join(s, turn))
			return 0;
		if (s->queue.count == 0 && s->queue.journal_has_more) {
			if (queue_refill(t, s, err) < 0)
				return -1;
			continue;
		}
		if (!coalesce_is_complete(s) || !is_of_equals(s, turn))
			return 0;
		int rc = join(t, s, turn, add, err);
		if (rc <= 0)
			return rc;
	}
}
