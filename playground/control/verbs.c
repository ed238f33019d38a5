#include "playground/control/verbs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "playground/fault.h"
#include "playground/model/model.h"
#include "playground/platform.h"
#include "playground/playground.h"

struct site *control_site(struct playground *pg, struct json_object *in, struct error *err)
{
	const char *name = json_get_str(in, "platform");
	struct site *site = playground_site(pg, name);

	if (name == NULL)
		error_set(err, ERROR_OURS, "say which \"platform\" is meant");
	else if (site == NULL)
		error_set(err, ERROR_OURS, "there is no platform \"%.40s\" here", name);
	return site;
}

static void answer_ok(struct buf *out)
{
	buf_addstr(out, "{\"ok\":true}");
}

static int chats(struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct json_object *answer = json_object_new_object(), *array = json_object_new_array();
	const char *only = json_get_str(in, "platform");

	(void)t;
	(void)err;
	for (struct site *s = pg->sites; s->platform != NULL; s++)
		if (only == NULL || strcmp(only, s->platform->name) == 0)
			s->platform->chats(s->self, array);
	json_set(answer, "chats", array);
	json_write(out, answer);
	json_object_put(answer);
	return 0;
}

static int fault(struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	const char *platform = json_get_str(in, "platform");

	(void)t;
	if ((platform == NULL || strcmp(platform, "model") != 0) && control_site(pg, in, err) == NULL)
		return -1;
	if (fault_add(&pg->faults, in, err) != 0)
		return -1;
	answer_ok(out);
	return 0;
}

/* The parameter after=N of a listing. */
static int read_after(struct json_object *in, uint64_t *after, struct error *err)
{
	const char *text = json_get_str(in, "after");
	char *end;

	*after = 0;
	if (text == NULL)
		return 0;
	errno = 0;
	*after = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0)
		return error_set(err, ERROR_OURS, "after must be a number");
	return 0;
}

static int model(struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	uint64_t after;

	(void)t;
	if (read_after(in, &after, err) != 0)
		return -1;
	record_log_write(model_log(pg->model), out, after, json_get_str(in, "method"));
	return 0;
}

static int requests(struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct site *site = control_site(pg, in, err);
	uint64_t after;

	(void)t;
	if (site == NULL || read_after(in, &after, err) != 0)
		return -1;
	record_log_write(&site->log, out, after, json_get_str(in, "method"));
	return 0;
}

static int reset(struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	(void)in;
	(void)err;
	playground_reset(pg);
	answer_ok(out);
	return 0;
}

static int get_settings(struct task *t, struct playground *pg, struct json_object *in, struct buf *out,
			struct error *err)
{
	struct json_object *answer = json_object_new_object(), *part;

	(void)t;
	(void)in;
	(void)err;
	for (struct site *s = pg->sites; s->platform != NULL; s++) {
		part = json_object_new_object();
		s->platform->settings(s->self, part);
		json_set(answer, s->platform->name, part);
	}
	part = json_object_new_object();
	model_settings(pg->model, part);
	json_set(answer, "model", part);
	json_write(out, answer);
	json_object_put(answer);
	return 0;
}

static int set_one(struct playground *pg, const char *name, struct json_object *settings, struct error *err)
{
	struct site *site = playground_site(pg, name);

	if (!json_object_is_type(settings, json_type_object))
		return error_set(err, ERROR_OURS, "the settings of \"%.40s\" must be an object", name);
	if (strcmp(name, "model") == 0)
		return model_set(pg->model, settings, err);
	if (site == NULL)
		return error_set(err, ERROR_OURS, "there is no platform \"%.40s\" here", name);
	return site->platform->set(site->self, settings, err);
}

static int set_settings(struct task *t, struct playground *pg, struct json_object *in, struct buf *out,
			struct error *err)
{
	(void)t;
	json_object_object_foreach(in, name, settings)
	{
		if (set_one(pg, name, settings, err) != 0)
			return -1;
	}
	answer_ok(out);
	return 0;
}

static int transcript(struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct site *site = control_site(pg, in, err);

	(void)t;
	return site != NULL ? site->platform->transcript(site->self, in, out, err) : -1;
}

const struct control_verb control_verbs[] = {
    {"GET", "chats", chats},
    {"POST", "fault", fault},
    {"GET", "model", model},
    {"GET", "requests", requests},
    {"POST", "reset", reset},
    {"GET", "settings", get_settings},
    {"POST", "settings", set_settings},
    {"GET", "transcript", transcript},
    {"POST", "wait", control_wait},
    {NULL, NULL, NULL},
};
