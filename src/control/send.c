#include "control/send.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "bus/post.h"
#include "bus/targets.h"
#include "ops/gateway_view.h"
#include "config/gateway_config.h"
#include "control/control_internal.h"

/* Wait for the outcomes of all recipients together. */
#define SEND_WAIT_MS 10000
/* The same for an upload. */
#define SEND_FILE_WAIT_MS 30000
/* Maximum length of a file name. */
#define NAME_LEN_MAX 255

/* The file sent with the text. */
struct sent_file {
	const char *name;
	const void *data;
	size_t len;
};

static int read_recipients(
    struct post *p, const struct targets *targets, struct json_object *request, struct error *err)
{
	struct json_object *names = json_get_array(request, "to");
	size_t n = names ? json_object_array_length(names) : 0;

	if (n == 0)
		return error_set(err, ERROR_OURS,
		    "missing 'to': an array of targets and addresses such as \"telegram:77\"");
	for (size_t i = 0; i < n; i++) {
		struct json_object *name = json_object_array_get_idx(names, i);
		if (!json_object_is_type(name, json_type_string))
			return error_set(err, ERROR_OURS, "'to' holds something that is no string");
		if (post_add_named(p, targets, json_object_get_string(name), err) < 0)
			return -1;
	}
	return 0;
}

static const struct {
	const char *name;
	enum json_type type;
	const char *what;
} members[] = {
    {"dry_run", json_type_boolean, "true or false"},
    {"key", json_type_string, "a string"},
    {"text", json_type_string, "a string"},
    {"to", json_type_array, "an array of strings"},
};

/* Refuses unknown members, so that a misspelt one (above all dry_run) is not ignored. */
static int check_member(const char *name, struct json_object *value, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		if (strcmp(members[i].name, name) != 0)
			continue;
		/* A string that contains a NUL would be cut. */
		if (!value ||
		    (json_object_is_type(value, members[i].type) &&
			(members[i].type != json_type_string ||
			    json_object_get_string_len(value) == (int)strlen(json_object_get_string(value)))))
			return 0;
		return error_set(err, ERROR_OURS, "'%s' is not %s", name, members[i].what);
	}
	return error_set(err, ERROR_OURS, "unknown '%.40s': a request has to, text, key and dry_run", name);
}

static int read_request(
    struct post *p, const struct targets *targets, struct json_object *request, bool file, struct error *err)
{
	json_object_object_foreach(request, name, value)
		if (check_member(name, value, err) < 0)
			return -1;
	p->text = json_get_str(request, "text");
	if (!p->text && file)
		p->text = "";
	else if (!p->text || p->text[strspn(p->text, " \t\r\n")] == '\0')
		return error_set(err, ERROR_OURS, "missing 'text': what to send, not blank");
	return read_recipients(p, targets, request, err);
}

static struct json_object *result_new(
    const struct address *to, const char *state, const char *id, const char *why)
{
	struct json_object *o = json_object_new_object();
	char text[ADDRESS_TEXT_MAX];

	json_set_str(o, "address", address_format(to, text));
	json_set_str(o, "state", state);
	json_set_str(o, "message_id", id);
	json_set_str(o, "error", why);
	return o;
}

static struct json_object *result_of(struct task *t, const struct post_recipient *item)
{
	const char *reason = item->row ? item->row->reason : item->why;
	const char *state = outbound_state_name(post_state(item));

	if (item->differs)
		return result_new(&item->to, state, NULL, item->why);
	if (!item->row)
		return result_new(&item->to, state, NULL,
		    item->ids && task_is_cancelled(t) ?
			"The gateway stops; it is sent after the next start." :
			reason);
	char *why = reason && item->parts > 1 ?
	    xasprintf("part %zu of %zu: %s", item->part, item->parts, reason) :
	    xstrdup(reason);
	struct json_object *o = result_new(&item->to, state, item->row->platform_id, why);
	json_set_bool(o, "repeated", item->repeated);
	free(why);
	return o;
}

static struct json_object *send_all(struct task *t, struct post *p)
{
	struct json_object *results = json_object_new_array();
	struct error err = {0};

	/* A failed commit shows in the results. */
	if (post_commit(t, p, &err) == 0)
		post_await(t, p, p->file_size > 0 ? SEND_FILE_WAIT_MS : SEND_WAIT_MS);
	for (size_t i = 0; i < p->count; i++)
		json_object_array_add(results, result_of(t, &p->items[i]));
	return results;
}

static struct json_object *dry_run(const struct post *p)
{
	struct json_object *results = json_object_new_array();

	for (size_t i = 0; i < p->count; i++)
		json_object_array_add(results, result_new(&p->items[i].to, "dry_run", NULL, NULL));
	return results;
}

/* file is NULL without one. */
static struct json_object *send_post(struct task *t, struct gateway *g, struct json_object *request,
    const struct sent_file *file, struct error *err)
{
	const char *given = json_get_str(request, "key");
	bool dry = json_get_bool(request, "dry_run", false);
	char *key = given ? xasprintf("send:%s", given) : NULL;
	struct post p = {.bus = gateway_bus(g), .key = key};
	struct json_object *answer = NULL;
	int rc = read_request(&p, &gateway_config(g)->targets, request, file, err);

	if (rc == 0 && file && !dry)
		rc = send_copy_files(t, &p, file->name, file->data, file->len, err);
	if (rc == 0) {
		answer = json_object_new_object();
		json_set(answer, "results", dry ? dry_run(&p) : send_all(t, &p));
	}
	post_clear(&p);
	free(key);
	return answer;
}

struct json_object *send_messages(
    struct task *t, struct gateway *g, struct json_object *request, struct error *err)
{
	return send_post(t, g, request, NULL, err);
}

struct json_object *send_file(struct task *t, struct gateway *g, struct json_object *request,
    const void *data, size_t len, struct error *err)
{
	const char *given = json_get_str(request, "file");
	char *name = xstrdup(given);
	struct sent_file file = {.name = name, .data = data, .len = len};
	struct json_object *answer = NULL;

	if (!name || !*name || strlen(name) > NAME_LEN_MAX || strchr(name, '/') ||
	    !utf8_valid(name, strlen(name)))
		error_set(err, ERROR_OURS,
		    "'file' is no name of a file: at most %d bytes of UTF-8 without a slash", NAME_LEN_MAX);
	else {
		json_object_object_del(request, "file");
		answer = send_post(t, g, request, &file, err);
	}
	free(name);
	return answer;
}
