#include "llm/formats/tool_list.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

#define KEPT 8
/* A longer list is written anew each time. */
#define KEPT_BYTES_MAX (256 * 1024)

/* A list as it was written. A tool whose texts change gets another id, so no entry needs to be
 * invalidated. */
struct kept_list {
	tool_list_fn *write; /* NULL: unused */
	uint64_t *ids;
	size_t count;
	struct buf text;
	uint64_t used;
};

static struct kept_list kept[KEPT];
static uint64_t uses;

static bool is_of(const struct kept_list *k, const struct llm_request *req, tool_list_fn *write)
{
	if (k->write != write || k->count != req->tool_count)
		return false;
	for (size_t i = 0; i < k->count; i++)
		if (k->ids[i] != req->tools[i].id)
			return false;
	return true;
}

static struct kept_list *find(const struct llm_request *req, tool_list_fn *write)
{
	for (size_t i = 0; i < KEPT; i++)
		if (is_of(&kept[i], req, write))
			return &kept[i];
	return NULL;
}

/* Replaces the least recently used list. */
static void keep(const struct llm_request *req, tool_list_fn *write, const char *text, size_t len)
{
	struct kept_list *k = kept;

	for (size_t i = 0; i < req->tool_count; i++)
		if (req->tools[i].id == 0)
			return;
	for (size_t i = 1; i < KEPT; i++)
		if (kept[i].used < k->used)
			k = &kept[i];
	free(k->ids);
	if (k->write)
		buf_clear(&k->text);
	*k = (struct kept_list){.write = write, .count = req->tool_count, .text = BUF_INIT, .used = ++uses};
	k->ids = xcalloc(k->count, sizeof(*k->ids));
	for (size_t i = 0; i < k->count; i++)
		k->ids[i] = req->tools[i].id;
	buf_add(&k->text, text, len);
}

void tool_list_add(struct buf *out, const struct llm_request *req, tool_list_fn *write)
{
	size_t begin = out->len;
	struct kept_list *k;

	if (req->tool_count == 0)
		return;
	k = find(req, write);
	if (k) {
		k->used = ++uses;
		buf_add(out, k->text.data, k->text.len);
		return;
	}
	buf_addstr(out, ",\"tools\":[");
	for (size_t i = 0; i < req->tool_count; i++) {
		buf_addstr(out, i ? "," : "");
		write(out, &req->tools[i], i + 1 == req->tool_count);
	}
	buf_addch(out, ']');
	if (out->len - begin <= KEPT_BYTES_MAX)
		keep(req, write, out->data + begin, out->len - begin);
}
