#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/task.h"
#include "playground/playground.h"
#include "playground/telegram/control/control.h"
#include "playground/telegram/world/world_internal.h"
#include "playground/world/timer.h"

void vote_begin(struct message *m, struct json_object *poll)
{
	message_set_extra(m, "poll", poll);
	message_set_extra(m, ".votes", json_object_new_object());
}

struct json_object *vote_poll(const struct message *m)
{
	return json_get_object(m->extra, "poll");
}

bool vote_is_closed(const struct message *m)
{
	return json_get_bool(vote_poll(m), "is_closed", false);
}

/* Bot API, Poll.correct_option_ids: of a quiz that is closed, or was sent (not forwarded) by the bot or to
 * the private chat with it. */
bool vote_answer_is_known(const struct message *m, const struct chat *c)
{
	bool own = m->bot || (c->kind == CHAT_PRIVATE && !c->business);

	return !json_get(vote_poll(m), "correct_option_ids") || vote_is_closed(m) ||
	    (own && !json_get(m->extra, "forward_origin"));
}

/* Bot API, Update.poll: of a poll that a bot sent; of another one that a person has stopped, all are told. */
static void tell(const struct chat *stopped, const struct message *m)
{
	struct buf out = BUF_INIT;

	json_write(&out, vote_poll(m));
	if (m->bot)
		bot_update(m->bot, UPDATE_POLL, &out);
	for (size_t i = 0; !m->bot && stopped && i < stopped->member_count; i++)
		bot_update(stopped->members[i].bot, UPDATE_POLL, &out);
	buf_clear(&out);
}

void vote_close(struct chat *c, struct message *m, bool by_hand)
{
	json_set_bool(vote_poll(m), "is_closed", true);
	tell(by_hand ? c : NULL, m);
	show_message(c, m, "edited");
	playground_changed(c->world->pg);
}

/* A poll that closes by itself. */
struct watch {
	struct world *world;
	int64_t chat, bot, date;
	int32_t id;
};

static void close_later(struct task *t, void *arg)
{
	struct watch *w = arg;
	int64_t wait = w->date - clock_wall() / 1000;
	struct chat *c;
	struct message *m;

	if (world_sleep(t, wait > 0 ? (uint64_t)wait * 1000 : 0, NULL) == 0) {
		/* The chat may be another by now, or gone. */
		c = w->chat > 0 ? map_get(&w->world->privates, w->bot, w->chat) :
				  map_get(&w->world->groups, w->chat, 0);
		m = c ? chat_message(c, w->id) : NULL;
		if (m && json_get_int(vote_poll(m), "close_date", 0) == w->date && !vote_is_closed(m))
			vote_close(c, m, false);
	}
	free(w);
}

void vote_watch(struct chat *c, const struct message *m)
{
	int64_t date = json_get_int(vote_poll(m), "close_date", 0);
	struct watch *w;

	if (date == 0 || vote_is_closed(m))
		return;
	w = xcalloc(1, sizeof(*w));
	*w = (struct watch){.world = c->world,
	    .chat = c->id,
	    .bot = c->kind == CHAT_PRIVATE ? chat_key(c) : 0,
	    .date = date,
	    .id = m->id};
	task_start(&c->world->pg->tasks, "telegram.vote", close_later, w);
}

static void count(const struct message *m)
{
	struct json_object *poll = vote_poll(m), *options = json_get_array(poll, "options"),
			   *votes = json_get_object(m->extra, ".votes");

	json_each(options, item)
		json_set_int(item, "voter_count", 0);
	json_object_object_foreach(votes, voter, chosen) {
		(void)voter;
		json_each(chosen, one) {
			struct json_object *o = json_at(options, (size_t)json_object_get_int64(one));

			json_set_int(o, "voter_count", json_get_int(o, "voter_count", 0) + 1);
		}
	}
	json_set_int(poll, "total_voter_count", json_object_object_length(votes));
}

/* Bot API, PollAnswer. */
static void answer(const struct message *m, const struct user *u, struct json_object *chosen)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "{\"poll_id\":\"%s\",\"user\":", json_get_str(vote_poll(m), "id"));
	user_write(u, &out);
	buf_addstr(&out, ",\"option_ids\":");
	json_write(&out, chosen);
	buf_addstr(&out, ",\"option_persistent_ids\":[");
	for (size_t i = 0; i < json_count(chosen); i++)
		buf_addf(
		    &out, "%s\"%" PRId64 "\"", i > 0 ? "," : "", json_object_get_int64(json_at(chosen, i)));
	buf_addstr(&out, "]}");
	if (m->bot)
		bot_update(m->bot, UPDATE_POLL_ANSWER, &out);
	buf_clear(&out);
}

static int check(struct json_object *poll, bool voted, struct json_object *chosen, struct error *err)
{
	size_t options = json_count(json_get_array(poll, "options")), count_chosen = json_count(chosen);

	if (json_get_bool(poll, "is_closed", false))
		return error_set(err, ERROR_OURS, "the poll is closed");
	if (voted && !json_get_bool(poll, "allows_revoting", true))
		return error_set(err, ERROR_OURS, "nobody votes twice in this poll");
	if (count_chosen > 1 && !json_get_bool(poll, "allows_multiple_answers", false))
		return error_set(err, ERROR_OURS, "only one option can be chosen in this poll");
	for (size_t i = 0; i < count_chosen; i++) {
		struct json_object *n = json_at(chosen, i);

		if (!json_object_is_type(n, json_type_int) || json_object_get_int64(n) < 0 ||
		    (size_t)json_object_get_int64(n) >= options)
			return error_set(err, ERROR_OURS, "there is no such option");
	}
	return 0;
}

int vote_cast(
    struct chat *c, struct message *m, const struct user *u, struct json_object *options, struct error *err)
{
	struct json_object *votes = json_get_object(m->extra, ".votes");
	char key[24];

	if (!votes)
		return error_set(err, ERROR_OURS, "that message is no poll, or a copy of one");
	snprintf(key, sizeof(key), "%" PRId64, u->id);
	if (check(vote_poll(m), json_get(votes, key) != NULL, options, err) != 0)
		return -1;
	if (json_count(options) > 0)
		json_set(votes, key, json_object_get(options));
	else
		json_object_object_del(votes, key);
	count(m);
	tell(NULL, m);
	if (!json_get_bool(vote_poll(m), "is_anonymous", true))
		answer(m, u, options);
	show_message(c, m, "edited");
	playground_changed(c->world->pg);
	return 0;
}
