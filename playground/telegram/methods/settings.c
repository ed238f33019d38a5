#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/telegram/methods/compose.h"

/* What a chat shows of itself: title, description, photo, sticker set. */

#define TITLE_MAX       128
#define DESCRIPTION_MAX 255

static struct chat *open_info(struct call *call, const char *what, bool describe)
{
	char private_says[64], says[64];

	snprintf(private_says, sizeof(private_says), "can't change private chat %s", what);
	snprintf(says, sizeof(says), "not enough rights to %s chat %s", describe ? "set" : "change", what);
	return rights_chat(call, "can_change_info", private_says, says);
}

static int done(struct call *call, const struct chat *c)
{
	show_chat(c);
	return call_true(call);
}

void chat_rename(struct chat *c, struct author by, const char *title, bool notify)
{
	struct buf text = BUF_INIT;

	free(c->title);
	c->title = xstrndup(title, utf8_cut(title, strlen(title), TITLE_MAX, UTF8_CHARS));
	if (!notify)
		return;
	buf_addstr(&text, "\"new_chat_title\":");
	json_quote(&text, c->title, strlen(c->title));
	service_add(c, by, NULL, buf_take(&text));
}

int method_set_chat_title(struct call *call)
{
	const char *title = json_get_str(call->params, "title");
	struct chat *c;

	if (str_is_blank(title))
		return call_refuse(call, "title must be non-empty");
	c = open_info(call, "title", false);
	if (!c)
		return -1;
	if (strcmp(c->title, title) == 0)
		return call_fail(call, 400, "Bad Request: CHAT_NOT_MODIFIED");
	chat_rename(c, (struct author){.bot = call->bot}, title, true);
	return done(call, c);
}

int method_set_chat_description(struct call *call)
{
	const char *text = json_get_str(call->params, "description"), *was;
	struct chat *c = open_info(call, "description", true);

	if (!c)
		return -1;
	was = json_get_str(c->settings, "description");
	text = text ? text : "";
	if (utf8_count(text, strlen(text), UTF8_CHARS) > DESCRIPTION_MAX)
		return call_refuse(call, "CHAT_ABOUT_TOO_LONG");
	if (strcmp(was ? was : "", text) == 0)
		return call_fail(call, 400, "Bad Request: chat description is not modified");
	json_set_str(c->settings, "description", text);
	return done(call, c);
}

/* The file belongs to the service message, and stays in the world with it. */
int method_set_chat_photo(struct call *call)
{
	struct json_object *part = json_get(call->params, "photo");
	struct upload upload;
	struct message *m;
	struct chat *c;

	if (!json_object_is_type(part, json_type_object) &&
	    strncmp(json_object_get_string(part), "attach://", 9) != 0)
		return call_refuse(call, "photo must be uploaded as an InputFile");
	if (upload_read(call, part, MEDIA_PHOTO, &upload) != 0)
		return -1;
	c = open_info(call, "photo", false);
	if (!c)
		return -1;
	m = telegram_message_new();
	m->bot = call->bot;
	m->file = upload_keep(call, &upload);
	m->service = xstrdup("");
	chat_add_message(c, m);
	json_set_int(c->settings, "photo", m->file->number);
	return done(call, c);
}

int method_delete_chat_photo(struct call *call)
{
	struct chat *c = open_info(call, "photo", false);

	if (!c)
		return -1;
	if (!json_get(c->settings, "photo"))
		return call_fail(call, 400, "Bad Request: CHAT_NOT_MODIFIED");
	json_object_object_del(c->settings, "photo");
	service_add(c, (struct author){.bot = call->bot}, NULL, xstrdup("\"delete_chat_photo\":true"));
	return done(call, c);
}
