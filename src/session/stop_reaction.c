#include "session/session_internal.h"

#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "base/log.h"
#include "bus/message.h"
#include "bus/reaction.h"
#include "session/turn/turn.h"
#include "store/turn/find.h"

/* Returns whether the session has this turn, running or to be resumed. */
static bool has_turn(const struct session *s, int64_t turn)
{
	return s->runner.turn ? s->runner.turn->row.id == turn : session_has_turn(s);
}

/* A reaction on the preview needs no reply: the preview itself shows that it was stopped. */
static const char *stop(
    struct sessions *all, struct message *m, enum access_role role, const struct store_turn_find *about)
{
	struct session *s = session_find(all, &about->where);
	/* In a group a guest stops their own answers alone. */
	const char *person = role <= ACCESS_GUEST && m->chat_kind != CHAT_PRIVATE ? m->sender_id : NULL;

	if (about->sender_id && strcmp(about->sender_id, m->sender_id) != 0)
		return "";
	if (!s || !has_turn(s, about->turn))
		return "";
	if (person && (!s->runner.turn || !message_is_of(s->runner.turn->row.asked, person)))
		return "";
	log_info(
	    "session", "stopped by a reaction: turn=%lld by=\"%s\"", (long long)about->turn, m->sender_id);
	session_stop(s);
	m->from = about->where;
	return about->sender_id ? "Stopped." : "";
}

int stop_reaction_received(struct task *t, struct sessions *all, struct message *m, enum access_role role,
    const char **reply, struct error *err)
{
	struct store_turn_find about;

	*reply = "";
	if (strcmp(m->text, REACTION_STOP) != 0 || !m->message_id)
		return 0;
	int rc = store_turn_find(t, all->options.agent->store, &m->from, m->message_id, &about, err);

	if (rc > 0) {
		*reply = stop(all, m, role, &about);
		free(about.sender_id);
	}
	return rc < 0 ? -1 : 1;
}
