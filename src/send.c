#include "send.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "bus/targets.h"
#include "gateway.h"
#include "gateway_config.h"

/* How long the outcomes of all addressees together are waited for. */
#define SEND_WAIT_MS 10000
#define SEND_ADDRESSEES_MOST 1000
/* Addressees whose rows share a commit, so that none takes long. */
#define SEND_AT_ONCE 32

/* One addressee, and what became of its message. */
struct sending {
	struct address to;
	int64_t *ids;		/* outbox rows of its parts, in order; NULL: not stored */
	size_t parts;
	char *why;		/* then: why not */
};

struct send {
	struct gateway *gateway;
	const char *text, *key;
	struct sending *items;
	size_t count;
};

static bool is_listed(const struct send *s, const struct address *a)
{
	for (size_t i = 0; i < s->count; i++)
		if (address_equal(&s->items[i].to, a))
			return true;
	return false;
}

/* Each addressee stands once. */
static int add_address(struct send *s, const struct address *a, struct error *err)
{
	if (!bus_channel(gateway_bus(s->gateway), a->channel))
		return error_set(err, ERROR_OURS, "There is no channel named %s. Name one of the configuration.", a->channel);
	if (is_listed(s, a))
		return 0;
	if (s->count == SEND_ADDRESSEES_MOST)
		return error_set(err, ERROR_OURS, "More than %d addressees. Send in parts.", SEND_ADDRESSEES_MOST);
	s->items = xrealloc(s->items, (s->count + 1) * sizeof(*s->items));
	s->items[s->count++] = (struct sending){.to = *a};
	return 0;
}

static int add_name(struct send *s, const char *name, struct error *err)
{
	size_t n;
	struct address *found = targets_expand(&gateway_config(s->gateway)->targets, name, &n, err);
	int rc = found ? 0 : -1;

	for (size_t i = 0; i < n && rc == 0; i++)
		rc = add_address(s, &found[i], err);
	free(found);
	return rc;
}

static int read_addressees(struct send *s, struct json_object *request, struct error *err)
{
	struct json_object *names = json_get_array(request, "to");
	size_t n = names ? json_object_array_length(names) : 0;

	if (n == 0)
		return error_set(err, ERROR_OURS, "missing 'to': an array of targets and addresses such as \"telegram:77\"");
	for (size_t i = 0; i < n; i++) {
		struct json_object *name = json_object_array_get_idx(names, i);
		if (!json_object_is_type(name, json_type_string))
			return error_set(err, ERROR_OURS, "'to' holds something that is no string");
		if (add_name(s, json_object_get_string(name), err) < 0)
			return -1;
	}
	return 0;
}

static int read_request(struct send *s, struct json_object *request, struct error *err)
{
	s->text = json_get_str(request, "text");
	s->key = json_get_str(request, "key");
	if (!s->text || s->text[strspn(s->text, " \t\r\n")] == '\0')
		return error_set(err, ERROR_OURS, "missing 'text': what to send, not blank");
	return read_addressees(s, request, err);
}

/* Appends the rows for one addressee. */
static int add_rows(const struct send *s, struct sending *to, struct outbound ***rows, size_t *count, struct error *err)
{
	char where[ADDRESS_TEXT_MAX], *key = s->key ? xasprintf("send:%s:%s", s->key, address_format(&to->to, where)) : NULL;
	struct outbound **more =
	    bus_rows(gateway_bus(s->gateway), &to->to, OUTBOUND_NOTIFICATION, s->text, NULL, key, 0, &to->parts, err);

	free(key);
	if (!more)
		return -1;
	*rows = xrealloc(*rows, (*count + to->parts) * sizeof(**rows));
	memcpy(*rows + *count, more, to->parts * sizeof(**rows));
	*count += to->parts;
	free(more);
	return 0;
}

/* Commits the messages of some addressees together. Also when the gateway stops meanwhile, so that what is said of them
 * is true. */
static void put(struct task *t, const struct send *s, struct sending *some, size_t n)
{
	struct outbound **rows = NULL;
	struct error err = {0};
	size_t count = 0, at = 0;
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++)
		rc = add_rows(s, &some[i], &rows, &count, &err);
	task_shield(t);
	if (rc == 0)
		rc = bus_send(t, gateway_bus(s->gateway), rows, count, &err);
	task_unshield(t);
	for (size_t i = 0; i < n; i++) {
		if (rc < 0) {
			some[i].why = xstrdup(err.text);
			continue;
		}
		some[i].ids = xcalloc(some[i].parts, sizeof(*some[i].ids));
		for (size_t k = 0; k < some[i].parts; k++)
			some[i].ids[k] = rows[at++]->id;
	}
	bus_rows_free(rows, count);
}

/* The row when it has ended, or as it stands when the time is over. */
static struct outbound *await(struct task *t, const struct send *s, int64_t id, uint64_t due, struct error *err)
{
	uint64_t now = clock_now();
	struct outbound *row = bus_await(t, gateway_bus(s->gateway), id, due > now ? due - now : 0, err);

	if (!row || (row->state != OUTBOUND_QUEUED && row->state != OUTBOUND_SENDING))
		return row;
	/* bus_await read it before it waited. */
	outbound_free(row);
	return bus_await(t, gateway_bus(s->gateway), id, 0, err);
}

/* The row that tells what became of the whole: the last part, which ends after all others, unless one before it did not
 * arrive. *part: which it is, from 1. NULL: not known. */
static struct outbound *outcome(struct task *t, const struct send *s, const struct sending *to, uint64_t due,
    size_t *part, struct error *err)
{
	struct outbound *last = await(t, s, to->ids[to->parts - 1], due, err);

	*part = to->parts;
	if (!last || last->state != OUTBOUND_FAILED)
		return last;
	for (size_t i = 0; i + 1 < to->parts; i++) {
		struct outbound *row = await(t, s, to->ids[i], 0, err);
		if (row && row->state != OUTBOUND_SENT) {
			outbound_free(last);
			*part = i + 1;
			return row;
		}
		outbound_free(row);
	}
	return last;
}

static struct json_object *result_new(const struct address *to, const char *state, const char *id, const char *why)
{
	struct json_object *o = json_object_new_object();
	char text[ADDRESS_TEXT_MAX];

	json_set_str(o, "address", address_format(to, text));
	json_set_str(o, "state", state);
	json_set_str(o, "message_id", id);
	json_set_str(o, "error", why);
	return o;
}

static struct json_object *result_of(struct task *t, const struct send *s, const struct sending *to, uint64_t due)
{
	struct error err = {0};
	size_t part;

	if (!to->ids)
		return result_new(&to->to, "failed", NULL, to->why);
	struct outbound *row = outcome(t, s, to, due, &part, &err);
	if (!row)
		return result_new(&to->to, "queued", NULL, task_is_cancelled(t)
		    ? "The gateway stops; it is sent after the next start." : err.text);
	enum outbound_state state = row->state == OUTBOUND_SENDING ? OUTBOUND_QUEUED : row->state;
	char *why = row->reason && to->parts > 1 ? xasprintf("part %zu of %zu: %s", part, to->parts, row->reason)
	                                         : xstrdup(row->reason);
	struct json_object *o = result_new(&to->to, outbound_state_name(state), row->platform_id, why);
	free(why);
	outbound_free(row);
	return o;
}

static struct json_object *send_all(struct task *t, const struct send *s)
{
	struct json_object *results = json_object_new_array();
	uint64_t due = clock_now() + SEND_WAIT_MS;

	for (size_t i = 0; i < s->count; i += SEND_AT_ONCE)
		put(t, s, &s->items[i], s->count - i < SEND_AT_ONCE ? s->count - i : SEND_AT_ONCE);
	for (size_t i = 0; i < s->count; i++)
		json_object_array_add(results, result_of(t, s, &s->items[i], due));
	return results;
}

static struct json_object *dry_run(const struct send *s)
{
	struct json_object *results = json_object_new_array();

	for (size_t i = 0; i < s->count; i++)
		json_object_array_add(results, result_new(&s->items[i].to, "dry_run", NULL, NULL));
	return results;
}

static void send_clear(struct send *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->items[i].ids);
		free(s->items[i].why);
	}
	free(s->items);
}

struct json_object *send_messages(struct task *t, struct gateway *g, struct json_object *request, struct error *err)
{
	struct send s = {.gateway = g};
	struct json_object *answer = NULL;

	if (read_request(&s, request, err) == 0) {
		answer = json_object_new_object();
		json_set(answer, "results", json_get_bool(request, "dry_run", false) ? dry_run(&s) : send_all(t, &s));
	}
	send_clear(&s);
	return answer;
}
