#include "llm/formats/tool_list.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

#define KEPT 8
/* A longer list is written anew each time. */
#define KEPT_BYTES_MAX (256 * 1024)

/* A list as it was written. It is found by the contents of its tools: a tool that changes makes another list,
 * and nothing has to be told. */
struct kept_list {
	tool_list_fn *write; /* NULL: unused */
	struct buf tools;    /* name, summary and schema of each, terminated */
	struct buf text;
	uint64_t used;
};

static struct kept_list kept[KEPT];
static uint64_t uses;

static bool take(const char **at, const char *end, const char *text)
{
	if (*at == end || strcmp(*at, text) != 0)
		return false;
	*at += strlen(*at) + 1;
	return true;
}

static bool is_of(const struct kept_list *k, const struct llm_request *req)
{
	const char *at = k->tools.data, *end = at + k->tools.len;

	for (size_t i = 0; i < req->tool_count; i++)
		if (!take(&at, end, req->tools[i].name) || !take(&at, end, req->tools[i].summary) ||
		    !take(&at, end, req->tools[i].schema))
			return false;
	return at == end;
}

static struct kept_list *find(const struct llm_request *req, tool_list_fn *write)
{
	for (size_t i = 0; i < KEPT; i++)
		if (kept[i].write == write && is_of(&kept[i], req))
			return &kept[i];
	return NULL;
}

static void add_terminated(struct buf *out, const char *text)
{
	buf_add(out, text, strlen(text) + 1);
}

/* In the place of the one that was not used for the longest time. */
static void keep(const struct llm_request *req, tool_list_fn *write, const char *text, size_t len)
{
	struct kept_list *k = kept;

	for (size_t i = 1; i < KEPT; i++)
		if (kept[i].used < k->used)
			k = &kept[i];
	if (k->write) {
		buf_clear(&k->tools);
		buf_clear(&k->text);
	}
	*k = (struct kept_list){.write = write, .tools = BUF_INIT, .text = BUF_INIT, .used = ++uses};
	for (size_t i = 0; i < req->tool_count; i++) {
		add_terminated(&k->tools, req->tools[i].name);
		add_terminated(&k->tools, req->tools[i].summary);
		add_terminated(&k->tools, req->tools[i].schema);
	}
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
