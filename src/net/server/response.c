#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "net/server/server_internal.h"

#define TEXT "text/plain; charset=utf-8"

static const struct {
	int status;
	const char *reason;
} reasons[] = {
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {426, "Upgrade Required"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

static const char *reason_of(int status)
{
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
		if (reasons[i].status == status)
			return reasons[i].reason;
	return "Other";
}

/* The Date header, made once a second. */
static const char *date_line(void)
{
	static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char months[][4] = {
	    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	static char line[64];
	static time_t made;
	time_t now = (time_t)(clock_wall() / 1000);
	struct tm tm;

	if (now == made || !gmtime_r(&now, &tm))
		return line;
	made = now;
	snprintf(line, sizeof(line), "Date: %s, %02d %s %d %02d:%02d:%02d GMT\r\n", days[tm.tm_wday],
	    tm.tm_mday, months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
	return line;
}

static bool status_has_body(int status)
{
	return status >= 200 && status != 204 && status != 304;
}

void server_response_add_head(
    struct buf *out, int status, const char *content_type, const char *headers, bool last)
{
	buf_addf(out, "HTTP/1.1 %d %s\r\n%s", status, reason_of(status), date_line());
	if (content_type)
		buf_addf(out, "Content-Type: %s\r\n", content_type);
	if (headers)
		buf_addstr(out, headers);
	if (last)
		buf_addstr(out, "Connection: close\r\n");
}

static bool is_head(const struct server_request *req)
{
	return strcmp(req->head.method, "HEAD") == 0;
}

/* Does the connection end after this answer? */
static bool is_last(const struct server_request *req)
{
	return !req->head.keep_alive || req->server->closing;
}

static void add_answer(struct buf *out, const struct server_request *req, bool last, int status,
    const char *content_type, const char *headers, const void *body, size_t len)
{
	server_response_add_head(out, status, content_type, headers, last);
	if (!status_has_body(status)) {
		buf_addstr(out, "\r\n");
		return;
	}
	buf_addf(out, "Content-Length: %zu\r\n\r\n", len);
	if (!is_head(req))
		buf_add(out, body, len);
}

struct server_connection *server_response_begin(struct server_request *req, enum server_response next)
{
	if (req->answer != SERVER_ANSWER_NONE) {
		log_warn("net.server", "a handler answered twice: path=\"%s\"", req->head.path);
		return NULL;
	}
	req->answer = next;
	return req->connection;
}

void server_respond(struct server_request *req, int status, const char *content_type, const char *headers,
    const void *body, size_t len)
{
	struct server_connection *c = server_response_begin(req, SERVER_ANSWER_DONE);

	if (!c)
		return;
	c->last = is_last(req);
	add_answer(&c->out, req, c->last, status, content_type, headers, body, len);
	server_connection_flush(c);
}

void server_respond_json(struct server_request *req, int status, const struct buf *json)
{
	server_respond(req, status, "application/json", NULL, json->data, json->len);
}

void server_respond_cut(struct server_request *req, size_t at_byte, int status, const char *content_type,
    const char *headers, const void *body, size_t len)
{
	struct server_connection *c = server_response_begin(req, SERVER_ANSWER_DONE);
	struct buf whole = BUF_INIT;

	if (!c)
		return;
	add_answer(&whole, req, is_last(req), status, content_type, headers, body, len);
	buf_add(&c->out, whole.data, at_byte < whole.len ? at_byte : whole.len);
	buf_clear(&whole);
	c->last = true;
	server_connection_flush(c);
}

/* Also works in the middle of a stream. */
void server_abort(struct server_request *req)
{
	req->answer = SERVER_ANSWER_DONE;
	if (req->connection)
		server_connection_close(req->connection, true);
}

void server_stream_begin(
    struct server_request *req, int status, const char *content_type, const char *headers)
{
	struct server_connection *c = server_response_begin(req, SERVER_ANSWER_STREAM);

	if (!c)
		return;
	/* HTTP/1.0 has no chunks: the end of the connection ends the answer. */
	c->last = req->head.version_1_0 || is_last(req);
	server_response_add_head(&c->out, status, content_type, headers, c->last);
	buf_addstr(&c->out, req->head.version_1_0 ? "\r\n" : "Transfer-Encoding: chunked\r\n\r\n");
	server_connection_flush(c);
}

static int stream_gone(const struct server_request *req, struct error *err)
{
	if (req->answer != SERVER_ANSWER_STREAM)
		return error_set(err, ERROR_OURS, "This answer was not begun as a stream, or has ended.");
	return req->connection ? 0 : error_cancelled(err);
}

static void add_part(struct server_request *req, const void *data, size_t len)
{
	struct buf *out = &req->connection->out;

	/* An empty chunk would end the answer. */
	if (len == 0 || is_head(req))
		return;
	if (!req->head.version_1_0)
		buf_addf(out, "%zx\r\n", len);
	buf_add(out, data, len);
	if (!req->head.version_1_0)
		buf_addstr(out, "\r\n");
	server_connection_flush(req->connection);
}

int server_stream_write(
    struct task *t, struct server_request *req, const void *data, size_t len, struct error *err)
{
	int rc = stream_gone(req, err);

	if (rc < 0)
		return -1;
	add_part(req, data, len);
	req->writer = t;
	while (rc == 0 && server_connection_pending(req->connection) > SERVER_PENDING_MAX) {
		rc = task_wait(t, err);
		if (rc == 0)
			rc = stream_gone(req, err);
	}
	req->writer = NULL;
	return rc;
}

void server_stream_end(struct server_request *req)
{
	struct server_connection *c = req->connection;

	if (req->answer != SERVER_ANSWER_STREAM)
		return;
	req->answer = SERVER_ANSWER_DONE;
	if (!c)
		return;
	if (!req->head.version_1_0 && !is_head(req))
		buf_addstr(&c->out, "0\r\n\r\n");
	server_connection_flush(c);
}

void server_response_refuse(struct server_connection *c, int status, const char *sentence)
{
	const struct server_request *req = c->request;

	server_response_add_head(&c->out, status, TEXT, status == 503 ? "Retry-After: 1\r\n" : NULL, true);
	buf_addf(&c->out, "Content-Length: %zu\r\n\r\n", strlen(sentence) + 1);
	if (!req || !req->head.method || !is_head(req))
		buf_addf(&c->out, "%s\n", sentence);
	c->last = true;
	server_connection_flush(c);
}

void server_response_continue(struct server_connection *c)
{
	buf_addstr(&c->out, "HTTP/1.1 100 Continue\r\n\r\n");
	server_connection_flush(c);
}

void server_response_finish(struct server_request *req)
{
	static const char nothing[] = "The server has no answer to this request.\n";

	if (!req->connection)
		return;
	if (req->answer == SERVER_ANSWER_UPGRADED) {
		server_upgrade_end(req);
	} else if (req->answer == SERVER_ANSWER_STREAM) {
		log_warn("net.server", "a handler did not end its stream: path=\"%s\"", req->head.path);
		server_connection_close(req->connection, true);
	} else if (req->answer == SERVER_ANSWER_NONE && req->server->closing) {
		req->answer = SERVER_ANSWER_DONE;
		server_response_refuse(req->connection, 503, "This server is shutting down.");
	} else if (req->answer == SERVER_ANSWER_NONE) {
		server_respond(req, 500, TEXT, NULL, nothing, sizeof(nothing) - 1);
	}
}
