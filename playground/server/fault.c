#include "playground/server/fault.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/clock.h"

#define FAULT_SECONDS  5
#define FAULT_AT_BYTE  100
#define FAULT_TOKEN_MS 200
#define TOKEN_MS_MAX   60000

static const char *const kind_names[] = {
    [FAULT_NONE] = "none",
    [FAULT_STATUS] = "status",
    [FAULT_RETRY_AFTER] = "retry_after",
    [FAULT_STALL] = "stall",
    [FAULT_CUT] = "cut",
    [FAULT_CLOSE] = "close",
    [FAULT_GARBAGE] = "garbage",
    [FAULT_OUTAGE] = "outage",
    [FAULT_DISCONNECT] = "disconnect",
    [FAULT_FAILURE] = "failure",
    [FAULT_PAGE] = "page",
    [FAULT_ERROR] = "error",
    [FAULT_HANG] = "hang",
    [FAULT_KEEP_ALIVE] = "keep_alive",
    [FAULT_PINGS] = "pings",
    [FAULT_NO_FINISH] = "no_finish",
    [FAULT_SLOW] = "slow",
    [FAULT_QUIRKS] = "quirks",
};

const char *fault_kind_name(enum fault_kind kind)
{
	return kind_names[kind];
}

void faults_init(struct faults *faults)
{
	list_init(&faults->list);
	faults->last_id = 0;
}

static enum fault_kind kind_of(const char *name)
{
	for (size_t i = FAULT_STATUS; name && i < ARRAY_LEN(kind_names); i++)
		if (strcmp(kind_names[i], name) == 0)
			return (enum fault_kind)i;
	return FAULT_NONE;
}

static int unknown_kind(size_t count, struct error *err)
{
	struct buf names = BUF_INIT;

	for (size_t i = FAULT_STATUS; i < count; i++)
		buf_addf(&names, "%s%s", i > FAULT_STATUS ? ", " : "", kind_names[i]);
	error_set(err, ERROR_OURS, "kind must be one of %s", names.data);
	buf_clear(&names);
	return -1;
}

static int check(const struct fault *f, struct error *err)
{
	if (f->kind == FAULT_NONE)
		return unknown_kind(ARRAY_LEN(kind_names), err);
	if ((f->kind == FAULT_STATUS || f->kind == FAULT_PAGE) && (f->status < 200 || f->status > 599))
		return error_set(err, ERROR_OURS, "status must be from 200 to 599");
	if ((f->kind == FAULT_FAILURE || f->kind == FAULT_ERROR) && !f->failure)
		return error_set(err, ERROR_OURS, "\"failure\" must be the name of one");
	return 0;
}

int fault_read(struct fault *f, struct json_object *in, struct error *err)
{
	int64_t seconds = json_get_int(in, "seconds", FAULT_SECONDS),
		at_byte = json_get_int(in, "at_byte", FAULT_AT_BYTE),
		token_ms = json_get_int(in, "token_ms", FAULT_TOKEN_MS);
	const char *text = json_get_str(in, "text");

	if (seconds < 0 || seconds > 86400 || at_byte < 0)
		return error_set(err, ERROR_OURS, "seconds must be from 0 to 86400 and at_byte not negative");
	if (token_ms < 0 || token_ms > TOKEN_MS_MAX)
		return error_set(err, ERROR_OURS, "token_ms must be from 0 to %d", TOKEN_MS_MAX);
	*f = (struct fault){
	    .kind = kind_of(json_get_str(in, "kind")),
	    .count = 1,
	    .status = (int)json_get_int(in, "status", 500),
	    .seconds = (unsigned)seconds,
	    .at_byte = (size_t)at_byte,
	    .token_ms = (unsigned)token_ms,
	    .global = json_get_bool(in, "global", false),
	    .failure = failure_find(json_get_str(in, "failure")),
	    .retry_after_s = json_get_int(in, "retry_after", -1),
	    .retry_after_ms = json_get_int(in, "retry_after_ms", -1),
	};
	str_copy(f->text, sizeof(f->text), text ? text : "");
	if (f->kind == FAULT_QUIRKS)
		return quirk_read(json_get_array(in, "quirks"), &f->quirks, err);
	return check(f, err);
}

/* Keeps a copy, unless the fault is already used up. */
static void keep(struct faults *faults, struct fault *f)
{
	struct fault *added;

	f->id = ++faults->last_id;
	if (f->kind == FAULT_DISCONNECT)
		return;
	if (f->kind == FAULT_OUTAGE) {
		f->count = FAULT_FOR_EVER;
		f->until_ms = clock_now() + f->seconds * 1000u;
		f->until_wall_ms = clock_wall() + f->seconds * 1000;
	}
	added = xmemdup(f, sizeof(*f));
	list_append(&faults->list, &added->link);
}

int64_t fault_add(struct faults *faults, struct json_object *in, enum fault_kind *kind, struct error *err)
{
	const char *method = json_get_str(in, "method"), *platform = json_get_str(in, "platform");
	struct fault f;

	*kind = kind_of(json_get_str(in, "kind"));
	if (strcmp(platform, "model") != 0 && (*kind == FAULT_NONE || *kind >= FAULT_FAILURE))
		return unknown_kind(FAULT_FAILURE, err);
	if (fault_read(&f, in, err) != 0)
		return -1;
	if (method && strcmp(method, FAULT_EVENT) == 0 && *kind != FAULT_CUT && *kind != FAULT_CLOSE &&
	    *kind != FAULT_GARBAGE)
		return error_set(err, ERROR_OURS, "kind must be one of cut, close, garbage for an event");
	f.count = json_get_int(in, "count", 1);
	if (f.count < 1 && f.count != FAULT_FOR_EVER)
		return error_set(err, ERROR_OURS, "count must be at least 1, or -1: until it is cleared");
	str_copy(f.platform, sizeof(f.platform), platform);
	str_copy(f.method, sizeof(f.method), method ? method : "*");
	keep(faults, &f);
	return f.id;
}

static void drop(struct fault *f)
{
	list_remove(&f->link);
	free(f);
}

static void drop_expired(struct faults *faults)
{
	list_each_entry(&faults->list, struct fault, f, link)
		if (f->until_ms != 0 && clock_now() >= f->until_ms)
			drop(f);
}

/* The others are what bots ask for. */
static bool is_sent_to_bots(const char *method)
{
	return strcmp(method, FAULT_EVENT) == 0 || strcmp(method, FAULT_REQUEST_URL) == 0 ||
	    strcmp(method, FAULT_WEBHOOK) == 0;
}

static struct fault *find(struct faults *faults, const char *platform, const char *method, bool counted)
{
	list_each_entry(&faults->list, struct fault, f, link) {
		if ((f->count != FAULT_FOR_EVER) != counted || strcmp(f->platform, platform) != 0)
			continue;
		if (strcasecmp(f->method, method) == 0 ||
		    (strcmp(f->method, "*") == 0 && !is_sent_to_bots(method)))
			return f;
	}
	return NULL;
}

enum fault_kind fault_take(struct faults *faults, const char *platform, const char *method, struct fault *out)
{
	struct fault *f;

	out->kind = FAULT_NONE;
	if (list_is_empty(&faults->list))
		return FAULT_NONE;
	drop_expired(faults);
	f = find(faults, platform, method, true);
	if (!f)
		f = find(faults, platform, method, false);
	if (!f)
		return FAULT_NONE;
	f->used++;
	*out = *f;
	if (f->count != FAULT_FOR_EVER && --f->count == 0)
		drop(f);
	return out->kind;
}

const char *fault_garbage(const struct fault *f)
{
	return f->text[0] != '\0' ? f->text : "{\"ok\":true,\"result\":[{\"upd\xff\xfe<html>";
}

size_t faults_drop(struct faults *faults, int64_t id, const char *platform, const char *kind)
{
	size_t n = 0;

	drop_expired(faults);
	list_each_entry(&faults->list, struct fault, f, link) {
		if ((id != 0 && f->id != id) || (platform && strcmp(f->platform, platform) != 0) ||
		    (kind && strcmp(kind_names[f->kind], kind) != 0))
			continue;
		drop(f);
		n++;
	}
	return n;
}

static void write_fault(const struct fault *f, struct buf *out)
{
	buf_addf(out,
	    "{\"id\":%" PRId64 ",\"platform\":\"%s\",\"kind\":\"%s\",\"count\":%" PRId64 ",\"used\":%" PRId64
	    ",\"method\":",
	    f->id, f->platform, kind_names[f->kind], f->count, f->used);
	json_quote(out, f->method, strlen(f->method));
	if (f->kind == FAULT_STATUS)
		buf_addf(out, ",\"status\":%d", f->status);
	if (f->text[0] != '\0') {
		buf_addstr(out, ",\"text\":");
		json_quote(out, f->text, strlen(f->text));
	}
	if (f->kind == FAULT_RETRY_AFTER || f->kind == FAULT_STALL || f->kind == FAULT_OUTAGE)
		buf_addf(out, ",\"seconds\":%u", f->seconds);
	if (f->kind == FAULT_CUT)
		buf_addf(out, ",\"at_byte\":%zu", f->at_byte);
	if (f->kind == FAULT_SLOW)
		buf_addf(out, ",\"token_ms\":%u", f->token_ms);
	if (f->until_ms != 0)
		buf_addf(out, ",\"until_ms\":%" PRId64, f->until_wall_ms);
	buf_addch(out, '}');
}

void faults_write(struct faults *faults, struct buf *out)
{
	const char *comma = "";

	drop_expired(faults);
	buf_addstr(out, "\"faults\":[");
	list_each_entry(&faults->list, struct fault, entry, link) {
		buf_addstr(out, comma);
		write_fault(entry, out);
		comma = ",";
	}
	buf_addch(out, ']');
}
