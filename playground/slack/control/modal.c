#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "playground/slack/control/control.h"
#include "playground/slack/methods/compose.h"
#include "playground/slack/socket/socket.h"

#define TROUBLE "We had some trouble connecting. Try again?" /* what the platform shows */

/* Each error belongs to an input block. */
static char *take_errors(struct slk_view *v, struct json_object *errors)
{
	struct json_object *blocks = json_get_array(v->o, "blocks");

	if (!errors || json_object_object_length(errors) == 0)
		return xstrdup("response_action errors has no errors");
	json_object_object_foreach(errors, block, text) {
		bool found = false;

		json_each(blocks, o)
			found |= strcmp(json_get_str(o, "block_id"), block) == 0 && json_get(o, "element");
		if (!found || !json_object_is_type(text, json_type_string))
			return xasprintf(
			    "errors: %.60s is not the block_id of an input block with a text", block);
	}
	v->errors = slk_copy(errors);
	return NULL;
}

static char *take_view(struct slk_view *v, struct json_object *view, bool push)
{
	const char *external = json_get_str(view, "external_id");
	struct slk_view *same = external ? slk_view_external(v->app->world, external) : NULL;
	struct buf why = BUF_INIT;
	char *problem = NULL;

	if (!view)
		problem = xstrdup("the answer has no view");
	else if (slk_view_judge(view, &why))
		problem = xasprintf("the view was refused: %s", why.data);
	else if (strcmp(json_get_str(view, "type"), "modal") != 0)
		problem = xstrdup("the view of the answer must be a modal");
	else if (same && (push || same != v))
		problem = xstrdup("the view was refused: duplicate_external_id");
	else if (!push)
		slk_view_set(v, slk_copy(view));
	else if (slk_view_depth(v) >= SLK_VIEWS_MAX)
		problem = xstrdup("push_limit_reached");
	else
		slk_view_new(v->app, v->user, slk_copy(view), v);
	buf_clear(&why);
	return problem;
}

/* What the app does with a submission. key: the id of the view. */
static char *take_submission(
    struct slk_app *a, const char *key, enum slk_outcome outcome, struct json_object *answer)
{
	struct slk_view *v = slk_view_find(a->world, key);
	const char *action = json_get_str(answer, "response_action");
	struct slk_conv *c = v ? slk_conv_im(v->app, v->user, NULL, NULL) : NULL;
	char *problem = NULL;

	if (!v)
		return NULL;
	if (outcome != SLK_ACKNOWLEDGED)
		v->problem = TROUBLE;
	else if (!answer)
		slk_view_free(v);
	else if (action && strcmp(action, "clear") == 0)
		slk_view_close_all(slk_view_top(a->world, a, v->user));
	else if (action && strcmp(action, "errors") == 0)
		problem = take_errors(v, json_get_object(answer, "errors"));
	else if (action && (strcmp(action, "update") == 0 || strcmp(action, "push") == 0))
		problem = take_view(v, json_get_object(answer, "view"), action[0] == 'p');
	else
		problem = xasprintf("there is no response_action \"%.40s\"", action ? action : "");
	if (problem)
		v->problem = TROUBLE;
	slk_show_conv(c);
	return problem;
}

/* A menu of conversations may have given the app a way to write there. */
static void add_response_urls(const struct slk_view *v, struct json_object *o)
{
	struct json_object *blocks = json_get_array(v->o, "blocks"), *array = json_object_new_array(),
			   *values = json_get_object(
			       json_get_object(json_get_object(o, "view"), "state"), "values");

	json_each(blocks, block) {
		struct json_object *e = json_get_object(block, "element"),
				   *chosen = json_get(json_get(values, json_get_str(block, "block_id")),
				       json_get_str(e, "action_id")),
				   *url;
		const char *id = json_get_str(chosen, "selected_conversation");
		struct slk_conv *c;

		id = id ? id : json_get_str(chosen, "selected_channel");
		c = id && json_get_bool(e, "response_url_enabled", false) ? slk_conv_find(v->app->world, id) :
									    NULL;
		if (!c)
			continue;
		url = json_newf("{block_id: %s, action_id: %s, channel_id: %s}",
		    json_get_str(block, "block_id"), json_get_str(e, "action_id"), id);
		slk_response_url_write(slk_response_url_new(v->app, c, v->user, 0, 0), "app", url);
		json_object_array_add(array, url);
	}
	json_set(o, "response_urls", array);
}

/* Of a list, the files that are new are uploaded, so that it has ids alone. The caller owns it. */
static struct json_object *upload(
    struct slk_world *w, struct slk_user *user, struct json_object *choice, struct error *err)
{
	struct json_object *ids;

	if (!json_object_is_type(choice, json_type_array))
		return json_object_get(choice);
	ids = json_object_new_array();
	json_each(choice, item) {
		struct slk_file *f;

		if (!json_object_is_type(item, json_type_object)) {
			json_object_array_add(ids, json_object_get(item));
			continue;
		}
		f = slk_upload(w, user, item, err);
		if (!f) {
			json_object_put(ids);
			return NULL;
		}
		json_object_array_add(ids, json_object_new_string(f->id));
	}
	return ids;
}

static struct json_object *choose(
    struct slk_view *v, const struct slk_element *e, struct json_object *choice, struct error *err)
{
	struct slk_world *w = v->app->world;
	struct json_object *ids, *value;

	if (!e->takes_files || !choice)
		return slk_element_choose(w, e, choice, NULL, err);
	ids = upload(w, v->user, choice, err);
	value = ids ? slk_element_choose(w, e, ids, NULL, err) : NULL;
	json_object_put(ids);
	return value;
}

/* {"label, action_id or value": choice}: fills in the inputs. */
static int fill(struct slk_view *v, struct json_object *values, struct error *err)
{
	json_object_object_foreach(values, name, choice) {
		struct json_object *value;
		struct slk_element e;

		if (!slk_element_find(json_get_array(v->o, "blocks"), name, &e))
			return error_set(err, ERROR_OURS, "the modal has no element \"%.80s\"", name);
		if (e.remote && choice)
			return error_set(err, ERROR_OURS,
			    "the options of %.80s come from the app: press it with a \"value\" first", name);
		value = choose(v, &e, choice, err);
		if (!value)
			return -1;
		slk_element_keep(v->kept, &e, value);
	}
	return 0;
}

int slk_control_submit(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct json_object *values = json_get_object(in, "values"), *given = json_get_object(in, "state"),
			   *state, *o;
	struct slk_context s;
	struct slk_view *v;
	bool filled;

	if (slk_context_person(self, in, &s, err) != 0)
		return -1;
	v = slk_context_view(self, &s, json_get_str(in, "view"), err);
	if (!v || (values && fill(v, values, err) != 0))
		return -1;
	if (given)
		slk_element_merge(v->kept, given);
	if (!json_get(v->o, "submit") || json_get_bool(v->o, "submit_disabled", false))
		return error_set(err, ERROR_OURS, "that view has no button to submit it");
	state = slk_element_state(json_get_array(v->o, "blocks"), v->kept);
	filled = slk_element_filled(json_get_array(v->o, "blocks"), state, err);
	json_object_put(state);
	if (!filled)
		return -1;
	json_object_put(v->errors);
	v->errors = NULL;
	v->problem = NULL;
	o = slk_interaction_new(
	    &(struct slk_interaction){.app = v->app, .user = v->user, .view = v}, "view_submission");
	add_response_urls(v, o);
	json_set_str(out, "view_id", v->id);
	return slk_envelope_ask(v->app,
		   &(struct slk_ask){
		       .type = SLK_INTERACTIVE, .payload = o, .answer = take_submission, .key = v->id}) ?
	    0 :
	    slk_interaction_fail(v->id, err);
}

static void tell_closed(struct slk_view *v, bool cleared)
{
	struct json_object *o;

	if (!json_get_bool(v->o, "notify_on_close", false))
		return;
	o = slk_interaction_new(
	    &(struct slk_interaction){.app = v->app, .user = v->user, .view = v}, "view_closed");
	json_set_bool(o, "is_cleared", cleared);
	slk_envelope_ask(v->app, &(struct slk_ask){.type = SLK_INTERACTIVE, .payload = o});
}

/* Closes the topmost modal, or all; a modal with clear_on_close takes the others along. */
int slk_control_close(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	bool all = json_get_bool(in, "all", false);
	struct slk_context s;
	struct slk_view *v;

	if (slk_context_person(self, in, &s, err) != 0)
		return -1;
	v = slk_context_view(self, &s, NULL, err);
	if (!v)
		return -1;
	json_set_str(out, "view_id", v->id);
	all |= json_get_bool(v->o, "clear_on_close", false);
	for (struct slk_view *it = v; it; it = all ? it->previous : NULL)
		tell_closed(it, all);
	if (!all)
		v->previous = NULL;
	slk_view_close_all(v);
	return 0;
}

/* Opens the app's page in the client: its Home tab, or another. */
int slk_control_home(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *tab = json_get_str(in, "tab");
	struct slk_context s;
	struct slk_view *v;

	if (slk_context_person(self, in, &s, err) != 0)
		return -1;
	if (tab && strcmp(tab, "home") != 0 && strcmp(tab, "messages") != 0 && strcmp(tab, "about") != 0)
		return error_set(err, ERROR_OURS, "tab is home, messages or about");
	v = slk_view_home(self, s.app, s.user);
	slk_event_opened(slk_conv_im(s.app, s.user, NULL, NULL), tab ? tab : "home", v);
	json_set_str(out, "view_id", v ? v->id : NULL);
	return 0;
}
