#include "send.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/targets.h"
#include "gateway.h"
#include "gateway_config.h"

/* How long the outcomes of all addressees together are waited for. */
#define SEND_WAIT_MS 10000
#define SEND_ADDRESSES_MOST 1000

struct addressees {
	struct address *items;
	size_t count;
};

static bool has(const struct addressees *to, const struct address *a)
{
	for (size_t i = 0; i < to->count; i++)
		if (address_equal(&to->items[i], a))
			return true;
	return false;
}

/* Expands one name or address; each addressee stands once. */
static int add(struct addressees *to, struct gateway *g, const char *name, struct error *err)
{
	size_t n;
	struct address *found = targets_expand(&gateway_config(g)->targets, name, &n, err);
	int rc = found ? 0 : -1;

	for (size_t i = 0; i < n && rc == 0; i++) {
		if (!bus_channel(gateway_bus(g), found[i].channel))
			rc = error_set(err, ERROR_OURS, "There is no channel named %s. Name one of the configuration.", found[i].channel);
		else if (to->count == SEND_ADDRESSES_MOST)
			rc = error_set(err, ERROR_OURS, "More than %d addressees. Send in parts.", SEND_ADDRESSES_MOST);
		else if (!has(to, &found[i])) {
			to->items = xrealloc(to->items, (to->count + 1) * sizeof(*to->items));
			to->items[to->count++] = found[i];
		}
	}
	free(found);
	return rc;
}

static int read_addressees(struct addressees *to, struct gateway *g, struct json_object *request, struct error *err)
{
	struct json_object *names = json_get_array(request, "to");
	size_t n = names ? json_object_array_length(names) : 0;

	if (n == 0)
		return error_set(err, ERROR_OURS, "missing 'to': an array of targets and addresses such as \"telegram:77\"");
	for (size_t i = 0; i < n; i++) {
		struct json_object *name = json_object_array_get_idx(names, i);
		if (!json_object_is_type(name, json_type_string))
			return error_set(err, ERROR_OURS, "'to' holds something that is no string");
		if (add(to, g, json_object_get_string(name), err) < 0)
			return -1;
	}
	return 0;
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

/* Commits the parts for one addressee: the id of the last one, which ends after all others; 0 on failure. */
static int64_t put(struct task *t, struct gateway *g, const struct address *to, const char *text, const char *key,
    struct error *err)
{
	char where[ADDRESS_TEXT_MAX], *own_key = key ? xasprintf("send:%s:%s", key, address_format(to, where)) : NULL;
	size_t count;
	int64_t id = 0;
	struct outbound **rows = bus_rows(gateway_bus(g), to, OUTBOUND_NOTIFICATION, text, NULL, own_key, 0, &count, err);

	if (rows && bus_send(t, gateway_bus(g), rows, count, err) == 0)
		id = rows[count - 1]->id;
	bus_rows_free(rows, count);
	free(own_key);
	return id;
}

static struct json_object *await(struct task *t, struct gateway *g, const struct address *to, int64_t id, uint64_t due)
{
	struct error err = {0};
	uint64_t now = clock_now();
	struct outbound *row = bus_await(t, gateway_bus(g), id, due > now ? due - now : 0, &err);

	if (!row)
		return result_new(to, "queued", NULL, err.text);
	const char *state = outbound_state_name(row->state == OUTBOUND_SENDING ? OUTBOUND_QUEUED : row->state);
	struct json_object *o = result_new(to, state, row->platform_id, row->reason);
	outbound_free(row);
	return o;
}

static struct json_object *send_all(struct task *t, struct gateway *g, const struct addressees *to, const char *text,
    const char *key)
{
	struct json_object *results = json_object_new_array();
	int64_t *ids = xcalloc(to->count, sizeof(*ids));
	uint64_t due = clock_now() + SEND_WAIT_MS;
	struct error *errors = xcalloc(to->count, sizeof(*errors));

	for (size_t i = 0; i < to->count; i++)
		ids[i] = put(t, g, &to->items[i], text, key, &errors[i]);
	for (size_t i = 0; i < to->count; i++)
		json_object_array_add(results, ids[i] ? await(t, g, &to->items[i], ids[i], due)
		                                      : result_new(&to->items[i], "failed", NULL, errors[i].text));
	free(ids);
	free(errors);
	return results;
}

static struct json_object *dry_run(const struct addressees *to)
{
	struct json_object *results = json_object_new_array();

	for (size_t i = 0; i < to->count; i++)
		json_object_array_add(results, result_new(&to->items[i], "dry_run", NULL, NULL));
	return results;
}

struct json_object *send_messages(struct task *t, struct gateway *g, struct json_object *request, struct error *err)
{
	const char *text = json_get_str(request, "text"), *key = json_get_str(request, "key");
	struct addressees to = {0};
	struct json_object *answer = NULL;

	if (!text || text[strspn(text, " \t\r\n")] == '\0') {
		error_set(err, ERROR_OURS, "missing 'text': what to send, not blank");
	} else if (read_addressees(&to, g, request, err) == 0) {
		answer = json_object_new_object();
		json_set(answer, "results", json_get_bool(request, "dry_run", false) ? dry_run(&to) : send_all(t, g, &to, text, key));
	}
	free(to.items);
	return answer;
}
