#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text/utf8.h"
#include "playground/slack/world/world_internal.h"

/* docs.slack.dev/reference/block-kit/block-elements/file-input-element: max_files is from 1 to 10. */
#define FILES_MAX 10

/* What is chosen in an element. */
enum pick {
	PICK_BUTTON,
	PICK_CHANNEL,
	PICK_CONVERSATION,
	PICK_DATE,
	PICK_FILE,
	PICK_NUMBER,
	PICK_OPTION,
	PICK_RICH,
	PICK_TEXT,
	PICK_TIME,
	PICK_USER
};

/* docs.slack.dev/reference/block-kit/block-elements; member: of state.values. */
static const struct kind {
	const char *type, *member, *initial;
	enum pick pick;
	bool many, remote;
} kinds[] = {
    {"button", NULL, NULL, PICK_BUTTON, false, false},
    {"channels_select", "selected_channel", "initial_channel", PICK_CHANNEL, false, false},
    {"checkboxes", "selected_options", "initial_options", PICK_OPTION, true, false},
    {"conversations_select", "selected_conversation", "initial_conversation", PICK_CONVERSATION, false,
	false},
    {"datepicker", "selected_date", "initial_date", PICK_DATE, false, false},
    {"datetimepicker", "selected_date_time", "initial_date_time", PICK_NUMBER, false, false},
    {"email_text_input", "value", "initial_value", PICK_TEXT, false, false},
    {"external_select", "selected_option", "initial_option", PICK_OPTION, false, true},
    {"feedback_buttons", NULL, NULL, PICK_BUTTON, false, false},
    {"file_input", "files", NULL, PICK_FILE, true, false},
    {"icon_button", NULL, NULL, PICK_BUTTON, false, false},
    {"multi_channels_select", "selected_channels", "initial_channels", PICK_CHANNEL, true, false},
    {"multi_conversations_select", "selected_conversations", "initial_conversations", PICK_CONVERSATION, true,
	false},
    {"multi_external_select", "selected_options", "initial_options", PICK_OPTION, true, true},
    {"multi_static_select", "selected_options", "initial_options", PICK_OPTION, true, false},
    {"multi_users_select", "selected_users", "initial_users", PICK_USER, true, false},
    {"number_input", "value", "initial_value", PICK_TEXT, false, false},
    {"overflow", "selected_option", NULL, PICK_OPTION, false, false},
    {"plain_text_input", "value", "initial_value", PICK_TEXT, false, false},
    {"radio_buttons", "selected_option", "initial_option", PICK_OPTION, false, false},
    {"rich_text_input", "rich_text_value", "initial_value", PICK_RICH, false, false},
    {"static_select", "selected_option", "initial_option", PICK_OPTION, false, false},
    {"timepicker", "selected_time", "initial_time", PICK_TIME, false, false},
    {"url_text_input", "value", "initial_value", PICK_TEXT, false, false},
    {"users_select", "selected_user", "initial_user", PICK_USER, false, false},
    {"workflow_button", NULL, NULL, PICK_BUTTON, false, false},
};

static bool is(struct json_object *o, const char *key, const char *value)
{
	const char *s = json_get_str(o, key);

	return s && strcmp(s, value) == 0;
}

static const struct kind *kind_of(struct json_object *o)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (is(o, "type", kinds[i].type))
			return &kinds[i];
	return NULL;
}

/* Returns true to end the walk. */
typedef bool element_fn(const struct slk_element *e, void *arg);

static bool walk(struct json_object *o, struct json_object *block, element_fn *fn, void *arg)
{
	static const char *const places[] = {"accessory", "actions", "child_blocks", "element", "elements"};
	const struct kind *k = kind_of(o);
	struct slk_element e = {.o = o, .block = block};

	if (json_object_is_type(o, json_type_array)) {
		json_each(o, item)
			if (walk(item, block, fn, arg))
				return true;
		return false;
	}
	if (k) {
		e.input = is(block, "type", "input");
		e.silent = e.input && !json_get_bool(block, "dispatch_action", false);
		e.remote = k->remote;
		e.takes_files = k->pick == PICK_FILE;
		return fn(&e, arg);
	}
	if (!json_object_is_type(o, json_type_object) || is(o, "type", "rich_text"))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (json_get(o, places[i]) && walk(json_get(o, places[i]), o, fn, arg))
			return true;
	return false;
}

static void give_id(struct json_object *o, const char *key)
{
	char id[12];

	if (json_get(o, key))
		return;
	snprintf(id, sizeof(id), "%05" PRIx64, clock_random_below(1u << 20));
	json_set_str(o, key, id);
}

static bool complete(const struct slk_element *e, void *arg)
{
	(void)arg;
	give_id(e->o, "action_id");
	return false;
}

void slk_blocks_complete(struct json_object *blocks)
{
	json_each(blocks, item)
		give_id(item, "block_id");
	walk(blocks, NULL, complete, NULL);
}

static const char *text_of(struct json_object *o, const char *key)
{
	return json_get_str(json_get_object(o, key), "text");
}

static bool write_button(const struct slk_element *e, void *arg)
{
	struct json_object *o;
	struct buf *out = arg;

	if (!is(e->o, "type", "button"))
		return false;
	o = json_object_new_object();
	if (out->len > 0 && out->data[out->len - 1] != '[')
		buf_addch(out, ',');
	json_setf(o, "id: %s, label: %s, style: %s, value: %s, url: %s", json_get_str(e->o, "action_id"),
	    text_of(e->o, "text"), json_get_str(e->o, "style"), json_get_str(e->o, "value"),
	    json_get_str(e->o, "url"));
	json_write(out, o);
	json_object_put(o);
	return false;
}

void slk_blocks_write_buttons(struct json_object *blocks, struct buf *out)
{
	walk(blocks, NULL, write_button, out);
}

struct search {
	const char *what;
	struct slk_element *found;
};

static bool match(const struct slk_element *e, void *arg)
{
	const struct search *s = arg;
	const char *names[] = {json_get_str(e->o, "action_id"), json_get_str(e->o, "value"),
	    text_of(e->o, "text"), text_of(e->o, "placeholder"), e->input ? text_of(e->block, "label") : NULL,
	    text_of(json_get_object(e->o, "positive_button"), "text"),
	    text_of(json_get_object(e->o, "negative_button"), "text")};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (!names[i] || strcmp(names[i], s->what) != 0)
			continue;
		*s->found = *e;
		s->found->matched = s->what;
		return true;
	}
	return false;
}

bool slk_element_find(struct json_object *blocks, const char *what, struct slk_element *e)
{
	struct search s = {.what = what, .found = e};

	return walk(blocks, NULL, match, &s);
}

/* A button says what it is, and has no state. */
static struct json_object *press(const struct slk_element *e)
{
	static const char *const copied[] = {"text", "value", "style", "url"};
	struct json_object *v = json_object_new_object(), *from = e->o;

	json_set_str(v, "type", json_get_str(e->o, "type"));
	if (is(e->o, "type", "feedback_buttons")) {
		from = json_get_object(e->o, "negative_button");
		if (!is(json_get_object(from, "text"), "text", e->matched))
			from = json_get_object(e->o, "positive_button");
	}
	for (size_t i = 0; i < ARRAY_LEN(copied); i++)
		if (json_get(from, copied[i]))
			json_set(v, copied[i], slk_copy(json_get(from, copied[i])));
	return v;
}

static struct json_object *find_option(struct json_object *array, const char *what)
{
	json_each(array, o) {
		struct json_object *inner;

		if (is(o, "value", what) || is(json_get_object(o, "text"), "text", what))
			return o;
		inner = find_option(json_get_array(o, "options"), what); /* of a group */
		if (inner)
			return inner;
	}
	return NULL;
}

/* Returns the option without what only the app's side needs; NULL when there is none. */
static struct json_object *pick_option(struct json_object *from, const char *what)
{
	struct json_object *o = find_option(json_get_array(from, "options"), what);

	if (!o)
		o = find_option(json_get_array(from, "option_groups"), what);
	return o ? slk_copy(o) : NULL;
}

static bool is_shaped(const char *text, const char *shape)
{
	size_t i = 0;

	for (; text[i] != '\0' && shape[i] != '\0'; i++)
		if (shape[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != shape[i])
			return false;
	return text[i] == shape[i];
}

struct json_object *slk_rich_text(const char *text)
{
	struct json_object *block = json_object_new_object(), *sections = json_object_new_array(),
			   *section = json_object_new_object(), *parts = json_object_new_array(),
			   *part = json_newf("{type: 'text', text: %s}", text);

	json_object_array_add(parts, part);
	json_setf(section, "type: 'rich_text_section', elements: %p", parts);
	json_object_array_add(sections, section);
	json_setf(block, "type: 'rich_text', elements: %p", sections);
	return block;
}

static const char *conv_id(struct slk_world *w, const char *what, bool channel)
{
	struct slk_conv *c = slk_conv_find(w, what);

	if (!c)
		c = slk_conv_named(w, what + (what[0] == '#'));
	return c && (!channel || c->kind == SLK_PUBLIC) ? c->id : NULL;
}

/* Returns one thing that is picked, or NULL when it is no such thing. */
static struct json_object *pick_one(
    struct slk_world *w, const struct kind *k, struct json_object *from, struct json_object *choice)
{
	const char *what = choice ? json_object_get_string(choice) : "", *id = NULL;
	struct slk_user *u;
	struct slk_file *f;

	switch (k->pick) {
	case PICK_OPTION:
		return pick_option(from, what);
	case PICK_NUMBER:
		return json_object_is_type(choice, json_type_int) ? json_object_get(choice) : NULL;
	case PICK_RICH:
		return slk_rich_text(what);
	case PICK_FILE:
		f = slk_file_find(w, what);
		return f ? slk_file_json(f, w->base) : NULL;
	case PICK_USER:
		u = slk_find_user(w, what);
		id = u ? u->id : NULL;
		break;
	case PICK_CHANNEL:
	case PICK_CONVERSATION:
		id = conv_id(w, what, k->pick == PICK_CHANNEL);
		break;
	case PICK_DATE:
		id = is_shaped(what, "0000-00-00") ? what : NULL;
		break;
	case PICK_TIME:
		id = is_shaped(what, "00:00") ? what : NULL;
		break;
	case PICK_TEXT:
	case PICK_BUTTON:
		id = what;
		break;
	}
	return id ? json_object_new_string(id) : NULL;
}

static int refuse_pick(const struct slk_element *e, struct json_object *choice, struct error *err)
{
	return error_set(err, ERROR_OURS, "%.60s (%s) does not offer %.80s", e->matched,
	    json_get_str(e->o, "type"), json_object_to_json_string(choice));
}

/* "filetypes" of a file_input are extensions; without, it takes all files. */
static bool fits_type(const struct slk_element *e, struct json_object *file)
{
	struct json_object *types = json_get_array(e->o, "filetypes");
	const char *name = json_get_str(file, "name"), *dot = name ? strrchr(name, '.') : NULL;

	json_each(types, type)
		if (dot && strcasecmp(dot + 1, json_object_get_string(type)) == 0)
			return true;
	return json_count(types) == 0;
}

static struct json_object *pick_many(struct slk_world *w, const struct kind *k, const struct slk_element *e,
    struct json_object *from, struct json_object *choice, struct error *err)
{
	bool list = json_object_is_type(choice, json_type_array);
	size_t count = !choice ? 0 : list ? json_count(choice) : 1;
	int64_t most = k->pick == PICK_FILE ? json_get_int(e->o, "max_files", FILES_MAX) :
					      json_get_int(e->o, "max_selected_items", INT64_MAX);
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < count; i++) {
		struct json_object *one = list ? json_at(choice, i) : choice,
				   *picked = pick_one(w, k, from, one);

		if (picked && k->pick == PICK_FILE && !fits_type(e, picked)) {
			json_object_put(picked);
			picked = NULL;
		}
		if (!picked)
			refuse_pick(e, one, err);
		else
			json_object_array_add(array, picked);
		if (picked && (int64_t)json_count(array) <= most)
			continue;
		if (picked)
			error_set(err, ERROR_OURS, "%.60s takes no more than %" PRId64, e->matched, most);
		json_object_put(array);
		return NULL;
	}
	return array;
}

static int check_text(const struct slk_element *e, const char *text, struct error *err)
{
	int64_t count = (int64_t)utf8_count(text, strlen(text), UTF8_CHARS),
		min = json_get_int(e->o, "min_length", 0), max = json_get_int(e->o, "max_length", 3000);

	if (count < min || count > max)
		return error_set(err, ERROR_OURS, "%.60s takes from %" PRId64 " to %" PRId64 " characters",
		    e->matched, min, max);
	if (is(e->o, "type", "email_text_input") && !strchr(text, '@'))
		return error_set(err, ERROR_OURS, "%.60s takes an email address", e->matched);
	if (is(e->o, "type", "url_text_input") && !strstr(text, "://"))
		return error_set(err, ERROR_OURS, "%.60s takes a URL", e->matched);
	return 0;
}

static int check_number(const struct slk_element *e, const char *text, struct error *err)
{
	const char *min = json_get_str(e->o, "min_value"), *max = json_get_str(e->o, "max_value");
	bool decimal = json_get_bool(e->o, "is_decimal_allowed", false);
	char *end;
	double n = strtod(text, &end);

	if (*end != '\0' || end == text || (!decimal && strchr(text, '.')) ||
	    (min && n < strtod(min, NULL)) || (max && n > strtod(max, NULL)))
		return error_set(err, ERROR_OURS, "%.60s takes a number%s%s%s%s%s", e->matched,
		    decimal ? "" : " without decimals", min ? " from " : "", min ? min : "",
		    max ? " to " : "", max ? max : "");
	return 0;
}

struct json_object *slk_element_choose(struct slk_world *w, const struct slk_element *e,
    struct json_object *choice, struct json_object *options, struct error *err)
{
	const struct kind *k = kind_of(e->o);
	const char *text = choice ? json_object_get_string(choice) : NULL;
	struct json_object *v, *picked = NULL, *from = options ? options : e->o;

	if (k->pick == PICK_BUTTON)
		return press(e);
	if (k->many) {
		picked = pick_many(w, k, e, from, choice, err);
		if (!picked)
			return NULL;
	} else if (choice) {
		if (k->pick == PICK_TEXT &&
		    (is(e->o, "type", "number_input") ? check_number(e, text, err) :
							check_text(e, text, err)) != 0)
			return NULL;
		picked = pick_one(w, k, from, choice);
		if (!picked) {
			refuse_pick(e, choice, err);
			return NULL;
		}
	}
	v = json_object_new_object();
	json_set_str(v, "type", k->type);
	json_set(v, k->member, picked);
	return v;
}

void slk_element_keep(struct json_object *kept, const struct slk_element *e, struct json_object *value)
{
	const char *block = json_get_str(e->block, "block_id");
	struct json_object *o = json_get_object(kept, block);

	if (!o) {
		o = json_object_new_object();
		json_set(kept, block, o);
	}
	json_set(o, json_get_str(e->o, "action_id"), value);
}

void slk_element_merge(struct json_object *kept, struct json_object *values)
{
	json_object_object_foreach(values, block, actions) {
		struct json_object *o = json_get_object(kept, block);

		if (!o) {
			o = json_object_new_object();
			json_set(kept, block, o);
		}
		if (!json_object_is_type(actions, json_type_object))
			continue;
		json_object_object_foreach(actions, action, value) {
			json_set(o, action, slk_copy(value));
		}
	}
}

struct gather {
	struct json_object *kept, *state;
};

/* Without a choice the member is null, or an empty list. */
static bool gather(const struct slk_element *e, void *arg)
{
	struct gather *g = arg;
	const struct kind *k = kind_of(e->o);
	struct json_object *v, *initial = k->initial ? json_get(e->o, k->initial) : NULL, *of;

	if (!k->member || is(e->o, "type", "overflow"))
		return false;
	of = json_get_object(g->kept, json_get_str(e->block, "block_id"));
	v = json_get_object(of, json_get_str(e->o, "action_id"));
	if (v) {
		v = slk_copy(v);
	} else {
		v = json_object_new_object();
		json_set_str(v, "type", k->type);
		json_set(v, k->member,
		    initial     ? slk_copy(initial) :
			k->many ? json_object_new_array() :
				  NULL);
	}
	slk_element_keep(g->state, e, v);
	return false;
}

struct json_object *slk_element_state(struct json_object *blocks, struct json_object *kept)
{
	struct gather g = {.kept = kept, .state = json_object_new_object()};

	walk(blocks, NULL, gather, &g);
	return g.state;
}

struct filling {
	struct json_object *state;
	struct error *err;
};

static bool is_empty(const struct slk_element *e, void *arg)
{
	struct filling *f = arg;
	const struct kind *k = kind_of(e->o);
	struct json_object *of = json_get_object(f->state, json_get_str(e->block, "block_id")),
			   *v = json_get(json_get_object(of, json_get_str(e->o, "action_id")), k->member);
	bool given = k->many ? json_object_is_type(v, json_type_array) && json_count(v) > 0 :
			       v && strcmp(json_object_get_string(v), "") != 0;

	if (!e->input || json_get_bool(e->block, "optional", false) || given)
		return false;
	error_set(
	    f->err, ERROR_OURS, "%.80s: please complete this required field", text_of(e->block, "label"));
	return true;
}

bool slk_element_filled(struct json_object *blocks, struct json_object *state, struct error *err)
{
	struct filling f = {.state = state, .err = err};

	return !walk(blocks, NULL, is_empty, &f);
}
