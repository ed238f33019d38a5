#include "playground/fault.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "playground/model/failure.h"
#include "playground/model/quirk.h"

#define FAULT_SECONDS 5
#define FAULT_AT_BYTE 100

static const char *const kind_names[] = {
    [FAULT_NONE] = "none",	 [FAULT_STATUS] = "status",   [FAULT_RETRY_AFTER] = "retry_after",
    [FAULT_STALL] = "stall",	 [FAULT_CUT] = "cut",	      [FAULT_CLOSE] = "close",
    [FAULT_GARBAGE] = "garbage", [FAULT_FAILURE] = "failure", [FAULT_PAGE] = "page",
    [FAULT_ERROR] = "error",	 [FAULT_HANG] = "hang",	      [FAULT_KEEP_ALIVE] = "keep_alive",
    [FAULT_PINGS] = "pings",	 [FAULT_NO_FINISH] = "no_finish", [FAULT_QUIRKS] = "quirks",
};

const char *fault_kind_name(enum fault_kind kind)
{
	return kind_names[kind];
}

static enum fault_kind kind_of(const char *name)
{
	for (size_t i = FAULT_STATUS; name != NULL && i < ARRAY_LEN(kind_names); i++)
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
	if ((f->kind == FAULT_FAILURE || f->kind == FAULT_ERROR) && f->failure == NULL)
		return error_set(err, ERROR_OURS, "\"failure\" must be the name of one");
	return 0;
}

int fault_read(struct fault *f, struct json_object *in, struct error *err)
{
	int64_t seconds = json_get_int(in, "seconds", FAULT_SECONDS),
		at_byte = json_get_int(in, "at_byte", FAULT_AT_BYTE);
	const char *text = json_get_str(in, "text");

	if (seconds < 0 || seconds > 86400 || at_byte < 0)
		return error_set(err, ERROR_OURS, "seconds must be from 0 to 86400 and at_byte not negative");
	*f = (struct fault){
	    .kind = kind_of(json_get_str(in, "kind")),
	    .count = 1,
	    .status = (int)json_get_int(in, "status", 500),
	    .seconds = (unsigned)seconds,
	    .at_byte = (size_t)at_byte,
	    .failure = failure_find(json_get_str(in, "failure")),
	    .retry_after_s = json_get_int(in, "retry_after", -1),
	    .retry_after_ms = json_get_int(in, "retry_after_ms", -1),
	};
	str_copy(f->text, sizeof(f->text), text != NULL ? text : "");
	if (f->kind == FAULT_QUIRKS)
		return quirk_read(json_get_array(in, "quirks"), &f->quirks, err);
	return check(f, err);
}

int fault_add(struct list *faults, struct json_object *in, struct error *err)
{
	const char *method = json_get_str(in, "method"), *platform = json_get_str(in, "platform");
	struct fault f, *added;

	f.kind = kind_of(json_get_str(in, "kind"));
	if (strcmp(platform, "model") != 0 && (f.kind == FAULT_NONE || f.kind >= FAULT_FAILURE))
		return unknown_kind(FAULT_FAILURE, err);
	if (fault_read(&f, in, err) != 0)
		return -1;
	f.count = json_get_int(in, "count", 1);
	if (f.count < 1)
		return error_set(err, ERROR_OURS, "count must be at least 1");
	str_copy(f.platform, sizeof(f.platform), platform);
	str_copy(f.method, sizeof(f.method), method != NULL ? method : "*");
	added = xmemdup(&f, sizeof(f));
	list_append(faults, &added->link);
	return 0;
}

static void drop(struct fault *f)
{
	list_remove(&f->link);
	free(f);
}

enum fault_kind fault_take(struct list *faults, const char *platform, const char *method, struct fault *out)
{
	out->kind = FAULT_NONE;
	list_each (faults, it, tmp) {
		struct fault *f = list_entry(it, struct fault, link);

		if (strcmp(f->platform, platform) != 0)
			continue;
		if (strcmp(f->method, "*") != 0 && strcasecmp(f->method, method) != 0)
			continue;
		*out = *f;
		if (--f->count == 0)
			drop(f);
		break;
	}
	return out->kind;
}

void fault_clear_all(struct list *faults)
{
	list_each (faults, it, tmp)
		drop(list_entry(it, struct fault, link));
}
