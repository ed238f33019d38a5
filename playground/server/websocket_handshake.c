#include "playground/server/websocket.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/base64.h"
#include "net/server/server.h"
#include "net/websocket/websocket.h"

#define KEY_BYTES 16

/* Is token in the comma-separated value of a header? */
static bool has_token(const char *value, const char *token)
{
	size_t want = strlen(token);

	while (value && *value != '\0') {
		size_t len;

		value += strspn(value, " \t,");
		len = strcspn(value, ",");
		while (len > 0 && (value[len - 1] == ' ' || value[len - 1] == '\t'))
			len--;
		if (len == want && strncasecmp(value, token, len) == 0)
			return true;
		value += strcspn(value, ",");
	}
	return false;
}

static bool is_key(const char *key)
{
	struct buf bytes = BUF_INIT;
	bool good = key && base64_decode(&bytes, key, strlen(key)) == 0 && bytes.len == KEY_BYTES;

	buf_clear(&bytes);
	return good;
}

static int refuse(struct error *err, int status, const char *sentence)
{
	error_set(err, ERROR_REFUSED, "%s", sentence);
	err->code = status;
	return -1;
}

static int check(const struct server_request *req, struct error *err)
{
	const char *version = server_header(req, "sec-websocket-version");

	if (strcmp(server_method(req), "GET") != 0)
		return refuse(err, 405, "A WebSocket is opened with GET.");
	if (!has_token(server_header(req, "upgrade"), "websocket") ||
	    !has_token(server_header(req, "connection"), "upgrade"))
		return refuse(
		    err, 426, "This address speaks WebSocket only (headers Upgrade and Connection).");
	if (!version || strcmp(version, "13") != 0)
		return refuse(err, 426, "The header Sec-WebSocket-Version must be 13.");
	if (!is_key(server_header(req, "sec-websocket-key")))
		return refuse(err, 400, "The header Sec-WebSocket-Key must hold 16 bytes as base64.");
	return 0;
}

int websocket_handshake(const struct server_request *req, struct buf *headers, struct error *err)
{
	struct error own;

	if (check(req, err ? err : &own) != 0)
		return -1;
	buf_addstr(headers, "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ");
	websocket_accept_value(headers, server_header(req, "sec-websocket-key"));
	buf_addstr(headers, "\r\n");
	return 0;
}
