#include "channels/slack/params.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "bus/buttons.h"
#include "bus/message.h"
#include "bus/preview.h"
#include "channels/slack/render.h"

#define EVENT_TYPE   "myna_outbox"
#define PREVIEW_TYPE "myna_preview"

static char *rendered(const char *markdown, const char *mark)
{
	struct buf text = BUF_INIT;
	char *mrkdwn = slack_render(markdown);

	/* Behind the rendered text, so that no fence or list takes it in. */
	buf_addf(&text, "%s%s", mrkdwn, mark ? mark : "");
	free(mrkdwn);
	return buf_take(&text);
}

void slack_params_text(struct json_object *params, const char *markdown, const char *mark)
{
	char *text = rendered(markdown, mark);

	json_set_str(params, "text", text);
	free(text);
}

static struct json_object *text_object(const char *type, const char *text)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "type", type);
	json_set_str(o, "text", text);
	return o;
}

static void add_sections(struct json_object *blocks, const char *markdown, const char *mark)
{
	size_t room = SLACK_SECTION_UNITS - (mark ? strlen(mark) : 0);
	char **parts = slack_split_to(markdown, room);

	for (size_t i = 0; parts[i]; i++) {
		struct json_object *section = json_object_new_object();
		char *text = rendered(parts[i], !parts[i + 1] ? mark : NULL);

		json_set_str(section, "type", "section");
		json_set(section, "text", text_object("mrkdwn", text));
		json_object_array_add(blocks, section);
		free(text);
		free(parts[i]);
	}
	free(parts);
}

static struct json_object *button_new(const struct button *b, size_t number)
{
	static const char *const styles[] = {[BUTTON_PRIMARY] = "primary", [BUTTON_DANGER] = "danger"};
	struct json_object *o = json_object_new_object();
	char id[32];

	snprintf(id, sizeof(id), "button-%zu", number);
	json_set_str(o, "type", "button");
	json_set_str(o, "action_id", id);
	json_set(o, "text", text_object("plain_text", b->label));
	json_set_str(o, "value", b->id);
	if (b->style != BUTTON_PLAIN)
		json_set_str(o, "style", styles[b->style]);
	return o;
}

/* A block a row of buttons. */
static void add_rows(struct json_object *blocks, const struct buttons *buttons)
{
	struct json_object *elements = NULL;

	for (size_t i = 0; i < buttons->count; i++) {
		if (!elements || buttons->items[i].new_row) {
			struct json_object *row = json_object_new_object();

			elements = json_object_new_array();
			json_set_str(row, "type", "actions");
			json_set(row, "elements", elements);
			json_object_array_add(blocks, row);
		}
		json_object_array_add(elements, button_new(&buttons->items[i], i));
	}
}

bool slack_params_buttons(
    struct json_object *params, const char *markdown, const char *mark, const char *text)
{
	struct json_object *blocks = json_object_new_array();
	struct buttons buttons = {0};
	bool any = buttons_read(&buttons, text, NULL) == 0 && buttons.count > 0;

	if (any) {
		add_sections(blocks, markdown, mark);
		add_rows(blocks, &buttons);
		json_set(params, "blocks", blocks);
	} else {
		json_object_put(blocks);
	}
	buttons_clear(&buttons);
	return any;
}

/* Takes payload. */
static void set_metadata(struct json_object *params, const char *type, struct json_object *payload)
{
	struct json_object *metadata = json_object_new_object();

	json_set_str(metadata, "event_type", type);
	json_set(metadata, "event_payload", payload);
	json_set(params, "metadata", metadata);
}

/* The payload of a message with metadata of this type; NULL: it has none. */
static struct json_object *get_metadata(struct json_object *m, const char *type)
{
	struct json_object *metadata = json_get_object(m, "metadata");
	const char *its = json_get_str(metadata, "event_type");

	return its && strcmp(its, type) == 0 ? json_get_object(metadata, "event_payload") : NULL;
}

void slack_params_metadata(
    struct json_object *params, const struct outbound *delivery, unsigned piece, bool last)
{
	struct json_object *payload = json_object_new_object();

	/* A new database counts its deliveries from 1 again: the time tells them apart. */
	json_set_int(payload, "id", delivery->id);
	json_set_int(payload, "at", delivery->created_ms);
	json_set_int(payload, "piece", piece);
	json_set_bool(payload, "last", last);
	set_metadata(params, EVENT_TYPE, payload);
}

int slack_params_is_delivery(struct json_object *m, const struct outbound *delivery)
{
	struct json_object *payload = get_metadata(m, EVENT_TYPE);

	if (!payload || json_get_int(payload, "id", 0) != delivery->id ||
	    json_get_int(payload, "at", 0) != delivery->created_ms)
		return 0;
	return json_get_bool(payload, "last", false) ? 2 : 1;
}

void slack_params_preview(struct json_object *params, const struct preview *p)
{
	struct json_object *payload = json_object_new_object();

	json_set_int(payload, "draft", p->draft);
	set_metadata(params, PREVIEW_TYPE, payload);
}

bool slack_params_is_preview(struct json_object *m, const struct preview *p)
{
	struct json_object *payload = get_metadata(m, PREVIEW_TYPE);

	return payload && json_get_int(payload, "draft", 0) == p->draft;
}

void slack_params_time(struct json_object *params, const char *name, int64_t ms)
{
	char ts[32];

	snprintf(ts, sizeof(ts), "%lld.000000", (long long)(ms / 1000));
	json_set_str(params, name, ts);
}

struct json_object *slack_params_history(const char *chat, const char *thread, int64_t since_ms)
{
	struct json_object *params = json_object_new_object();

	json_set_str(params, "channel", chat);
	if (thread)
		json_set_str(params, "ts", thread);
	if (since_ms > 0)
		slack_params_time(params, "oldest", since_ms);
	json_set_bool(params, "include_all_metadata", true);
	return params;
}
