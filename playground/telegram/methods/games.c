#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "playground/telegram/methods/compose.h"

/* Any name is that of a game here; the scores are in ".scores" of extra, by person. */

int method_send_game(struct call *call)
{
	const char *name = json_get_str(call->params, "game_short_name");
	struct message *m;
	struct post post;

	if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(name))
		return call_refuse(call, "GAME_SHORTNAME_INVALID");
	if (post_open(call, &post, 1, "games") != 0)
		return -1;
	if (!post.markup)
		post.markup =
		    xasprintf("{\"inline_keyboard\":[[{\"text\":\"Play %s\",\"callback_game\":{}}]]}", name);
	m = telegram_message_new();
	message_set_extra(
	    m, "game", json_newf("{title: %s, description: '', photo: %p}", name, json_object_new_array()));
	message_set_extra(m, ".scores", json_object_new_object());
	posting_add(call, &post, m);
	message_write(m, post.chat, &call->result);
	post_close(&post);
	return 0;
}

/* The game of the message that the call names; with nothing to clear. */
static struct json_object *open_game(struct call *call, struct edit *e)
{
	struct json_object *scores;

	if (edit_open(call, e) != 0)
		return NULL;
	scores = json_get_object(e->message->extra, ".scores");
	if (!scores)
		edit_fail(call, e, "message is not a game");
	else if (!world_find_user(call->world, json_get_int(call->params, "user_id", 0)))
		edit_fail(call, e, "user not found");
	else
		return scores;
	return NULL;
}

/* Bot API: a score that is not higher is refused, unless it is forced. */
int method_set_game_score(struct call *call)
{
	int64_t user = json_get_int(call->params, "user_id", 0),
		score = json_get_int(call->params, "score", -1);
	struct json_object *scores;
	struct edit e;
	char key[24];

	if (score < 0)
		return call_refuse(call, "SCORE_INVALID");
	scores = open_game(call, &e);
	if (!scores)
		return -1;
	snprintf(key, sizeof(key), "%" PRId64, user);
	if (score <= json_get_int(scores, key, 0) && !json_get_bool(call->params, "force", false))
		return edit_fail(call, &e, "BOT_SCORE_NOT_MODIFIED");
	json_set_int(scores, key, score);
	e.markup = xstrdup(e.message->markup);
	edit_close(call, &e);
	return 0;
}

static int compare(const void *a, const void *b)
{
	int64_t x = json_get_int(*(struct json_object *const *)a, "score", 0),
		y = json_get_int(*(struct json_object *const *)b, "score", 0);

	return x < y ? 1 : x > y ? -1 : 0;
}

int method_get_game_high_scores(struct call *call)
{
	struct json_object *scores, *list;
	struct edit e;

	scores = open_game(call, &e);
	if (!scores)
		return -1;
	list = json_object_new_array();
	json_object_object_foreach(scores, key, score) {
		struct json_object *o = json_object_new_object();
		struct buf who = BUF_INIT;

		world_write_user(&who, strtoll(key, NULL, 10), call->world);
		json_set(o, "user", json_parse(who.data, who.len, NULL));
		json_set(o, "score", json_object_get(score));
		json_object_array_add(list, o);
		buf_clear(&who);
	}
	json_object_array_sort(list, compare);
	for (size_t i = 0; i < json_count(list); i++)
		json_set_int(json_at(list, i), "position", (int64_t)i + 1);
	json_write(&call->result, list);
	json_object_put(list);
	return 0;
}
