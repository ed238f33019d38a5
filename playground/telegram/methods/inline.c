#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/telegram/methods/compose.h"

#define RESULTS_MAX 50
#define ID_MAX      64 /* bytes */
#define PREPARED_S  86400

#define ALERT_MAX 200 /* characters of an answer to a press */

static const char too_old[] = "query is too old and response timeout expired or query ID is invalid";
static const char parse[] = "can't parse inline query result: ";

static int lacks(struct call *call, const char *name)
{
	return call_refuse(call, "%sCan't find field \"%s\"", parse, name);
}

/* Puts those members of o into a part of the message; the first two must be there. */
static int read_part(
    struct call *call, struct json_object *o, const char *const *names, struct json_object *to)
{
	for (size_t i = 0; names[i]; i++) {
		const char *text = json_get_str(o, names[i]);

		if (!text && i < 2)
			return lacks(call, names[i]);
		if (text)
			json_set_str(to, names[i], text);
	}
	return 0;
}

static int read_place(struct call *call, struct json_object *o, struct message *m)
{
	struct buf text = BUF_INIT;

	if (location_write(o, &text) != 0)
		return call_refuse(call, "%sinvalid location specified", parse);
	message_add_extra(m, "location", text.data);
	buf_clear(&text);
	return 0;
}

static int read_text(struct call *call, struct json_object *o, struct message *m)
{
	struct json_object *preview = json_get_object(o, "link_preview_options");
	struct compose_source source = {o, "message_text", "parse_mode", "entities"};

	if (compose_read(call, &source, &m->text) != 0)
		return -1;
	if (m->text.text.len == 0)
		return call_refuse(call, "%smessage text is empty", parse);
	if (formatted_units(&m->text) > COMPOSE_TEXT_MAX)
		return call_refuse(call, "MESSAGE_TOO_LONG");
	m->preview = preview ? json_text(preview) : NULL;
	return 0;
}

/* An InputMessageContent, or a result that is one itself: a location, a venue, a contact. Returns 1 when it
 * is something else. */
static int read_content(struct call *call, struct json_object *o, struct message *m)
{
	static const char *const venue[] = {"title", "address", "foursquare_id", "foursquare_type",
	    "google_place_id", "google_place_type", NULL},
				 *const contact[] = {
				     "phone_number", "first_name", "last_name", "vcard", NULL};
	struct json_object *part = json_object_new_object();

	if (json_get_str(o, "message_text")) {
		json_object_put(part);
		return read_text(call, o, m);
	}
	if (json_get(o, "rich_message")) {
		json_object_put(part);
		return compose_rich(call, json_get(o, "rich_message"), false, &m->rich);
	}
	if (json_get(o, "phone_number")) {
		message_set_extra(m, "contact", part);
		return read_part(call, o, contact, part);
	}
	if (!json_get(o, "latitude")) {
		json_object_put(part);
		return 1;
	}
	if (read_place(call, o, m) != 0 || !json_get(o, "address")) {
		json_object_put(part);
		return call->error_code != 0 ? -1 : 0;
	}
	message_set_extra(m, "venue", part);
	json_set(part, "location", json_object_get(json_get(m->extra, "location")));
	return read_part(call, o, venue, part);
}

/* A file that the platform has. Returns 1 when the result names a URL instead. */
static int read_file(struct call *call, struct json_object *o, struct message *m)
{
	static const char *const names[] = {"audio_file_id", "document_file_id", "gif_file_id",
	    "mpeg4_file_id", "photo_file_id", "sticker_file_id", "video_file_id", "voice_file_id"};
	struct file *f;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *id = json_get_str(o, names[i]);

		if (!id)
			continue;
		f = media_by_id(call->world, id);
		if (!f)
			return call_refuse(call, "%swrong file identifier/HTTP URL specified", parse);
		m->file = media_copy(call->world, f);
		return compose_caption(call, o, &m->text);
	}
	return 1;
}

static bool is_type(const char *type)
{
	static const char *const types[] = {"article", "audio", "contact", "document", "game", "gif",
	    "location", "mpeg4_gif", "photo", "sticker", "venue", "video", "voice"};

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i], type) == 0)
			return true;
	return false;
}

/* Reads what a person would send; *m is NULL where that is not simulated: files by their URLs, games. */
static int read_result(struct call *call, struct json_object *o, struct message **m)
{
	const char *type = json_get_str(o, "type"), *id = json_get_str(o, "id");
	struct json_object *content = json_get_object(o, "input_message_content");
	int ret;

	if (!json_object_is_type(o, json_type_object))
		return call_refuse(call, "%sInline query result must be an object", parse);
	if (!type || !id)
		return lacks(call, type ? "id" : "type");
	if (id[0] == '\0' || strlen(id) > ID_MAX)
		return call_refuse(call, "RESULT_ID_INVALID");
	if (!is_type(type))
		return call_refuse(
		    call, "%stype \"%.40s\" is unsupported for the inline query result", parse, type);
	if (strcmp(type, "article") == 0 && !content && !json_get_str(o, "message_text"))
		return lacks(call, "message_text");
	if (strcmp(type, "article") == 0 && !json_get_str(o, "title"))
		return lacks(call, "title");
	*m = telegram_message_new();
	ret = read_content(call, content ? content : o, *m);
	if (ret > 0)
		ret = read_file(call, content ? content : o, *m);
	if (ret == 0)
		ret = keyboard_read_of(call, json_get(o, "reply_markup"), true, &(*m)->markup);
	if (ret == 0 || (*m)->file) /* which the world knows */
		return ret;
	telegram_message_free(*m);
	*m = NULL;
	return ret < 0 ? -1 : 0;
}

static bool is_offered(const struct inline_query *q, const char *id)
{
	for (size_t i = 0; i < q->count; i++)
		if (strcmp(json_get_str(q->results[i].as_sent, "id"), id) == 0)
			return true;
	return false;
}

static int offer(struct call *call, struct inline_query *q, struct json_object *o)
{
	struct message *m = NULL;
	int ret = read_result(call, o, &m);

	/* A guest query has one result; those before it were refused. */
	if (ret == 0 && !q->chat && is_offered(q, json_get_str(o, "id")))
		ret = call_refuse(call, "RESULT_ID_DUPLICATE");
	if (ret == 0 || m)
		inline_offer(q, json_object_get(o), m);
	return ret;
}

int method_answer_inline_query(struct call *call)
{
	struct json_object *results = json_get_array(call->params, "results"),
			   *button = json_get(call->params, "button");
	struct inline_query *q = NULL;
	int64_t id = 0;

	if (button &&
	    (!json_get_str(button, "text") ||
		!json_get(button, "web_app") == !json_get(button, "start_parameter")))
		return call_refuse(call,
		    "can't parse inline query results button: InlineQueryResultsButton must have exactly one "
		    "optional field");
	if (json_count(results) > RESULTS_MAX)
		return call_refuse(call, "too many inline query results specified");
	if (world_read_id(json_get_str(call->params, "inline_query_id"), &id))
		q = inline_find(call->bot, id);
	if (!q || q->answered || q->chat)
		return call_fail(call, 400, "Bad Request: %s", too_old);
	q->answered = true; /* also by an answer that is refused half-way */
	json_each(results, item)
		if (offer(call, q, item) != 0)
			return -1;
	q->button = json_object_get(button);
	q->next_offset = xstrdup(json_get_str(call->params, "next_offset"));
	return call_true(call);
}

/* A message that a Mini App offers to a person; /control/inline sends it. */
int method_save_prepared_inline_message(struct call *call)
{
	struct user *u = world_find_user(call->world, json_get_int(call->params, "user_id", 0));
	struct inline_query *q;

	if (!u)
		return call_fail(call, 400, "Bad Request: user not found");
	q = inline_ask(call->bot, u, "");
	q->answered = true;
	if (offer(call, q, json_get(call->params, "result")) != 0)
		return -1;
	buf_addf(&call->result, "{\"id\":\"%" PRId64 "\",\"expiration_date\":%" PRId64 "}", q->id,
	    clock_wall() / 1000 + PREPARED_S);
	return 0;
}

/* Once, for a bot that was summoned to a chat in which it is not. */
int method_answer_guest_query(struct call *call)
{
	const struct inline_result *newest;
	struct inline_query *q = NULL;
	struct message *m;
	int64_t id = 0;

	if (world_read_id(json_get_str(call->params, "guest_query_id"), &id))
		q = inline_find(call->bot, id);
	if (!q || q->answered || !q->chat)
		return call_fail(call, 400, "Bad Request: %s", too_old);
	if (offer(call, q, json_get(call->params, "result")) != 0)
		return -1;
	newest = &q->results[q->count - 1];
	if (!newest->message)
		return call_refuse(call, "results of that type are not simulated by the playground");
	q->answered = true;
	m = inline_reply(call->bot, q, newest);
	buf_addstr(&call->result, "{\"inline_message_id\":\"");
	inline_write_id(m, q->chat, &call->result);
	buf_addstr(&call->result, "\"}");
	return 0;
}

int method_answer_callback_query(struct call *call)
{
	const char *text = json_get_str(call->params, "text");
	int64_t id = 0;

	if (text && utf8_count(text, strlen(text), UTF8_CHARS) > ALERT_MAX)
		return call_refuse(call, "MESSAGE_TOO_LONG");
	if (!world_read_id(json_get_str(call->params, "callback_query_id"), &id) ||
	    callbacks_answer(&call->bot->callbacks, id, clock_now()) != 0)
		return call_fail(call, 400, "Bad Request: %s", too_old);
	return call_true(call);
}
