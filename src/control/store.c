#include "control/control_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/task.h"
#include "bus/bus.h"
#include "control/answer.h"
#include "ops/cluster_status.h"
#include "ops/gateway_view.h"
#include "net/server/server.h"
#include "session/session.h"
#include "store/store.h"

static void refuse(struct server_request *req, const struct error *err)
{
	control_refuse(req, err->kind == ERROR_REFUSED ? 404 : 503, err->text);
}

void control_trace(struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	struct json_object *result = NULL;
	struct buf what = BUF_INIT;
	struct error err = {0};

	(void)body;
	if (!server_param(server_query(req), "message", &what))
		control_refuse(req, 400, "missing 'message': which one to trace");
	else if (store_trace(t, gateway_store(g), what.data, &result, &err) < 0)
		refuse(req, &err);
	else if (!result)
		control_refuse(req, 404,
		    "There is no such message. Messages are forgotten 30 days after they were handled.");
	else
		control_answer(req, 200, result);
	buf_clear(&what);
}

void control_dead_turns(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	struct json_object *list, *o;
	struct error err = {0};

	(void)body;
	if (store_dead_turns(t, gateway_store(g), &list, &err) < 0) {
		refuse(req, &err);
		return;
	}
	o = json_object_new_object();
	json_set(o, "dead", list);
	control_answer(req, 200, o);
}

void control_backup(struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	const char *file = json_get_str(body, "file");
	struct error err = {0};

	if (!file || *file != '/') {
		control_refuse(req, 400, "'file' is not an absolute path");
	} else if (store_backup(t, gateway_store(g), file, &err) < 0) {
		refuse(req, &err);
	} else {
		struct json_object *o = json_object_new_object();
		json_set_str(o, "file", file);
		log_info("control", "backed up file=%s", file);
		control_answer(req, 200, o);
	}
}

/* The node that serves the chat would not notice it. */
static int refuse_elsewhere(
    struct task *t, struct gateway *g, int64_t turn, const struct address *where, struct error *err)
{
	const char *unit = bus_unit(gateway_bus(g), where);
	struct json_object *cluster = cluster_status_object(t, g);
	char *owner = cluster_status_of_channel(cluster, unit);

	error_set(err, ERROR_REFUSED, "%s is served elsewhere (%s): run 'myna dead retry %lld' there", unit,
	    owner ? owner : "the database does not tell where", (long long)turn);
	free(owner);
	json_object_put(cluster);
	return -1;
}

static int retry(struct task *t, struct gateway *g, int64_t turn, size_t *count, struct error *err)
{
	struct address where;

	if (store_dead_turn_where(t, gateway_store(g), turn, &where, err) < 0)
		return -1;
	if (!bus_serves(gateway_bus(g), &where))
		return refuse_elsewhere(t, g, turn, &where, err);
	if (store_dead_turn_retry(t, gateway_store(g), turn, &where, count, err) < 0)
		return -1;
	if (gateway_sessions(g))
		sessions_requeued(gateway_sessions(g), &where, *count);
	return 0;
}

void control_dead_turn_end(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	const char *action = json_get_str(body, "action");
	int64_t turn = json_get_int(body, "turn", 0);
	struct error err = {0};
	size_t count = 0;
	int rc;

	if (!action || (strcmp(action, "retry") != 0 && strcmp(action, "drop") != 0)) {
		control_refuse(req, 400, "'action' is neither retry nor drop");
		return;
	}
	/* A committed change must be routed, even if nobody waits for the answer any more. */
	task_shield(t);
	rc = strcmp(action, "retry") == 0 ? retry(t, g, turn, &count, &err) :
					    store_dead_turn_drop(t, gateway_store(g), turn, &err);
	task_unshield(t);
	if (rc < 0) {
		refuse(req, &err);
		return;
	}
	log_info("control", "dead letter: %s turn=%lld messages=%zu", action, (long long)turn, count);
	struct json_object *o = json_object_new_object();
	json_set_int(o, "messages", (int64_t)count);
	control_answer(req, 200, o);
}
