/*
 * What a waiting request costs: many tasks, each in http_perform, on a server that takes every request and
 * answers none. bench_http plain COUNT		HTTP/1.1 on loopback, a connection each bench_http h2 COUNT
 * NODE SCRIPT	HTTP/2 over TLS; NODE SCRIPT COUNT is the server Figures are lines "NAME<TAB>NUMBER". Memory
 * is what the process got more of while all wait (RssAnon): the task, curl and TLS, not the buffers of the
 * kernel.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bench/bench.h"
#include "net/http/http.h"
#include "net/loop.h"

#define MOST_MS    60000
#define BODY_BYTES 4096 /* about what a short conversation is */

struct crowd {
	struct bench_options o;
	size_t count;
	char url[64];
	int server_out;
	char body[BODY_BYTES];
	struct task_group tasks;
	size_t failed;
	struct error why;
};

/* In a process of its own: says its port, and "held" once that many whole requests came. */
static void hold_requests(size_t count)
{
	struct epoll_event e = {.events = EPOLLIN};
	size_t *got = xcalloc(2 * count + 64, sizeof(*got)), complete = 0; /* by file descriptor */
	char chunk[2 * BODY_BYTES];
	unsigned port;
	int listener = bench_listen(&port), ep = epoll_create1(0);

	printf("%u\n", port);
	fflush(stdout);
	e.data.fd = listener;
	epoll_ctl(ep, EPOLL_CTL_ADD, listener, &e);
	while (epoll_wait(ep, &e, 1, -1) == 1) {
		int fd = e.data.fd;
		ssize_t n;

		if (fd == listener) {
			e = (struct epoll_event){.events = EPOLLIN, .data.fd = accept(listener, NULL, NULL)};
			epoll_ctl(ep, EPOLL_CTL_ADD, e.data.fd, &e);
		} else if ((n = read(fd, chunk, sizeof(chunk))) <= 0) {
			close(fd);
		} else if (got[fd] < BODY_BYTES && (got[fd] += (size_t)n) >= BODY_BYTES &&
		    ++complete == count) {
			puts("held");
			fflush(stdout);
		}
	}
	_exit(0);
}

/* A line of the server, waiting for it. */
static void server_line(int fd, char *line, size_t size)
{
	size_t n = 0;

	while (n + 1 < size && read(fd, line + n, 1) == 1 && line[n] != '\n')
		n++;
	line[n] = '\0';
}

static pid_t start_server(struct crowd *c, char **argv)
{
	char count[24], port[16];
	int out[2];
	pid_t pid;

	snprintf(count, sizeof(count), "%zu", c->count);
	if (pipe(out) != 0 || (pid = fork()) < 0)
		bench_die("cannot start the server");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out[1], 1);
		close(out[0]);
		if (!argv)
			hold_requests(c->count);
		execlp(argv[0], argv[0], argv[1], count, (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	c->server_out = out[0];
	server_line(out[0], port, sizeof(port));
	if (*port == '\0')
		bench_die("the server did not start");
	snprintf(
	    c->url, sizeof(c->url), "%s:%s/v1/chat", !argv ? "http://127.0.0.1" : "https://localhost", port);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	return pid;
}

static void ask(struct task *t, void *arg)
{
	static const struct http_header headers[] = {
	    {"Authorization", "Bearer a-key-for-measurements"},
	    {"Content-Type", "application/json"},
	};
	struct crowd *c = arg;
	struct http_request req = {
	    .method = "POST",
	    .url = c->url,
	    .label = "bench",
	    .headers = headers,
	    .header_count = ARRAY_LEN(headers),
	    .body = c->body,
	    .body_len = sizeof(c->body),
	    .connect_ms = MOST_MS,
	    .idle_ms = 10 * MOST_MS,
	};
	struct http_response res;
	struct error err = {0};

	if (http_perform(t, &req, &res, &err) == 0)
		error_set(&err, ERROR_OURS, "the server answered %d", res.status);
	if (err.kind != ERROR_CANCELLED && c->failed++ == 0)
		c->why = err;
	http_response_clear(&res);
}

static size_t count_sockets(void)
{
	DIR *fds = opendir("/proc/self/fd");
	char target[64];
	struct dirent *e;
	size_t n = 0;

	while (fds && (e = readdir(fds))) {
		ssize_t len = readlinkat(dirfd(fds), e->d_name, target, sizeof(target));

		n += len > 7 && memcmp(target, "socket:", 7) == 0;
	}
	if (fds)
		closedir(fds);
	return n;
}

static void await_held(struct task *t, struct crowd *c)
{
	double until = bench_now_ms() + MOST_MS;
	char line[16];

	while (read(c->server_out, line, sizeof(line)) <= 0) {
		task_sleep(t, 20, NULL);
		if (c->failed > 0)
			bench_die("%zu requests failed: %s", c->failed, c->why.text);
		if (bench_now_ms() > until)
			bench_die("the server does not have all requests after %d s", MOST_MS / 1000);
	}
}

static void measure(struct task *t, void *arg)
{
	struct crowd *c = arg;
	double before = bench_memory_kib(getpid(), "RssAnon"), began = bench_now_ms();
	size_t sockets = count_sockets();

	task_group_init(&c->tasks);
	for (size_t i = 0; i < c->count; i++)
		task_start(&c->tasks, "ask", ask, c);
	await_held(t, c);
	bench_figure(&c->o, bench_now_ms() - began, "ms");
	bench_figure(&c->o, (bench_memory_kib(getpid(), "RssAnon") - before) / (double)c->count, "kib");
	bench_figure(&c->o, (double)(count_sockets() - sockets), "connections");
	bench_figure(&c->o, (double)c->count, "tasks");
	task_group_finish(t, &c->tasks);
}

int main(int argc, char **argv)
{
	struct rlimit files;
	struct crowd c = {0};
	bool plain = argc == 3 && strcmp(argv[1], "plain") == 0;
	pid_t server;

	if (!plain && !(argc == 5 && strcmp(argv[1], "h2") == 0))
		bench_die("usage: bench_http plain COUNT | bench_http h2 COUNT NODE SCRIPT");
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	c.o.name = plain ? "http_plain" : "http_h2";
	c.count = strtoul(argv[2], NULL, 10);
	memset(c.body, ' ', sizeof(c.body));
	server = start_server(&c, plain ? NULL : argv + 3);
	loop_init();
	task_run("bench", measure, &c);
	http_finish();
	loop_finish();
	kill(server, SIGTERM);
	waitpid(server, NULL, 0);
	return 0;
}
