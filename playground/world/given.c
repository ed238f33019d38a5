#include "playground/world/given.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/text/base64.h"
#include "playground/world/json_members.h"

bool given_is_newest(const char *message_id)
{
	return message_id && strcmp(message_id, "newest") == 0;
}

int given_no_message(const char *key, const char *message_id, struct error *err)
{
	if (!message_id)
		return error_set(err, ERROR_OURS, "say which message: \"%s\" is an id, or newest", key);
	return error_set(err, ERROR_OURS, "%s: there is no message %.24s in that chat", key, message_id);
}

int given_file_read(struct json_object *o, size_t max, struct given_file *f, struct error *err)
{
	const char *text = json_get_str(o, "base64");
	int64_t size = json_get_int(o, "size", -1);
	struct buf data = BUF_INIT;

	*f = (struct given_file){.name = json_get_str(o, "name"),
	    .kind = json_get_str(o, "kind"),
	    .type = json_get_str(o, "type"),
	    .len = size < 0 ? 0 : (size_t)size,
	    .width = (unsigned)json_get_int(o, "width", 0),
	    .height = (unsigned)json_get_int(o, "height", 0),
	    .duration = json_get_double(o, "duration", 0)};
	if (json_object_is_type(o, json_type_object) &&
	    members_check(o, "base64 duration height kind name size type width", err) != 0)
		return -1;
	if (!f->name || (!text) == (size < 0) || (text && base64_decode(&data, text, strlen(text)) != 0)) {
		buf_clear(&data);
		return error_set(
		    err, ERROR_OURS, "a file is {\"name\":…,\"base64\":…}, or {\"name\":…,\"size\":…}");
	}
	if (text) {
		f->len = data.len;
		f->data = buf_take(&data);
	}
	if (f->len <= max)
		return 0;
	free(f->data);
	return error_set(err, ERROR_OURS, "a file has at most %zu bytes there", max);
}

bool given_file_is(const struct given_file *f, const char *kind)
{
	return f->kind && strcmp(f->kind, kind) == 0;
}

/* Telegram's options have a text, Discord's answers a poll_media with one. */
static const char *text_of(struct json_object *answer)
{
	struct json_object *media = json_get_object(answer, "poll_media");

	return json_object_is_type(answer, json_type_string) ? json_object_get_string(answer) :
							       json_get_str(media ? media : answer, "text");
}

/* Returns the index; -1: there is no such answer. */
static int64_t find_answer(struct json_object *answers, struct json_object *wanted)
{
	int64_t count = (int64_t)json_count(answers), number;

	if (json_object_is_type(wanted, json_type_int)) {
		number = json_object_get_int64(wanted);
		return number >= 1 && number <= count ? number - 1 : -1;
	}
	for (int64_t i = 0; wanted && i < count; i++) {
		const char *text = text_of(json_at(answers, (size_t)i));

		if (text && strcmp(text, json_object_get_string(wanted)) == 0)
			return i;
	}
	return -1;
}

int given_poll_read(struct json_object *o, struct given_poll *p, struct error *err)
{
	struct json_object *correct = json_get(o, "correct");

	*p = (struct given_poll){.question = json_get_str(o, "question"),
	    .answers = json_get_array(o, "answers"),
	    .multiple = json_get_bool(o, "multiple", false),
	    .anonymous = json_get_bool(o, "anonymous", true),
	    .seconds = json_get_int(o, "seconds", 0)};
	p->correct = find_answer(p->answers, correct);
	if (!p->question || json_count(p->answers) == 0)
		return error_set(err, ERROR_OURS, "poll is {\"question\":…,\"answers\":[…]}");
	if (correct && p->correct < 0)
		return error_set(err, ERROR_OURS, "\"correct\" is one of the answers, or its number from 1");
	return members_check(o, "anonymous answers correct multiple question seconds", err);
}

struct json_object *given_answers(struct json_object *in, struct json_object *answers, struct error *err)
{
	struct json_object *given = json_get(in, "answer"), *found = json_object_new_array();
	bool list = json_object_is_type(given, json_type_array);

	for (size_t i = 0; i < (list ? json_count(given) : 1); i++) {
		int64_t at = find_answer(answers, list ? json_at(given, i) : given);

		if (at < 0) {
			json_object_put(found);
			error_set(err, ERROR_OURS, "\"answer\" is one of the answers, or its number from 1");
			return NULL;
		}
		json_object_array_add(found, json_object_new_int64(at));
	}
	return found;
}
