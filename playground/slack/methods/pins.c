#include <string.h>

#include "base/time/clock.h"
#include "playground/slack/methods/compose.h"

#define PINS_MAX 100 /* of a conversation */

static size_t place_of(const struct slk_conv *c, const struct slk_message *m)
{
	size_t i = 0, count = c->pins ? json_count(c->pins) : 0;

	while (i < count && strcmp(json_get_str(json_at(c->pins, i), "ts"), json_get_str(m->o, "ts")) != 0)
		i++;
	return i < count ? i : SIZE_MAX;
}

/* As in pins.list. */
static struct json_object *item_json(const struct slk_conv *c, struct slk_message *m, struct json_object *pin)
{
	return json_newf("{type: 'message', channel: %s, created: %jd, created_by: %s, message: %p}", c->id,
	    json_get_int(pin, "created", 0), json_get_str(pin, "created_by"), slk_message_json(c, m, false));
}

const char *slk_pin_add(struct slk_conv *c, struct slk_message *m, const char *user)
{
	struct json_object *pin, *to;

	if (m->ephemeral[0] != '\0' || m->notice || m->tombstone)
		return "not_pinnable";
	if (place_of(c, m) != SIZE_MAX)
		return "already_pinned";
	if (!c->pins)
		c->pins = json_object_new_array();
	if (json_count(c->pins) >= PINS_MAX)
		return "too_many_pins";
	pin = json_object_new_object();
	to = json_object_new_array();
	json_setf(
	    pin, "ts: %s, created: %jd, created_by: %s", json_get_str(m->o, "ts"), clock_wall() / 1000, user);
	json_object_array_add(c->pins, pin);
	json_object_array_add(to, json_object_new_string(c->id));
	json_set(m->o, "pinned_to", to);
	slk_show_message(c, m, "edited");
	slk_event_pin(c, user, m, item_json(c, m, pin), 1);
	return NULL;
}

const char *slk_pin_remove(struct slk_conv *c, struct slk_message *m, const char *user)
{
	size_t i = place_of(c, m);
	struct json_object *item;

	if (i == SIZE_MAX)
		return "not_pinned";
	json_object_object_del(m->o, "pinned_to");
	item = item_json(c, m, json_at(c->pins, i));
	json_object_array_del_idx(c->pins, i, 1);
	slk_show_message(c, m, "edited");
	slk_event_pin(c, user, m, item, 0);
	return NULL;
}

static int change(
    struct slk_call *call, const char *(*act)(struct slk_conv *, struct slk_message *, const char *))
{
	const char *timestamp = json_get_str(call->params, "timestamp"), *error;
	struct slk_conv *c = slk_call_conv(call, "channel");
	struct slk_message *m;
	int64_t ts;

	if (!c)
		return -1;
	if (!timestamp)
		return slk_refuse(call, "no_item_specified", "timestamp names the message");
	if (!slk_read_ts(timestamp, &ts))
		return slk_refuse(call, "bad_timestamp", "timestamp must be the ts of a message");
	m = slk_call_message(call, c, "timestamp");
	if (!m)
		return -1;
	if (!slk_conv_has(c, call->app->user_id))
		return slk_fail(call, act == slk_pin_add ? "not_in_channel" : "channel_not_found");
	error = act(c, m, call->app->user_id);
	return error ? slk_fail(call, error) : 0;
}

int slk_pins_add(struct slk_call *call)
{
	return change(call, slk_pin_add);
}

int slk_pins_remove(struct slk_call *call)
{
	return change(call, slk_pin_remove);
}

/* The newest first; a deleted message is no longer pinned. */
int slk_pins_list(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");
	struct json_object *items;

	if (!c)
		return -1;
	items = json_object_new_array();
	for (size_t i = c->pins ? json_count(c->pins) : 0; i-- > 0;) {
		struct json_object *pin = json_at(c->pins, i);
		struct slk_message *m = NULL;
		int64_t ts;

		if (slk_read_ts(json_get_str(pin, "ts"), &ts))
			m = slk_message_find(c, ts);
		if (m)
			json_object_array_add(items, item_json(c, m, pin));
	}
	json_set(call->out, "items", items);
	return 0;
}
