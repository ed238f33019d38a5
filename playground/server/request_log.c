#include "playground/server/request_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"

static size_t record_bytes(const struct record *r)
{
	size_t answer = r->answer ? strlen(r->answer) + 1 : 0;

	return sizeof(*r) + strlen(r->method) + strlen(r->body) + answer + strlen(r->problems) + 3;
}

static void drop_oldest(struct record_log *log)
{
	struct record *r = &log->ring[log->first];

	log->bytes -= record_bytes(r);
	free(r->method);
	free(r->body);
	free(r->answer);
	free(r->problems);
	log->first = (log->first + 1) % RECORD_MAX;
	log->count--;
}

void record_log_add(struct record_log *log, const struct record *r)
{
	struct record *slot;

	if (!log->ring)
		log->ring = xcalloc(RECORD_MAX, sizeof(*log->ring));
	if (log->count == RECORD_MAX)
		drop_oldest(log);
	slot = &log->ring[(log->first + log->count++) % RECORD_MAX];
	*slot = *r;
	slot->n = ++log->last_n;
	log->bytes += record_bytes(slot);
	while (log->bytes > RECORD_MAX_BYTES && log->count > 1)
		drop_oldest(log);
}

static void write_text(struct buf *out, const char *name, const char *text, bool brief)
{
	size_t len = strlen(text);

	if (brief && len > RECORD_BRIEF_BYTES)
		buf_addf(out, ",\"%s\":null,\"%s_bytes\":%zu", name, name, len);
	else
		buf_addf(out, ",\"%s\":%s", name, text);
}

static void write_record(const struct record *r, struct buf *out, bool brief)
{
	buf_addf(out,
	    "{\"n\":%" PRIu64 ",\"began_us\":%" PRId64 ",\"time_us\":%" PRId64 ",\"time_ms\":%" PRId64
	    ",\"platform\":\"%s\",\"method\":",
	    r->n, r->began_us, r->time_us, r->time_us / 1000, r->platform);
	json_quote(out, r->method, strlen(r->method));
	write_text(out, "body", r->body, brief);
	if (r->answer)
		write_text(out, "answer", r->answer, brief);
	buf_addf(out, ",\"status\":%d,\"verdict\":\"%s\",\"problems\":[%s]", r->status,
	    r->refused ? "refused" : "ok", r->problems);
	if (r->fault)
		buf_addf(out, ",\"fault\":\"%s\"", r->fault);
	buf_addch(out, '}');
}

void record_log_write(const struct record_log *log, struct buf *out, uint64_t after, const char *method)
{
	const char *comma = "";

	buf_addstr(out, "{\"requests\":[");
	for (size_t i = 0; i < log->count; i++) {
		const struct record *r = &log->ring[(log->first + i) % RECORD_MAX];

		if (r->n <= after || (method && strcasecmp(method, r->method) != 0))
			continue;
		buf_addstr(out, comma);
		write_record(r, out, false);
		comma = ",";
	}
	buf_addstr(out, "]}");
}

int record_log_write_one(const struct record_log *log, struct buf *out, uint64_t n, bool brief)
{
	if (n == 0 || n > log->last_n || n <= log->last_n - log->count)
		return -1;
	write_record(&log->ring[(log->first + log->count - 1 - (log->last_n - n)) % RECORD_MAX], out, brief);
	return 0;
}

void record_log_clear(struct record_log *log)
{
	while (log->count > 0)
		drop_oldest(log);
	free(log->ring);
	*log = (struct record_log){0};
}
