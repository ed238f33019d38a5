#include "net/server/body.h"

#include <stdlib.h>
#include <string.h>

#include "net/server/head.h"

/* Longest chunk-size line with its extensions, and limit of all trailer lines together. */
#define LINE_MAX_BYTES    256
#define TRAILER_MAX_BYTES 4096

static int too_large(const struct server_body *body, struct error *err)
{
	return server_refuse(err, 413, "The body is larger than %zu bytes: send less at once.", body->max);
}

int server_body_start(struct server_body *body, const struct server_head *head, size_t max, struct error *err)
{
	*body = (struct server_body){.max = max, .chunked = head->chunked, .left = head->length};
	buf_init(&body->data);
	if (head->chunked)
		body->state = SERVER_BODY_CHUNK;
	else if (head->length == 0)
		body->state = SERVER_BODY_DONE;
	return head->length > max ? too_large(body, err) : 0;
}

void server_body_clear(struct server_body *body)
{
	buf_clear(&body->data);
}

static size_t take_data(struct server_body *body, const char *in, size_t len)
{
	size_t n = len < body->left ? len : (size_t)body->left;

	buf_add(&body->data, in, n);
	body->left -= n;
	if (body->left == 0)
		body->state = body->chunked ? SERVER_BODY_CHUNK_END : SERVER_BODY_DONE;
	return n;
}

static int use_chunk_size(struct server_body *body, const char *line, size_t len, struct error *err)
{
	size_t digits = strspn(line, "0123456789abcdefABCDEF");

	/* Eight digits cannot overflow. An extension may follow a semicolon; we ignore all of them. */
	if (digits == 0 || digits > 8 || (digits < len && !memchr("; \t", line[digits], 3)))
		return server_refuse(err, 400, "The size of a chunk is not a hexadecimal number.");
	body->left = strtoull(line, NULL, 16);
	if (body->left > body->max - body->data.len)
		return too_large(body, err);
	body->state = body->left > 0 ? SERVER_BODY_DATA : SERVER_BODY_TRAILER;
	return 0;
}

static int use_line(struct server_body *body, const char *line, size_t len, struct error *err)
{
	if (body->state == SERVER_BODY_CHUNK)
		return use_chunk_size(body, line, len, err);
	if (body->state == SERVER_BODY_CHUNK_END) {
		body->state = SERVER_BODY_CHUNK;
		return len == 0 ? 0 : server_refuse(err, 400, "A chunk is longer than its size says.");
	}
	body->trailer += len + 2;
	if (body->trailer > TRAILER_MAX_BYTES)
		return server_refuse(err, 400, "The trailer after the last chunk is too long.");
	if (len == 0)
		body->state = SERVER_BODY_DONE;
	return 0;
}

/* Returns the number of bytes taken; 0 for an incomplete line; -1 for a line that is not allowed in a
 * chunked body. */
static ssize_t take_line(struct server_body *body, const char *in, size_t len, struct error *err)
{
	const char *end = memchr(in, '\n', len);
	size_t max = body->state == SERVER_BODY_TRAILER ? TRAILER_MAX_BYTES : LINE_MAX_BYTES;

	/* A line is too long even before its end has arrived. */
	if ((end ? (size_t)(end - in) : len) > max || (end && (end == in || end[-1] != '\r')))
		return server_refuse(err, 400, "The chunks of the body are not separated by line ends.");
	if (!end)
		return 0;
	if (use_line(body, in, (size_t)(end - in) - 1, err) < 0)
		return -1;
	return end + 1 - in;
}

int server_body_take(struct server_body *body, struct buf *in, struct error *err)
{
	size_t used = 0;

	while (body->state != SERVER_BODY_DONE && used < in->len) {
		if (body->state == SERVER_BODY_DATA) {
			used += take_data(body, in->data + used, in->len - used);
		} else {
			ssize_t n = take_line(body, in->data + used, in->len - used, err);

			if (n <= 0) {
				buf_consume(in, used);
				return (int)n;
			}
			used += (size_t)n;
		}
	}
	buf_consume(in, used);
	return body->state == SERVER_BODY_DONE;
}
