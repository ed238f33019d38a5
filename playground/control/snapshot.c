#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "playground/control/verbs.h"
#include "playground/playground.h"
#include "playground/world/state.h"

int control_snapshot(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct json_object *state = state_write(pg);

	(void)t;
	(void)in;
	(void)err;
	buf_addstr(out, "{\"ok\":true,\"snapshot\":");
	json_write(out, state);
	buf_addch(out, '}');
	json_object_put(state);
	return 0;
}

int control_restore(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct json_object *state = json_get_object(in, "snapshot");
	int ret;

	(void)t;
	if (!state)
		return error_set(
		    err, ERROR_OURS, "say which \"snapshot\": what GET /control/snapshot has answered");
	playground_reset(pg);
	ret = state_read(pg, state, err);
	if (ret != 0)
		playground_reset(pg); /* rather nothing than a half */
	feed_add(&pg->feed, FEED_RESET, NULL, NULL);
	playground_changed(pg);
	buf_addstr(out, ret == 0 ? "{\"ok\":true}" : "");
	return ret;
}
