#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define WAIT_MS 30000

/* A page that listens. */
struct page {
	int fd;
	struct buf in;
	char last[64]; /* the id of the last event that was taken */
};

static int dial(void)
{
	const char *url = at("%s", ""), *colon = strrchr(url, ':');
	struct sockaddr_in to = {.sin_family = AF_INET,
	    .sin_port = htons((uint16_t)strtoul(colon + 1, NULL, 10)),
	    .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

static void send_text(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

/* False: nothing came in time, or the connection is over. */
static bool read_more(int fd, struct buf *in, uint64_t due)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	uint64_t now = clock_now();
	char piece[4096];
	ssize_t n;

	if (now >= due || poll(&p, 1, (int)(due - now)) != 1)
		return false;
	n = read(fd, piece, sizeof(piece));
	if (n > 0)
		buf_add(in, piece, (size_t)n);
	return n > 0;
}

static struct json_object *take_event(struct page *p)
{
	uint64_t due = clock_now() + WAIT_MS;
	struct json_object *o;
	char *data, *end, *id;

	while (!(data = strstr(p->in.data, "data: ")) || !(end = strstr(data, "\n\n")))
		if (!read_more(p->fd, &p->in, due))
			fail_msg("no event came; there is: %s", p->in.data);
	*end = '\0';
	id = strstr(p->in.data, "id: ");
	if (id && id < data)
		snprintf(p->last, sizeof(p->last), "%.*s", (int)strcspn(id + 4, "\n"), id + 4);
	o = json_parse_object(data + 6, strlen(data + 6), NULL);
	if (!o)
		fail_msg("no JSON: %s", data);
	buf_consume(&p->in, (size_t)(end + 2 - p->in.data));
	return o;
}

/* The next event of that type (and what, unless it is NULL); others are passed over. */
static struct json_object *await(struct page *p, const char *type, const char *what)
{
	for (;;) {
		struct json_object *o = take_event(p);

		if (strcmp(client_at(o, "type"), type) == 0 &&
		    (!what || strcmp(client_at(o, "what"), what) == 0))
			return o;
		json_object_put(o);
	}
}

/* HTTP/1.0 knows no chunks. */
static void open_page(struct page *p, const char *path, const char *after)
{
	char *text =
	    xasprintf("GET %s HTTP/1.0\r\nHost: %s\r\n%s%s%s\r\n", path, at("%s", "") + strlen("http://"),
		after ? "Last-Event-ID: " : "", after ? after : "", after ? "\r\n" : "");

	*p = (struct page){.fd = dial(), .in = BUF_INIT};
	send_text(p->fd, text);
	free(text);
	expect_once(take_event(p), "type", "hello");
}

static void close_page(struct page *p)
{
	close(p->fd);
	buf_clear(&p->in);
}

static int status_of(const char *path, const char *method, const char *header)
{
	struct client_reply r;

	int status;

	client_send(&(struct client_request){.url = at("%s", path), .method = method, .header = header}, &r);
	status = r.status;
	client_reply_clear(&r);
	return status;
}

static void pages_see_what_happens_on_each_platform(void **state)
{
	static const char *const platforms[] = {"telegram", "slack", "discord"};
	struct page one, two;
	struct json_object *o;

	(void)state;
	open_page(&one, "/control/events", NULL);
	open_page(&two, "/control/events", NULL);
	for (size_t i = 0; i < ARRAY_LEN(platforms); i++) {
		struct json_object *said = control("say",
		    "{\"platform\":\"%s\",\"chat\":\"ann\",\"user\":\"ann\",\"kind\":\"private\",\"text\":"
		    "\"hi\"}",
		    platforms[i]);

		o = await(&one, "message", "new");
		expect_at(o, "platform", platforms[i]);
		expect_at(o, "chat", client_at(said, "chat_id"));
		expect_at(o, "id", client_at(said, "message_id"));
		expect_at(o, "message.id", client_at(said, "message_id"));
		expect_at(o, "message.text", "hi");
		expect_once(o, "message.from", "ann");
		json_object_put(control("say",
		    "{\"platform\":\"%s\",\"chat\":\"ann\",\"user\":\"ann\",\"edit\":\"%s\",\"text\":\"ho\"}",
		    platforms[i], client_at(said, "message_id")));
		expect_once(await(&one, "message", "edited"), "message.text", "ho");
		json_object_put(control("react",
		    "{\"platform\":\"%s\",\"chat\":\"ann\",\"user\":\"ann\",\"message_id\":\"%s\",\"emoji\":"
		    "\"%s\"}",
		    platforms[i], client_at(said, "message_id"), i == 1 ? "eyes" : "👀"));
		expect_once(await(&one, "message", "reaction"), "message.reactions.0.from", "ann");
		json_object_put(control("delete",
		    "{\"platform\":\"%s\",\"chat\":\"ann\",\"user\":\"ann\",\"message_id\":\"%s\"}",
		    platforms[i], client_at(said, "message_id")));
		expect_once(await(&one, "message", "deleted"), "message.deleted", "true");
		json_object_put(said);
	}
	for (size_t i = 0; i < ARRAY_LEN(platforms); i++)
		expect_once(await(&two, "message", "deleted"), "platform", platforms[i]);
	close_page(&one);
	close_page(&two);
}

static void drafts_and_typing_come_and_go(void **state)
{
	struct json_object *o;
	struct page p;

	(void)state;
	say("hi");
	open_page(&p, "/control/events", NULL);
	json_object_put(bot("sendChatAction", 200, "{\"chat_id\":77,\"action\":\"typing\"}"));
	o = await(&p, "typing", NULL);
	expect_at(o, "action", "typing");
	expect_at(o, "bot", "123456");
	assert_true(json_get_int(o, "until_ms", 0) > clock_wall());
	json_object_put(o);
	json_object_put(bot("sendMessageDraft", 200, "{\"chat_id\":77,\"draft_id\":5,\"text\":\"I think\"}"));
	expect_once(await(&p, "draft", NULL), "drafts.0.text", "I think");
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"done\"}"));
	expect_once(await(&p, "draft", NULL), "drafts", "[ ]");
	close_page(&p);
}

static void requests_come_with_verdict_and_answer(void **state)
{
	struct json_object *o;
	struct page p;
	char *n;

	(void)state;
	say("hi");
	open_page(&p, "/control/events", NULL);
	json_object_put(bot("sendMessage", 400, "{\"chat_id\":77,\"txt\":\"?\"}"));
	o = await(&p, "request", NULL);
	expect_at(o, "request.method", "sendMessage");
	expect_at(o, "request.verdict", "refused");
	expect_at(o, "request.body.txt", "?");
	expect_once(o, "request.answer.error_code", "400");
	json_object_put(bot("sendMessage", 400, "{\"chat_id\":77,\"text\":\"%020000d\"}", 0));
	o = await(&p, "request", NULL);
	expect_at(o, "request.body", "");
	assert_true(json_get_int(json_get_object(o, "request"), "body_bytes", 0) > 20000);
	n = xstrdup(client_at(o, "request.n"));
	json_object_put(o);
	o = client_get(at("/control/request?platform=telegram&n=%s", n), 200);
	assert_int_equal(strlen(client_at(o, "request.body.text")), 20000);
	json_object_put(o);
	json_object_put(client_get(at("/control/request?platform=telegram&n=999"), 404));
	free(n);
	close_page(&p);
}

static void ask_model(const char *line)
{
	struct client_reply r;
	char *body = xasprintf(
	    "{\"model\":\"scripted\",\n\"messages\":\r\n[{\"role\":\"user\",\"content\":\"%s\"}]}", line);

	client_send(
	    &(struct client_request){
		.url = at("/v1/chat/completions"), .body = body, .header = "Authorization: Bearer any-key"},
	    &r);
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
	free(body);
}

static void the_models_requests_come_with_what_it_answered(void **state)
{
	struct json_object *o;
	struct page p;

	(void)state;
	open_page(&p, "/control/events", NULL);
	ask_model("what is 6*7");
	expect_once(await(&p, "asked", NULL), "method", "chat.completions");
	o = await(&p, "request", NULL);
	expect_at(o, "platform", "model");
	expect_at(o, "request.body.messages.0.content", "what is 6*7");
	expect_once(o, "request.answer.text", "6 * 7 = 42");
	close_page(&p);
}

static void who_was_away_goes_on_or_is_told_to_load_anew(void **state)
{
	struct page p;
	char last[64];

	(void)state;
	open_page(&p, "/control/events", NULL);
	say("one");
	json_object_put(await(&p, "message", "new"));
	snprintf(last, sizeof(last), "%s", p.last);
	close_page(&p);
	say("two");
	open_page(&p, "/control/events", last);
	expect_once(await(&p, "message", "new"), "message.text", "two");
	close_page(&p);
	open_page(&p, "/control/events", "0123456789abcdef.1");
	expect_once(take_event(&p), "type", "reload");
	json_object_put(control("reset", "{}"));
	expect_once(take_event(&p), "type", "reset");
	close_page(&p);
}

static void faults_are_listed_counted_and_cleared(void **state)
{
	struct json_object *o;
	struct page p;

	(void)state;
	open_page(&p, "/control/events", NULL);
	json_object_put(control(
	    "fault", "{\"platform\":\"telegram\",\"kind\":\"retry_after\",\"seconds\":3,\"count\":-1}"));
	json_object_put(control(
	    "fault", "{\"platform\":\"telegram\",\"kind\":\"status\",\"status\":500,\"method\":\"getMe\"}"));
	o = await(&p, "fault", "set");
	if (json_object_array_length(json_get_array(o, "faults")) == 1) {
		json_object_put(o);
		o = await(&p, "fault", "set");
	}
	expect_once(o, "faults.1.status", "500");
	json_object_put(bot("getMe", 500, "{}"));
	json_object_put(bot("getMe", 429, "{}"));
	json_object_put(bot("getMe", 429, "{}"));
	o = client_get(at("/control/faults"), 200);
	assert_int_equal(json_object_array_length(json_get_array(o, "faults")), 1);
	expect_at(o, "faults.0.kind", "retry_after");
	expect_at(o, "faults.0.count", "-1");
	expect_once(o, "faults.0.used", "2");
	json_object_put(await(&p, "fault", "used"));
	expect_once(control("faults/clear", "{\"kind\":\"status\"}"), "cleared", "0");
	expect_once(control("faults/clear", "{\"platform\":\"telegram\"}"), "cleared", "1");
	expect_once(await(&p, "fault", "cleared"), "faults", "[ ]");
	json_object_put(bot("getMe", 200, "{}"));
	json_object_put(
	    client_post(at("/control/fault"), 400, "{\"platform\":\"telegram\",\"kind\":\"slow\"}"));
	close_page(&p);
}

static void a_disconnect_cuts_what_waits_and_an_outage_what_comes(void **state)
{
	struct client_async *poll;
	uint64_t began, due;
	struct client_reply r;
	struct page p;

	(void)state;
	open_page(&p, "/control/events", NULL);
	poll = client_send_async(&(struct client_request){
	    .url = at("/telegram/bot" TOKEN "/getUpdates"), .body = "{\"timeout\":50,\"offset\":-1}"});
	/* Until the poll has come a disconnect finds nothing. */
	while (!client_is_done(poll)) {
		json_object_put(control("fault", "{\"platform\":\"telegram\",\"kind\":\"disconnect\"}"));
		usleep(20000);
	}
	client_await(poll, &r);
	assert_int_equal(r.status, 0);
	client_reply_clear(&r);
	began = clock_now();
	json_object_put(control("fault", "{\"platform\":\"telegram\",\"kind\":\"outage\",\"seconds\":1}"));
	due = clock_now() + WAIT_MS;
	while (status_of("/telegram/bot" TOKEN "/getMe", NULL, NULL) != 200 && clock_now() < due)
		usleep(50000);
	assert_true(clock_now() < due);
	assert_true(clock_now() - began >= 900);
	expect_once(client_get(at("/control/faults"), 200), "faults", "[ ]");
	close_page(&p);
}

static void a_slow_model_takes_its_time(void **state)
{
	uint64_t began = clock_now();

	(void)state;
	json_object_put(
	    control("fault", "{\"platform\":\"model\",\"kind\":\"slow\",\"token_ms\":100,\"count\":-1}"));
	ask_model("what is 6*7");
	assert_true(clock_now() - began >= 200);
	json_object_put(control("faults/clear", "{}"));
}

/* The API is for bots anywhere; the page and /control are for people at this machine. */
static void pages_of_other_sites_cannot_use_it_and_bots_can(void **state)
{
	char *port = xstrdup(strrchr(at("%s", ""), ':'));
	static const struct {
		const char *method, *header; /* %s: the port */
		int page, control;
	} rows[] = {
	    {"GET", "Host: localhost%s", 200, 200},
	    {"GET", "Host: 127.0.0.1%s", 200, 200},
	    {"GET", "Host: [::1]%s", 200, 200},
	    {"GET", "Host: evil.example%s", 403, 403},
	    {"GET", "Host: 127.0.0.1.evil.example%s", 403, 403},
	    {"GET", "Host: localhost:1", 403, 403},
	    {"GET", "Origin: http://127.0.0.1%s", 200, 200},
	    {"GET", "Origin: https://127.0.0.1%s", 403, 403},
	    {"GET", "Origin: http://localhost:1", 403, 403},
	    {"GET", "Origin: http://evil.example", 403, 403},
	    {"GET", "Origin: null", 403, 403},
	    {"GET", "Sec-Fetch-Site: same-origin", 200, 200},
	    {"GET", "Sec-Fetch-Site: none", 200, 200},
	    {"GET", "Sec-Fetch-Site: same-site", 403, 403},
	    {"GET", "Sec-Fetch-Site: cross-site", 403, 403},
	    {"GET", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", 200,
		403},
	    {"GET", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe", 403,
		403},
	    {"OPTIONS", "Origin: http://evil.example", 403, 403},
	    {"OPTIONS", "Access-Control-Request-Method: POST", 403, 403},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *header = xasprintf("%.*s%s%s", (int)strcspn(rows[i].header, "%"), rows[i].header,
		    strchr(rows[i].header, '%') ? port : "",
		    strchr(rows[i].header, '%') ? strchr(rows[i].header, '%') + 2 : "");

		if (status_of("/", rows[i].method, header) != rows[i].page)
			fail_msg("the page for %s", header);
		if (status_of("/control/chats", rows[i].method, header) != rows[i].control)
			fail_msg("the control interface for %s", header);
		if (status_of("/telegram/bot" TOKEN "/getMe", NULL, header) != 200)
			fail_msg("the simulated platform for %s", header);
		free(header);
	}
	free(port);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(pages_see_what_happens_on_each_platform, fixture_reset),
	    cmocka_unit_test_setup(drafts_and_typing_come_and_go, fixture_reset),
	    cmocka_unit_test_setup(requests_come_with_verdict_and_answer, fixture_reset),
	    cmocka_unit_test_setup(the_models_requests_come_with_what_it_answered, fixture_reset),
	    cmocka_unit_test_setup(who_was_away_goes_on_or_is_told_to_load_anew, fixture_reset),
	    cmocka_unit_test_setup(faults_are_listed_counted_and_cleared, fixture_reset),
	    cmocka_unit_test_setup(a_disconnect_cuts_what_waits_and_an_outage_what_comes, fixture_reset),
	    cmocka_unit_test_setup(a_slow_model_takes_its_time, fixture_reset),
	    cmocka_unit_test_setup(pages_of_other_sites_cannot_use_it_and_bots_can, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
