#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

#define HOURS_DEFAULT 24
#define ANSWER_MAX    55

/* A text, or for an answer an emoji with or without one. */
static int check_media(struct cord_call *call, struct json_object *media)
{
	const char *text = json_get_str(media, "text");

	if (!text && !json_get_object(media, "emoji"))
		return cord_refuse_field(
		    call, "poll", "BASE_TYPE_REQUIRED", "An answer needs a text or an emoji.");
	if (text && strlen(text) > ANSWER_MAX * 4)
		return cord_refuse_field(
		    call, "poll", "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", ANSWER_MAX);
	return 0;
}

int cord_poll_read(struct cord_call *call, struct json_object *body, struct cord_message *m)
{
	struct json_object *o = json_object_new_object(), *answers = json_get_array(body, "answers");

	m->poll = o;
	if (m->channel->guild && m->webhook_id == 0 && m->bot &&
	    !(cord_channel_may(m->channel, m->bot->id) & CORD_MAY_SEND_POLLS))
		return cord_fail(call, "Missing Permissions");
	if (!json_get_str(json_get_object(body, "question"), "text"))
		return cord_refuse_field(call, "poll", "BASE_TYPE_REQUIRED", "A question needs a text.");
	json_set(o, "question", cord_copy(json_get_object(body, "question")));
	json_set(o, "answers", cord_copy(answers));
	for (size_t i = 0; i < json_count(answers); i++) {
		struct json_object *answer = json_at(json_get_array(o, "answers"), i);

		if (check_media(call, json_get_object(answer, "poll_media")) != 0)
			return -1;
		json_set_int(answer, "answer_id", (int64_t)i + 1);
	}
	json_set_bool(o, "allow_multiselect", json_get_bool(body, "allow_multiselect", false));
	json_set_int(o, "layout_type", json_get_int(body, "layout_type", 1));
	cord_set_time(o, "expiry", clock_wall() + json_get_int(body, "duration", HOURS_DEFAULT) * 3600000);
	return 0;
}

int cord_get_answer_voters(struct cord_call *call)
{
	struct cord_message *m = call->message;
	int64_t answer = strtoll(call->args[2], NULL, 10);
	struct cord_ids voters = {0};

	if (!m->poll || !cord_poll_has_answer(m, answer))
		return cord_fail(call, "Unknown Message");
	cord_ids_load(&voters, cord_poll_voters(m, answer));
	call->result = json_object_new_object();
	json_set(call->result, "users", cord_call_users(call, &voters));
	free(voters.list);
	return 0;
}

/* One's own poll alone. */
int cord_poll_expire(struct cord_call *call)
{
	struct cord_message *m = call->message;

	if (!m->poll)
		return cord_fail(call, "Cannot expire a non-poll message");
	if (m->bot != call->bot)
		return cord_fail(call, "Cannot edit a message authored by another user");
	if (cord_poll_is_over(m))
		return cord_fail(call, "Poll expired");
	cord_poll_finish(m);
	call->result = cord_message_json(m);
	return 0;
}
