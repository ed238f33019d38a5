#include "channels/telegram/params.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "bus/buttons.h"
#include "channels/telegram/render.h"

bool telegram_params_id(const char *text, int64_t *id)
{
	char *end;

	errno = 0;
	*id = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0';
}

void telegram_params_chat(struct json_object *params, const char *chat)
{
	int64_t id;

	if (telegram_params_id(chat, &id))
		json_set_int(params, "chat_id", id);
	else
		json_set_str(params, "chat_id", chat);
}

void telegram_params_thread(struct json_object *params, const char *thread)
{
	int64_t id;

	if (telegram_params_id(thread, &id) && id > 1)
		json_set_int(params, "message_thread_id", id);
}

void telegram_params_reply(struct json_object *params, const char *reply_to)
{
	struct json_object *reply;
	int64_t id;

	if (!reply_to || !telegram_params_id(reply_to, &id))
		return;
	reply = json_object_new_object();
	json_set_int(reply, "message_id", id);
	json_set_bool(reply, "allow_sending_without_reply", true);
	json_set(params, "reply_parameters", reply);
}

static void set_text(
    struct json_object *params, const char *key, const char *markdown, const char *mark, bool plain)
{
	struct telegram_rendering r;
	struct buf text = BUF_INIT;

	telegram_render(&r, markdown);
	buf_addstr(&text, plain ? r.plain : r.html);
	/* Behind the rendered text, so that no fence or list takes it in. */
	buf_addstr(&text, mark ? mark : "");
	json_set_str(params, key, text.data);
	if (!plain)
		json_set_str(params, "parse_mode", "HTML");
	telegram_rendering_clear(&r);
	buf_clear(&text);
}

void telegram_params_text(struct json_object *params, const char *markdown, const char *mark, bool plain)
{
	set_text(params, "text", markdown, mark, plain);
}

void telegram_params_caption(struct json_object *params, const char *markdown, const char *mark, bool plain)
{
	if (*markdown != '\0' || mark)
		set_text(params, "caption", markdown, mark, plain);
}

void telegram_params_no_link_preview(struct json_object *params)
{
	struct json_object *options = json_object_new_object();

	json_set_bool(options, "is_disabled", true);
	json_set(params, "link_preview_options", options);
}

void telegram_params_buttons(struct json_object *params, const char *buttons)
{
	/* Telegram colours a button only on request (InlineKeyboardButton.style, Bot API 9.4). */
	static const char *const styles[] = {[BUTTON_PRIMARY] = "primary", [BUTTON_DANGER] = "danger"};
	struct json_object *markup, *rows, *row = NULL;
	struct buttons b;

	if (buttons_read(&b, buttons, NULL) < 0 || b.count == 0)
		return;
	rows = json_object_new_array();
	for (size_t i = 0; i < b.count; i++) {
		struct json_object *o = json_object_new_object();

		json_set_str(o, "text", b.items[i].label);
		json_set_str(o, "callback_data", b.items[i].id);
		json_set_str(o, "style", styles[b.items[i].style]);
		if (b.items[i].new_row)
			json_object_array_add(rows, row = json_object_new_array());
		json_object_array_add(row, o);
	}
	markup = json_object_new_object();
	json_set(markup, "inline_keyboard", rows);
	json_set(params, "reply_markup", markup);
	buttons_clear(&b);
}
