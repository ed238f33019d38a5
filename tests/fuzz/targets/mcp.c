/* What an MCP server sends: a message, the tools and the result in it. What is offered of the tools can be
 * offered. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "tools/mcp/definition.h"
#include "tools/mcp/json_repair.h"
#include "tools/mcp/peer.h"
#include "tools/mcp/result.h"
#include "tools/schema.h"

static void send_reply(struct mcp_transport *link, struct mcp_outgoing *out)
{
	(void)link;
	HOLDS(strlen(out->text) == out->len && !memchr(out->text, '\n', out->len));
	json_object_put(fuzz_hold_json(out->text));
	free(out->text);
}

static void check_peer(const char *text, size_t len)
{
	static const struct mcp_sender carrier = {.send = send_reply};
	static char link;
	struct mcp_peer p;

	mcp_peer_init(&p, "mcp.fuzz");
	p.sender = &carrier;
	p.link = (struct mcp_transport *)&link;
	(void)mcp_peer_take(&p, 0, text, len);
	(void)mcp_peer_take_error(&p, 1, text, len);
}

static void check_definition(const struct mcp_definition *d)
{
	size_t len = strlen(d->name);

	HOLDS(len > 0 && len <= MCP_NAME_MAX);
	HOLDS(strspn(d->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == len);
	HOLDS(d->refusal || d->schema);
	HOLDS(utf8_valid(d->summary, strlen(d->summary)) && strlen(d->summary) < MCP_DESCRIPTION_MAX + 64);
	if (d->refusal)
		fuzz_hold_sentence(d->refusal);
	else
		HOLDS(strcmp(json_get_str(d->schema, "type"), "object") == 0);
}

static void check_tools(struct json_object *tools)
{
	struct mcp_definitions d;
	struct mcp_pins pins = {0};

	if (!tools)
		return;
	mcp_definitions_read(&d, "server", tools);
	mcp_pins_apply(&pins, &d);
	for (size_t i = 0; i < d.count; i++)
		check_definition(&d.items[i]);
	mcp_definitions_clear(&d);
	mcp_pins_clear(&pins);
}

static void check_result(struct json_object *result)
{
	struct json_object *o = mcp_result_read("server__tool", "server", result);

	HOLDS(!json_get_str(o, "error") == !json_get_str(o, "error_code"));
	HOLDS(json_get_str(o, "error") || json_get(o, "content"));
	json_object_put(o);
}

/* Mending changes nothing that is flat and small, and its result can be taken if the text is JSON. */
static void check_mended(const char *text, size_t len, struct json_object *plain)
{
	struct buf mended = BUF_INIT, again = BUF_INIT;

	mcp_json_repair(&mended, text, len);
	mcp_json_repair(&again, mended.data, mended.len);
	HOLDS(again.len == mended.len && memcmp(again.data, mended.data, mended.len) == 0);
	struct json_object *o = json_parse_object(mended.data, mended.len, NULL);
	HOLDS(o || !plain);
	json_object_put(o);
	buf_clear(&mended);
	buf_clear(&again);
}

void fuzz_mcp(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t len;
	char *text = fuzz_rest(&in, &len);
	struct json_object *message = json_parse_object(text, len, NULL);

	fuzz_quiet_log();
	check_peer(text, len);
	check_mended(text, len, message);
	check_tools(json_get_array(message, "tools"));
	if (message)
		check_result(message);
	json_object_put(message);
	free(text);
}

FUZZ_PROGRAM(fuzz_mcp)
