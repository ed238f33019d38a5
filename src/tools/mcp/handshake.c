#include "tools/mcp/server.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "config.h"
#include "tools/sanitize.h"
#include "tools/mcp/transport.h"
#include "tools/mcp/peer.h"

/* MCP 2026-07-28, "Error codes". */
#define HEADER_MISMATCH     (-32020)
#define MISSING_CAPABILITY  (-32021)
#define UNSUPPORTED_VERSION (-32022)
/* A legacy server may not answer the modern request at all, because it ignores messages before the
 * handshake; after this time it counts as legacy. */
#define PROBE_MS 4000

static const char *const legacy_versions[] = {MCP_LEGACY, "2025-06-18", "2025-03-26", "2024-11-05"};

/* Explains a failure in a sentence for people. Returns -1. */
static int explain(const struct mcp_answer *a, const char *what, struct error *err)
{
	struct buf said = BUF_INIT;

	if (a->outcome != MCP_ERROR) {
		*err = a->err;
		return -1;
	}
	sanitize_text(&said, a->message, strlen(a->message));
	error_set(
	    err, ERROR_REFUSED, "it answers %s with error %" PRId64 ": %.120s", what, a->number, said.data);
	buf_clear(&said);
	return -1;
}

static bool holds(struct json_object *list, const char *text)
{
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		const char *item = json_object_get_string(json_object_array_get_idx(list, i));
		if (item && strcmp(item, text) == 0)
			return true;
	}
	return false;
}

static bool is_legacy(struct json_object *versions)
{
	for (size_t i = 0; i < ARRAY_LEN(legacy_versions); i++)
		if (holds(versions, legacy_versions[i]))
			return true;
	return false;
}

static void take_handshake(struct mcp_handshake *out, struct json_object *result)
{
	struct json_object *tools = json_get_object(json_get_object(result, "capabilities"), "tools");
	struct json_object *info = json_get_object(result, "serverInfo"),
			   *meta = json_get_object(result, "_meta");
	struct buf name = BUF_INIT;

	if (!info)
		info = json_get_object(meta, "io.modelcontextprotocol/serverInfo");
	const char *said = json_get_str(info, "name"), *version = json_get_str(info, "version");
	if (!said)
		said = "without a name";
	sanitize_text(&name, said, strlen(said));
	buf_addch(&name, ' ');
	sanitize_text(&name, version ? version : "", version ? strlen(version) : 0);
	str_copy(out->server, sizeof(out->server), name.data);
	out->has_tools = tools;
	out->notifies_changes = json_get_bool(tools, "listChanged", false);
	buf_clear(&name);
}

enum verdict { IS_MODERN, IS_LEGACY, IS_NONE };

/* versions: NULL when the answer is none to the modern request, as of a server that answers everything. */
static enum verdict judge_versions(struct json_object *versions, struct error *err)
{
	if (holds(versions, MCP_MODERN))
		return IS_MODERN;
	if (!versions || is_legacy(versions))
		return IS_LEGACY;
	error_set(err, ERROR_REFUSED, "it speaks no version of the protocol that is known here");
	return IS_NONE;
}

/* Classifies the answer to the modern request: a server that is not modern may be legacy. */
static enum verdict judge(const struct mcp_answer *a, struct error *err)
{
	if (a->outcome == MCP_ANSWERED)
		return judge_versions(json_get_array(a->result, "supportedVersions"), err);
	if (a->outcome == MCP_ERROR && a->number == UNSUPPORTED_VERSION)
		return judge_versions(json_get_array(a->data, "supported"), err);
	if (a->outcome == MCP_ERROR && a->number != HEADER_MISMATCH && a->number != MISSING_CAPABILITY)
		return IS_LEGACY;
	/* A status without a JSON-RPC body. */
	if (a->outcome == MCP_TIMED_OUT ||
	    (a->outcome == MCP_LOST && a->err.code >= 400 && a->err.code != 401 && a->err.code != 403))
		return IS_LEGACY;
	explain(a, "server/discover", err);
	return IS_NONE;
}

static int probe(struct task *t, struct mcp_peer *p, struct mcp_era *era, uint64_t start_ms,
    struct mcp_handshake *out, struct error *err)
{
	struct mcp_request req = {.method = "server/discover",
	    .modern = true,
	    .no_cancel = true,
	    .timeout_ms = era->modern ? start_ms : PROBE_MS};
	struct mcp_answer a;

	mcp_peer_ask(t, p, &req, &a);
	enum verdict verdict = judge(&a, err);
	if (verdict == IS_MODERN && a.outcome == MCP_ERROR) {
		/* It refused the version that it names: once more, since only an answer tells its tools. */
		mcp_answer_clear(&a);
		mcp_peer_ask(t, p, &req, &a);
		verdict = judge(&a, err);
		if (verdict == IS_MODERN && a.outcome == MCP_ERROR) {
			explain(&a, "server/discover", err);
			verdict = IS_NONE;
		}
	}
	p->modern = verdict == IS_MODERN;
	era->modern = p->modern;
	/* A server that exits on the request is asked in the other way next time. */
	era->legacy = verdict == IS_LEGACY || (a.outcome == MCP_LOST && p->lost);
	if (p->modern) {
		str_copy(p->version, sizeof(p->version), MCP_MODERN);
		take_handshake(out, a.result);
	}
	mcp_answer_clear(&a);
	return verdict == IS_NONE ? -1 : 0;
}

static struct json_object *initialize_params(const struct mcp_peer *p)
{
	struct json_object *o = json_object_new_object(), *info = json_object_new_object();

	json_set_str(o, "protocolVersion", MCP_LEGACY);
	json_set(o, "capabilities", mcp_capabilities(p, true));
	json_set_str(info, "name", "myna");
	json_set_str(info, "version", PACKAGE_VERSION);
	json_set(o, "clientInfo", info);
	return o;
}

static int take_version(struct mcp_peer *p, struct json_object *result, struct error *err)
{
	const char *version = json_get_str(result, "protocolVersion");

	for (size_t i = 0; version && i < ARRAY_LEN(legacy_versions); i++)
		if (strcmp(version, legacy_versions[i]) == 0)
			return str_copy(p->version, sizeof(p->version), version);
	return error_set(err, ERROR_REFUSED, "it speaks no version of the protocol that is known here");
}

static int shake_hands(struct task *t, struct mcp_peer *p, const struct mcp_transport_ops *ops,
    uint64_t start_ms, struct mcp_handshake *out, struct error *err)
{
	struct mcp_request req = {.method = "initialize",
	    .params = initialize_params(p),
	    .timeout_ms = start_ms,
	    .no_cancel = true};
	struct mcp_answer a;
	int rc;

	mcp_peer_ask(t, p, &req, &a);
	rc = a.outcome == MCP_ANSWERED ? take_version(p, a.result, err) : explain(&a, "initialize", err);
	if (rc == 0) {
		take_handshake(out, a.result);
		mcp_peer_notify(p, "notifications/initialized", NULL);
		rc = ops->flush ? ops->flush(t, p->link, err) : 0;
	}
	mcp_answer_clear(&a);
	return rc;
}

int mcp_handshake_run(struct task *t, struct mcp_peer *p, const struct mcp_transport_ops *ops,
    struct mcp_era *era, uint64_t start_ms, struct mcp_handshake *out, struct error *err)
{
	*out = (struct mcp_handshake){0};
	if (!era->legacy && probe(t, p, era, start_ms, out, err) < 0)
		return -1;
	return p->modern ? 0 : shake_hands(t, p, ops, start_ms, out, err);
}
