#include "playground/fault.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"

#define FAULT_SECONDS 5
#define FAULT_AT_BYTE 100

static const char *const kind_names[] = {
    [FAULT_NONE] = "none", [FAULT_STATUS] = "status", [FAULT_RETRY_AFTER] = "retry_after", [FAULT_STALL] = "stall",
    [FAULT_CUT] = "cut",   [FAULT_CLOSE] = "close",   [FAULT_GARBAGE] = "garbage",
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

static int check(const struct fault *f, struct error *err)
{
	if (f->kind == FAULT_NONE)
		return error_set(err, ERROR_OURS,
				 "kind must be one of status, retry_after, stall, cut, close, garbage");
	if (f->count < 1)
		return error_set(err, ERROR_OURS, "count must be at least 1");
	if (f->kind == FAULT_STATUS && (f->status < 200 || f->status > 599))
		return error_set(err, ERROR_OURS, "status must be from 200 to 599");
	return 0;
}

int fault_add(struct list *faults, struct json_object *in, struct error *err)
{
	const char *method = json_get_str(in, "method");
	int64_t seconds = json_get_int(in, "seconds", FAULT_SECONDS),
		at_byte = json_get_int(in, "at_byte", FAULT_AT_BYTE);
	struct fault *f;

	if (seconds < 0 || seconds > 86400 || at_byte < 0)
		return error_set(err, ERROR_OURS, "seconds must be from 0 to 86400 and at_byte not negative");
	f = xcalloc(1, sizeof(*f));
	f->kind = kind_of(json_get_str(in, "kind"));
	f->count = json_get_int(in, "count", 1);
	f->status = (int)json_get_int(in, "status", 500);
	f->seconds = (unsigned)seconds;
	f->at_byte = (size_t)at_byte;
	str_copy(f->text, sizeof(f->text), json_get_str(in, "text") != NULL ? json_get_str(in, "text") : "");
	str_copy(f->platform, sizeof(f->platform), json_get_str(in, "platform"));
	str_copy(f->method, sizeof(f->method), method != NULL ? method : "*");
	if (check(f, err) != 0) {
		free(f);
		return -1;
	}
	list_append(faults, &f->link);
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
