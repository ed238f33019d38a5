#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define OPTIONS_MAX 16
#define URLS        8

static struct client_program program;

const char *fixture_program(void)
{
	static char path[512];
	const char *build = getenv("MYNA_BUILD");

	snprintf(path, sizeof(path), "%s/myna-playground", build ? build : ".");
	return path;
}

void fixture_start(const char *const *options)
{
	const char *argv[OPTIONS_MAX] = {fixture_program(), "--listen", "127.0.0.1:0", "--strict-answers"};

	for (size_t i = 0; options && options[i] && i + 5 < OPTIONS_MAX; i++)
		argv[4 + i] = options[i];
	client_start(&program, argv);
}

void fixture_end(void)
{
	assert_int_equal(client_stop(&program, SIGTERM), 0);
}

int fixture_setup(void **state)
{
	(void)state;
	fixture_start(NULL);
	return 0;
}

int fixture_teardown(void **state)
{
	(void)state;
	fixture_end();
	return 0;
}

int fixture_reset(void **state)
{
	(void)state;
	json_object_put(control("reset", "{}"));
	json_object_put(control("settings",
	    "{\"telegram\":{\"limits\":false,\"privacy\":true},\"model\":{\"instant\":true,\"context_"
	    "tokens\":128000}}"));
	json_object_put(bot("deleteWebhook", 200, "{\"drop_pending_updates\":true}"));
	return 0;
}

const char *at(const char *fmt, ...)
{
	static char urls[URLS][512];
	static int next;
	char *url = urls[next++ % URLS];
	size_t n;
	va_list ap;

	n = (size_t)snprintf(url, sizeof(urls[0]), "%s", program.url);
	va_start(ap, fmt);
	vsnprintf(url + n, sizeof(urls[0]) - n, fmt, ap);
	va_end(ap);
	return url;
}

void raw_send(const char *request, size_t len, struct buf *out)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
	    .sin_port = htons((uint16_t)strtoul(strrchr(program.url, ':') + 1, NULL, 10)),
	    .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct timeval patience = {.tv_sec = 60};
	char part[4096];
	ssize_t n;

	buf_reset(out);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	assert_int_equal(send(fd, request, len, MSG_NOSIGNAL), len);
	while ((n = recv(fd, part, sizeof(part), 0)) > 0)
		buf_add(out, part, (size_t)n);
	assert_int_equal(n, 0); /* neither a reset nor silence */
	close(fd);
}

struct json_object *bot(const char *method, int status, const char *fmt, ...)
{
	struct buf body = BUF_INIT;
	struct json_object *o;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&body, fmt, ap);
	va_end(ap);
	o = client_post(at("/telegram/bot" TOKEN "/%s", method), status, "%s", body.data);
	buf_clear(&body);
	return o;
}

struct json_object *control(const char *name, const char *fmt, ...)
{
	struct buf body = BUF_INIT;
	struct json_object *o;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&body, fmt, ap);
	va_end(ap);
	o = client_post(at("/control/%s", name), 200, "%s", body.data);
	assert_true(json_get_bool(o, "ok", false));
	buf_clear(&body);
	return o;
}

int say(const char *text)
{
	struct buf quoted = BUF_INIT;
	struct json_object *o;
	int id;

	json_quote(&quoted, text, strlen(text));
	o = control("say", "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":%s}", quoted.data);
	id = (int)strtol(client_at(o, "message_id"), NULL, 10);
	json_object_put(o);
	buf_clear(&quoted);
	return id;
}

/* The newest record of a platform, new. */
static struct json_object *newest(const char *platform)
{
	struct json_object *o = strcmp(platform, "model") == 0 ?
	    client_get(at("/control/model"), 200) :
	    client_get(at("/control/requests?platform=%s", platform), 200);
	struct json_object *array = json_get_array(o, "requests"), *last;

	assert_true(json_object_array_length(array) > 0);
	last = json_object_get(json_object_array_get_idx(array, json_object_array_length(array) - 1));
	json_object_put(o);
	return last;
}

void expect_remark(const char *platform, const char *remark)
{
	struct json_object *last = newest(platform);
	size_t count = json_object_array_length(json_get_array(last, "problems"));

	assert_string_equal(client_at(last, "verdict"), "ok");
	if (count != (remark ? 1 : 0) || (remark && strcmp(client_at(last, "problems.0"), remark) != 0))
		fail_msg(
		    "\"%s\" is not the remark on %s", remark ? remark : "", json_object_get_string(last));
	json_object_put(last);
}

void expect_verdict(const char *platform, const char *verdict)
{
	struct json_object *last = newest(platform);

	if (strcmp(client_at(last, "verdict"), verdict) != 0)
		fail_msg("the verdict is not \"%s\" on %s", verdict, json_object_get_string(last));
	assert_int_equal(
	    json_object_array_length(json_get_array(last, "problems")) > 0, strcmp(verdict, "refused") == 0);
	json_object_put(last);
}

void expect_at(struct json_object *o, const char *path, const char *text)
{
	if (strcmp(client_at(o, path), text) != 0)
		fail_msg("%s is not \"%s\" in %s", path, text, json_object_get_string(o));
}

void expect_once(struct json_object *o, const char *path, const char *text)
{
	expect_at(o, path, text);
	json_object_put(o);
}
