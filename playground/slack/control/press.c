#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/slack/control/control.h"
#include "playground/slack/methods/compose.h"
#include "playground/slack/socket/socket.h"

#define QUERY_MIN 3 /* characters, unless the element says otherwise */

/* A surface with an element that a person uses. */
struct surface {
	struct slk_interaction who;
	struct json_object *blocks;
	struct json_object *kept; /* the choices of this person */
};

static struct json_object *kept_of(struct slk_message *m, const char *user)
{
	struct json_object *o = json_get_object(m->kept, user);

	if (o)
		return o;
	if (!m->kept)
		m->kept = json_object_new_object();
	o = json_object_new_object();
	json_set(m->kept, user, o);
	return o;
}

static int read_message(struct slk_world *w, struct json_object *in, struct surface *f, struct error *err)
{
	struct slk_context s;
	struct slk_message *m;

	if (slk_context_read(w, in, false, &s, err) != 0)
		return -1;
	if (!s.user)
		return error_set(err, ERROR_OURS, "say which \"user\" presses which \"button\"");
	m = slk_context_message(&s, in, "message_id", err);
	if (!m)
		return -1;
	if (m->ephemeral[0] != '\0' && strcmp(m->ephemeral, s.user->id) != 0)
		return error_set(err, ERROR_OURS, "%.64s does not see that message", s.user->name);
	f->who = (struct slk_interaction){.app = m->app, .user = s.user, .conv = s.conv, .message = m};
	f->blocks = json_get_array(m->o, "blocks");
	f->kept = m->app ? kept_of(m, s.user->id) : NULL;
	return 0;
}

/* "view" is an id, "home" or "modal". */
static int read_view(struct slk_world *w, struct json_object *in, struct surface *f, struct error *err)
{
	struct slk_context s;
	struct slk_view *v;

	if (slk_context_person(w, in, &s, err) != 0)
		return -1;
	v = slk_context_view(w, &s, json_get_str(in, "view"), err);
	if (!v)
		return -1;
	f->who = (struct slk_interaction){.app = v->app, .user = v->user, .view = v};
	f->blocks = json_get_array(v->o, "blocks");
	f->kept = v->kept;
	return 0;
}

static int read_surface(struct slk_world *w, struct json_object *in, struct surface *f, struct error *err)
{
	return json_get_str(in, "view") ? read_view(w, in, f, err) : read_message(w, in, f, err);
}

static void set_action(
    struct slk_world *w, struct json_object *o, const struct slk_element *e, struct json_object *value)
{
	struct json_object *array = json_object_new_array(), *action = slk_copy(value);
	char ts[SLK_ID_SIZE];

	slk_write_ts(slk_new_ts(w), ts);
	json_setf(action, "action_id: %s, block_id: %s, action_ts: %s", json_get_str(e->o, "action_id"),
	    json_get_str(e->block, "block_id"), ts);
	json_object_array_add(array, action);
	json_set(o, "actions", array);
}

static int send_action(struct slk_world *w, const struct surface *f, const struct slk_element *e,
    struct json_object *value, struct error *err)
{
	const struct slk_interaction *who = &f->who;
	struct json_object *o = slk_interaction_new(who, "block_actions");

	slk_interaction_set_container(who, o, f->blocks, f->kept);
	set_action(w, o, e, value);
	if (who->message)
		slk_response_url_write(slk_response_url_new(who->app, who->conv, who->user, who->message->ts,
					   who->message->thread),
		    "actions", o);
	if (!slk_envelope_ask(who->app, &(struct slk_ask){.type = SLK_INTERACTIVE, .payload = o}))
		return slk_interaction_fail(e->matched, err);
	return 0;
}

static int act(struct slk_world *w, struct json_object *in, struct json_object *options, struct error *err);

/* The app has sent the options: the person picks one, or sees them. key: what the person does, as JSON. */
static char *take_options(
    struct slk_app *a, const char *key, enum slk_outcome outcome, struct json_object *answer)
{
	struct json_object *in = json_parse(key, strlen(key), NULL);
	struct buf why = BUF_INIT;
	struct error err = {0};
	char *problem = NULL;

	if (outcome != SLK_ACKNOWLEDGED)
		; /* the person sees that nothing was loaded */
	else if (!answer)
		problem = xstrdup("the answer to block_suggestion has no options");
	else if (slk_suggestions_judge(answer, &why))
		problem = xasprintf("the options cannot be shown: %s", why.data);
	else if (act(a->world, in, answer, &err) != 0)
		problem = xstrdup(err.text);
	json_object_put(in);
	buf_clear(&why);
	return problem;
}

/* A person types into a menu, and the app is asked for its options. */
static int suggest(
    const struct surface *f, const struct slk_element *e, struct json_object *in, struct error *err)
{
	struct json_object *value = json_get(in, "value"), *o;
	const char *query = json_get_str(in, "query");
	int64_t least = json_get_int(e->o, "min_query_length", QUERY_MIN);
	char *key;
	bool sent;

	if (!query && json_object_is_type(value, json_type_array) && json_count(value) > 0)
		value = json_at(value, 0);
	if (!query)
		query = value ? json_object_get_string(value) : "";
	if ((int64_t)utf8_count(query, strlen(query), UTF8_CHARS) < least)
		return error_set(err, ERROR_OURS,
		    "%.60s asks the app for options after %" PRId64 " characters: \"query\"", e->matched,
		    least);
	o = slk_interaction_new(&f->who, "block_suggestion");
	json_object_object_del(o, "trigger_id");
	slk_interaction_set_container(&f->who, o, f->blocks, f->kept);
	json_object_object_del(o, "state");
	json_setf(o, "action_id: %s, block_id: %s, value: %s", json_get_str(e->o, "action_id"),
	    json_get_str(e->block, "block_id"), query);
	key = json_text(in);
	sent = slk_envelope_ask(f->who.app,
	    &(struct slk_ask){.type = SLK_INTERACTIVE, .payload = o, .answer = take_options, .key = key});
	free(key);
	return sent ? 0 : slk_interaction_fail(e->matched, err);
}

/* Where the menu is, and which. The caller owns it. */
static struct json_object *place_of(const struct surface *f, const struct slk_element *e)
{
	char ts[SLK_ID_SIZE] = "";

	if (f->who.message)
		slk_write_ts(f->who.message->ts, ts);
	return json_newf("{action_id: %s, block_id: %s, in: %s}", json_get_str(e->o, "action_id"),
	    json_get_str(e->block, "block_id"), f->who.view ? f->who.view->id : ts);
}

static void keep_offer(
    const struct surface *f, const struct slk_element *e, const char *query, struct json_object *options)
{
	json_object_put(f->who.user->offered);
	f->who.user->offered =
	    json_newf("{query: %s, place: %p, answer: %p}", query, place_of(f, e), json_object_get(options));
}

/* Returns the options last offered to the person, if they were of this menu; NULL: none. */
static struct json_object *offer_in(const struct surface *f, const struct slk_element *e)
{
	struct json_object *place = place_of(f, e);
	bool same = json_object_equal(json_get(f->who.user->offered, "place"), place);

	json_object_put(place);
	return same ? json_get(f->who.user->offered, "answer") : NULL;
}

/* Chooses the "value" in the element. What it gives is kept, and the app is told of it, unless the element is
 * an input that waits for the submission. */
static int act(struct slk_world *w, struct json_object *in, struct json_object *options, struct error *err)
{
	const char *what = json_get_str(in, "button");
	struct json_object *choice = json_get(in, "value"), *value;
	const char *query = json_get_str(in, "query");
	struct slk_element e;
	struct surface f;
	int ret;

	if (read_surface(w, in, &f, err) != 0)
		return -1;
	if (!f.who.app || !slk_element_find(f.blocks, what, &e))
		return error_set(err, ERROR_OURS, "there is no button or other element \"%.80s\"", what);
	if (e.remote && query && options && !choice) {
		keep_offer(&f, &e, query, options);
		return 0;
	}
	if (e.remote && !options && !query)
		options = offer_in(&f, &e);
	if (e.remote && (choice || query) && !options)
		return suggest(&f, &e, in, err);
	value = slk_element_choose(w, &e, choice, options, err);
	if (!value)
		return -1;
	slk_element_keep(f.kept, &e, json_object_get(value));
	ret = e.silent ? 0 : send_action(w, &f, &e, value, err);
	json_object_put(value);
	return ret;
}

/* Presses the stop button of a streamed message. */
static int press_stop(const struct slk_conv *c, struct slk_message *m, struct error *err)
{
	if (!slk_message_streams(m))
		return error_set(err, ERROR_OURS, "that message is not being streamed");
	slk_message_stop_stream(c, m);
	return 0;
}

int slk_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct json_object *values = json_get_object(in, "values");
	const char *button = json_get_str(in, "button");
	struct surface f;

	if (!button)
		return error_set(err, ERROR_OURS, "say which \"user\" presses which \"button\"");
	if (members_string(in, "thread"))
		return slk_assistant_press(self, in, out, err);
	if (read_surface(self, in, &f, err) != 0)
		return -1;
	if (f.who.message && strcmp(button, "stop") == 0 && f.who.message->stream != SLK_STREAM_NONE)
		return press_stop(f.who.conv, f.who.message, err);
	if (values && f.kept)
		slk_element_merge(f.kept, values);
	return act(self, in, NULL, err);
}
