#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/server/peer.h"
#include "net/server/server.h"
#include "net/server/server_internal.h"

#define GET "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

static char dir[] = "/tmp/myna-listen-XXXXXX";
static char path[sizeof(dir) + 16], address[sizeof(path) + 8];

static int make_dir(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/socket", dir);
	snprintf(address, sizeof(address), "unix:%s", path);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static void ok(struct task *t, struct server_request *req, void *arg)
{
	(void)t;
	(void)arg;
	server_respond(req, 200, NULL, NULL, "ok", 2);
}

static struct server *try_listen(const char *where, unsigned mode, struct error *err)
{
	struct server_options options = {
	    .listen = where, .unix_mode = mode, .handler = ok, .check_host = true};

	return server_new(&options, err);
}

static void assert_cannot_listen(const char *where, const char *sentence)
{
	struct error err;
	struct server *s = try_listen(where, 0, &err);

	assert_null(s);
	assert_int_equal(err.kind, ERROR_OURS);
	if (!strstr(err.text, sentence) || !strstr(err.text, where))
		fail_msg("\"%s\" for %s", err.text, where);
}

static int status_over_unix(const char *text)
{
	struct peer p;
	struct answer a;
	int status;

	assert_true(peer_open_unix(&p, path));
	peer_say(&p, text);
	peer_answer(&p, &a, true);
	status = a.status;
	answer_clear(&a);
	peer_close(&p);
	return status;
}

static unsigned mode_of(const char *file)
{
	struct stat st;

	assert_int_equal(lstat(file, &st), 0);
	return st.st_mode & 07777;
}

static void a_unix_socket_has_its_mode_and_is_removed_at_the_end(void **state)
{
	static const unsigned modes[] = {0, 0600, 0660, 0666};
	mode_t before = umask(022);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		struct error err;
		struct server *s = try_listen(address, modes[i], &err);

		assert_non_null(s);
		assert_int_equal(mode_of(path), modes[i] ? modes[i] : 0600);
		assert_int_equal(server_port(s), 0);
		assert_int_equal(status_over_unix(GET), 200);
		serve_end(s);
		assert_int_equal(access(path, F_OK), -1);
	}
	umask(before);
}

static void a_unix_socket_takes_any_host_and_no_foreign_origin(void **state)
{
	struct error err;
	struct server *s = try_listen(address, 0, &err);

	(void)state;
	assert_int_equal(status_over_unix("GET / HTTP/1.1\r\nHost: anything.example\r\n\r\n"), 200);
	assert_int_equal(status_over_unix("GET / HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\n\r\n"), 200);
	assert_int_equal(status_over_unix("GET / HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\n\r\n"), 403);
	serve_end(s);
}

static void leave_stale_socket(void)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(str_copy(addr.sun_path, sizeof(addr.sun_path), path), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(fd, 1), 0);
	close(fd);
	assert_int_equal(access(path, F_OK), 0);
}

static void the_socket_of_a_dead_process_is_replaced(void **state)
{
	struct error err;
	struct server *s;

	(void)state;
	leave_stale_socket();
	s = try_listen(address, 0, &err);
	assert_non_null(s);
	assert_int_equal(status_over_unix(GET), 200);
	serve_end(s);
}

static void a_live_socket_is_left_alone(void **state)
{
	struct error err;
	struct server *s = try_listen(address, 0, &err);

	(void)state;
	assert_cannot_listen(address, "is in use by another program");
	assert_int_equal(status_over_unix(GET), 200);
	serve_end(s);
}

static void a_file_that_is_no_socket_is_left_alone(void **state)
{
	struct error err;
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	(void)state;
	close(fd);
	assert_null(try_listen(address, 0, &err));
	assert_non_null(strstr(err.text, "is no socket"));
	assert_non_null(strstr(err.text, path));
	assert_int_equal(unlink(path), 0);
}

static void a_socket_that_another_process_put_there_is_not_removed(void **state)
{
	struct error err;
	struct server *s = try_listen(address, 0, &err);

	(void)state;
	assert_int_equal(unlink(path), 0);
	leave_stale_socket();
	serve_end(s);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(unlink(path), 0);
}

static void an_address_in_use_is_named(void **state)
{
	struct server *s = serve(ok, NULL, NULL);
	char taken[32];

	(void)state;
	snprintf(taken, sizeof(taken), "127.0.0.1:%u", server_port(s));
	assert_cannot_listen(taken, "is in use by another program");
	serve_end(s);
	s = serve(ok, NULL, &(struct server_options){.listen = taken});
	assert_int_equal(peer_ask(server_port(s), GET, NULL), 200);
	serve_end(s);
}

static void addresses_that_cannot_be_are_refused(void **state)
{
	static const char *const bad[] = {"", "127.0.0.1", ":80", "example.org:80", "127.0.0.1:65536",
	    "127.0.0.1:-1", "127.0.0.1:80x", "127.0.0.1:", "[::1:80", "[]:80", "300.0.0.1:80", "unix:"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_cannot_listen(bad[i], "is no address to listen on");
	assert_cannot_listen("192.0.2.1:0", "is not an address of this machine");
	assert_cannot_listen("unix:/nonexistent/socket", "No such file");
}

static void a_path_that_is_too_long_is_refused(void **state)
{
	char where[300] = "unix:/tmp/";
	struct error err;

	(void)state;
	memset(where + 10, 'x', 200);
	assert_null(try_listen(where, 0, &err));
	assert_non_null(strstr(err.text, "longer than 107 bytes"));
}

static void localhost_and_ipv6_work(void **state)
{
	struct server_options six = {.listen = "[::1]:0"}, name = {.listen = "localhost:0"};
	struct server *s = serve(ok, NULL, &name);
	struct error err;

	(void)state;
	assert_int_equal(peer_ask(server_port(s), GET, NULL), 200);
	serve_end(s);
	six.handler = ok;
	s = server_new(&six, &err);
	/* A machine without IPv6 says so. */
	if (s)
		assert_int_not_equal(server_port(s), 0);
	else
		assert_non_null(strstr(err.text, "[::1]:0"));
	serve_end(s);
}

static void new_and_free_leave_nothing_behind(void **state)
{
	size_t files = 0;

	(void)state;
	for (int i = 0; i < 30; i++) {
		struct server *tcp = serve(ok, NULL, NULL), *other = serve(ok, NULL, NULL);
		struct server *local = serve(ok, NULL, &(struct server_options){.listen = address});
		struct peer idle, busy;

		assert_int_equal(peer_ask(server_port(tcp), GET, NULL), 200);
		assert_int_equal(peer_ask(server_port(other), GET, NULL), 200);
		assert_int_equal(status_over_unix(GET), 200);
		peer_open(&idle, server_port(tcp));
		peer_open(&busy, server_port(tcp));
		peer_say(&busy, GET GET GET);
		run_for(2);
		serve_end(local);
		serve_end(tcp);
		serve_end(other);
		peer_close(&idle);
		peer_close(&busy);
		/* The first round opens what stays: the loop and the context. */
		if (i == 1)
			files = open_files();
	}
	assert_int_equal(open_files(), files);
	assert_int_equal(task_count(), 0);
	/* An idle context does not keep the loop running. */
	run_for(5);
	assert_false(uv_loop_alive(uv_default_loop()));
}

static void what_is_no_socket_has_no_address(void **state)
{
	char host[64];

	(void)state;
	assert_int_equal(server_local_host(-1, host, sizeof(host)), -1);
}

static void running_out_of_descriptors_is_survived(void **state)
{
	struct server *s = serve(ok, NULL, NULL);
	struct rlimit limit, tight;
	struct peer waiting;
	struct answer a;
	int plug;

	(void)state;
	assert_int_equal(peer_ask(server_port(s), GET, NULL), 200);
	run_for(20);
	peer_open(&waiting, server_port(s));
	plug = dup(0);
	getrlimit(RLIMIT_NOFILE, &limit);
	tight = limit;
	tight.rlim_cur = (rlim_t)plug;
	close(plug);
	/* Now not one number below the limit is free. */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
	plug = dup(0);
	assert_int_equal(plug, -1);
	peer_say(&waiting, GET);
	run_for(30);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	peer_answer(&waiting, &a, true);
	assert_int_equal(a.status, 200);
	answer_clear(&a);
	peer_close(&waiting);
	serve_end(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_unix_socket_has_its_mode_and_is_removed_at_the_end),
	    cmocka_unit_test(a_unix_socket_takes_any_host_and_no_foreign_origin),
	    cmocka_unit_test(the_socket_of_a_dead_process_is_replaced),
	    cmocka_unit_test(a_live_socket_is_left_alone),
	    cmocka_unit_test(a_file_that_is_no_socket_is_left_alone),
	    cmocka_unit_test(a_socket_that_another_process_put_there_is_not_removed),
	    cmocka_unit_test(an_address_in_use_is_named),
	    cmocka_unit_test(addresses_that_cannot_be_are_refused),
	    cmocka_unit_test(a_path_that_is_too_long_is_refused),
	    cmocka_unit_test(localhost_and_ipv6_work),
	    cmocka_unit_test(new_and_free_leave_nothing_behind),
	    cmocka_unit_test(what_is_no_socket_has_no_address),
	    cmocka_unit_test(running_out_of_descriptors_is_survived),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
