#include "channels/discord/params.h"

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/wrong.h"
#include "bus/buttons.h"
#include "channels/discord/cache.h"
#include "channels/discord/render.h"
#include "channels/discord/settings.h"

#define SUPPRESS_EMBEDS 4
/* Component types and styles. */
#define ACTION_ROW 1
#define BUTTON     2
#define LABEL_MAX  80

void discord_params_text(struct json_object *params, const struct discord_settings *settings,
    const char *markdown, const char *mark)
{
	struct json_object *mentions = json_object_new_object();
	struct buf text = BUF_INIT;

	discord_render(&text, markdown);
	buf_addstr(&text, mark ? mark : "");
	json_set_str(params, "content", text.data);
	json_set(mentions, "parse", json_object_new_array());
	json_set_bool(mentions, "replied_user", settings->reply_pings);
	json_set(params, "allowed_mentions", mentions);
	if (!settings->embeds)
		json_set_int(params, "flags", SUPPRESS_EMBEDS);
	buf_clear(&text);
}

void discord_params_reply(struct json_object *params, const char *reply_to)
{
	struct json_object *reference;

	if (discord_id_parse(reply_to) == 0)
		return;
	reference = json_object_new_object();
	json_set_str(reference, "message_id", reply_to);
	/* Else the answer is refused when its question was deleted. */
	json_set_bool(reference, "fail_if_not_exists", false);
	json_set(params, "message_reference", reference);
}

void discord_params_file(struct json_object *params, const char *name)
{
	struct json_object *list = json_object_new_array(), *o = json_object_new_object();

	json_set_str(o, "id", "0");
	json_set_str(o, "filename", name ? name : "file");
	json_object_array_add(list, o);
	json_set(params, "attachments", list);
}

void discord_params_nonce(struct json_object *params, const char *nonce)
{
	json_set_str(params, "nonce", nonce);
	json_set_bool(params, "enforce_nonce", !WRONG("discord-no-nonce"));
}

static struct json_object *button_new(const struct button *b)
{
	static const int styles[] = {[BUTTON_PLAIN] = 2, [BUTTON_PRIMARY] = 1, [BUTTON_DANGER] = 4};
	struct json_object *o = json_object_new_object();
	char *label = xstrndup(b->label, utf8_cut(b->label, strlen(b->label), LABEL_MAX, UTF8_CHARS));

	json_set_int(o, "type", BUTTON);
	json_set_int(o, "style", styles[b->style]);
	json_set_str(o, "label", label);
	json_set_str(o, "custom_id", b->id);
	free(label);
	return o;
}

void discord_params_buttons(struct json_object *params, const char *buttons, bool edit)
{
	struct json_object *rows = json_object_new_array(), *row = NULL, *holder;
	struct buttons b;

	if (buttons_read(&b, buttons, NULL) < 0)
		b = (struct buttons){0};
	for (size_t i = 0; i < b.count; i++) {
		if (b.items[i].new_row || !row) {
			holder = json_object_new_object();
			json_set_int(holder, "type", ACTION_ROW);
			row = json_object_new_array();
			json_set(holder, "components", row);
			json_object_array_add(rows, holder);
		}
		json_object_array_add(row, button_new(&b.items[i]));
	}
	if (b.count > 0 || edit)
		json_set(params, "components", rows);
	else
		json_object_put(rows);
	buttons_clear(&b);
}
