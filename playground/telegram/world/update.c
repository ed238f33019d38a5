#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "playground/telegram/world/world_internal.h"

#define ANSWER_MAX     (4 * 1024 * 1024)
#define RETENTION_S    86400
#define EPOCH_2020     1577836800
#define IDS_PER_SECOND 4 /* Undocumented: chosen here */

/* Bot API 10.3, Update. The first ones are in the order of enum update_kind. */
static const char *const kinds[] = {
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "my_chat_member",
    "message_reaction",
    "stopped_message_generation",
    "chat_member",
    "message_reaction_count",
    "chat_join_request",
    "poll",
    "poll_answer",
    "inline_query",
    "chosen_inline_result",
    "pre_checkout_query",
    "shipping_query",
    "business_connection",
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "guest_message",
    "chat_boost",
    "managed_bot",
    "purchased_paid_media",
    "removed_chat_boost",
};

void update_queue_init(struct update_queue *q)
{
	*q = (struct update_queue){.head_id = (int32_t)((clock_wall() / 1000 - EPOCH_2020) * IDS_PER_SECOND)};
}

static struct update *update_at(const struct update_queue *q, size_t i)
{
	return &q->ring[(q->first + i) & (q->cap - 1)];
}

static void drop_first(struct update_queue *q)
{
	free(update_at(q, 0)->json);
	q->first = (q->first + 1) & (q->cap - 1);
	q->count--;
	q->head_id++;
}

void update_queue_keep(struct update_queue *q, size_t keep)
{
	while (q->count > keep)
		drop_first(q);
}

void update_queue_clear(struct update_queue *q)
{
	update_queue_keep(q, 0);
	free(q->ring);
	*q = (struct update_queue){.head_id = q->head_id};
}

int32_t update_queue_next_id(const struct update_queue *q)
{
	return q->head_id + (int32_t)q->count;
}

static void grow(struct update_queue *q)
{
	size_t cap = q->cap != 0 ? q->cap * 2 : 64;
	struct update *ring = xcalloc(cap, sizeof(*ring));

	for (size_t i = 0; i < q->count; i++)
		ring[i] = *update_at(q, i);
	free(q->ring);
	q->ring = ring;
	q->cap = cap;
	q->first = 0;
}

/* The chat or person that the update is about. */
static int64_t chat_of(const char *json)
{
	static const char *const names[] = {"\"chat\":{\"id\":", "\"from\":{\"id\":", "\"user\":{\"id\":"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *at = strstr(json, names[i]);

		if (at)
			return strtoll(at + strlen(names[i]), NULL, 10);
	}
	return 0;
}

static void add_text(struct update_queue *q, char *json, size_t len, int64_t date)
{
	if (q->count == q->cap)
		grow(q);
	*update_at(q, q->count++) = (struct update){json, len, date, chat_of(json), UPDATE_PENDING};
}

static bool is_first(const struct update_queue *q, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (update_at(q, j)->chat == update_at(q, i)->chat &&
		    update_at(q, j)->delivery != UPDATE_DELIVERED)
			return false;
	return true;
}

struct update *update_queue_take(struct update_queue *q)
{
	for (size_t i = 0; i < q->count; i++) {
		struct update *u = update_at(q, i);

		if (u->delivery == UPDATE_PENDING && is_first(q, i)) {
			u->delivery = UPDATE_IN_FLIGHT;
			return u;
		}
	}
	return NULL;
}

struct update *update_queue_find(const struct update_queue *q, int32_t id)
{
	return id >= q->head_id && id < update_queue_next_id(q) ? update_at(q, (size_t)(id - q->head_id)) :
								  NULL;
}

int32_t update_queue_id(const struct update_queue *q, const struct update *u)
{
	return q->head_id + (int32_t)(((size_t)(u - q->ring) - q->first) & (q->cap - 1));
}

void update_queue_arrived(struct update_queue *q, int32_t id)
{
	update_queue_find(q, id)->delivery = UPDATE_DELIVERED;
	while (q->count > 0 && update_at(q, 0)->delivery == UPDATE_DELIVERED)
		drop_first(q);
}

void update_queue_retry(struct update_queue *q)
{
	for (size_t i = 0; i < q->count; i++)
		if (update_at(q, i)->delivery == UPDATE_IN_FLIGHT)
			update_at(q, i)->delivery = UPDATE_PENDING;
}

void update_queue_add(struct update_queue *q, enum update_kind kind, const char *object, size_t len)
{
	struct buf b = BUF_INIT;
	size_t total;

	buf_reserve(&b, len + 64);
	buf_addf(&b, "{\"update_id\":%" PRId32 ",\"%s\":", update_queue_next_id(q), kinds[kind]);
	buf_add(&b, object, len);
	buf_addch(&b, '}');
	total = b.len;
	add_text(q, buf_take(&b), total, clock_wall() / 1000);
}

void update_queue_confirm(struct update_queue *q, int32_t id)
{
	while (q->count > 0 && q->head_id < id)
		drop_first(q);
}

void update_queue_expire(struct update_queue *q)
{
	int64_t oldest = clock_wall() / 1000 - RETENTION_S;

	while (q->count > 0 && update_at(q, 0)->date < oldest)
		drop_first(q);
}

size_t update_queue_write(const struct update_queue *q, size_t limit, struct buf *out)
{
	size_t n = 0, total = 0;

	buf_addch(out, '[');
	for (; n < limit && n < q->count; n++) {
		const struct update *u = update_at(q, n);

		if (u->delivery == UPDATE_DELIVERED) /* at a webhook that is gone */
			continue;
		total += u->len;
		if (total > u->len && total > ANSWER_MAX)
			break;
		if (total > u->len)
			buf_addch(out, ',');
		buf_add(out, u->json, u->len);
	}
	buf_addch(out, ']');
	return n;
}

static int kind_of(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i], name) == 0)
			return (int)i;
	return -1;
}

const char *update_read_allowed(struct json_object *array, uint64_t *set)
{
	size_t count = json_count(array);
	const char *unknown = NULL;
	uint64_t wanted = 0;

	for (size_t i = 0; i < count; i++) {
		const char *name = json_object_get_string(json_at(array, i));
		int kind = kind_of(name);

		if (kind >= 0)
			wanted |= (uint64_t)1 << kind;
		else
			unknown = name ? name : "null";
	}
	*set = wanted != 0 ? wanted : UPDATES_DEFAULT;
	return unknown;
}

struct json_object *update_write_allowed(uint64_t set)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (set >> i & 1)
			json_object_array_add(array, json_object_new_string(kinds[i]));
	return array;
}

struct json_object *update_queue_save(const struct update_queue *q)
{
	struct json_object *o = json_object_new_object(), *array = json_object_new_array();

	json_set_int(o, "head_id", q->head_id);
	for (size_t i = 0; i < q->count; i++)
		json_object_array_add(
		    array, json_newf("{date: %jd, json: %s}", update_at(q, i)->date, update_at(q, i)->json));
	json_set(o, "updates", array);
	return o;
}

int update_queue_load(struct update_queue *q, struct json_object *in, struct error *err)
{
	struct json_object *array = json_get_array(in, "updates");
	int64_t head = json_get_int(in, "head_id", 0);

	if (head < 1 || head > INT32_MAX || !array)
		return error_set(err, ERROR_OURS, "the queue of updates is damaged");
	update_queue_clear(q);
	q->head_id = (int32_t)head;
	json_each(array, item) {
		const char *json = json_get_str(item, "json");

		if (!json)
			return error_set(err, ERROR_OURS, "an update in the queue is damaged");
		add_text(q, xstrdup(json), strlen(json), json_get_int(item, "date", 0));
	}
	return 0;
}
