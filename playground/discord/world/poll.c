#include <inttypes.h>
#include <stdio.h>

#include "playground/discord/world/world_internal.h"
#include "playground/playground.h"

bool cord_poll_is_over(const struct cord_message *m)
{
	return json_get_bool(m->poll, "over", false);
}

static struct json_object *answer_at(const struct cord_message *m, size_t i)
{
	return json_at(json_get_array(m->poll, "answers"), i);
}

static size_t answer_count(const struct cord_message *m)
{
	return json_count(json_get_array(m->poll, "answers"));
}

bool cord_poll_has_answer(const struct cord_message *m, int64_t answer)
{
	return answer >= 1 && answer <= (int64_t)answer_count(m);
}

struct json_object *cord_poll_voters(const struct cord_message *m, int64_t answer)
{
	char key[24];

	snprintf(key, sizeof(key), "%" PRId64, answer);
	return json_get_array(m->votes, key);
}

static size_t votes_for(const struct cord_message *m, int64_t answer)
{
	struct json_object *voters = cord_poll_voters(m, answer);

	return json_count(voters);
}

struct json_object *cord_poll_json(const struct cord_message *m)
{
	struct json_object *o = cord_copy(m->poll), *results = json_object_new_object(),
			   *counts = json_object_new_array();

	for (int64_t i = 1; i <= (int64_t)answer_count(m); i++) {
		struct json_object *row;

		if (votes_for(m, i) == 0)
			continue;
		row = json_newf("{id: %jd, count: %jd}", i, (int64_t)votes_for(m, i));
		json_set_bool(row, "me_voted", false); /* bots have no vote */
		json_object_array_add(counts, row);
	}
	json_setf(results, "is_finalized: %i, answer_counts: %p", cord_poll_is_over(m), counts);
	json_set(o, "results", results);
	json_object_object_del(o, "over");
	return cord_fill("PollResponse", o);
}

static void tell(const struct cord_message *m, int64_t answer, uint64_t id, const char *name)
{
	struct json_object *d = json_newf("{user_id: %p, channel_id: %p, message_id: %p}", cord_id_json(id),
	    cord_id_json(m->channel->id), cord_id_json(m->id));

	if (m->channel->guild)
		json_set(d, "guild_id", cord_id_json(m->channel->guild->id));
	json_set_int(d, "answer_id", answer);
	cord_event_in_channel(m->channel, name, CORD_EVENT_POLLS, d);
}

static void take_back(struct cord_message *m, int64_t answer, uint64_t id)
{
	struct json_object *voters = cord_poll_voters(m, answer);

	if (!cord_array_has(voters, id))
		return;
	cord_array_remove(voters, id);
	tell(m, answer, id, "MESSAGE_POLL_VOTE_REMOVE");
}

void cord_poll_vote(struct cord_message *m, int64_t answer, uint64_t id, bool remove)
{
	bool several = json_get_bool(m->poll, "allow_multiselect", false);
	char key[24];

	for (int64_t i = 1; i <= (int64_t)answer_count(m); i++)
		if (i == answer ? remove : !several && !remove)
			take_back(m, i, id);
	if (!remove && !cord_array_has(cord_poll_voters(m, answer), id)) {
		if (!m->votes)
			m->votes = json_object_new_object();
		snprintf(key, sizeof(key), "%" PRId64, answer);
		if (!cord_poll_voters(m, answer))
			json_set(m->votes, key, json_object_new_array());
		cord_array_add(cord_poll_voters(m, answer), id);
		tell(m, answer, id, "MESSAGE_POLL_VOTE_ADD");
	}
	cord_show_message(m, "edited");
}

static void add_field(struct json_object *fields, const char *name, const char *text, int64_t number)
{
	struct json_object *o = json_object_new_object();
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, number);
	json_setf(o, "name: %s, value: %s, inline: false", name, text ? text : digits);
	json_object_array_add(fields, o);
}

/* Discord: resources/message, Embed Fields by Embed Type, Poll Result. Without a winner there is no victor.
 */
static struct json_object *result_embed(const struct cord_message *m)
{
	struct json_object *o = json_object_new_object(), *fields = json_object_new_array(),
			   *list = json_object_new_array(), *media;
	size_t best = 0, total = 0;
	int64_t victor = 0;

	for (int64_t i = 1; i <= (int64_t)answer_count(m); i++) {
		size_t n = votes_for(m, i);

		total += n;
		if (n >= best)
			victor = n > best ? i : 0;
		best = n > best ? n : best;
	}
	add_field(
	    fields, "poll_question_text", json_get_str(json_get_object(m->poll, "question"), "text"), 0);
	add_field(fields, "victor_answer_votes", NULL, (int64_t)best);
	add_field(fields, "total_votes", NULL, (int64_t)total);
	if (victor != 0) {
		media = json_get_object(answer_at(m, (size_t)victor - 1), "poll_media");
		add_field(fields, "victor_answer_id", NULL, victor);
		if (json_get_str(media, "text"))
			add_field(fields, "victor_answer_text", json_get_str(media, "text"), 0);
	}
	json_setf(o, "type: 'poll_result', fields: %p", fields);
	json_object_array_add(list, o);
	return list;
}

void cord_poll_finish(struct cord_message *m)
{
	struct cord_message *result;

	json_set_bool(m->poll, "over", true);
	cord_set_time(m->poll, "expiry", clock_wall());
	cord_show_message(m, "edited");
	cord_event_message(m, "MESSAGE_UPDATE");
	result = cord_message_new(m->channel);
	result->user = m->user;
	result->bot = m->bot;
	result->type = CORD_MESSAGE_POLL_RESULT;
	result->reply_to = m->id;
	result->reply_channel = m->channel->id;
	result->embeds = result_embed(m);
	cord_channel_add(m->channel, result);
	cord_event_message(result, "MESSAGE_CREATE");
	playground_changed(m->channel->world->pg);
}

/* Counts the open polls anew. */
static void finish_in(struct cord_channel *c, int64_t now)
{
	size_t count = c->count; /* results follow */

	c->polls = 0;
	c->poll_ms = INT64_MAX;
	for (size_t i = 0; i < count; i++) {
		struct cord_message *m = c->messages[i];
		int64_t end = m->poll ? cord_get_time(m->poll, "expiry") : 0;

		if (!m->poll || m->deleted || cord_poll_is_over(m))
			continue;
		if (end <= now) {
			cord_poll_finish(m);
			continue;
		}
		c->polls++;
		c->poll_ms = end < c->poll_ms ? end : c->poll_ms;
	}
}

void cord_polls_finish(struct cord_world *w)
{
	int64_t now = clock_wall();

	list_each_entry(&w->channel_list, struct cord_channel, c, link)
		if (c->polls > 0 && c->poll_ms <= now)
			finish_in(c, now);
}
