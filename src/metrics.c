#include "metrics.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"

/* Where a figure stands in the status: a member, or one of a group. */
static const struct metric {
	const char *name, *group, *key, *type, *help;
	double scale;
} metrics[] = {
    {"myna_ready", NULL, "ready", "gauge", "1 when every channel receives.", 1},
    {"myna_uptime_seconds", NULL, "uptime_ms", "gauge", "Since the start.", 0.001},
    {"myna_turns_running", NULL, "turns_running", "gauge", "Turns that have a place.", 1},
    {"myna_inbox_pending", "queue", "inbox_pending", "gauge", "Messages that no turn has taken.", 1},
    {"myna_outbox_queued", "queue", "outbox_queued", "gauge", "Messages to be sent.", 1},
    {"myna_outbox_uncertain", "queue", "outbox_uncertain", "gauge", "Messages of which nobody knows whether they arrived.", 1},
    {"myna_outbox_failed", "queue", "outbox_failed", "gauge", "Messages that could not be delivered.", 1},
    {"myna_turns_open", "queue", "turns_open", "gauge", "Turns that are not over.", 1},
    {"myna_turns_dead", "queue", "turns_dead", "gauge", "Turns that were given up.", 1},
    {"myna_sessions", "queue", "sessions", "gauge", "Conversations.", 1},
    {"myna_database_bytes", "queue", "db_bytes", "gauge", "Size of the database.", 1},
    {"myna_model_down", "model", "down", "gauge", "1 while no model answers.", 1},
    {"myna_turns_waiting", "model", "turns_waiting", "gauge", "Turns that wait for a model.", 1},
};

static void add_head(struct buf *out, const char *name, const char *help, const char *type)
{
	buf_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void add_metric(struct buf *out, const struct metric *m, struct json_object *status)
{
	struct json_object *from = m->group ? json_get_object(status, m->group) : status;
	struct json_object *value = json_get(from, m->key);

	/* What could not be read is left out, rather than said to be 0. */
	if (!value)
		return;
	add_head(out, m->name, m->help, m->type);
	if (json_object_is_type(value, json_type_boolean))
		buf_addf(out, "%s %d\n", m->name, json_object_get_boolean(value));
	else
		buf_addf(out, "%s %.15g\n", m->name, (double)json_object_get_int64(value) * m->scale);
}

void metrics_write(struct buf *out, struct json_object *status)
{
	struct json_object *channels = json_get_array(status, "channels");

	for (size_t i = 0; i < ARRAY_LEN(metrics); i++)
		add_metric(out, &metrics[i], status);
	add_head(out, "myna_channel_up", "1 when the channel receives.", "gauge");
	for (size_t i = 0; channels && i < json_object_array_length(channels); i++) {
		struct json_object *c = json_object_array_get_idx(channels, i);
		const char *state = json_get_str(c, "status");
		/* The names of channels have no character that would have to be escaped. */
		buf_addf(out, "myna_channel_up{channel=\"%s\",type=\"%s\"} %d\n", json_get_str(c, "name"), json_get_str(c, "type"),
		    state && strcmp(state, "ready") == 0);
	}
}
