/* What stands behind the page: a gateway that is watched, killed, started again, and given another model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "lib/client.h"

#define WAIT_MS  30000
#define GOOD_KEY "a-key-that-is-good"
#define BAD_KEY  "a-key-that-is-bad"
#define MODELS   "{\"models\":[{\"name\":\"tiny:1b\"},{\"name\":\"small:7b\"}]}"
#define COMPLETION                                                                                        \
	"{\"id\":\"1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"tiny:1b\",\"choices\":[{" \
	"\"index\":0,\"message\":{"                                                                       \
	"\"role\":\"assistant\",\"content\":\"tiny "                                                      \
	"words\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,"                           \
	"\"completion_tokens\":1,\"total_tokens\":2}}"

static struct client_program program;
static char dir[64], url[256];
static pid_t supervisor;

/* A model on a port of this machine: it lists two, knows one key, and says the same always. */
static int model_fd = -1;
static unsigned model_port;
static pthread_t model_thread;

static void model_answer(int fd)
{
	const char *status = "200 OK", *text = MODELS;
	struct buf in = BUF_INIT, out = BUF_INIT;
	char chunk[65536], *head_end = NULL, *length;
	ssize_t n = 1;
	size_t want = SIZE_MAX;

	while (in.len < want && (n = read(fd, chunk, sizeof(chunk))) > 0) {
		buf_add(&in, chunk, (size_t)n);
		head_end = strstr(in.data, "\r\n\r\n");
		length = head_end ? strcasestr(in.data, "content-length: ") : NULL;
		if (head_end)
			want =
			    (size_t)(head_end + 4 - in.data) + (length ? strtoul(length + 16, NULL, 10) : 0);
	}
	if (strncmp(in.data, "GET /api/tags ", 14) != 0) {
		bool good = strstr(in.data, "Bearer " GOOD_KEY);

		status = good ? "200 OK" : "401 Unauthorized";
		text = good ? COMPLETION :
			      "{\"error\":{\"message\":\"Incorrect API key provided: " BAD_KEY "\"}}";
	}
	buf_addf(&out,
	    "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\nConnection: "
	    "close\r\n\r\n%s",
	    status, strlen(text), text);
	n = write(fd, out.data, out.len);
	close(fd);
	buf_clear(&in);
	buf_clear(&out);
}

static void *model_serve(void *arg)
{
	int fd;

	(void)arg;
	while ((fd = accept4(model_fd, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		model_answer(fd);
	return NULL;
}

static void model_start(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t len = sizeof(a);

	model_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(model_fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(model_fd, 16), 0);
	assert_int_equal(getsockname(model_fd, (struct sockaddr *)&a, &len), 0);
	model_port = ntohs(a.sin_port);
	assert_int_equal(pthread_create(&model_thread, NULL, model_serve, NULL), 0);
}

static const char *at(const char *path)
{
	snprintf(url, sizeof(url), "%s/control/%s", program.url, path);
	return url;
}

static void write_config(void)
{
	char *path = xasprintf("%s/myna.conf", dir);
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	fprintf(f,
	    "state = \"%s\";\nchannels: { telegram: { type = \"telegram\"; token = "
	    "\"4242424242:AAEplaygroundTokenOfTheQuickstart01\"; api_base = \"%s/telegram\"; allow = "
	    "[\"*\"]; }; };\n"
	    "llm: { default = \"model\"; providers: {\n@include \"model.conf\"\n}; };\n",
	    dir, program.url);
	fclose(f);
	chmod(path, 0600);
	free(path);
}

static void supervisor_start(void)
{
	const char *build = getenv("MYNA_BUILD");
	char *myna = xasprintf("%s/myna", build ? build : "."), *config = xasprintf("%s/myna.conf", dir),
	     *orders = xasprintf("%s/orders", dir), *log = xasprintf("%s/log", dir);

	supervisor = fork();
	assert_true(supervisor >= 0);
	if (supervisor == 0) {
		int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);

		dup2(fd, 1);
		dup2(fd, 2);
		execl("/bin/bash", "bash", SOURCE_DIR "/playground/supervise.sh", myna, config, orders,
		    program.url, NULL);
		_exit(127);
	}
	free(myna);
	free(config);
	free(orders);
	free(log);
}

static int begin(void **state)
{
	const char *build = getenv("MYNA_BUILD");
	char *playground = xasprintf("%s/myna-playground", build ? build : "."), *socket, *model, *orders,
	     *ollama;

	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/myna-supervised.XXXXXX");
	assert_non_null(mkdtemp(dir));
	model_start();
	ollama = xasprintf("http://127.0.0.1:%u", model_port);
	setenv("MYNA_OLLAMA_URL", ollama, 1);
	socket = xasprintf("%s/control.sock", dir);
	model = xasprintf("%s/model.conf", dir);
	orders = xasprintf("%s/orders", dir);
	assert_int_equal(mkfifo(orders, 0600), 0);
	client_start(&program,
	    (const char *const[]){playground, "--listen", "127.0.0.1:0", "--gateway-socket", socket,
		"--gateway-model", model, "--supervisor", orders, NULL});
	write_config();
	supervisor_start();
	free(playground);
	free(socket);
	free(model);
	free(orders);
	free(ollama);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int end(void **state)
{
	int status;

	(void)state;
	kill(supervisor, SIGTERM);
	waitpid(supervisor, &status, 0);
	assert_int_equal(client_stop(&program, SIGTERM), 0);
	shutdown(model_fd, SHUT_RDWR);
	pthread_join(model_thread, NULL);
	close(model_fd);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}

/* Until what the page is told of the gateway has that at path. */
static void await_gateway(const char *path, const char *value)
{
	uint64_t due = clock_now() + WAIT_MS;
	struct json_object *o = client_get(at("gateway/status"), 200);

	while (strcmp(client_at(o, path), value) != 0) {
		if (clock_now() > due)
			fail_msg("%s is not %s in %s", path, value, json_object_get_string(o));
		json_object_put(o);
		usleep(50000);
		o = client_get(at("gateway/status"), 200);
	}
	json_object_put(o);
}

static void say(const char *text)
{
	json_object_put(client_post(at("say"), 200,
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"ann\",\"text\":\"%s\"}", text));
}

static void await_answer(const char *text)
{
	json_object_put(client_post(at("wait"), 200,
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"contains\":\"%s\",\"timeout_ms\":%d}", text,
	    WAIT_MS));
}

static void a_conversation_goes_on_over_a_kill_by_the_page(void **state)
{
	struct json_object *o;

	(void)state;
	await_gateway("state", "ready");
	say("what is 6*7");
	await_answer("6 * 7 = 42");
	json_object_put(client_post(at("gateway/kill"), 200, "{\"hold\":true}"));
	await_gateway("state", "down");
	o = client_get(at("gateway/status"), 200);
	assert_string_equal(client_at(o, "exit"), "killed by signal 9");
	assert_string_equal(client_at(o, "held"), "true");
	assert_string_equal(client_at(o, "pid"), "");
	assert_string_equal(client_at(o, "status"), "");
	json_object_put(o);
	say("what is 6*8");
	json_object_put(client_post(at("gateway/restart"), 200, "{}"));
	await_gateway("state", "ready");
	await_answer("6 * 8 = 48");
	await_gateway("starts", "2");
}

static void it_starts_again_by_itself_after_a_kill_that_does_not_hold(void **state)
{
	(void)state;
	await_gateway("state", "ready");
	json_object_put(client_post(at("gateway/kill"), 200, "{}"));
	await_gateway("starts", "3");
	await_gateway("state", "ready");
	await_gateway("status.ready", "true");
}

static void the_way_of_a_message_is_passed_on(void **state)
{
	struct json_object *o;

	(void)state;
	o = client_get(at("gateway/trace?message=1"), 200);
	assert_string_equal(client_at(o, "trace.inbound"), "1");
	assert_string_equal(client_at(o, "trace.steps.0.step"), "said");
	json_object_put(o);
	json_object_put(client_get(at("gateway/trace?message=4711"), 404));
	json_object_put(client_get(at("gateway/trace"), 400));
}

static int open_stream(void)
{
	const char *colon = strrchr(program.url, ':');
	struct sockaddr_in to = {.sin_family = AF_INET,
	    .sin_addr = {htonl(INADDR_LOOPBACK)},
	    .sin_port = htons((uint16_t)strtoul(colon + 1, NULL, 10))};
	char *text = xasprintf(
	    "GET /control/gateway/events HTTP/1.0\r\nHost: %s\r\n\r\n", program.url + strlen("http://"));
	struct timeval limit = {.tv_sec = 1};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	free(text);
	return fd;
}

static bool is_whole(const struct buf *in)
{
	const char *began = strstr(in->data, "\"step\":\"committed\"");

	return began && strstr(began, "\"step\":\"turn ended\"");
}

/* The playground asks the gateway for its steps only once somebody listens: what is said before that is not
 * seen. */
static void steps_in_the_gateway_reach_the_page(void **state)
{
	uint64_t due = clock_now() + WAIT_MS;
	struct buf in = BUF_INIT;
	char piece[4096];
	ssize_t n = 0;
	int fd;

	(void)state;
	await_gateway("state", "ready");
	fd = open_stream();
	while (!is_whole(&in) && clock_now() < due) {
		if (n <= 0)
			say("what is 6*9");
		n = read(fd, piece, sizeof(piece));
		if (n > 0)
			buf_add(&in, piece, (size_t)n);
	}
	close(fd);
	if (!is_whole(&in))
		fail_msg("the steps are missing in %s", in.data);
	assert_non_null(strstr(in.data, "\"type\":\"trace\""));
	assert_null(strstr(in.data, "6*9"));
	assert_null(strstr(in.data, "\"type\":\"message\""));
	buf_clear(&in);
	await_answer("6 * 9 = 54");
}

static struct json_object *choose(const char *key)
{
	return client_post(at("gateway/model"), 200,
	    "{\"url\":\"http://127.0.0.1:%u/v1/\",\"model\":\"tiny:1b\",\"key\":\"%s\"}", model_port, key);
}

static char *read_file(const char *name, mode_t *mode)
{
	char *path = xasprintf("%s/%s", dir, name), text[4096] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	assert_true(read(fd, text, sizeof(text) - 1) >= 0);
	*mode = st.st_mode & 0777;
	close(fd);
	free(path);
	return xstrdup(text);
}

static void a_real_model_is_one_call_away_and_the_scripted_one_back(void **state)
{
	struct json_object *o;
	char *text;
	mode_t mode;

	(void)state;
	await_gateway("state", "ready");
	o = client_get(at("gateway/model"), 200);
	assert_string_equal(client_at(o, "used.scripted"), "true");
	assert_string_equal(client_at(o, "ollama.running"), "true");
	assert_string_equal(client_at(o, "ollama.models.1"), "small:7b");
	json_object_put(o);
	o = choose(BAD_KEY);
	assert_string_equal(client_at(o, "works"), "false");
	assert_non_null(strstr(client_at(o, "text"), "The key was refused (401)"));
	assert_null(strstr(client_at(o, "text"), BAD_KEY));
	json_object_put(o);
	o = choose(GOOD_KEY);
	if (strcmp(client_at(o, "works"), "true") != 0)
		fail_msg("%s", json_object_get_string(o));
	json_object_put(o);
	o = client_get(at("gateway/model"), 200);
	assert_string_equal(client_at(o, "used.model"), "tiny:1b");
	assert_string_equal(client_at(o, "used.key"), "true");
	assert_null(strstr(json_object_get_string(o), GOOD_KEY));
	json_object_put(o);
	text = read_file("model.conf.key", &mode);
	assert_string_equal(text, GOOD_KEY);
	assert_int_equal(mode, 0600);
	free(text);
	o = client_post(at("gateway/model"), 200, "{\"scripted\":true}");
	assert_string_equal(client_at(o, "works"), "true");
	json_object_put(o);
	say("what is 7*7");
	await_answer("7 * 7 = 49");
}

static void what_can_be_no_model_is_refused(void **state)
{
	static const char *const bodies[] = {"{}", "{\"url\":\"http://example.com/v1\",\"model\":\"m\"}",
	    "{\"url\":\"ftp://127.0.0.1\",\"model\":\"m\"}",
	    "{\"url\":\"http://127.0.0.1:1/v1\",\"model\":\"\"}",
	    "{\"url\":\"http://127.0.0.1:1/v1\",\"model\":\"m\\\"; x = \\\"\"}",
	    "{\"url\":\"http://127.0.0.1:1/v1\",\"model\":\"m\",\"key\":\"two\\nlines\"}",
	    "{\"url\":\"http://127.0.0.1:1/v1\",\"model\":\"m\",\"api\":\"telepathy\"}"};
	struct json_object *o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
		json_object_put(client_post(at("gateway/model"), 400, "%s", bodies[i]));
	o = client_post(at("gateway/model"), 200, "{\"url\":\"http://127.0.0.1:1/v1\",\"model\":\"m\"}");
	assert_string_equal(client_at(o, "works"), "false");
	assert_non_null(strstr(client_at(o, "text"), "was not reached"));
	json_object_put(o);
	o = client_get(at("gateway/model"), 200);
	assert_string_equal(client_at(o, "used.scripted"), "true");
	json_object_put(o);
}

static void one_that_is_down_is_left_down(void **state)
{
	(void)state;
	json_object_put(client_post(at("gateway/restart"), 200, "{}"));
	await_gateway("exit", "ended with status 0");
	await_gateway("state", "ready");
	json_object_put(client_post(at("gateway/kill"), 200, "{}"));
	await_gateway("exit", "killed by signal 9"); /* for a second at most it is down */
	json_object_put(client_post(at("gateway/kill"), 200, "{\"hold\":true}"));
	await_gateway("held", "true");
	await_gateway("state", "down");
	json_object_put(client_post(at("gateway/restart"), 200, "{}"));
	await_gateway("state", "ready");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_conversation_goes_on_over_a_kill_by_the_page),
	    cmocka_unit_test(it_starts_again_by_itself_after_a_kill_that_does_not_hold),
	    cmocka_unit_test(the_way_of_a_message_is_passed_on),
	    cmocka_unit_test(steps_in_the_gateway_reach_the_page),
	    cmocka_unit_test(a_real_model_is_one_call_away_and_the_scripted_one_back),
	    cmocka_unit_test(what_can_be_no_model_is_refused),
	    cmocka_unit_test(one_that_is_down_is_left_down),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
