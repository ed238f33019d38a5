#include "base/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "base/text/utf8.h"

#define TEXT_BYTES_MAX 200

bool trace_on;

static struct {
	char *lines[TRACE_LINES];
	uint64_t last; /* counts from 1 */
	size_t count;
	struct list readers;
	size_t reader_count;
} all = {.readers = LIST_INIT(all.readers)};

static void add_text(struct buf *out, const char *key, const char *text)
{
	struct buf clean = BUF_INIT;

	if (!text || !*text)
		return;
	secret_redact(&clean, text, strlen(text));
	buf_addf(out, ",\"%s\":", key);
	json_quote(out, clean.data, utf8_cut(clean.data, clean.len, TEXT_BYTES_MAX, UTF8_BYTES));
	buf_clear(&clean);
}

static void add_number(struct buf *out, const char *key, int64_t number)
{
	if (number != 0)
		buf_addf(out, ",\"%s\":%" PRId64, key, number);
}

static char *write_line(const struct trace_event *e)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "{\"n\":%" PRIu64 ",\"at_ms\":%" PRId64, all.last, clock_wall());
	add_text(&out, "step", e->step);
	add_number(&out, "inbound", e->inbound);
	add_number(&out, "turn", e->turn);
	add_number(&out, "row", e->row);
	add_text(&out, "channel", e->channel);
	add_text(&out, "chat", e->chat);
	add_text(&out, "thread", e->thread);
	add_text(&out, "message", e->message);
	add_text(&out, "call", e->call);
	add_text(&out, "name", e->name);
	add_text(&out, "model", e->model);
	add_text(&out, "state", e->state);
	add_text(&out, "reason", e->reason);
	add_number(&out, "try", e->try);
	add_number(&out, "ms", (int64_t)e->ms);
	buf_addch(&out, '}');
	return buf_take(&out);
}

void trace_emit(const struct trace_event *event)
{
	char **line = &all.lines[++all.last % TRACE_LINES];

	free(*line);
	*line = write_line(event);
	if (all.count < TRACE_LINES)
		all.count++;
	list_each(&all.readers, it, tmp)
		task_wake(list_entry(it, struct trace_reader, link)->task);
}

int trace_open(struct trace_reader *r, struct task *task)
{
	if (all.reader_count == TRACE_READERS_MAX)
		return -1;
	r->task = task;
	r->next = all.last + 1;
	list_append(&all.readers, &r->link);
	all.reader_count++;
	trace_on = true;
	return 0;
}

void trace_close(struct trace_reader *r)
{
	list_remove(&r->link);
	trace_on = --all.reader_count > 0;
	if (trace_on)
		return;
	for (size_t i = 0; i < TRACE_LINES; i++) {
		free(all.lines[i]);
		all.lines[i] = NULL;
	}
	all.count = 0;
}

const char *trace_next(struct trace_reader *r, uint64_t *lost)
{
	uint64_t first = all.last + 1 - all.count;

	if (r->next < first) {
		*lost += first - r->next;
		r->next = first;
	}
	return r->next <= all.last ? all.lines[r->next++ % TRACE_LINES] : NULL;
}
