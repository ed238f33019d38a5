#include "lib/journal_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/task.h"

struct in_row {
	struct list link;
	struct message *m;
	bool done;
};

struct out_row {
	struct list link;
	struct outbound *o;
};

struct cursor_row {
	struct list link;
	char *account, *name, *value;
};

struct journal_memory {
	struct list in, out, cursors;
	struct journal_move *moves;
	size_t move_count;
	int64_t next_in, next_out;
	bool fail;
	unsigned before; /* calls that succeed before that */
	struct error failure;
};

/* Every call yields to other tasks, as a real journal would. */
static int memory_enter(struct task *t, struct journal_memory *j, struct error *err)
{
	if (task_yield(t, err) < 0)
		return -1;
	if (!j->fail || j->before-- > 0)
		return 0;
	j->fail = false;
	if (err)
		*err = j->failure;
	return -1;
}

static bool is_known(struct journal_memory *j, const struct message *m)
{
	list_each(&j->in, it, tmp) {
		const struct message *k = list_entry(it, struct in_row, link)->m;
		if (strcmp(k->account, m->account) == 0 && strcmp(k->event_id, m->event_id) == 0)
			return true;
	}
	return false;
}

static void cursor_set(struct journal_memory *j, const struct journal_cursor *c)
{
	struct cursor_row *row = NULL;

	list_each(&j->cursors, it, tmp) {
		struct cursor_row *r = list_entry(it, struct cursor_row, link);
		if (strcmp(r->account, c->account) == 0 && strcmp(r->name, c->name) == 0)
			row = r;
	}
	if (!row) {
		row = xcalloc(1, sizeof(*row));
		row->account = xstrdup(c->account);
		row->name = xstrdup(c->name);
		list_append(&j->cursors, &row->link);
	}
	free(row->value);
	row->value = xstrdup(c->value);
}

static int memory_put_inbound(struct task *t, void *self, struct message *const *messages, size_t count,
    const struct journal_cursor *cursor, struct error *err)
{
	struct journal_memory *j = self;

	if (memory_enter(t, j, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (is_known(j, messages[i]))
			continue;
		struct in_row *row = xcalloc(1, sizeof(*row));
		messages[i]->id = ++j->next_in;
		row->m = message_copy(messages[i]);
		list_append(&j->in, &row->link);
	}
	if (cursor)
		cursor_set(j, cursor);
	return 0;
}

static int memory_list_inbound(struct task *t, void *self, const struct address *from, int64_t after_id,
    struct message **out, size_t max, struct error *err)
{
	struct journal_memory *j = self;
	size_t n = 0;

	if (memory_enter(t, j, err) < 0)
		return -1;
	list_each(&j->in, it, tmp) {
		struct in_row *row = list_entry(it, struct in_row, link);
		if (n < max && !row->done && row->m->id > after_id && address_equal(&row->m->from, from))
			out[n++] = message_copy(row->m);
	}
	return (int)n;
}

static int memory_pending_addresses(struct task *t, void *self, struct address **out, struct error *err)
{
	struct journal_memory *j = self;
	size_t n = 0;

	*out = NULL;
	if (memory_enter(t, j, err) < 0)
		return -1;
	list_each(&j->in, it, tmp) {
		struct in_row *row = list_entry(it, struct in_row, link);
		bool listed = row->done;
		for (size_t i = 0; i < n && !listed; i++)
			listed = address_equal(&(*out)[i], &row->m->from);
		if (listed)
			continue;
		*out = xrealloc(*out, (n + 1) * sizeof(**out));
		(*out)[n++] = row->m->from;
	}
	return (int)n;
}

static const struct outbound *find_key(struct journal_memory *j, const char *key)
{
	list_each(&j->out, it, tmp) {
		const struct outbound *o = list_entry(it, struct out_row, link)->o;
		if (key && o->key && strcmp(o->key, key) == 0)
			return o;
	}
	return NULL;
}

static void put_rows(struct journal_memory *j, struct outbound *const *rows, size_t count)
{
	const struct outbound *known = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct outbound *found = find_key(j, rows[i]->key);
		if (found || rows[i]->part <= 1)
			known = found;
		if (known) {
			rows[i]->id = known->id;
			rows[i]->state = known->state;
			rows[i]->known = true;
			rows[i]->differs = !found || strcmp(found->text, rows[i]->text) != 0;
			continue;
		}
		struct out_row *row = xcalloc(1, sizeof(*row));
		rows[i]->id = ++j->next_out;
		row->o = outbound_copy(rows[i]);
		list_append(&j->out, &row->link);
	}
}

static int memory_finish_inbound(struct task *t, void *self, const int64_t *ids, size_t count,
    const char *why, struct outbound *const *answers, size_t answer_count, struct error *err)
{
	struct journal_memory *j = self;

	(void)why;
	if (memory_enter(t, j, err) < 0)
		return -1;
	list_each(&j->in, it, tmp) {
		struct in_row *row = list_entry(it, struct in_row, link);
		for (size_t i = 0; i < count; i++)
			row->done |= row->m->id == ids[i];
	}
	put_rows(j, answers, answer_count);
	return 0;
}

static int memory_read_cursor(
    struct task *t, void *self, const char *account, const char *name, char **value, struct error *err)
{
	struct journal_memory *j = self;

	*value = NULL;
	if (memory_enter(t, j, err) < 0)
		return -1;
	list_each(&j->cursors, it, tmp) {
		struct cursor_row *r = list_entry(it, struct cursor_row, link);
		if (strcmp(r->account, account) == 0 && strcmp(r->name, name) == 0)
			*value = xstrdup(r->value);
	}
	return 0;
}

static int memory_move_chat(struct task *t, void *self, const struct journal_move *move, struct error *err)
{
	struct journal_memory *j = self;

	if (memory_enter(t, j, err) < 0)
		return -1;
	j->moves = xrealloc(j->moves, (j->move_count + 1) * sizeof(*j->moves));
	j->moves[j->move_count++] = *move;
	list_each(&j->in, it, tmp) {
		struct address *from = &list_entry(it, struct in_row, link)->m->from;
		if (strcmp(from->channel, move->channel) == 0 && strcmp(from->chat, move->old_chat) == 0)
			str_copy(from->chat, sizeof(from->chat), move->new_chat);
	}
	return 0;
}

static int memory_list_moves(struct task *t, void *self, struct journal_move **out, struct error *err)
{
	struct journal_memory *j = self;

	*out = NULL;
	if (memory_enter(t, j, err) < 0)
		return -1;
	if (j->move_count > 0)
		*out = xmemdup(j->moves, j->move_count * sizeof(**out));
	return (int)j->move_count;
}

static int memory_put_outbound(
    struct task *t, void *self, struct outbound *const *rows, size_t count, struct error *err)
{
	if (memory_enter(t, self, err) < 0)
		return -1;
	put_rows(self, rows, count);
	return 0;
}

static bool in_queue(const struct outbound *o, const struct journal_queue *queue)
{
	return strcmp(o->to.channel, queue->channel) == 0 && strcmp(o->to.chat, queue->chat) == 0 &&
	    (o->state == OUTBOUND_QUEUED || o->state == OUTBOUND_SENDING);
}

/* Held by quiet hours. */
static bool is_held(const struct outbound *o)
{
	int64_t left = o->not_before_ms - clock_wall();

	return o->attempts == 0 && left > 0 && left <= INT64_C(24) * 3600 * 1000;
}

static int memory_list_outbound(struct task *t, void *self, const struct journal_queue *queue,
    int64_t after_id, struct outbound **out, size_t max, struct error *err)
{
	struct journal_memory *j = self;
	size_t n = 0;

	if (memory_enter(t, j, err) < 0)
		return -1;
	list_each(&j->out, it, tmp) {
		const struct outbound *o = list_entry(it, struct out_row, link)->o;
		if (n < max && o->id > after_id && in_queue(o, queue) && !is_held(o))
			out[n++] = outbound_copy(o);
	}
	return (int)n;
}

static int memory_pending_queues(struct task *t, void *self, struct journal_queue **out, struct error *err)
{
	struct journal_memory *j = self;
	size_t n = 0;

	*out = NULL;
	if (memory_enter(t, j, err) < 0)
		return -1;
	list_each(&j->out, it, tmp) {
		const struct outbound *o = list_entry(it, struct out_row, link)->o;
		bool listed = o->state != OUTBOUND_QUEUED && o->state != OUTBOUND_SENDING;
		for (size_t i = 0; i < n && !listed; i++)
			listed = in_queue(o, &(*out)[i]);
		if (listed)
			continue;
		*out = xrealloc(*out, (n + 1) * sizeof(**out));
		str_copy((*out)[n].channel, sizeof((*out)[n].channel), o->to.channel);
		str_copy((*out)[n].chat, sizeof((*out)[n].chat), o->to.chat);
		n++;
	}
	return (int)n;
}

static int memory_list_files(struct task *t, void *self, char ***out, struct error *err)
{
	struct journal_memory *j = self;
	size_t n = 0;

	*out = NULL;
	if (memory_enter(t, j, err) < 0)
		return -1;
	list_each(&j->out, it, tmp) {
		const struct outbound *o = list_entry(it, struct out_row, link)->o;
		if (!o->file || (o->state != OUTBOUND_QUEUED && o->state != OUTBOUND_SENDING))
			continue;
		*out = xrealloc(*out, (n + 1) * sizeof(**out));
		(*out)[n++] = xstrdup(o->file->path);
	}
	return (int)n;
}

static int memory_mark_outbound(struct task *t, void *self, const struct outbound *row, struct error *err)
{
	struct journal_memory *j = self;

	if (memory_enter(t, j, err) < 0)
		return -1;
	list_each(&j->out, it, tmp) {
		struct out_row *r = list_entry(it, struct out_row, link);
		if (r->o->id != row->id)
			continue;
		outbound_free(r->o);
		r->o = outbound_copy(row);
	}
	return 0;
}

static struct outbound *memory_get_outbound(struct task *t, void *self, int64_t id, struct error *err)
{
	struct journal_memory *j = self;

	if (memory_enter(t, j, err) < 0)
		return NULL;
	list_each(&j->out, it, tmp) {
		const struct outbound *o = list_entry(it, struct out_row, link)->o;
		if (o->id == id)
			return outbound_copy(o);
	}
	error_set(err, ERROR_REFUSED, "There is no outbound message %lld.", (long long)id);
	return NULL;
}

static struct outbound *memory_get_part_before(
    struct task *t, void *self, const struct outbound *part, struct error *err)
{
	struct journal_memory *j = self;
	const struct outbound *found = NULL;

	if (memory_enter(t, j, err) < 0)
		return NULL;
	list_each(&j->out, it, tmp) {
		const struct outbound *o = list_entry(it, struct out_row, link)->o;

		if (o->id < part->id && o->part == part->part - 1 && o->parts == part->parts &&
		    address_equal(&o->to, &part->to))
			found = o;
	}
	if (found)
		return outbound_copy(found);
	error_set(err, ERROR_REFUSED, "There is no part before.");
	return NULL;
}

static const struct journal_ops memory_ops = {
    .put_inbound = memory_put_inbound,
    .list_inbound = memory_list_inbound,
    .pending_addresses = memory_pending_addresses,
    .finish_inbound = memory_finish_inbound,
    .move_chat = memory_move_chat,
    .list_moves = memory_list_moves,
    .read_cursor = memory_read_cursor,
    .put_outbound = memory_put_outbound,
    .list_outbound = memory_list_outbound,
    .pending_queues = memory_pending_queues,
    .list_files = memory_list_files,
    .mark_outbound = memory_mark_outbound,
    .get_outbound = memory_get_outbound,
    .get_part_before = memory_get_part_before,
};

struct journal_memory *journal_memory_new(void)
{
	struct journal_memory *j = xcalloc(1, sizeof(*j));

	list_init(&j->in);
	list_init(&j->out);
	list_init(&j->cursors);
	return j;
}

void journal_memory_free(struct journal_memory *j)
{
	if (!j)
		return;
	list_each(&j->in, it, tmp) {
		struct in_row *row = list_entry(it, struct in_row, link);
		message_free(row->m);
		free(row);
	}
	list_each(&j->out, it, tmp) {
		struct out_row *row = list_entry(it, struct out_row, link);
		outbound_free(row->o);
		free(row);
	}
	list_each(&j->cursors, it, tmp) {
		struct cursor_row *row = list_entry(it, struct cursor_row, link);
		free(row->account);
		free(row->name);
		free(row->value);
		free(row);
	}
	free(j->moves);
	free(j);
}

struct journal journal_memory_face(struct journal_memory *j)
{
	return (struct journal){.ops = &memory_ops, .self = j};
}

void journal_memory_fail_next(struct journal_memory *j, const struct error *err)
{
	journal_memory_fail_after(j, 0, err);
}

void journal_memory_fail_after(struct journal_memory *j, unsigned calls, const struct error *err)
{
	j->fail = true;
	j->before = calls;
	j->failure = *err;
}
