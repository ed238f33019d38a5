/* Reads tools/list page by page, from a server that may never end. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "tools/mcp/server.h"
#include "tools/mcp/peer.h"

#define PAGE_MS   15000
#define PAGES_MAX 100
#define TOOLS_MAX 1000
/* All pages together, as text. */
#define BYTES_MAX (16 * 1024 * 1024)

struct listing {
	struct json_object *tools;
	char *cursors[PAGES_MAX];
	size_t pages, bytes;
};

/* Has this page already been read? */
static bool is_known(const struct listing *l, const char *cursor)
{
	for (size_t i = 0; i < l->pages; i++)
		if (strcmp(l->cursors[i], cursor) == 0)
			return true;
	return false;
}

/* Returns NULL when there are no more pages, or no more are wanted; why says so then. */
static const char *next_cursor(const struct listing *l, struct json_object *result, const char **why)
{
	const char *cursor = json_get_str(result, "nextCursor");

	*why = NULL;
	if (!cursor)
		return NULL;
	if (is_known(l, cursor))
		*why = "its pages go in a circle";
	else if (l->pages == PAGES_MAX || json_object_array_length(l->tools) >= TOOLS_MAX ||
	    l->bytes > BYTES_MAX)
		*why = "it is too long";
	return *why ? NULL : cursor;
}

static void take_page(struct listing *l, struct json_object *result)
{
	struct json_object *tools = json_get_array(result, "tools");
	struct buf text = BUF_INIT;

	for (size_t i = 0;
	     tools && i < json_object_array_length(tools) && json_object_array_length(l->tools) < TOOLS_MAX;
	     i++)
		json_object_array_add(l->tools, json_object_get(json_object_array_get_idx(tools, i)));
	json_write(&text, result);
	l->bytes += text.len;
	buf_clear(&text);
}

static int ask_page(
    struct task *t, struct mcp_peer *p, const char *cursor, struct mcp_answer *a, struct error *err)
{
	struct json_object *params = json_object_new_object();
	struct mcp_request req = {.method = "tools/list", .params = params, .timeout_ms = PAGE_MS};

	json_set_str(params, "cursor", cursor);
	mcp_peer_ask(t, p, &req, a);
	if (a->outcome == MCP_ANSWERED)
		return 0;
	if (a->outcome == MCP_ERROR)
		error_set(
		    &a->err, ERROR_REFUSED, "it does not list its tools: error %lld", (long long)a->number);
	*err = a->err;
	mcp_answer_clear(a);
	return -1;
}

static int read_pages(struct task *t, struct mcp_peer *p, struct listing *l, struct error *err)
{
	const char *why = NULL, *cursor = NULL;
	struct mcp_answer a;

	do {
		if (ask_page(t, p, cursor, &a, err) < 0)
			return -1;
		take_page(l, a.result);
		cursor = next_cursor(l, a.result, &why);
		if (cursor)
			cursor = l->cursors[l->pages++] = xstrdup(cursor);
		mcp_answer_clear(&a);
	} while (cursor);
	if (why)
		log_warn(p->log, "its list of tools is taken as far as it has come: %s", why);
	return 0;
}

struct json_object *mcp_list_tools(struct task *t, struct mcp_peer *p, struct error *err)
{
	struct listing l = {.tools = json_object_new_array()};
	int rc = read_pages(t, p, &l, err);

	for (size_t i = 0; i < l.pages; i++)
		free(l.cursors[i]);
	if (rc == 0)
		return l.tools;
	json_object_put(l.tools);
	return NULL;
}
