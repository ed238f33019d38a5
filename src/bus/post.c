#include "bus/post.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "bus/outbox_file.h"
#include "bus/quiet_hours.h"
#include "bus/targets.h"

/* Recipients per commit, so that none takes long. */
#define POST_AT_ONCE 32

static bool is_listed(const struct post *p, const struct address *a)
{
	for (size_t i = 0; i < p->count; i++)
		if (address_equal(&p->items[i].to, a))
			return true;
	return false;
}

int post_add(struct post *p, const struct address *to, struct error *err)
{
	if (!bus_channel(p->bus, to->channel))
		return error_set(err, ERROR_OURS,
		    "There is no channel named %s. Name one of the configuration.", to->channel);
	if (is_listed(p, to))
		return 0;
	if (p->count == POST_RECIPIENTS_MAX)
		return error_set(
		    err, ERROR_OURS, "More than %d recipients. Send in parts.", POST_RECIPIENTS_MAX);
	p->items = xrealloc(p->items, (p->count + 1) * sizeof(*p->items));
	p->items[p->count++] = (struct post_recipient){.to = *to};
	return 0;
}

int post_add_named(struct post *p, const struct targets *targets, const char *name, struct error *err)
{
	size_t n;
	struct address *found = targets_expand(targets, name, &n, err);
	int rc = found ? 0 : -1;

	for (size_t i = 0; i < n && rc == 0; i++)
		rc = post_add(p, &found[i], err);
	free(found);
	return rc;
}

/* Holds the deliveries until the quiet hours of their chat end. */
static void hold(const struct post *p, struct post_recipient *item, struct outbound **rows)
{
	int64_t until = quiet_hours_ask(p->bus, &item->to);
	time_t seconds = (time_t)(until / 1000);
	struct tm tm;
	char at[16];

	if (until == 0 || !localtime_r(&seconds, &tm))
		return;
	strftime(at, sizeof(at), "%H:%M", &tm);
	for (size_t i = 0; i < item->parts; i++) {
		rows[i]->not_before_ms = until;
		rows[i]->reason = xasprintf("Quiet hours: it goes out at %s.", at);
	}
	item->held = true;
	quiet_hours_watch(p->bus);
}

/* Appends the deliveries for one recipient. */
static int add_rows(const struct post *p, struct post_recipient *item, struct outbound ***rows, size_t *count,
    struct error *err)
{
	char where[ADDRESS_TEXT_MAX],
	    *key = p->key ? xasprintf("%s:%s", p->key, address_format(&item->to, where)) : NULL;
	char *own = p->own ? bus_own_text(p->bus, &item->to, p->text) : NULL;
	const char *text = own ? own : p->text;
	struct outbound **more;

	if (item->file.path)
		more = bus_file_rows(p->bus, &item->to, OUTBOUND_NOTIFICATION, &item->file, text, NULL, key,
		    p->turn, &item->parts, err);
	else
		more = bus_rows(
		    p->bus, &item->to, OUTBOUND_NOTIFICATION, text, NULL, key, p->turn, &item->parts, err);

	free(own);
	free(key);
	if (!more)
		return -1;
	hold(p, item, more);
	*rows = xrealloc(*rows, (*count + item->parts) * sizeof(**rows));
	memcpy(*rows + *count, more, item->parts * sizeof(**rows));
	*count += item->parts;
	free(more);
	return 0;
}

static void take_ids(struct post_recipient *item, struct outbound *const *rows)
{
	item->ids = xcalloc(item->parts, sizeof(*item->ids));
	for (size_t i = 0; i < item->parts; i++) {
		item->ids[i] = rows[i]->id;
		item->repeated |= rows[i]->known;
		item->differs |= rows[i]->differs;
	}
	if (item->differs)
		item->why = xstrdup("The key was used before, for another text: nothing was sent. Give each "
				    "text a key of its own.");
}

/* The key was stored before, with a copy of its own. */
static bool has_another_copy(struct task *t, const struct post *p, const struct outbound *row)
{
	struct outbound *stored = bus_await(t, p->bus, row->id, 0, NULL);
	bool another = stored &&
	    (!stored->file || !stored->file->path || strcmp(stored->file->path, row->file->path) != 0);

	outbound_free(stored);
	return another;
}

/* Removes the copies that no stored delivery names. */
static void discard_copies(struct task *t, const struct post *p, const struct post_recipient *some, size_t n,
    struct outbound *const *rows, size_t count, bool stored)
{
	for (size_t i = 0; i < n; i++)
		outbox_file_discard(p->bus, &some[i].file);
	for (size_t i = 0; i < count; i++)
		if (rows[i]->file && (!stored || (rows[i]->known && has_another_copy(t, p, rows[i]))))
			outbox_file_discard(p->bus, rows[i]->file);
}

static int commit_some(
    struct task *t, const struct post *p, struct post_recipient *some, size_t n, struct error *err)
{
	struct outbound **rows = NULL;
	size_t count = 0, at = 0;
	bool uncertain = false;
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++)
		rc = bus_locate(t, p->bus, &some[i].to, err);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = add_rows(p, &some[i], &rows, &count, err);
	task_shield(t);
	if (rc == 0) {
		rc = bus_send(t, p->bus, rows, count, err);
		uncertain = rc < 0 && (err->uncertain || err->kind == ERROR_CANCELLED);
	}
	if (!uncertain)
		discard_copies(t, p, some, n, rows, count, rc == 0);
	task_unshield(t);
	for (size_t i = 0; i < n; i++) {
		if (rc < 0)
			some[i].why = xstrdup(err->text);
		else
			take_ids(&some[i], rows + at);
		at += some[i].parts;
	}
	bus_rows_free(rows, count);
	return rc;
}

int post_commit(struct task *t, struct post *p, struct error *err)
{
	struct error why = {0};
	bool any = false;

	for (size_t i = 0; i < p->count; i += POST_AT_ONCE) {
		size_t n = p->count - i < POST_AT_ONCE ? p->count - i : POST_AT_ONCE;
		any |= commit_some(t, p, &p->items[i], n, &why) == 0;
	}
	if (!any && err)
		*err = why;
	return any ? 0 : -1;
}

static bool is_under_way(const struct outbound *row)
{
	return row->state == OUTBOUND_QUEUED || row->state == OUTBOUND_SENDING;
}

/* Returns the delivery once it has ended, or its state at the time limit. */
static struct outbound *await_row(struct task *t, const struct post *p, int64_t id, uint64_t due)
{
	uint64_t now = clock_now();
	struct outbound *row = bus_await(t, p->bus, id, due > now ? due - now : 0, NULL);

	if (!row || !is_under_way(row))
		return row;
	/* bus_await read it before the wait: reads it again. */
	outbound_free(row);
	return bus_await(t, p->bus, id, 0, NULL);
}

/* The last part ends after all others, so its outcome counts, unless an earlier part did not arrive: then
 * that part's does. */
static void await_item(struct task *t, const struct post *p, struct post_recipient *item, uint64_t due)
{
	item->part = item->parts;
	item->row = await_row(t, p, item->ids[item->parts - 1], due);
	if (!item->row || item->row->state != OUTBOUND_FAILED)
		return;
	for (size_t i = 0; i + 1 < item->parts; i++) {
		struct outbound *row = await_row(t, p, item->ids[i], 0);
		if (row && row->state != OUTBOUND_SENT) {
			outbound_free(item->row);
			item->row = row;
			item->part = i + 1;
			return;
		}
		outbound_free(row);
	}
}

/* Why nobody has sent it yet, which its row does not say. */
static void explain(struct task *t, const struct post *p, struct post_recipient *item)
{
	if (!item->row || item->row->state != OUTBOUND_QUEUED || item->row->reason ||
	    bus_serves(p->bus, &item->to) || bus_has_owner(t, p->bus, &item->to))
		return;
	item->row->reason =
	    xasprintf("No node serves the channel %s now. It is stored, and goes out when one does.",
		bus_unit(p->bus, &item->to));
}

void post_await(struct task *t, struct post *p, uint64_t ms)
{
	uint64_t due = clock_now() + ms;

	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].ids)
			await_item(t, p, &p->items[i], p->items[i].held ? 0 : due);
	for (size_t i = 0; i < p->count; i++)
		explain(t, p, &p->items[i]);
}

enum outbound_state post_state(const struct post_recipient *item)
{
	if (!item->ids || item->differs)
		return OUTBOUND_FAILED;
	return item->row && item->row->state != OUTBOUND_SENDING ? item->row->state : OUTBOUND_QUEUED;
}

void post_clear(struct post *p)
{
	for (size_t i = 0; i < p->count; i++) {
		attachment_clear(&p->items[i].file);
		free(p->items[i].ids);
		free(p->items[i].why);
		outbound_free(p->items[i].row);
	}
	free(p->items);
	p->items = NULL;
	p->count = 0;
}
