/* What the gateway offers over HTTP, as scripts and monitors use it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "tests/lib/client.h"

#define TOKEN  "flow-test-token-0123456789"
#define BEARER "Authorization: Bearer " TOKEN

static struct flow f;
static char base[64];

static void read_port(void)
{
	flow_await_log(&f, "listening on 127.0.0.1:0 port=");
	char *log = flow_log(&f), *at = strstr(log, "listening on 127.0.0.1:0 port=");

	snprintf(base, sizeof(base), "http://127.0.0.1:%ld",
	    strtol(at + strlen("listening on 127.0.0.1:0 port="), NULL, 10));
	free(log);
}

static int begin(void **state)
{
	*state = &f;
	flow_start(&f);
	flow_config(&f,
	    "http: { listen = \"127.0.0.1:0\"; token = \"" TOKEN "\"; };\n"
	    "targets: { ops = [\"telegram:77\", \"telegram:-1002\", \"telegram:-555\"]; people = "
	    "[\"telegram:77\"]; };",
	    "allow = [\"77\"];");
	flow_gateway(&f, true);
	read_port();
	flow_say(&f, "77", "77", "/whoami", "private");
	flow_await(&f, "77", 1);
	flow_say(&f, "-1002", "77", "hello all", "group");
	return 0;
}

static int reset(void **state)
{
	(void)state;
	if (f.playground == 0)
		return -1; /* an earlier test ended it all */
	return 0;
}

/* The status; the answer's JSON in *json where that is asked for. */
static int call(
    const char *method, const char *path, const char *header, const char *body, struct json_object **json)
{
	char *url = xasprintf("%s%s", base, path);
	struct client_request req = {
	    .method = method, .url = url, .header = header, .body = body, .timeout_ms = 30000};
	struct client_reply reply;

	client_send(&req, &reply);
	free(url);
	int status = reply.status;
	if (json)
		*json = json_object_get(reply.json);
	client_reply_clear(&reply);
	return status;
}

static struct json_object *post(int status, const char *body)
{
	struct json_object *o;

	assert_int_equal(call("POST", "/v1/messages", BEARER, body, &o), status);
	assert_non_null(o);
	return o;
}

static void health_and_readiness_need_no_token(void **state)
{
	struct json_object *o;

	(void)state;
	assert_int_equal(call("GET", "/healthz", NULL, NULL, &o), 200);
	json_object_put(o);
	assert_int_equal(call("GET", "/readyz", NULL, NULL, &o), 200);
	assert_true(json_get_bool(o, "ready", false));
	assert_string_equal(client_at(o, "model"), "up");
	/* Names of channels are not for everybody. */
	assert_null(strstr(json_object_to_json_string(o), "telegram"));
	json_object_put(o);
}

/* Strangers could take all requests with bodies that never end. */
static void without_the_token_no_body_is_waited_for(void **state)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	    .sin_port = htons((uint16_t)strtoul(strrchr(base, ':') + 1, NULL, 10))};
	const struct timeval limit = {.tv_sec = 20}; /* less than the 30 s that a body may take */
	char *text = xasprintf("POST /v1/messages HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000\r\n\r\n{",
		 strstr(base, "://") + 3),
	     answer[13] = "";
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
	assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof(to)), 0);
	assert_int_equal(send(fd, text, strlen(text), 0), strlen(text));
	assert_int_equal(recv(fd, answer, sizeof(answer) - 1, MSG_WAITALL), sizeof(answer) - 1);
	assert_string_equal(answer, "HTTP/1.1 401");
	close(fd);
	free(text);
}

static void what_needs_a_token_is_refused_without_it(void **state)
{
	static const char *const headers[] = {NULL, "Authorization: Bearer ", "Authorization: Bearer wrong",
	    "Authorization: " TOKEN, "Authorization: Basic " TOKEN, "Authorization: Bearer " TOKEN "x",
	    "Authorization: Bearer flow-test-token-012345678"};
	struct json_object *o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
		assert_int_equal(
		    call("POST", "/v1/messages", headers[i], "{\"to\":[\"people\"],\"text\":\"leaked\"}", &o),
		    401);
		assert_non_null(strstr(json_get_str(o, "error"), "Bearer"));
		json_object_put(o);
		assert_int_equal(call("GET", "/metrics", headers[i], NULL, NULL), 401);
		assert_int_equal(call("GET", "/v1/events", headers[i], NULL, NULL), 401);
	}
	char *log = flow_log(&f);
	size_t lines = 0;
	assert_null(strstr(log, TOKEN));
	for (const char *at = log; (at = strstr(at, "refused: no token")); at++)
		lines++;
	/* One a minute, not one for each of the 22 requests. */
	assert_in_range(lines, 1, 10);
	free(log);
	assert_int_equal(flow_bot_messages(&f, "77"), 1);
}

static void a_message_goes_to_each_addressee_once_with_its_result(void **state)
{
	struct json_object *o =
	    post(200, "{\"to\":[\"ops\",\"telegram:77\"],\"text\":\"green\",\"key\":\"k1\"}");

	(void)state;
	assert_string_equal(client_at(o, "results.0.address"), "telegram:77");
	assert_string_equal(client_at(o, "results.0.state"), "sent");
	char *id = xstrdup(client_at(o, "results.0.message_id"));
	assert_true(*id != '\0');
	assert_string_equal(client_at(o, "results.1.address"), "telegram:-1002");
	assert_string_equal(client_at(o, "results.1.state"), "sent");
	assert_string_equal(client_at(o, "results.2.state"), "failed");
	assert_true(*client_at(o, "results.2.error") != '\0');
	assert_string_equal(client_at(o, "results.3.state"), "");
	json_object_put(o);
	/* The same key again changes nothing, and tells the same. */
	o = post(200, "{\"to\":[\"people\"],\"text\":\"green\",\"key\":\"k1\"}");
	assert_string_equal(client_at(o, "results.0.message_id"), id);
	json_object_put(o);
	free(id);
	o = post(200, "{\"to\":[\"people\"],\"text\":\"red\",\"dry_run\":true}");
	assert_string_equal(client_at(o, "results.0.state"), "dry_run");
	json_object_put(o);
	assert_int_equal(flow_bot_messages(&f, "77"), 2);
	assert_int_equal(flow_bot_messages(&f, "-1002"), 1);
}

static void a_bad_request_sends_nothing_and_says_why(void **state)
{
	static const struct {
		const char *body, *says;
	} table[] = {
	    {"", ""},
	    {"[]", ""},
	    {"{", ""},
	    {"{}", "'text'"},
	    {"{\"to\":[\"people\"]}", "'text'"},
	    {"{\"to\":[\"people\"],\"text\":\" \\n\"}", "'text'"},
	    {"{\"text\":\"x\"}", "'to'"},
	    {"{\"text\":\"x\",\"to\":[]}", "'to'"},
	    {"{\"text\":\"x\",\"to\":\"people\"}", "'to'"},
	    {"{\"text\":\"x\",\"to\":[7]}", "'to'"},
	    {"{\"text\":\"x\",\"to\":[\"people\",\"nobody\"]}", "nobody"},
	    {"{\"text\":\"x\",\"to\":[\"fax:1\"]}", "fax"},
	    {"{\"text\":\"x\",\"to\":[\"people\"],\"dry-run\":true}", "dry-run"},
	    {"{\"text\":\"x\",\"to\":[\"people\"],\"dry_run\":\"yes\"}", "dry_run"},
	    {"{\"text\":\"x\",\"to\":[\"people\"],\"key\":5}", "key"},
	    {"{\"text\":\"x\\u0000y\",\"to\":[\"people\"]}", "'text'"},
	};

	(void)state;
	size_t before = flow_bot_messages(&f, "77");
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct json_object *o = post(400, table[i].body);
		const char *why = json_get_str(o, "error");
		if (!why || !strstr(why, table[i].says))
			fail_msg("%s: %s", table[i].body, why ? why : "no error");
		json_object_put(o);
	}
	char *large = xcalloc(1, 400 * 1024);
	memset(large, ' ', 400 * 1024 - 1);
	assert_int_equal(call("POST", "/v1/messages", BEARER, large, NULL), 413);
	free(large);
	assert_int_equal(flow_bot_messages(&f, "77"), before);
}

static void other_methods_paths_and_hosts_are_refused(void **state)
{
	(void)state;
	assert_int_equal(call("GET", "/v1/messages", BEARER, NULL, NULL), 405);
	assert_int_equal(call("PUT", "/v1/messages", BEARER, "{}", NULL), 405);
	struct json_object *refused;
	assert_int_equal(call("POST", "/healthz", NULL, "{}", &refused), 405);
	assert_non_null(strstr(json_object_to_json_string(refused), "\"Use GET.\""));
	json_object_put(refused);
	assert_int_equal(call("GET", "/status", NULL, NULL, NULL), 404);
	assert_int_equal(call("POST", "/", BEARER, "{}", NULL), 405);
	assert_int_equal(call("GET", "/v1/status", BEARER, NULL, NULL), 404);
	assert_int_equal(call("POST", "/v1/console/say", BEARER, "{}", NULL), 404);
	assert_int_equal(call("GET", "/healthz", "Host: evil.example", NULL, NULL), 403);
	assert_int_equal(call("GET", "/healthz", "Origin: http://evil.example", NULL, NULL), 403);
}

static void get(const char *path, const char *header, struct client_reply *reply)
{
	char *url = xasprintf("%s%s", base, path);
	struct client_request req = {.url = url, .header = header};

	client_send(&req, reply);
	free(url);
}

/* Basic, of "me:TOKEN" and of "me:TOKEN and one letter more". */
#define BROWSER "Authorization: Basic bWU6Zmxvdy10ZXN0LXRva2VuLTAxMjM0NTY3ODk="
#define WRONG   "Authorization: Basic bWU6Zmxvdy10ZXN0LXRva2VuLTAxMjM0NTY3ODl4"

static void a_browser_sees_the_status_with_the_token_as_password(void **state)
{
	static const char *const refused[] = {
	    NULL, WRONG, "Authorization: Basic", "Authorization: Basic bWU=", "Authorization: Basic ***"};
	struct client_reply reply;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		get("/", refused[i], &reply);
		assert_int_equal(reply.status, 401);
		assert_non_null(strcasestr(reply.head, "WWW-Authenticate: Basic"));
		assert_null(strstr(reply.body, "telegram"));
		client_reply_clear(&reply);
	}
	get("/", BROWSER, &reply);
	assert_int_equal(reply.status, 200);
	assert_non_null(strcasestr(reply.head, "Content-Security-Policy: default-src 'none'"));
	assert_non_null(strcasestr(reply.head, "Refresh: 15"));
	assert_non_null(strstr(reply.body, "<title>Myna is ready</title>"));
	assert_non_null(strstr(reply.body, "<bdi>telegram</bdi>"));
	assert_null(strstr(reply.body, TOKEN));
	client_reply_clear(&reply);
	get("/?still=1", BEARER, &reply);
	assert_int_equal(reply.status, 200);
	assert_null(strcasestr(reply.head, "Refresh:"));
	client_reply_clear(&reply);
	get("/status.css", NULL, &reply);
	assert_int_equal(reply.status, 200);
	client_reply_clear(&reply);
	get("/metrics", BEARER, &reply);
	assert_non_null(strstr(reply.body, "# TYPE myna_model_tokens_total counter\n"));
	client_reply_clear(&reply);
	/* What a browser sends along by itself sends no message and opens nothing else. */
	assert_int_equal(
	    call("POST", "/v1/messages", BROWSER, "{\"to\":[\"people\"],\"text\":\"leaked\"}", NULL), 401);
	assert_int_equal(call("GET", "/metrics", BROWSER, NULL, NULL), 401);
}

static void metrics_are_what_prometheus_reads(void **state)
{
	char *url = xasprintf("%s/metrics", base);
	struct client_request req = {.url = url, .header = BEARER};
	struct client_reply reply;

	(void)state;
	client_send(&req, &reply);
	assert_int_equal(reply.status, 200);
	assert_non_null(strstr(reply.head, "text/plain; version=0.0.4"));
	assert_non_null(strstr(reply.body, "\nmyna_channel_up{channel=\"telegram\",type=\"telegram\"} 1\n"));
	assert_non_null(strstr(reply.body, "# TYPE myna_outbox_failed gauge\nmyna_outbox_failed 1\n"));
	assert_non_null(strstr(reply.body, "\nmyna_ready 1\n"));
	for (char *line = reply.body, *next; *line; line = next + 1) {
		next = strchr(line, '\n');
		assert_non_null(next);
		assert_true(strncmp(line, "# ", 2) == 0 || strncmp(line, "myna_", 5) == 0 ||
		    strncmp(line, "process_", 8) == 0);
	}
	client_reply_clear(&reply);
	free(url);
}

static void check_says(const char *http, int status, const char *says)
{
	struct flow other = {0};
	char *out, *top;

	flow_start(&other);
	top = xasprintf("http: { %s };", http);
	flow_config(&other, top, "allow = [\"77\"];");
	assert_int_equal(flow_myna(&other, &out, "check", NULL), status);
	if (!strstr(out, says))
		fail_msg("%s: %s", http, out);
	free(out);
	free(top);
	flow_stop(&other);
}

/* In a process of its own: nobody gets a limit back. */
static void the_check_knows_that_too_few_files_may_be_open(void **state)
{
	const struct rlimit few = {100, 100};
	int status;
	pid_t pid;

	(void)state;
	pid = fork();
	if (pid == 0) {
		if (setrlimit(RLIMIT_NOFILE, &few) < 0)
			_exit(1);
		check_says("", 0, "At most 100 files may be open, and the gateway needs 256");
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void the_check_knows_what_cannot_work_and_what_is_unwise(void **state)
{
	(void)state;
	check_says("listen = \"127.0.0.1:0\";", 1, "needs http.token");
	check_says("listen = \"127.0.0.1:0\"; token = \"short-one\";", 1, "shorter than 16");
	check_says("listen = \"8080\"; token = \"" TOKEN "\";", 1, "not HOST:PORT");
	check_says("listen = \"0.0.0.0:8080\"; token = \"" TOKEN "\";", 0, "without TLS");
	check_says("token = \"" TOKEN "\";", 0, "not used");
}

static int dial(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
	    .sin_addr = {htonl(INADDR_LOOPBACK)},
	    .sin_port = htons((uint16_t)strtoul(strrchr(base, ':') + 1, NULL, 10))};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

static bool has_behind(const char *text, const char *first, const char *word)
{
	const char *at = strstr(text, first);

	return at && strstr(at, word);
}

/* Reads until there is word, behind the first of what may come from others. */
static void read_until(int fd, struct buf *in, const char *first, const char *word)
{
	uint64_t due = flow_deadline();
	char piece[4096];

	while (!has_behind(in->data, first, word)) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		ssize_t n = poll(&p, 1, 100) == 1 ? read(fd, piece, sizeof(piece)) : 0;
		assert_true(n >= 0);
		buf_add(in, piece, (size_t)n);
		if (flow_now_ms() > due)
			fail_msg("%s did not come in %s", word, in->data);
	}
}

static void who_watches_sees_each_step_and_no_words(void **state)
{
	static const char request[] = "GET /v1/events HTTP/1.0\r\nHost: localhost:%s\r\n" BEARER "\r\n\r\n";
	static const char *const steps[] = {"committed", "taken", "turn begun", "model asked",
	    "model answered", "turn ended", "to be sent", "sending", "acknowledged", "sent"};
	char *text = xasprintf(request, strrchr(base, ':') + 1), *at;
	struct buf in = BUF_INIT;
	int fd = dial();

	(void)state;
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	free(text);
	read_until(fd, &in, "", ": watching");
	assert_non_null(strstr(in.data, "text/event-stream"));
	flow_say(&f, "77", "77", "what is 6*9", "private");
	read_until(fd, &in, "\"step\":\"turn ended\"", "\"step\":\"sent\"");
	at = in.data;
	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		char *step = xasprintf("\"step\":\"%s\"", steps[i]);
		if (!strstr(at, step))
			fail_msg("%s is missing, or out of order, in %s", step, in.data);
		/* The answer's row is committed with the end of its turn, and whose task tells first is left
		 * open. */
		if (i < 5)
			at = strstr(at, step);
		free(step);
	}
	assert_null(strstr(in.data, "6*9"));
	close(fd);
	buf_clear(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(health_and_readiness_need_no_token, reset),
	    cmocka_unit_test_setup(without_the_token_no_body_is_waited_for, reset),
	    cmocka_unit_test_setup(what_needs_a_token_is_refused_without_it, reset),
	    cmocka_unit_test_setup(a_message_goes_to_each_addressee_once_with_its_result, reset),
	    cmocka_unit_test_setup(a_bad_request_sends_nothing_and_says_why, reset),
	    cmocka_unit_test_setup(other_methods_paths_and_hosts_are_refused, reset),
	    cmocka_unit_test_setup(a_browser_sees_the_status_with_the_token_as_password, reset),
	    cmocka_unit_test_setup(metrics_are_what_prometheus_reads, reset),
	    cmocka_unit_test(the_check_knows_that_too_few_files_may_be_open),
	    cmocka_unit_test(the_check_knows_what_cannot_work_and_what_is_unwise),
	    cmocka_unit_test_setup(who_watches_sees_each_step_and_no_words, reset),
	};

	return cmocka_run_group_tests_name("http", tests, begin, flow_end);
}
