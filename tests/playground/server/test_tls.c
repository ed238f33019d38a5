/* The playground over TLS: its certificate, and what its clients get to see. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "lib/client.h"
#include "net/http/http.h"
#include "net/server/server.h"
#include "net/websocket/websocket.h"
#include "playground/fixture.h"
#include "playground/playground.h"
#include "playground/server/certificate.h"

#define HOST   "127.0.0.1"
#define LARGE  (8 << 20)
#define DAY_MS INT64_C(86400000)

static struct rig {
	struct certificate certificate;
	struct playground *pg;
	struct server *server;
	char url[64];
} rig;

static void remove_folder(const char *folder)
{
	static const char *const files[] = {"tls-authority.pem", "tls-server.pem", "playground.json"};

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *path = xasprintf("%s/%s", folder, files[i]);

		unlink(path);
		free(path);
	}
	assert_int_equal(rmdir(folder), 0);
}

/* Makes them anew, and what they replace is another one. */
static bool is_renewed(const char *folder, const char *host)
{
	struct certificate c;
	struct stat before, after;
	struct error err = {0};

	assert_int_equal(stat(rig.certificate.server, &before), 0);
	if (certificate_prepare(&c, folder, host, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(stat(c.server, &after), 0);
	assert_int_equal(after.st_mode & 0777, 0600);
	certificate_clear(&c);
	return before.st_ino != after.st_ino;
}

static void a_certificate_stays_while_it_is_good(void **state)
{
	char folder[] = "/tmp/myna-tls-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(certificate_prepare(&rig.certificate, folder, HOST, NULL), 0);
	assert_false(is_renewed(folder, HOST));
	assert_false(is_renewed(folder, "localhost"));
	assert_false(is_renewed(folder, "[::1]"));
	assert_true(is_renewed(folder, "127.1.2.3"));
	assert_false(is_renewed(folder, "127.1.2.3"));
	clock_set_ahead(760 * DAY_MS);
	assert_false(is_renewed(folder, "127.1.2.3"));
	clock_set_ahead(20 * DAY_MS);
	assert_true(is_renewed(folder, "127.1.2.3"));
	clock_set_ahead(-780 * DAY_MS);
	assert_int_equal(truncate(rig.certificate.authority, 100), 0);
	assert_true(is_renewed(folder, HOST));
	remove_folder(folder);
	assert_int_equal(certificate_prepare(&(struct certificate){0}, "/nowhere/at/all", HOST, NULL), -1);
	certificate_clear(&rig.certificate);
}

/* Returns 0 with the answer, or -1. */
static int ask(struct task *t, const char *method, const char *path, const void *body, size_t len,
    struct http_response *res, struct error *err)
{
	static const struct http_header type = {"Content-Type", "application/json"};
	char *url = xasprintf("%s%s", rig.url, path);
	struct http_request req = {.method = method,
	    .url = url,
	    .headers = &type,
	    .header_count = 1,
	    .body = body,
	    .body_len = len,
	    .max_body = LARGE * 2};
	int ret;

	*res = (struct http_response){.body = BUF_INIT};
	ret = http_perform(t, &req, res, err);
	free(url);
	return ret;
}

static struct json_object *call(struct task *t, const char *method, const char *path, const char *body)
{
	struct http_response res;
	struct error err = {0};
	struct json_object *o;

	if (ask(t, method, path, body, body ? strlen(body) : 0, &res, &err) != 0)
		fail_msg("%s", err.text);
	o = json_parse_object(res.body.data, res.body.len, &err);
	if (!o)
		fail_msg("%s: %s", path, res.body.data);
	http_response_clear(&res);
	return o;
}

static void without_the_authority_it_is_refused(struct task *t)
{
	struct http_response res;
	struct error err = {0};

	unsetenv("SSL_CERT_FILE");
	assert_int_equal(ask(t, "GET", "/control/settings", NULL, 0, &res, &err), -1);
	assert_non_null(strstr(err.text, "certificate of the server is not accepted"));
	http_response_clear(&res);
	setenv("SSL_CERT_FILE", rig.certificate.authority, 1);
	json_object_put(call(t, "GET", "/control/settings", NULL));
}

/* What is long goes both ways, in many records. */
static void all_bytes_arrive(struct task *t)
{
	char *text = xmalloc(LARGE + 1), *body;
	struct json_object *o;

	memset(text, 'x', LARGE);
	text[LARGE] = '\0';
	body = xasprintf("{\"platform\":\"telegram\",\"user\":\"77\",\"chat\":\"77\",\"text\":\"one\","
			 "\"files\":[{\"name\":\"a\",\"base64\":\"%s\"}]}",
	    text);
	expect_once(call(t, "POST", "/control/say", body), "ok", "true");
	o = call(t, "GET", "/control/file?platform=telegram&chat=77&message_id=1&index=0", NULL);
	assert_string_equal(json_get_str(o, "base64"), text);
	json_object_put(o);
	free(body);
	free(text);
}

/* Of its own URLs. */
static void urls_are_of_the_same_kind(struct task *t)
{
	struct json_object *o = call(t, "GET", "/discord/api/v10/gateway", NULL);
	struct websocket_options options = {.url = client_at(o, "url"), .ca_file = rig.certificate.authority};
	struct error err = {0};
	struct buf hello = BUF_INIT;
	struct websocket *w;
	char *url = xasprintf("%s/?v=10", client_at(o, "url"));

	assert_int_equal(strncmp(url, "wss://127.0.0.1:", 16), 0);
	options.url = url;
	w = websocket_open(t, &options, &err);
	if (!w)
		fail_msg("%s", err.text);
	assert_int_equal(websocket_receive(t, w, &hello, 60000, NULL), 1);
	assert_non_null(strstr(hello.data, "heartbeat_interval"));
	websocket_close(t, w, 1000, "");
	buf_clear(&hello);
	free(url);
	json_object_put(o);
}

static void a_world_beside_is_served_over_tls_too(struct task *t)
{
	struct json_object *o = call(t, "POST", "/control/world", "{\"name\":\"side\"}");

	assert_int_equal(strncmp(client_at(o, "tls_url"), "https://" HOST ":", 18), 0);
	snprintf(rig.url, sizeof(rig.url), "%s", client_at(o, "tls_url"));
	json_object_put(o);
	expect_once(
	    call(t, "POST", "/control/say", "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":\"hi\"}"),
	    "message_id", "1");
}

static void talk(struct task *t, void *arg)
{
	(void)arg;
	without_the_authority_it_is_refused(t);
	all_bytes_arrive(t);
	urls_are_of_the_same_kind(t);
	a_world_beside_is_served_over_tls_too(t);
	server_free(t, rig.server);
	playground_stop(t, rig.pg);
	http_finish();
}

static void platforms_are_served_over_tls(void **state)
{
	struct server_options options = {
	    .listen = HOST ":0", .max_body = LARGE * 2, .handler = playground_serve};
	char folder[] = "/tmp/myna-tls-XXXXXX";
	struct error err = {0};

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(certificate_prepare(&rig.certificate, folder, HOST, NULL), 0);
	rig.pg = playground_new(NULL, NULL, &err);
	rig.pg->certificate = rig.certificate.server;
	options.arg = rig.pg;
	options.certificate = options.key = rig.certificate.server;
	rig.server = server_new(&options, &err);
	if (!rig.server)
		fail_msg("%s", err.text);
	snprintf(rig.url, sizeof(rig.url), "https://" HOST ":%u", server_port(rig.server));
	task_run("tls", talk, NULL);
	playground_free(rig.pg);
	remove_folder(folder);
	certificate_clear(&rig.certificate);
}

static void the_program_says_how_it_is_trusted(void **state)
{
	char folder[] = "/tmp/myna-tls-XXXXXX", *authority, line[256] = "";
	const char *argv[] = {
	    fixture_program(), "--listen", HOST ":0", "--tls=0", "--data", folder, "--strict-answers", NULL};
	struct client_program program;
	size_t n = 0;

	(void)state;
	assert_non_null(mkdtemp(folder));
	client_start(&program, argv);
	while (n + 1 < sizeof(line) && read(program.out, line + n, 1) == 1 && line[n] != '\n')
		n++;
	authority = xasprintf("%s/tls-authority.pem", folder);
	assert_int_equal(strncmp(line, "listening on https://" HOST ":", 31), 0);
	assert_non_null(strstr(line, authority));
	assert_int_equal(access(authority, R_OK), 0);
	assert_int_equal(client_stop(&program, SIGTERM), 0);
	free(authority);
	remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_certificate_stays_while_it_is_good),
	    cmocka_unit_test(platforms_are_served_over_tls),
	    cmocka_unit_test(the_program_says_how_it_is_trusted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
