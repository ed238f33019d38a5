#ifndef PLAYGROUND_TELEGRAM_WORLD_UPDATE_H
#define PLAYGROUND_TELEGRAM_WORLD_UPDATE_H
/* The queue of a bot's updates. Ids are consecutive. Updates are dropped when confirmed or after 24 hours
 * (Bot API, getUpdates). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct json_object;

/* Kinds as bits of a set; other kinds never occur here. */
enum update_kind {
	UPDATE_MESSAGE,
	UPDATE_EDITED_MESSAGE,
	UPDATE_CHANNEL_POST,
	UPDATE_EDITED_CHANNEL_POST,
	UPDATE_CALLBACK_QUERY,
	UPDATE_MY_CHAT_MEMBER,
	UPDATE_MESSAGE_REACTION,
	UPDATE_STOPPED_MESSAGE_GENERATION,
	UPDATE_CHAT_MEMBER,
	UPDATE_MESSAGE_REACTION_COUNT,
	UPDATE_CHAT_JOIN_REQUEST,
	UPDATE_POLL,
	UPDATE_POLL_ANSWER,
	UPDATE_INLINE_QUERY,
	UPDATE_CHOSEN_INLINE_RESULT,
	UPDATE_PRE_CHECKOUT_QUERY,
	UPDATE_SHIPPING_QUERY,
	UPDATE_BUSINESS_CONNECTION,
	UPDATE_BUSINESS_MESSAGE,
	UPDATE_EDITED_BUSINESS_MESSAGE,
	UPDATE_DELETED_BUSINESS_MESSAGES,
	UPDATE_GUEST_MESSAGE
};

/* The default for allowed_updates. */
#define UPDATES_DEFAULT                                                                 \
	(~((uint64_t)1 << UPDATE_MESSAGE_REACTION | (uint64_t)1 << UPDATE_CHAT_MEMBER | \
	    (uint64_t)1 << UPDATE_MESSAGE_REACTION_COUNT))

struct update {
	char *json; /* the complete Update object */
	size_t len;
	int64_t date; /* Unix time */
	/* For a webhook: */
	int64_t chat; /* updates of the same chat are delivered in order */
	enum { UPDATE_PENDING, UPDATE_IN_FLIGHT, UPDATE_DELIVERED } delivery;
};

struct update_queue {
	struct update *ring;
	size_t first, count, cap;
	int32_t head_id; /* id of the oldest update, or of the next when empty */
};

/* Starts ids at the clock, so that a playground without saved state does not reuse ids that a client
 * remembers. */
void update_queue_init(struct update_queue *q);
void update_queue_clear(struct update_queue *q);
/* object is the value of the update's one member. */
void update_queue_add(struct update_queue *q, enum update_kind kind, const char *object, size_t len);
int32_t update_queue_next_id(const struct update_queue *q);
/* Drops updates before id. */
void update_queue_confirm(struct update_queue *q, int32_t id);
/* Keeps only the newest keep updates. */
void update_queue_keep(struct update_queue *q, size_t keep);
/* Drops updates older than a day. */
void update_queue_expire(struct update_queue *q);
/* For a webhook: returns the first pending update with no earlier one of its chat, which is then in flight;
 * NULL: none. A delivered one is dropped when those before it are. */
struct update *update_queue_take(struct update_queue *q);
void update_queue_arrived(struct update_queue *q, int32_t id);
/* Makes the updates in flight pending again. */
void update_queue_retry(struct update_queue *q);
struct update *update_queue_find(const struct update_queue *q, int32_t id); /* NULL: it was dropped */
int32_t update_queue_id(const struct update_queue *q, const struct update *u);
/* Appends a JSON array of at most limit updates and 4 MiB; returns their number. */
size_t update_queue_write(const struct update_queue *q, size_t limit, struct buf *out);

/* Reads allowed_updates into a set. Returns a name that the platform does not know and ignores, or NULL. */
const char *update_read_allowed(struct json_object *array, uint64_t *set);
struct json_object *update_write_allowed(uint64_t set);
static inline bool update_is_in(uint64_t set, enum update_kind kind)
{
	return (set >> kind & 1) != 0;
}

struct json_object *update_queue_save(const struct update_queue *q);
int update_queue_load(struct update_queue *q, struct json_object *in, struct error *err);

#endif
