#include <string.h>

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

/* Refuses a snapshot without a platform, because it would remove all chats. */
static int check_snapshot(struct playground *pg, struct json_object *state, struct error *err)
{
	size_t found = 0;

	json_object_object_foreach(state, name, part) {
		if (strcmp(name, "time_ms") == 0)
			continue;
		if (!playground_platform(pg, name) || !json_object_is_type(part, json_type_object))
			return error_set(err, ERROR_OURS, "a snapshot has no \"%.60s\"", name);
		found++;
	}
	return found > 0 ? 0 :
			   error_set(err, ERROR_OURS,
			       "the snapshot has no platform: send what GET /control/snapshot has answered");
}

int control_restore(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct json_object *state = json_get_object(in, "snapshot"), *before;
	int ret;

	(void)t;
	if (!state)
		return error_set(
		    err, ERROR_OURS, "say which \"snapshot\": what GET /control/snapshot has answered");
	if (check_snapshot(pg, state, err) != 0)
		return -1;
	before = state_write(pg);
	playground_reset(pg);
	ret = state_read(pg, state, err);
	if (ret != 0) {
		playground_reset(pg);
		if (state_read(pg, before, NULL) != 0)
			playground_reset(pg); /* nothing is better than half of a state */
	}
	json_object_put(before);
	feed_add(&pg->feed, FEED_RESET, NULL, NULL);
	playground_changed(pg);
	buf_addstr(out, ret == 0 ? "{\"ok\":true}" : "");
	return ret;
}
