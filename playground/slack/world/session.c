#include <string.h>

#include "playground/slack/world/world_internal.h"

/* Undocumented: how long a status of processing lasts; what clients have logged. */
#define PROCESSING_S 3600

/* Of several agents, that with the first of these gives the session's status. Undocumented: the order; as in
 * the types of clients. */
static const char *const statuses[] = {"suspended", "processing", "active", "closed"};

bool slk_session_is_status(const char *status)
{
	for (size_t i = 0; status && i < ARRAY_LEN(statuses); i++)
		if (strcmp(statuses[i], status) == 0)
			return true;
	return false;
}

static bool has_agent(struct json_object *agents, const char *status)
{
	json_object_object_foreach(agents, id, agent) {
		const char *its = json_get_str(agent, "status"); /* NULL in a damaged state */

		(void)id;
		if (its && strcmp(its, status) == 0)
			return true;
	}
	return false;
}

/* Ends what was processed for too long, and sets the status that follows from those of the agents. */
static void settle(struct json_object *session)
{
	struct json_object *agents = json_get_object(session, "agents");
	size_t i = 0;

	if (!agents)
		return;
	json_object_object_foreach(agents, id, agent) {
		int64_t until = json_get_int(agent, "until", 0);

		(void)id;
		if (until != 0 && until <= clock_wall() / 1000)
			json_setf(agent, "status: 'active', until: %d", 0);
	}
	while (i + 1 < ARRAY_LEN(statuses) && !has_agent(agents, statuses[i]))
		i++;
	json_set_str(session, "status", statuses[i]);
}

void slk_sessions_settle(struct slk_conv *c)
{
	if (!c->assistants)
		return;
	json_object_object_foreach(c->assistants, ts, session) {
		(void)ts;
		settle(session);
	}
}

struct json_object *slk_session_find(const struct slk_conv *c, int64_t thread)
{
	struct json_object *session;
	char ts[SLK_ID_SIZE];

	slk_write_ts(thread, ts);
	session = json_get_object(c->assistants, ts);
	settle(session);
	return json_get_object(session, "agents") ? session : NULL;
}

const char *slk_session_agent(struct json_object *session, const struct slk_app *a)
{
	return json_get_str(json_get_object(json_get_object(session, "agents"), a->user_id), "status");
}

void slk_session_set_status(struct slk_conv *c, int64_t thread, const struct slk_app *a, const char *status)
{
	struct json_object *session = slk_conv_assistant(c, thread, true);
	bool processing = strcmp(status, "processing") == 0;

	if (!json_get_object(session, "agents"))
		json_set(session, "agents", json_object_new_object());
	json_set(json_get_object(session, "agents"), a->user_id,
	    json_newf("{status: %s, until: %jd}", status,
		processing ? clock_wall() / 1000 + PROCESSING_S : (int64_t)0));
	settle(session);
	slk_show_conv(c);
}

struct json_object *slk_session_json(struct json_object *session)
{
	struct json_object *o = json_object_new_object(), *ids = json_object_new_array(),
			   *all = json_object_new_array();
	int64_t expire = 0;

	json_object_object_foreach(json_get_object(session, "agents"), id, agent) {
		int64_t until = json_get_int(agent, "until", 0);
		struct json_object *one = json_newf("{agent_bot_user_id: %s, status: %s, is_stoppable: %i}",
		    id, json_get_str(agent, "status"), until != 0);

		if (until != 0)
			json_set_int(one, "date_status_processing_expire", until);
		expire = until > expire ? until : expire;
		json_object_array_add(ids, json_object_new_string(id));
		json_object_array_add(all, one);
	}
	json_setf(o, "agent_bot_user_ids: %p, agent_statuses: %p, status: %s, title: %s", ids, all,
	    json_get_str(session, "status"), json_get_str(session, "title"));
	if (expire != 0)
		json_set_int(o, "date_status_processing_expire", expire);
	return o;
}
