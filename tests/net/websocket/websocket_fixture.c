#include "net/websocket/websocket_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "net/http/http_call.h"
#include "net/lws_context.h"
#include "net/server/server.h"

#define MESSAGE_MAX (16 * 1024 * 1024)
#define PATIENCE_MS 30000

void websocket_fixture_serve(struct task *t, struct server_request *req, void *arg)
{
	struct websocket_fixture *st = arg;
	struct buf message = BUF_INIT;
	struct websocket_peer *peer = websocket_accept(req, MESSAGE_MAX, NULL);
	int rc = 0;

	if (!peer)
		return;
	st->peer = peer;
	st->opened++;
	while (st->deaf && rc == 0)
		rc = task_sleep(t, 1000, NULL);
	while (rc >= 0) {
		rc = websocket_peer_receive(t, peer, &message, UINT64_MAX, NULL);
		if (rc == 1 && st->echo)
			rc = websocket_peer_post(peer, message.data, message.len, NULL);
		else if (rc == 1)
			buf_add(&st->heard, message.data, message.len);
	}
	st->close_code = websocket_peer_close_code(peer);
	str_copy(st->close_reason, sizeof(st->close_reason), websocket_peer_close_reason(peer));
	if (st->peer == peer)
		st->peer = NULL;
	websocket_peer_close(t, peer, 1000, NULL);
	st->ended++;
	buf_clear(&message);
}

struct stage_run {
	struct websocket_fixture stage;
	void (*body)(struct task *t, struct websocket_fixture *st);
};

static void run(struct task *t, void *arg)
{
	struct stage_run *r = arg;
	struct websocket_fixture *st = &r->stage;
	struct server_options options = {
	    .listen = "127.0.0.1:0", .handler = websocket_fixture_serve, .arg = st};
	struct error err;

	st->server = server_new(&options, &err);
	if (!st->server)
		fail_msg("%s", err.text);
	snprintf(st->url, sizeof(st->url), "ws://127.0.0.1:%u/", server_port(st->server));
	r->body(t, st);
	server_free(t, st->server);
}

void websocket_fixture_run(void (*body)(struct task *t, struct websocket_fixture *st))
{
	struct stage_run r = {.body = body, .stage.echo = true};
	size_t files;

	/* What stays for good is made before the count. */
	assert_non_null(lws_context_get(NULL));
	loop_for(1);
	files = open_fds();
	buf_init(&r.stage.heard);
	task_run("test", run, &r);
	buf_clear(&r.stage.heard);
	assert_int_equal(task_count(), 0);
	assert_true(open_fds_settled(files) <= files);
}

struct websocket *socket_open(struct task *t, struct websocket_fixture *st, const struct websocket_options *o)
{
	struct websocket_options own = o ? *o : (struct websocket_options){0};
	size_t opened = st->opened;
	struct websocket *w;
	struct error err;

	if (!own.url)
		own.url = st->url;
	w = websocket_open(t, &own, &err);
	if (!w)
		fail_msg("%s", err.text);
	assert_true(websocket_is_open(w));
	if (own.url == st->url)
		assert_int_equal(st->opened, opened + 1);
	return w;
}

void socket_expect(struct task *t, struct websocket *w, const char *text)
{
	struct buf message = BUF_INIT;
	struct error err = {0};

	if (websocket_receive(t, w, &message, PATIENCE_MS, &err) != 1)
		fail_msg("no message: %s", err.text);
	assert_string_equal(message.data, text);
	buf_clear(&message);
}

void socket_expect_end(struct task *t, struct websocket *w, const char *words)
{
	struct buf message = BUF_INIT;
	struct error err = {0};
	int rc = websocket_receive(t, w, &message, PATIENCE_MS, &err);

	if (rc >= 0 || !strstr(err.text, words))
		fail_msg("%d \"%s\" \"%s\", wanted \"%s\"", rc, message.data, err.text, words);
	assert_int_equal(err.kind, ERROR_NETWORK);
	assert_false(websocket_is_open(w));
	assert_int_equal(websocket_send(t, w, "x", 1, &err), -1);
	assert_int_equal(err.kind, ERROR_NETWORK);
	buf_clear(&message);
}
