#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define WAIT_MS 40000

/* The bot's server: it takes one connection after the other. */
static int listener = -1;
static unsigned port;

static int open_server(void **state)
{
	static const char *const options[] = {"--webhook-host", "127.0.0.2", NULL};
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);

	(void)state;
	fixture_start(options);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(listener, 16), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&a, &len), 0);
	port = ntohs(a.sin_port);
	return 0;
}

static int close_server(void **state)
{
	close(listener);
	return fixture_teardown(state);
}

/* One delivery, which waits for its answer. */
struct request {
	int fd;
	char text[8192];
	struct json_object *update;
};

static void take(struct request *r)
{
	struct pollfd p = {.fd = listener, .events = POLLIN};
	size_t len = 0;
	char *body = NULL, *length;
	ssize_t n;

	assert_int_equal(poll(&p, 1, WAIT_MS), 1);
	r->fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	assert_true(r->fd >= 0);
	while (!body || strlen(body) < strtoul(length + strlen("\r\nContent-Length:"), NULL, 10)) {
		n = read(r->fd, r->text + len, sizeof(r->text) - 1 - len);
		assert_true(n > 0);
		r->text[len += (size_t)n] = '\0';
		length = strcasestr(r->text, "\r\nContent-Length:");
		body = strstr(r->text, "\r\n\r\n");
		body = body ? body + 4 : NULL;
	}
	r->update = json_parse_object(body, strlen(body), NULL);
	assert_non_null(r->update);
}

static void answer(struct request *r, const char *status, const char *body)
{
	char *text = xasprintf("HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
			       "Connection: close\r\n\r\n%s",
	    status, strlen(body), body);

	assert_int_equal(write(r->fd, text, strlen(text)), (ssize_t)strlen(text));
	close(r->fd);
	json_object_put(r->update);
	free(text);
}

/* setWebhook at most once a second */
static void set_webhook_at(const char *url, const char *members)
{
	char *body = xasprintf("{\"url\":\"%s\"%s}", url, members);
	struct client_reply r = {.status = 429};

	for (int tries = 0; r.status == 429; tries++) {
		assert_true(tries < 600);
		usleep(tries > 0 ? 100000 : 0);
		client_reply_clear(&r);
		client_send(
		    &(struct client_request){.url = at("/telegram/bot" TOKEN "/setWebhook"), .body = body},
		    &r);
	}
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
	free(body);
}

static void set_webhook(const char *members)
{
	char url[64];

	snprintf(url, sizeof(url), "http://127.0.0.1:%u/hook", port);
	set_webhook_at(url, members);
}

/* Waits until the bot has so many updates that have not arrived. */
static struct json_object *await_pending(const char *count)
{
	for (int i = 0; i < 4000; i++) {
		struct json_object *o = bot("getWebhookInfo", 200, "{}");

		if (strcmp(client_at(o, "result.pending_update_count"), count) == 0)
			return o;
		json_object_put(o);
		usleep(10000);
	}
	fail_msg("there are never %s pending updates", count);
	return NULL;
}

static void an_update_is_delivered_with_the_secret(void **state)
{
	struct request r;

	(void)state;
	set_webhook(",\"secret_token\":\"abc\"");
	say("hello");
	take(&r);
	expect_at(r.update, "message.text", "hello");
	assert_non_null(strcasestr(r.text, "\r\nX-Telegram-Bot-Api-Secret-Token: abc\r\n"));
	assert_non_null(strstr(r.text, "POST /hook HTTP/1.1\r\n"));
	answer(&r, "200 OK", "");
	json_object_put(await_pending("0"));
	json_object_put(bot("deleteWebhook", 200, "{}"));
}

static void an_answer_may_be_a_call(void **state)
{
	struct json_object *o;
	struct request r;

	(void)state;
	set_webhook("");
	say("hello");
	take(&r);
	answer(&r, "200 OK", "{\"method\":\"sendMessage\",\"chat_id\":77,\"text\":\"from the webhook\"}");
	o = control("wait",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"contains\":\"from the "
	    "webhook\",\"timeout_ms\":20000}");
	json_object_put(o);
	expect_verdict("telegram", "ok");
	/* What asks for something is not run: nobody would get it. */
	say("again");
	take(&r);
	answer(&r, "200 OK", "{\"method\":\"getMe\"}");
	json_object_put(await_pending("0"));
	json_object_put(bot("deleteWebhook", 200, "{}"));
}

static void what_fails_comes_again_and_is_told(void **state)
{
	struct json_object *o;
	struct request r;

	(void)state;
	set_webhook("");
	say("hello");
	take(&r);
	answer(&r, "500 Oops", "");
	take(&r);
	expect_at(r.update, "message.text", "hello");
	o = await_pending("1");
	expect_at(
	    o, "result.last_error_message", "Wrong response from the webhook: 500 Internal Server Error");
	json_object_put(o);
	answer(&r, "200 OK", "");
	json_object_put(await_pending("0"));
	json_object_put(bot("deleteWebhook", 200, "{}"));
}

static void fail_next(const char *members)
{
	json_object_put(control("fault", "{\"platform\":\"telegram\",\"method\":\"webhook\",%s}", members));
}

static void the_network_fails_as_it_was_ordered(void **state)
{
	struct json_object *o;
	struct request r;

	(void)state;
	set_webhook("");
	fail_next("\"kind\":\"close\"");
	fail_next("\"kind\":\"cut\",\"at_byte\":0");
	say("hello");
	/* The first never comes; of the second the answer is lost. */
	take(&r);
	expect_at(r.update, "message.text", "hello");
	o = await_pending("1");
	expect_at(o, "result.last_error_message", "Connection refused");
	json_object_put(o);
	answer(&r, "200 OK", "{\"method\":\"sendMessage\",\"chat_id\":77,\"text\":\"lost\"}");
	take(&r);
	expect_at(r.update, "message.text", "hello");
	o = await_pending("1");
	expect_at(o, "result.last_error_message", "Read timeout expired");
	json_object_put(o);
	/* "*" is what bots ask for. */
	json_object_put(control("fault", "{\"platform\":\"telegram\",\"method\":\"*\",\"kind\":\"close\"}"));
	fail_next("\"kind\":\"status\",\"status\":502");
	answer(&r, "200 OK", "");
	say("again");
	take(&r);
	expect_at(r.update, "message.text", "again");
	answer(&r, "200 OK", "");
	json_object_put(control("faults/clear", "{}"));
	o = await_pending("0");
	expect_at(o, "result.last_error_message", "Wrong response from the webhook: 502 Bad Gateway");
	json_object_put(o);
	json_object_put(bot("deleteWebhook", 200, "{}"));
}

/* It was on its way with the old secret. */
static void a_webhook_may_be_deleted_during_a_delivery(void **state)
{
	struct request r;

	(void)state;
	set_webhook(",\"secret_token\":\"a-secret-of-some-length\"");
	fail_next("\"kind\":\"stall\",\"seconds\":3600");
	say("hello");
	json_object_put(bot("deleteWebhook", 200, "{}"));
	json_object_put(control("clock", "{\"advance\":3600}"));
	take(&r);
	expect_at(r.update, "message.text", "hello");
	assert_non_null(
	    strcasestr(r.text, "\r\nX-Telegram-Bot-Api-Secret-Token: a-secret-of-some-length\r\n"));
	answer(&r, "200 OK", "");
	json_object_put(bot("deleteWebhook", 200, "{\"drop_pending_updates\":true}"));
}

static void chats_do_not_wait_for_each_other(void **state)
{
	struct request first, other;

	(void)state;
	set_webhook("");
	say("one");
	say("two");
	take(&first);
	json_object_put(control("say", "{\"platform\":\"telegram\",\"user\":\"78\",\"text\":\"elsewhere\"}"));
	take(&other);
	expect_at(other.update, "message.text", "elsewhere");
	answer(&other, "200 OK", "");
	expect_at(first.update, "message.text", "one");
	answer(&first, "200 OK", "");
	take(&first);
	expect_at(first.update, "message.text", "two");
	answer(&first, "200 OK", "");
	json_object_put(await_pending("0"));
	json_object_put(bot("deleteWebhook", 200, "{}"));
}

static void a_server_elsewhere_is_not_asked(void **state)
{
	struct json_object *o;

	(void)state;
	set_webhook("");
	json_object_put(bot("deleteWebhook", 200, "{}"));
	usleep(1100000); /* setWebhook at most once a second */
	json_object_put(bot("setWebhook", 200, "{\"url\":\"https://a.example/hook\"}"));
	expect_remark("telegram", "the playground delivers to servers of this machine alone");
	say("hello");
	o = bot("getWebhookInfo", 200, "{}");
	expect_at(o, "result.last_error_message", "the playground delivers to servers of this machine alone");
	expect_at(o, "result.pending_update_count", "1");
	json_object_put(o);
	json_object_put(bot("deleteWebhook", 200, "{\"drop_pending_updates\":true}"));
}

static void a_host_that_the_command_line_names_is_reached(void **state)
{
	static const char *const others[] = {"http://127.0.0.3/hook", "http://127.0.0.20/hook",
	    "http://127.0.0.2:80@127.0.0.1/hook", "http://localhost:x@127.0.0.3/hook",
	    "http://localhost@127.0.0.3/hook"};
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1)};
	socklen_t len = sizeof(a);
	int before = listener;
	struct request r;
	char url[64];

	(void)state;
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(listener, 16), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&a, &len), 0);
	snprintf(url, sizeof(url), "http://127.0.0.2:%u/hook", ntohs(a.sin_port));
	set_webhook_at(url, "");
	say("hello");
	take(&r);
	expect_at(r.update, "message.text", "hello");
	answer(&r, "200 OK", "");
	json_object_put(await_pending("0"));
	close(listener);
	listener = before;
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		usleep(1100000); /* setWebhook at most once a second */
		json_object_put(bot("setWebhook", 400, "{\"url\":\"%s\"}", others[i]));
	}
	json_object_put(bot("deleteWebhook", 200, "{}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(an_update_is_delivered_with_the_secret, fixture_reset),
	    cmocka_unit_test_setup(an_answer_may_be_a_call, fixture_reset),
	    cmocka_unit_test_setup(what_fails_comes_again_and_is_told, fixture_reset),
	    cmocka_unit_test_setup(the_network_fails_as_it_was_ordered, fixture_reset),
	    cmocka_unit_test_setup(a_webhook_may_be_deleted_during_a_delivery, fixture_reset),
	    cmocka_unit_test_setup(chats_do_not_wait_for_each_other, fixture_reset),
	    cmocka_unit_test_setup(a_host_that_the_command_line_names_is_reached, fixture_reset),
	    cmocka_unit_test_setup(a_server_elsewhere_is_not_asked, fixture_reset),
	};

	return cmocka_run_group_tests(tests, open_server, close_server);
}
