#include <string.h>

#include "base/text/utf8.h"
#include "playground/discord/control/control.h"
#include "playground/discord/methods/methods.h"

/* Discord: components/reference, Component Types. */
enum {
	ROW = 1,
	BUTTON = 2,
	MENU = 3,
	TEXT_INPUT = 4,
	USER_MENU = 5,
	ROLE_MENU = 6,
	MENTIONABLE_MENU = 7,
	CHANNEL_MENU = 8,
	LABEL = 18,
	UPLOAD = 19,
	RADIO_GROUP = 21,
	CHECKBOX_GROUP = 22,
	CHECKBOX = 23
};

static int64_t type_of(struct json_object *component)
{
	return json_get_int(component, "type", BUTTON);
}

/* The value of an option that is labelled or given. */
static struct json_object *find_option(struct json_object *options, const char *text)
{
	json_each(options, o)
		if (strcmp(json_get_str(o, "value"), text) == 0 ||
		    strcmp(json_get_str(o, "label"), text) == 0)
			return json_object_get(json_get(o, "value"));
	return NULL;
}

static struct json_object *choose_one(const struct cord_context *s, struct json_object *menu,
    const char *text, struct json_object *resolved, struct error *err)
{
	static const unsigned kinds[] = {[USER_MENU] = CORD_RESOLVE_USER,
	    [ROLE_MENU] = CORD_RESOLVE_ROLE,
	    [MENTIONABLE_MENU] = CORD_RESOLVE_USER | CORD_RESOLVE_ROLE,
	    [CHANNEL_MENU] = CORD_RESOLVE_CHANNEL};
	struct json_object *value;
	uint64_t id;

	if (type_of(menu) >= USER_MENU && type_of(menu) <= CHANNEL_MENU) {
		id = cord_resolve(s, resolved, kinds[type_of(menu)], text, err);
		return id != 0 ? cord_id_json(id) : NULL;
	}
	value = find_option(json_get_array(menu, "options"), text);
	if (!value)
		error_set(err, ERROR_OURS, "the menu has no option \"%.80s\"", text);
	return value;
}

/* The values of a menu, as many as it takes; NULL with err set. */
static struct json_object *choose(const struct cord_context *s, struct json_object *menu,
    struct json_object *given, struct json_object *resolved, struct error *err)
{
	struct json_object *values = json_object_new_array();
	int64_t n = given ? (int64_t)json_count(given) : 0;
	bool group = type_of(menu) == CHECKBOX_GROUP;

	if ((n == 0 && json_get(menu, "required") && !json_get_bool(menu, "required", true)))
		return values;
	if (n < json_get_int(menu, "min_values", 1) ||
	    n > json_get_int(
		    menu, "max_values", group ? (int64_t)json_count(json_get_array(menu, "options")) : 1)) {
		error_set(err, ERROR_OURS, "the menu takes from %lld to %lld \"values\"",
		    (long long)json_get_int(menu, "min_values", 1),
		    (long long)json_get_int(menu, "max_values", 1));
		json_object_put(values);
		return NULL;
	}
	for (int64_t i = 0; i < n; i++) {
		struct json_object *one = json_at(given, (size_t)i),
				   *value = choose_one(
				       s, menu, one ? json_object_get_string(one) : "", resolved, err);

		if (!value) {
			json_object_put(values);
			return NULL;
		}
		json_object_array_add(values, value);
	}
	return values;
}

static int check_component(struct json_object *component, const char *name, struct error *err)
{
	if (!component || !json_get_str(component, "custom_id"))
		return error_set(err, ERROR_OURS, "there is no button \"%.80s\" under that message", name);
	if (json_get_bool(component, "disabled", false))
		return error_set(err, ERROR_OURS, "the button \"%.80s\" is disabled", name);
	return 0;
}

static void set_resolved(struct json_object *data, struct json_object *resolved)
{
	if (json_object_object_length(resolved) > 0)
		json_set(data, "resolved", resolved);
	else
		json_object_put(resolved);
}

/* Buttons, and menus with "values". */
int cord_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *name = members_string(in, "button");
	struct json_object *data, *component, *resolved, *values = NULL;
	struct cord_message *m;
	struct cord_context s;

	if (cord_context_on(self, in, &s, &m, err) != 0)
		return -1;
	if (!s.user || !name)
		return error_set(err, ERROR_OURS, "say which \"user\" presses which \"button\"");
	if (m->visible_to != 0 && m->visible_to != s.user->id)
		return error_set(err, ERROR_OURS, "%.64s does not see that message", s.user->label);
	component = cord_component_find(m->components, name);
	if (check_component(component, name, err) != 0)
		return -1;
	resolved = json_object_new_object();
	if (type_of(component) != BUTTON &&
	    !(values = choose(&s, component, json_get_array(in, "values"), resolved, err))) {
		json_object_put(resolved);
		return -1;
	}
	data = json_newf("{custom_id: %s, component_type: %jd, id: %jd}",
	    json_get_str(component, "custom_id"), type_of(component), json_get_int(component, "id", 1));
	if (values)
		json_set(data, "values", values);
	set_resolved(data, resolved);
	cord_set_id(out, "interaction_id",
	    cord_interaction_new(&(struct cord_interaction_params){.bot = m->bot,
				     .channel = m->channel,
				     .user = s.user,
				     .type = CORD_INTERACTION_COMPONENT,
				     .name = json_get_str(component, "custom_id"),
				     .data = data,
				     .source = m})
		->id);
	return 0;
}

/* What a person fills into a modal. */
struct filling {
	const struct cord_context *s;
	struct json_object *fields, *resolved;
	size_t used;
};

static int fill_text(
    struct json_object *input, struct json_object *given, struct json_object *o, struct error *err)
{
	const char *text = given ? json_object_get_string(given) : json_get_str(input, "value");
	int64_t n = text ? (int64_t)utf8_count(text, strlen(text), UTF8_CHARS) : 0;

	if (n == 0 && json_get_bool(input, "required", true))
		return error_set(
		    err, ERROR_OURS, "the field \"%.80s\" is required", json_get_str(input, "custom_id"));
	if (n > json_get_int(input, "max_length", 4000) ||
	    (n > 0 && n < json_get_int(input, "min_length", 0)))
		return error_set(err, ERROR_OURS, "the text of the field \"%.80s\" is too short or too long",
		    json_get_str(input, "custom_id"));
	json_set_str(o, "value", text ? text : "");
	return 0;
}

static int fill_radio(
    struct json_object *group, struct json_object *given, struct json_object *o, struct error *err)
{
	struct json_object *value =
	    given ? find_option(json_get_array(group, "options"), json_object_get_string(given)) : NULL;

	if (!value && (given || json_get_bool(group, "required", true)))
		return error_set(err, ERROR_OURS, "the field \"%.80s\" needs one of its options",
		    json_get_str(group, "custom_id"));
	json_object_object_add(o, "value", value);
	return 0;
}

/* Files, as many as it takes. */
static int fill_upload(struct filling *f, struct json_object *upload, struct json_object *given,
    struct json_object *o, struct error *err)
{
	bool required = json_get_bool(upload, "required", true);
	struct json_object *files = json_object_is_type(given, json_type_array) ? given : NULL,
			   *values = json_object_new_array();
	int64_t n = (int64_t)json_count(files), min = json_get_int(upload, "min_values", 1),
		max = json_get_int(upload, "max_values", 1);

	json_set(o, "values", values);
	if ((n > 0 || required) && (n < min || n > max))
		return error_set(err, ERROR_OURS, "the field \"%.80s\" takes from %lld to %lld files",
		    json_get_str(upload, "custom_id"), (long long)min, (long long)max);
	json_each(files, file) {
		uint64_t id = cord_resolve_file(f->s, f->resolved, file, err);

		if (id == 0)
			return -1;
		json_object_array_add(values, cord_id_json(id));
	}
	return 0;
}

/* Fills a field. Returns the object to submit; NULL with err set. */
static struct json_object *fill_field(struct filling *f, struct json_object *field, struct error *err)
{
	struct json_object *o = json_object_new_object(),
			   *given = json_get(f->fields, json_get_str(field, "custom_id")), *values;
	int ret = 0;

	f->used += given != NULL;
	json_setf(o, "type: %jd, id: %jd, custom_id: %s", type_of(field), json_get_int(field, "id", 0),
	    json_get_str(field, "custom_id"));
	if (type_of(field) == TEXT_INPUT) {
		ret = fill_text(field, given, o, err);
	} else if (type_of(field) == RADIO_GROUP) {
		ret = fill_radio(field, given, o, err);
	} else if (type_of(field) == CHECKBOX) {
		json_set_bool(o, "value",
		    given ? json_object_get_boolean(given) : json_get_bool(field, "default", false));
	} else if ((type_of(field) >= MENU && type_of(field) <= CHANNEL_MENU) ||
	    type_of(field) == CHECKBOX_GROUP) {
		values = choose(f->s, field, json_object_is_type(given, json_type_array) ? given : NULL,
		    f->resolved, err);
		if (values)
			json_set(o, "values", values);
		ret = values ? 0 : -1;
	} else if (type_of(field) == UPLOAD) {
		ret = fill_upload(f, field, given, o, err);
	} else {
		ret = error_set(err, ERROR_OURS, "people cannot fill in the field \"%.80s\"",
		    json_get_str(field, "custom_id"));
	}
	if (ret == 0)
		return o;
	json_object_put(o);
	return NULL;
}

/* Rows and labels hold fields; texts come back without theirs. */
static struct json_object *fill(struct filling *f, struct json_object *component, struct error *err)
{
	struct json_object *o = json_object_new_object(), *rows, *field = NULL;

	json_setf(o, "type: %jd, id: %jd", type_of(component), json_get_int(component, "id", 0));
	if (type_of(component) == LABEL) {
		field = fill_field(f, json_get_object(component, "component"), err);
		if (field)
			json_set(o, "component", field);
	} else if (type_of(component) == ROW) {
		rows = json_object_new_array();
		field = fill_field(f, json_at(json_get_array(component, "components"), 0), err);
		if (field)
			json_object_array_add(rows, field);
		json_set(o, "components", rows);
	} else {
		return o;
	}
	if (field)
		return o;
	json_object_put(o);
	return NULL;
}

/* The newest modal that the person has before them there, or the one of an interaction; NULL with err set. */
static struct cord_interaction *read_modal(
    struct cord_world *w, struct json_object *in, struct cord_context *s, struct error *err)
{
	uint64_t id = cord_get_id(in, "interaction_id");
	struct cord_interaction *found = NULL;

	if (cord_context_read(w, in, false, s, err) != 0)
		return NULL;
	list_each_entry(&w->interaction_list, struct cord_interaction, i, link)
		if (i->modal && s->user && i->user == s->user &&
		    (id != 0 ? i->id == id : i->channel == s->channel))
			found = i;
	if (!found)
		error_set(err, ERROR_OURS, "no modal is open there for that \"user\"");
	return found;
}

static void take_away(struct cord_interaction *i)
{
	json_object_put(i->modal);
	i->modal = NULL;
	cord_show_channel(i->channel);
}

static struct json_object *fill_modal(struct filling *f, struct json_object *modal, struct error *err)
{
	struct json_object *components = json_get_array(modal, "components"),
			   *filled = json_object_new_array();

	json_each(components, item) {
		struct json_object *o = fill(f, item, err);

		if (!o)
			goto fail;
		json_object_array_add(filled, o);
	}
	if (f->used == (f->fields ? (size_t)json_object_object_length(f->fields) : 0))
		return filled;
	error_set(err, ERROR_OURS, "the modal has no such \"fields\": they are named by custom_id");
fail:
	json_object_put(filled);
	return NULL;
}

/* A person submits the modal that a bot has opened: "fields" by custom_id. */
int cord_control_submit(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct filling f = {.fields = json_get_object(in, "fields")};
	struct json_object *components, *data;
	struct cord_interaction *i, *answer;
	struct cord_context s;

	i = read_modal(self, in, &s, err);
	if (!i)
		return -1;
	f.s = &s;
	f.resolved = json_object_new_object();
	components = fill_modal(&f, i->modal, err);
	if (!components) {
		json_object_put(f.resolved);
		return -1;
	}
	data = json_newf("{custom_id: %s, components: %p}", json_get_str(i->modal, "custom_id"), components);
	set_resolved(data, f.resolved);
	answer = cord_interaction_new(&(struct cord_interaction_params){.bot = i->bot,
	    .channel = i->channel,
	    .user = i->user,
	    .type = CORD_INTERACTION_MODAL,
	    .name = json_get_str(i->modal, "custom_id"),
	    .data = data,
	    .source = i->source,
	    .cause = i});
	take_away(i);
	cord_set_id(out, "interaction_id", answer->id);
	return 0;
}

/* A person closes it; Discord tells the bot nothing. */
int cord_control_close(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct cord_context s;
	struct cord_interaction *i = read_modal(self, in, &s, err);

	(void)out;
	if (!i)
		return -1;
	take_away(i);
	return 0;
}
