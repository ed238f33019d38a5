#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text/utf8.h"
#include "playground/server/exchange.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/methods/compose.h"
#include "playground/telegram/text/formatted.h"
#include "playground/telegram/world/world_internal.h"

#define COPY_MAX 256 /* characters that a button copies */
#define DATA_MAX 64  /* bytes of callback_data */
/* Undocumented: what bots have observed. */
#define BUTTONS_MAX 100   /* per keyboard */
#define MARKUP_MAX  10240 /* bytes */

static int check_style(struct call *call, const char *style)
{
	static const char *const styles[] = {"", "danger", "default", "primary", "success"};

	if (!style)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(styles); i++)
		if (strcasecmp(style, styles[i]) == 0)
			return 0;
	return call_refuse(call, "can't parse inline keyboard button: invalid button style specified");
}

static int check_action(struct call *call, struct json_object *button, const char *name)
{
	const char *data = json_get_str(button, "callback_data"), *url = json_get_str(button, "url"),
		   *copied = json_get_str(json_get_object(button, "copy_text"), "text");

	if (strcmp(name, "callback_data") == 0 && strlen(data) > DATA_MAX)
		return call_refuse(call, "BUTTON_DATA_INVALID");
	if (strcmp(name, "url") == 0 && !link_is_valid(url))
		return call_refuse(call, "BUTTON_URL_INVALID");
	if (strcmp(name, "copy_text") == 0 &&
	    (!copied || copied[0] == '\0' || utf8_count(copied, strlen(copied), UTF8_CHARS) > COPY_MAX))
		return call_refuse(call, "BUTTON_COPY_TEXT_INVALID");
	return 0;
}

/* What a button does is the first of these that it has; the platform does not read the others. */
static int check_actions(struct call *call, struct json_object *button)
{
	static const char *const actions[] = {"url", "callback_data", "callback_game", "pay",
	    "switch_inline_query", "switch_inline_query_chosen_chat", "switch_inline_query_current_chat",
	    "login_url", "web_app", "copy_text"};
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
		const char *text = json_get_str(button, actions[i]);

		if (!json_get(button, actions[i]) || (i < 2 && (!text || text[0] == '\0')))
			continue;
		if (first) {
			exchange_remark(call->ex,
			    "of %s and %s of a button, the platform does not read the second", first,
			    actions[i]);
			json_object_object_del(button, actions[i]);
		}
		first = first ? first : actions[i];
	}
	if (first)
		return check_action(call, button, first);
	return call_refuse(
	    call, "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
}

static int check_button(struct call *call, struct json_object *button)
{
	const char *text = json_get_str(button, "text");

	if (!json_object_is_type(button, json_type_object))
		return call_refuse(
		    call, "can't parse inline keyboard button: InlineKeyboardButton must be an Object");
	if (!text)
		return call_refuse(call, "can't parse inline keyboard button: Can't find field \"text\"");
	if (text[0] == '\0')
		return call_refuse(call, "inline keyboard button text must be non-empty");
	return check_style(call, json_get_str(button, "style")) != 0 ? -1 : check_actions(call, button);
}

static int check_rows(struct call *call, struct json_object *rows, size_t *count)
{
	json_each(rows, row) {
		if (!json_object_is_type(row, json_type_array))
			return call_refuse(call,
			    "field \"inline_keyboard\" of the InlineKeyboardMarkup must be an Array of "
			    "Arrays");
		for (size_t j = 0; j < json_count(row); j++, (*count)++)
			if (check_button(call, json_at(row, j)) != 0)
				return -1;
	}
	return *count <= BUTTONS_MAX ? 0 : call_refuse(call, "reply markup is too long");
}

static int read_inline(struct call *call, struct json_object *o, struct json_object *rows, char **out)
{
	size_t count = 0;

	if (check_rows(call, rows, &count) != 0)
		return -1;
	if (count == 0)
		return 0;
	*out = json_text(o);
	if (strlen(*out) <= MARKUP_MAX)
		return 0;
	free(*out);
	*out = NULL;
	return call_refuse(call, "reply markup is too long");
}

/* A button of a reply keyboard is a text or an object. */
static int check_reply_button(struct call *call, struct json_object *button)
{
	const char *text = json_object_is_type(button, json_type_string) ? json_object_get_string(button) :
									   json_get_str(button, "text");

	if (!text)
		return call_refuse(call, "can't parse keyboard button: Can't find field \"text\"");
	return text[0] != '\0' ? 0 : call_refuse(call, "keyboard button text must be non-empty");
}

static int check_reply(struct call *call, struct json_object *rows)
{
	json_each(rows, row) {
		if (!json_object_is_type(row, json_type_array))
			return call_refuse(call, "field \"keyboard\" must be an Array of Arrays");
		json_each(row, item)
			if (check_reply_button(call, item) != 0)
				return -1;
	}
	return 0;
}

int keyboard_read(struct call *call, bool inline_only, char **out)
{
	return keyboard_read_of(call, json_get(call->params, "reply_markup"), inline_only, out);
}

int keyboard_read_of(struct call *call, struct json_object *o, bool inline_only, char **out)
{
	struct json_object *rows = json_get_array(o, "inline_keyboard");

	*out = NULL;
	if (!o)
		return 0;
	if (compose_object(call, o, "reply markup") != 0)
		return -1;
	if (rows)
		return read_inline(call, o, rows, out);
	if (inline_only && json_object_object_length(o) > 0)
		return call_refuse(call, "inline keyboard expected");
	return check_reply(call, json_get_array(o, "keyboard"));
}

static const char *button_id(struct json_object *button)
{
	const char *id = json_get_str(button, "callback_data");

	if (!id)
		id = json_get_str(button, "url");
	return id ? id : json_get_str(button, "text");
}

/* Calls fn for each button until it returns true. */
static void each_button(const char *markup, bool (*fn)(struct json_object *button, void *arg), void *arg)
{
	struct json_object *o = json_parse_object(markup, strlen(markup), NULL),
			   *rows = json_get_array(o, "inline_keyboard");
	bool done = false;

	for (size_t i = 0; rows && !done && i < json_count(rows); i++) {
		struct json_object *row = json_at(rows, i);

		for (size_t j = 0; !done && j < json_count(row); j++)
			done = fn(json_at(row, j), arg);
	}
	json_object_put(o);
}

static bool write_button(struct json_object *button, void *arg)
{
	const char *id = button_id(button), *label = json_get_str(button, "text");
	struct buf *out = arg;

	if (out->data[out->len - 1] != '[')
		buf_addch(out, ',');
	buf_addstr(out, "{\"id\":");
	json_quote(out, id, strlen(id));
	buf_addstr(out, ",\"label\":");
	json_quote(out, label, strlen(label));
	buf_addch(out, '}');
	return false;
}

void keyboard_write_buttons(const char *markup, struct buf *out)
{
	buf_addch(out, '[');
	if (markup)
		each_button(markup, write_button, out);
	buf_addch(out, ']');
}

struct search {
	const char *button;
	char *by_label, *by_id;
};

static bool compare_button(struct json_object *button, void *arg)
{
	const char *data = json_get_str(button, "callback_data");
	struct search *s = arg;

	if (!data)
		return false;
	if (strcmp(data, s->button) == 0)
		s->by_id = xstrdup(data);
	else if (!s->by_label && strcmp(json_get_str(button, "text"), s->button) == 0)
		s->by_label = xstrdup(data);
	return s->by_id;
}

char *keyboard_find(const char *markup, const char *button)
{
	struct search s = {.button = button};

	if (markup)
		each_button(markup, compare_button, &s);
	if (!s.by_id)
		return s.by_label;
	free(s.by_label);
	return s.by_id;
}
