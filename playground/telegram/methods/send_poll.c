#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/telegram/methods/compose.h"

#define QUESTION_MAX    300
#define OPTION_MAX      100
#define OPTIONS_MAX     12
#define EXPLANATION_MAX 200
#define OPEN_MAX_S      2628000
#define OPEN_MIN_S      5

static size_t length(const struct formatted *f)
{
	return utf8_count(f->text.data, f->text.len, UTF8_CHARS);
}

/* Sets NAME and NAME_entities in o. */
static void set_text(struct call *call, struct json_object *o, const char *name, struct formatted *f)
{
	struct buf entities = BUF_INIT;
	char *key = xasprintf("%s_entities", name);

	json_set_str(o, name, f->text.data);
	formatted_write_entities(f, &entities, world_write_user, call->world);
	if (f->count > 0)
		json_set(o, key, json_parse(entities.data, entities.len, NULL));
	buf_clear(&entities);
	free(key);
}

/* Reads NAME, NAME_parse_mode and NAME_entities of in to NAME of out; an empty text is left out. */
static int read_text(struct call *call, struct json_object *in, const char *name, size_t max,
    const char *long_says, struct json_object *out)
{
	char *mode = xasprintf("%s_parse_mode", name), *entities = xasprintf("%s_entities", name);
	struct formatted f = FORMATTED_INIT;
	int ret = compose_read(call, &(struct compose_source){in, name, mode, entities}, &f);

	if (ret == 0 && length(&f) > max)
		ret = call_refuse(call, "%s", long_says);
	if (ret == 0 && f.text.len > 0)
		set_text(call, out, name, &f);
	formatted_clear(&f);
	free(mode);
	free(entities);
	return ret;
}

static int read_option(struct call *call, struct json_object *in, struct json_object *options)
{
	struct json_object *source = in, *o = json_object_new_object();
	char id[24];
	int ret;

	if (json_object_is_type(in, json_type_string)) {
		source = json_object_new_object();
		json_set(source, "text", json_object_get(in));
	}
	json_object_array_add(options, o);
	snprintf(id, sizeof(id), "%zu", json_count(options) - 1);
	json_setf(o, "persistent_id: %s, voter_count: 0", id);
	ret = !json_object_is_type(source, json_type_object) ?
	    call_refuse(call, "expected an option to be of type String") :
	    read_text(call, source, "text", OPTION_MAX, "poll options length must not exceed 100", o);
	if (ret == 0 && !json_get(o, "text"))
		ret = call_refuse(call, "poll option must be non-empty");
	if (source != in)
		json_object_put(source);
	return ret;
}

static int read_options(struct call *call, struct json_object *poll)
{
	struct json_object *in = json_get(call->params, "options"), *options = json_object_new_array();
	size_t count = json_count(in);

	json_set(poll, "options", options);
	for (size_t i = 0; i < count; i++)
		if (read_option(call, json_at(in, i), options) != 0)
			return -1;
	if (count == 0)
		return call_refuse(call, "poll must have at least one answer option");
	return count <= OPTIONS_MAX ? 0 :
				      call_refuse(call, "poll can't have more than %d options", OPTIONS_MAX);
}

static int read_quiz(struct call *call, struct json_object *poll)
{
	struct json_object *ids = json_get_array(call->params, "correct_option_ids"), *o;
	int64_t was = -1, one = json_get_int(call->params, "correct_option_id", -1);

	ids = ids ? json_object_get(ids) : json_object_new_array();
	if (json_count(ids) == 0 && one >= 0)
		json_object_array_add(ids, json_object_new_int64(one));
	json_set(poll, "correct_option_ids", ids);
	if (json_count(ids) == 0)
		return call_refuse(call, "correct quiz option list must be non-empty");
	for (size_t i = 0; i < json_count(ids); i++, was = json_object_get_int64(o)) {
		o = json_at(ids, i);
		if (json_object_get_int64(o) <= was)
			return call_refuse(call,
			    was < 0 ? "wrong quiz correct_option_id" :
				      "correct quiz option list must be increasing");
		if (json_object_get_int64(o) >= (int64_t)json_count(json_get_array(poll, "options")))
			return call_refuse(call, "wrong quiz correct_option_id");
	}
	return read_text(
	    call, call->params, "explanation", EXPLANATION_MAX, "message caption is too long", poll);
}

static int read_times(struct call *call, struct json_object *poll)
{
	int64_t now = clock_wall() / 1000, period = json_get_int(call->params, "open_period", 0),
		date = json_get_int(call->params, "close_date", 0);

	if (period == 0 && date == 0)
		return 0;
	if (period != 0)
		date = now + period;
	if (date < now + OPEN_MIN_S || date > now + OPEN_MAX_S)
		return call_refuse(call, "POLL_CLOSE_DATE_INVALID");
	json_setf(poll, "open_period: %jd, close_date: %jd", period != 0 ? period : date - now, date);
	return 0;
}

int poll_read(struct call *call, struct json_object *poll)
{
	const char *type = json_get_str(call->params, "type");
	bool quiz = type && strcmp(type, "quiz") == 0;
	char id[24];

	snprintf(id, sizeof(id), "%" PRId64, 5000000000000000 + ++call->world->last_callback);
	json_set_str(poll, "id", id);
	if (read_text(call, call->params, "question", QUESTION_MAX,
		"poll question length must not exceed 300", poll) != 0)
		return -1;
	if (!json_get(poll, "question"))
		return call_refuse(call, "text must be non-empty");
	if (read_options(call, poll) != 0 ||
	    read_text(call, call->params, "description", COMPOSE_CAPTION_MAX, "message caption is too long",
		poll) != 0)
		return -1;
	json_setf(poll, "total_voter_count: 0, is_closed: %i, is_anonymous: %i, type: %s",
	    json_get_bool(call->params, "is_closed", false),
	    json_get_bool(call->params, "is_anonymous", true), quiz ? "quiz" : "regular");
	json_set_bool(
	    poll, "allows_multiple_answers", json_get_bool(call->params, "allows_multiple_answers", false));
	json_set_bool(poll, "allows_revoting", json_get_bool(call->params, "allows_revoting", !quiz));
	json_set_bool(poll, "members_only", false);
	return quiz && read_quiz(call, poll) != 0 ? -1 : read_times(call, poll);
}

int method_send_poll(struct call *call)
{
	struct message *m = telegram_message_new();
	struct json_object *poll = json_object_new_object();
	struct post post;

	vote_begin(m, poll);
	if (poll_read(call, poll) != 0 || post_open(call, &post, 1, "polls") != 0) {
		telegram_message_free(m);
		return -1;
	}
	if (post.chat->kind == CHAT_CHANNEL && !json_get_bool(poll, "is_anonymous", true)) {
		telegram_message_free(m);
		post_close(&post);
		return call_fail(
		    call, 400, "Bad Request: non-anonymous polls can't be sent to channel chats");
	}
	posting_add(call, &post, m);
	vote_watch(post.chat, m);
	message_write(m, post.chat, &call->result);
	post_close(&post);
	return 0;
}

int method_stop_poll(struct call *call)
{
	struct edit e;

	if (edit_open(call, &e) != 0)
		return -1;
	if (!vote_poll(e.message))
		return edit_fail(call, &e, "message is not a poll");
	if (vote_is_closed(e.message))
		return edit_fail(call, &e, "poll has already been closed");
	if (edit_check(call, &e, true) != 0)
		return -1;
	vote_close(e.chat, e.message, true);
	edit_close(call, &e);
	buf_reset(&call->result);
	json_write(&call->result, vote_poll(e.message));
	return 0;
}
