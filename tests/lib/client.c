#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "lib/client.h"

#define START_S 60
#define STOP_MS 60000

extern char **environ;

struct sent {
	bool has_body;
	atomic_bool all;
};

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void read_url(struct client_program *p)
{
	static const char prefix[] = "listening on ";
	char line[160];
	size_t n = 0;

	alarm(START_S); /* a program that says nothing ends the test */
	while (n + 1 < sizeof(line) && read(p->out, line + n, 1) == 1 && line[n] != '\n')
		n++;
	alarm(0);
	line[n] = '\0';
	if (strncmp(line, prefix, sizeof(prefix) - 1) != 0)
		fail_msg("the program said \"%s\" instead of where it listens", line);
	str_copy(p->url, sizeof(p->url), line + sizeof(prefix) - 1);
}

void client_start(struct client_program *p, const char *const *argv)
{
	posix_spawn_file_actions_t actions;
	int fds[2], rc;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
	rc = posix_spawn(&p->pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	if (rc != 0)
		fail_msg("cannot start %s: %s", argv[0], strerror(rc));
	p->out = fds[0];
	read_url(p);
}

int client_stop(struct client_program *p, int signo)
{
	long due = now_ms() + STOP_MS;
	int status = 0;
	pid_t pid;

	kill(p->pid, signo);
	while ((pid = waitpid(p->pid, &status, WNOHANG)) == 0 && now_ms() < due)
		usleep(5000);
	if (pid == 0) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, &status, 0);
		fail_msg("the program did not end within %d ms of signal %d", STOP_MS, signo);
	}
	close(p->out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static size_t collect(char *data, size_t size, size_t count, void *arg)
{
	buf_add(arg, data, size * count);
	return size * count;
}

static struct curl_slist *make_headers(const struct client_request *req)
{
	struct curl_slist *list = NULL;
	char *type =
	    xasprintf("Content-Type: %s", req->content_type ? req->content_type : "application/json");

	if (req->body)
		list = curl_slist_append(list, type);
	list = curl_slist_append(list, "Expect:");
	if (req->header)
		list = curl_slist_append(list, req->header);
	free(type);
	return list;
}

static void set_up(CURL *curl, const struct client_request *req, struct curl_slist *headers)
{
	curl_easy_setopt(curl, CURLOPT_URL, req->url);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, req->timeout_ms != 0 ? req->timeout_ms : 60000L);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, collect);
	if (req->body)
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS, req->body);
	if (req->method)
		curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, req->method);
}

/* What is sent last is the body, or the headers where there is none. */
static int note_sent(CURL *curl, curl_infotype type, char *data, size_t len, void *arg)
{
	struct sent *sent = arg;

	(void)curl, (void)data, (void)len;
	if (type == (sent->has_body ? CURLINFO_DATA_OUT : CURLINFO_HEADER_OUT))
		atomic_store(&sent->all, true);
	return 0;
}

/* sent: NULL, nobody asks. */
static void send_noting(const struct client_request *req, struct client_reply *reply, struct sent *sent)
{
	struct curl_slist *headers = make_headers(req);
	struct buf head = BUF_INIT, body = BUF_INIT;
	CURL *curl = curl_easy_init();
	long status = 0, start = now_ms();

	set_up(curl, req, headers);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, &head);
	if (sent) {
		sent->has_body = req->body;
		curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L);
		curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, note_sent);
		curl_easy_setopt(curl, CURLOPT_DEBUGDATA, sent);
	}
	if (curl_easy_perform(curl) == CURLE_OK)
		curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	*reply = (struct client_reply){.status = (int)status, .len = body.len, .ms = now_ms() - start};
	reply->json = json_parse(body.data, body.len, NULL);
	reply->body = buf_take(&body);
	reply->head = buf_take(&head);
	curl_slist_free_all(headers);
	curl_easy_cleanup(curl);
}

void client_send(const struct client_request *req, struct client_reply *reply)
{
	send_noting(req, reply, NULL);
}

void client_reply_clear(struct client_reply *reply)
{
	json_object_put(reply->json);
	free(reply->body);
	free(reply->head);
	*reply = (struct client_reply){0};
}

struct client_async {
	pthread_t thread;
	struct client_request req;
	struct client_reply reply;
	struct sent sent;
	atomic_bool done;
};

static void *run_async(void *arg)
{
	struct client_async *a = arg;

	send_noting(&a->req, &a->reply, &a->sent);
	atomic_store(&a->done, true);
	return NULL;
}

struct client_async *client_send_async(const struct client_request *req)
{
	struct client_async *a = xcalloc(1, sizeof(*a));

	a->req = *req;
	a->req.method = xstrdup(req->method);
	a->req.url = xstrdup(req->url);
	a->req.body = xstrdup(req->body);
	a->req.content_type = xstrdup(req->content_type);
	a->req.header = xstrdup(req->header);
	assert_int_equal(pthread_create(&a->thread, NULL, run_async, a), 0);
	return a;
}

bool client_is_done(const struct client_async *a)
{
	return atomic_load(&a->done);
}

void client_arrive(struct client_async *a, const char *url)
{
	for (long due = now_ms() + STOP_MS; !atomic_load(&a->sent.all); usleep(1000))
		if (now_ms() > due)
			fail_msg("the request to %s was not sent", a->req.url);
	json_object_put(client_get(url, 200));
}

void client_await(struct client_async *a, struct client_reply *reply)
{
	pthread_join(a->thread, NULL);
	*reply = a->reply;
	free((char *)(uintptr_t)a->req.method);
	free((char *)(uintptr_t)a->req.url);
	free((char *)(uintptr_t)a->req.body);
	free((char *)(uintptr_t)a->req.content_type);
	free((char *)(uintptr_t)a->req.header);
	free(a);
}

static struct json_object *expect(const struct client_request *req, int status)
{
	struct client_reply reply;
	struct json_object *json;

	client_send(req, &reply);
	if (reply.status != status)
		fail_msg("%s %s\nanswered %d, not %d: %s", req->url, req->body ? req->body : "", reply.status,
		    status, reply.body);
	json = reply.json;
	reply.json = NULL;
	client_reply_clear(&reply);
	return json;
}

struct json_object *client_post(const char *url, int status, const char *fmt, ...)
{
	struct buf body = BUF_INIT;
	struct client_request req = {.url = url};
	struct json_object *json;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&body, fmt, ap);
	va_end(ap);
	req.body = body.data;
	json = expect(&req, status);
	buf_clear(&body);
	return json;
}

struct json_object *client_get(const char *url, int status)
{
	return expect(&(struct client_request){.url = url}, status);
}

struct json_object *client_object_at(struct json_object *o, const char *path)
{
	char *copy = xstrdup(path), *save, *end;

	for (char *key = strtok_r(copy, ".", &save); key && o; key = strtok_r(NULL, ".", &save)) {
		if (json_object_is_type(o, json_type_array))
			o = json_object_array_get_idx(o, strtoul(key, &end, 10));
		else
			o = json_get(o, key);
	}
	free(copy);
	return o;
}

const char *client_at(struct json_object *o, const char *path)
{
	o = client_object_at(o, path);
	return o ? json_object_get_string(o) : "";
}
