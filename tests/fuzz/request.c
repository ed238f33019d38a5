#include "fuzz/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "fuzz/fuzz.h"
#include "net/server/server_internal.h"

#define BODY_MAX     (64 * 1024 * 1024)
#define PATIENCE     1500 /* turns of the loop */
#define PATIENCE_MS  (7 * 86400 * UINT64_C(1000))
#define CANCEL_TURNS 100 /* in which a handler ends without its client */

/* Takes what waits for the client. */
static void receive(struct server_connection *c, struct buf *out)
{
	buf_add(out, c->out.data, c->out.len);
	buf_reset(&c->out);
	server_request_sent(c);
}

void fuzz_request_build(struct buf *out, const char *head, const char *body, size_t len)
{
	char *copy = xstrdup(head), *rest = copy;
	const char *one = strsep(&rest, "|");

	buf_addf(out, "%s HTTP/1.1\r\nHost: localhost\r\n", one);
	while ((one = strsep(&rest, "|")))
		if (*one != '\0')
			buf_addf(out, "%s\r\n", one);
	buf_addf(out, "Content-Length: %zu\r\n\r\n", len);
	buf_add(out, body, len);
	free(copy);
}

/* Moves to the next timer. Returns false when that takes too long. */
static bool pass_time(void)
{
	uint64_t due = clock_first_due(), now = clock_now();

	if (due > now && due - now > PATIENCE_MS)
		return false;
	clock_advance(due > now ? due - now : 0);
	return true;
}

static void run(struct server *s, struct server_connection *c, struct buf *out)
{
	for (unsigned turn = 0; !task_group_is_empty(&s->tasks); turn++) {
		uv_run(uv_default_loop(), UV_RUN_NOWAIT);
		receive(c, out);
		HOLDS(turn < PATIENCE + CANCEL_TURNS);
		bool idle = !uv_loop_alive(uv_default_loop()) && !task_group_is_empty(&s->tasks);
		if (turn == PATIENCE || (idle && !pass_time()))
			server_request_abandon(c);
	}
	receive(c, out);
}

/* The value of a header as the server writes it; "" when absent. */
static const char *header(const char *head, const char *name, char *value, size_t size)
{
	const char *at = strstr(head, name);

	value[0] = '\0';
	if (at)
		snprintf(value, size, "%.*s", (int)strcspn(at + strlen(name), "\r"), at + strlen(name));
	return value;
}

static void read_body(struct fuzz_answer *a, const char *head, struct buf *rest)
{
	struct server_head framing = {0};
	struct server_body body;
	char length[32];

	framing.chunked = strstr(head, "\r\nTransfer-Encoding: chunked\r\n") != NULL;
	framing.length = strtoull(header(head, "\r\nContent-Length: ", length, sizeof(length)), NULL, 10);
	HOLDS(server_body_start(&body, &framing, BODY_MAX, NULL) == 0);
	int rc = server_body_take(&body, rest, NULL);
	HOLDS(rc >= 0);
	a->whole = rc == 1;
	HOLDS(!a->whole || rest->len == 0);
	buf_add(&a->body, body.data.data, body.data.len);
	server_body_clear(&body);
}

static void read_answer(struct fuzz_answer *a, struct buf *out)
{
	const char *end = strstr(out->data, "\r\n\r\n");
	char *head;

	if (!end)
		return;
	head = xstrndup(out->data, (size_t)(end + 2 - out->data));
	buf_consume(out, strlen(head) + 2);
	HOLDS(sscanf(head, "HTTP/1.1 %d ", &a->status) == 1);
	header(head, "\r\nContent-Type: ", a->type, sizeof(a->type));
	read_body(a, head, out);
	free(head);
}

void fuzz_request(struct fuzz_answer *a, const struct buf *request, server_handler *handler, void *arg)
{
	struct server s = {
	    .options = {.handler = handler, .arg = arg, .max_body = BODY_MAX, .max_requests = 1}};
	struct server_connection c = {.server = &s, .in = BUF_INIT, .out = BUF_INIT};
	struct list taken;
	struct buf out = BUF_INIT;

	*a = (struct fuzz_answer){.body = BUF_INIT};
	list_init(&taken);
	list_append(&taken, &c.unsent); /* it is never sent to a socket */
	task_group_init(&s.tasks);
	buf_add(&c.in, request->data, request->len);
	server_request_receive(&c);
	run(&s, &c, &out);
	read_answer(a, &out);
	if (c.request) /* its body is not whole */
		server_request_abandon(&c);
	list_remove(&c.unsent);
	buf_clear(&c.in);
	buf_clear(&c.out);
	buf_clear(&out);
}

void fuzz_answer_clear(struct fuzz_answer *a)
{
	buf_clear(&a->body);
}
