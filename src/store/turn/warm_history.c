#include "store/turn/warm_history.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/mem.h"
#include "bus/address.h"
#include "store/store_internal.h"
#include "store/turn/turns.h"

#define BYTES_MAX ((size_t)4 * 1024 * 1024)
/* Of one history, so that one does not push out all others. */
#define ONE_MAX (BYTES_MAX / 16)
#define KEEP_MS (10 * 60 * 1000)
/* Bytes that a message takes besides its texts. */
#define MESSAGE_BYTES (sizeof(struct llm_message) + 128)

struct entry {
	struct list in_bucket, by_use;
	struct address where;
	struct warm_history of;
	size_t bytes;
	uint64_t until; /* clock_now() */
};

static struct entry *entry_of(struct list *by_use)
{
	return list_entry(by_use, struct entry, by_use);
}

static struct list *bucket_of(struct warm_histories *w, const struct address *where)
{
	return &w->buckets[fnv_text(where->chat) % WARM_BUCKETS];
}

static void drop(struct warm_histories *w, struct entry *e)
{
	list_remove(&e->in_bucket);
	list_remove(&e->by_use);
	w->bytes -= e->bytes;
	llm_history_clear(&e->of.history);
	free(e);
}

void warm_histories_init(struct warm_histories *w)
{
	for (size_t i = 0; i < WARM_BUCKETS; i++)
		list_init(&w->buckets[i]);
	list_init(&w->by_use);
}

void warm_histories_clear(struct warm_histories *w)
{
	clock_timer_stop(&w->timer);
	list_each(&w->by_use, it, next)
		drop(w, entry_of(it));
}

static void on_timer(struct clock_timer *timer, void *arg)
{
	struct warm_histories *w = arg;
	uint64_t now = clock_now();
	struct list *first;

	while ((first = list_first(&w->by_use)) && entry_of(first)->until <= now)
		drop(w, entry_of(first));
	if (first)
		clock_timer_start(timer, entry_of(first)->until - now, on_timer, w);
}

static struct entry *find(struct warm_histories *w, const struct address *where)
{
	list_each(bucket_of(w, where), it, next) {
		struct entry *e = list_entry(it, struct entry, in_bucket);
		if (address_equal(&e->where, where))
			return e;
	}
	return NULL;
}

static size_t bytes_of(const struct llm_history *h)
{
	size_t bytes = h->cap * sizeof(struct llm_message *);

	for (size_t i = 0; i < h->count; i++) {
		struct llm_message *m = h->messages[i];
		/* The text, its quoted form and the raw message say the same. */
		bytes +=
		    MESSAGE_BYTES + llm_message_bytes(m) + llm_message_text_count(m)->len + m->quoted_len;
	}
	return bytes;
}

void warm_histories_changed(struct warm_histories *w, int64_t session)
{
	w->changes++;
	for (size_t i = 0; i < WARM_BUCKETS; i++)
		if (session == 0 || i == (size_t)session % WARM_BUCKETS)
			w->changed[i] = w->changes;
}

static bool is_as_read(const struct warm_histories *w, const struct warm_history *h)
{
	return w->changed[h->session % WARM_BUCKETS] <= h->changes;
}

void warm_history_put(struct warm_histories *w, const struct address *where, struct warm_history *h)
{
	struct entry *e = find(w, where);
	size_t bytes = bytes_of(&h->history);

	if (e)
		drop(w, e);
	if (bytes > ONE_MAX || !is_as_read(w, h)) {
		llm_history_clear(&h->history);
		return;
	}
	e = xcalloc(1, sizeof(*e));
	*e = (struct entry){.where = *where, .of = *h, .bytes = bytes, .until = clock_now() + KEEP_MS};
	llm_history_init(&h->history);
	list_append(bucket_of(w, where), &e->in_bucket);
	list_append(&w->by_use, &e->by_use);
	w->bytes += bytes;
	while (w->bytes > BYTES_MAX)
		drop(w, entry_of(list_first(&w->by_use)));
	if (!clock_timer_running(&w->timer))
		clock_timer_start(&w->timer, KEEP_MS, on_timer, w);
}

bool warm_history_take(struct warm_histories *w, const struct address *where, struct warm_history *out)
{
	struct entry *e = find(w, where);
	bool usable = e && is_as_read(w, &e->of);

	if (usable) {
		*out = e->of;
		llm_history_init(&e->of.history);
	}
	if (e)
		drop(w, e);
	return usable;
}

/* Images and what is known of them change apart from the transcript. */
static bool is_as_stored(const struct llm_history *h)
{
	for (size_t i = 0; i < h->count; i++) {
		const struct llm_message *m = h->messages[i];
		if (m->id == 0 || m->differs || m->image_count > 0)
			return false;
	}
	/* One that could not be read begins with the answer. */
	return h->count > 0 && h->messages[0]->role == LLM_USER;
}

void store_turn_keep_history(
    struct store *s, const struct store_turn *turn, const struct address *where, struct llm_history *h)
{
	if (turn->history_max > 0 && is_as_stored(h)) {
		struct warm_history warm = {.session = turn->session,
		    .last = h->messages[h->count - 1]->id,
		    .max = turn->history_max,
		    .changes = turn->changes,
		    .history = *h};

		llm_history_init(h);
		warm_history_put(&s->warm, where, &warm);
	}
	llm_history_clear(h);
}
