#include "base/error.h"
#include "net/server/server_internal.h"

void server_upgrade(struct server_request *req, const char *headers)
{
	struct server_connection *c = server_response_begin(req, SERVER_ANSWER_UPGRADED);

	if (!c)
		return;
	server_response_add_head(&c->out, 101, NULL, headers, false);
	buf_addstr(&c->out, "\r\n");
	server_connection_flush(c);
}

bool server_upgrade_is_open(const struct server_request *req)
{
	return req->answer == SERVER_ANSWER_UPGRADED && req->connection;
}

void server_upgrade_received(struct server_request *req)
{
	if (req->reader)
		task_wake(req->reader);
}

void server_upgrade_wake(struct server_request *req)
{
	req->reader_woken = true;
	server_upgrade_received(req);
}

/* Returns true when some bytes were taken. */
static bool take_arrived(struct server_request *req, struct buf *in)
{
	struct server_connection *c = req->connection;

	if (!c || c->in.len == 0)
		return false;
	buf_add(in, c->in.data, c->in.len);
	buf_consume(&c->in, c->in.len);
	/* Reading may have been paused because of them. */
	server_connection_advance(c);
	return true;
}

static int upgrade_check(const struct server_request *req, struct error *err)
{
	return server_upgrade_is_open(req) ? 0 : error_set(err, ERROR_NETWORK, "The client has gone.");
}

static int reader_wait(struct task *t, uint64_t due_ms, bool *over, struct error *err)
{
	int rc = task_wait_until(t, due_ms, err);

	*over = rc > 0;
	return rc < 0 ? -1 : 0;
}

int server_upgrade_read(
    struct task *t, struct server_request *req, struct buf *in, uint64_t due_ms, struct error *err)
{
	bool over = false;
	int rc = task_check(t, err);

	req->reader = t;
	while (rc == 0 && !over) {
		if (take_arrived(req, in))
			rc = 1;
		else if (req->reader_woken)
			over = true;
		else if ((rc = upgrade_check(req, err)) == 0)
			rc = reader_wait(t, due_ms, &over, err);
	}
	req->reader = NULL;
	if (over)
		req->reader_woken = false;
	return rc;
}

void server_upgrade_post(struct server_request *req, const void *data, size_t len)
{
	if (!server_upgrade_is_open(req))
		return;
	buf_add(&req->connection->out, data, len);
	server_connection_flush(req->connection);
}

void server_upgrade_end(struct server_request *req)
{
	struct server_connection *c = req->connection;

	if (req->answer != SERVER_ANSWER_UPGRADED)
		return;
	req->answer = SERVER_ANSWER_DONE;
	server_upgrade_received(req);
	if (!c)
		return;
	c->last = true;
	server_connection_flush(c);
}
