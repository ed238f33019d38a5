#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "playground/telegram/control/control.h"

#define CALLBACK_BASE 1000000000000000 /* ids resemble the platform's and stay within 52 bits */

/* inaccessible: Bot API, InaccessibleMessage, for a message that is too old or deleted. */
static void write_query(struct buf *out, const struct actor *s, const struct message *m, int64_t id,
    const char *data, bool inaccessible)
{
	const char *game = data ? NULL : json_get_str(json_get_object(m->extra, "game"), "title");

	buf_addf(out, "{\"id\":\"%" PRId64 "\",\"from\":", id);
	user_write(s->user, out);
	if (!m->bot) {
		buf_addstr(out, ",\"inline_message_id\":\"");
		inline_write_id(m, s->chat, out);
		buf_addch(out, '"');
	} else if (inaccessible) {
		buf_addstr(out, ",\"message\":{\"chat\":");
		chat_write(s->chat, out);
		buf_addf(out, ",\"message_id\":%" PRId32 ",\"date\":0}", m->id);
	} else {
		buf_addstr(out, ",\"message\":");
		message_write(m, s->chat, out);
	}
	buf_addf(out, ",\"chat_instance\":\"%" PRId64 "\",\"%s\":", s->chat->id * 7919,
	    game ? "game_short_name" : "data");
	json_quote(out, game ? game : data, strlen(game ? game : data));
	buf_addch(out, '}');
}

static int press_button(struct world *w, const struct actor *s, struct json_object *in, const char *button,
    struct json_object *out, struct error *err)
{
	struct message *m = actor_message(s, in, "message_id", err);
	char *data = m ? keyboard_find(m->markup, button) : NULL;
	struct buf query = BUF_INIT;
	struct bot *b;
	int64_t id;
	int ret;

	if (!m)
		return -1;
	ret = data ? 1 : telegram_press_key(w, s, in, m, out, err);
	if (ret <= 0)
		return ret;
	b = m->bot ? m->bot : inline_bot(m, w);
	if ((!data && !json_get(m->extra, "game")) || !b)
		return error_set(err, ERROR_OURS,
		    "message %" PRId32 " has no button \"%.80s\" that the bot would hear of", m->id, button);
	id = CALLBACK_BASE + ++w->last_callback;
	callbacks_add(&b->callbacks, id, clock_now());
	write_query(&query, s, m, id, data, json_get_bool(in, "inaccessible", false));
	bot_update(b, UPDATE_CALLBACK_QUERY, &query);
	buf_clear(&query);
	free(data);
	return 0;
}

/* Bot API 10.3: the stop button of a draft; message_id is "draft:ID". */
static int press_stop(const struct actor *s, const char *message_id, struct error *err)
{
	struct buf out = BUF_INIT;
	struct draft *d;
	int64_t id;

	d = world_read_id(message_id + strlen("draft:"), &id) ?
	    drafts_find(&s->chat->drafts, id, clock_now()) :
	    NULL;
	if (!d || !d->can_stop)
		return error_set(err, ERROR_OURS, "there is no draft with a stop button");
	buf_addstr(&out, "{\"chat\":");
	chat_write(s->chat, &out);
	buf_addf(&out, ",\"draft_id\":%" PRId64 "}", id);
	bot_update(s->bot, UPDATE_STOPPED_MESSAGE_GENERATION, &out);
	if (!d->keep_on_stop)
		drafts_remove(&s->chat->drafts, d);
	show_drafts(s->chat);
	buf_clear(&out);
	return 0;
}

int telegram_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *button = json_get_str(in, "button"), *message_id = members_string(in, "message_id");
	struct actor s;

	if (actor_read(self, in, false, &s, err) != 0)
		return -1;
	if (!s.user || !button)
		return error_set(err, ERROR_OURS, "say which \"user\" presses which \"button\"");
	if (message_id && strncmp(message_id, "draft:", 6) == 0)
		return press_stop(&s, message_id, err);
	return press_button(self, &s, in, button, out, err);
}
