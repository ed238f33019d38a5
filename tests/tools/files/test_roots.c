#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "tools/files/write_target.h"
#include "tools/files/protected_files.h"
#include "tools/files/path_error.h"
#include "tools/files/roots.h"
#include "tools/tools_fixture.h"

/* A folder with everything in it that could lead out. The workspace is ws; extra, extra/inner and real (by
 * the name of a link to it) are further roots, as are /dev and /proc/self. */
static struct tools_fixture w;
static struct roots *roots;

static void put_link(const char *target, const char *path)
{
	char *whole = tools_fixture_path(&w, path);

	assert_int_equal(symlink(target, whole), 0);
	free(whole);
}

static void put_socket(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char *whole = tools_fixture_path(&w, path);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(str_copy(address.sun_path, sizeof(address.sun_path), whole), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
	free(whole);
}

static void put_files(void)
{
	static const char *const files[] = {
	    "ws/a.txt",
	    "ws/sub/b.txt",
	    "ws/sub/deep/c.txt",
	    "ws/sp ace",
	    "ws/\xc3\xa9.txt",
	    "ws/-rf",
	    "ws/...",
	    "ws/..a",
	    "ws/.hidden",
	    "ws/a\\b",
	    "ws/a*",
	    "ws/.ssh/id_rsa",
	    "ws/x/.git-credentials",
	    "ws/key.pub",
	    "extra/e.txt",
	    "extra/inner/i.txt",
	    "real/r.txt",
	    "ws/new\nline",
	};
	static const char *const outside[] = {
	    "outside/secret.txt", "ws2/a.txt", "secret.txt", "ext/e.txt", "state/myna.db"};
	char *fifo = tools_fixture_path(&w, "ws/fifo");

	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		tools_fixture_put_text(&w, files[i], "in");
	for (size_t i = 0; i < ARRAY_LEN(outside); i++)
		tools_fixture_put_text(&w, outside[i], "OUT");
	assert_int_equal(mkfifo(fifo, 0644), 0);
	put_socket("ws/sock");
	free(fifo);
}

static void put_links(void)
{
	static const char *const links[][2] = {
	    {"a.txt", "ws/in"},
	    {"in", "ws/chain"},
	    {"sub", "ws/indir"},
	    {"../a.txt", "ws/sub/up"},
	    {"../../a.txt", "ws/sub/deep/up2"},
	    {"../outside/secret.txt", "ws/out"},
	    {"../outside", "ws/outdir"},
	    {"..", "ws/parent"},
	    {"../../outside", "ws/sub/out2"},
	    {"../ws/a.txt", "ws/roundabout"},
	    {"/", "ws/slash"},
	    {"/etc/passwd", "ws/absout"},
	    {"/proc/self/root", "ws/magic"},
	    {"loop2", "ws/loop1"},
	    {"loop1", "ws/loop2"},
	    {"self", "ws/self"},
	    {"nothing", "ws/dangling"},
	    {"../nothing", "ws/danglingout"},
	    {".ssh/id_rsa", "ws/key"},
	    {".ssh", "ws/keys"},
	    {"fifo", "ws/fifolink"},
	    {"real", "linked"},
	    {"out", "ws/chainout"},
	};
	char *target = tools_fixture_path(&w, "ws/a.txt");

	for (size_t i = 0; i < ARRAY_LEN(links); i++)
		put_link(links[i][0], links[i][1]);
	put_link(target, "ws/absin");
	free(target);
}

static struct roots *open_roots(void)
{
	char *paths[] = {tools_fixture_path(&w, "extra"), tools_fixture_path(&w, "extra/inner"),
	    tools_fixture_path(&w, "linked/"), xstrdup("/dev"), xstrdup("/proc/self")};
	struct config_strings extra = {paths, ARRAY_LEN(paths)};
	char *ws = tools_fixture_path(&w, "ws"), *config = tools_fixture_path(&w, "ws/key.pub"),
	     *state = tools_fixture_path(&w, "state");
	struct roots_options options = {
	    .workspace = ws, .extra = &extra, .config_file = config, .state = state};
	struct error err = {0};
	struct roots *r = roots_open(&options, &err);

	if (!r)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		free(paths[i]);
	free(ws);
	free(config);
	free(state);
	return r;
}

static int set_up(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	put_files();
	put_links();
	roots = open_roots();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	roots_unref(roots);
	roots = NULL;
	tools_fixture_clear(&w);
	return 0;
}

#define NONE      "NOT_FOUND", "FILE_NOT_FOUND"
#define OUTSIDE   "ACCESS_DENIED", "OUTSIDE_ROOTS"
#define LINK      "ACCESS_DENIED", "SYMLINK"
#define SPECIAL   "ACCESS_DENIED", "SPECIAL_FILE"
#define FOLDER    "INVALID_ARGUMENT", "IS_A_DIRECTORY"
#define NO_FOLDER "INVALID_ARGUMENT", "NOT_A_DIRECTORY"
#define BAD       "INVALID_ARGUMENT", "RANGE"
#define GUARDED   "BLOCKED", "RULE"
#define OPEN      NULL, NULL

/* What must come of a path; '@' at its beginning is the folder. The second answer is that of a system without
 * openat2, where links are not followed, given when it differs. */
static const struct row {
	const char *path, *code, *cause, *walk_code, *walk_cause;
} rows[] = {
    /* Inside. */
    {"a.txt", OPEN, OPEN},
    {"./a.txt", OPEN, OPEN},
    {".//./a.txt", OPEN, OPEN},
    {"sub/b.txt", OPEN, OPEN},
    {"sub//deep/./c.txt", OPEN, OPEN},
    {"sub/../a.txt", OPEN, OPEN},
    {"sub/deep/../../a.txt", OPEN, OPEN},
    {"sub/deep/../b.txt", OPEN, OPEN},
    {"sp ace", OPEN, OPEN},
    {"\xc3\xa9.txt", OPEN, OPEN},
    {"-rf", OPEN, OPEN},
    {"...", OPEN, OPEN},
    {"..a", OPEN, OPEN},
    {".hidden", OPEN, OPEN},
    {"a\\b", OPEN, OPEN},
    {"a*", OPEN, OPEN},
    {"new\nline", OPEN, OPEN},
    {"@/ws/a.txt", OPEN, OPEN},
    {"@//ws///a.txt", OPEN, OPEN},
    {"@/./ws/./a.txt", OPEN, OPEN},
    {"@/ws/sub/../a.txt", OPEN, OPEN},
    {"@/extra/e.txt", OPEN, OPEN},
    {"@/extra/inner/i.txt", OPEN, OPEN},
    {"@/real/r.txt", OPEN, OPEN},
    {"@/linked/r.txt", OPEN, OPEN},
    {"@/linked//./r.txt", OPEN, OPEN},
    {"/proc/self/status", OPEN, OPEN},
    /* Links that stay inside. */
    {"in", OPEN, LINK},
    {"chain", OPEN, LINK},
    {"indir/b.txt", OPEN, LINK},
    {"sub/up", OPEN, LINK},
    {"sub/deep/up2", OPEN, LINK},
    {"indir/deep/c.txt", OPEN, LINK},
    {"indir/../a.txt", OPEN, OPEN},
    {"sub/deep/../up", OPEN, LINK},
    {"@/ws/in", OPEN, LINK},
    /* Links that leave, or would for a moment. */
    {"out", OUTSIDE, LINK},
    {"chainout", OUTSIDE, LINK},
    {"outdir/secret.txt", OUTSIDE, LINK},
    {"outdir/nothing", OUTSIDE, LINK},
    {"outdir", OUTSIDE, LINK},
    {"outdir/", OUTSIDE, LINK},
    {"parent/secret.txt", OUTSIDE, LINK},
    {"parent/ws/a.txt", OUTSIDE, LINK},
    {"sub/out2/secret.txt", OUTSIDE, LINK},
    {"indir/out2/secret.txt", OUTSIDE, LINK},
    {"roundabout", OUTSIDE, LINK},
    {"slash/etc/passwd", OUTSIDE, LINK},
    {"slash", OUTSIDE, LINK},
    {"absout", OUTSIDE, LINK},
    {"absin", OUTSIDE, LINK},
    {"magic/etc/passwd", OUTSIDE, LINK},
    {"danglingout", OUTSIDE, LINK},
    {"dangling", NONE, LINK},
    {"loop1", LINK, LINK},
    {"self", LINK, LINK},
    {"loop1/a.txt", LINK, LINK},
    {"self/self", LINK, LINK},
    /* Upwards. */
    {"..", OUTSIDE, OUTSIDE},
    {"../", OUTSIDE, OUTSIDE},
    {"../.", OUTSIDE, OUTSIDE},
    {"../secret.txt", OUTSIDE, OUTSIDE},
    {"../ws/a.txt", OUTSIDE, OUTSIDE},
    {"../nothing", OUTSIDE, OUTSIDE},
    {"../../../etc/passwd", OUTSIDE, OUTSIDE},
    {"../../../../../../../../../../etc/passwd", OUTSIDE, OUTSIDE},
    {"sub/../../secret.txt", OUTSIDE, OUTSIDE},
    {"sub/deep/../../../outside/secret.txt", OUTSIDE, OUTSIDE},
    {"./../secret.txt", OUTSIDE, OUTSIDE},
    {".//..//secret.txt", OUTSIDE, OUTSIDE},
    {"sub/./.././../secret.txt", OUTSIDE, OUTSIDE},
    {"@/ws/..", OUTSIDE, OUTSIDE},
    {"@/ws/../secret.txt", OUTSIDE, OUTSIDE},
    {"@/ws/../ws/a.txt", OUTSIDE, OUTSIDE},
    {"@/ws/../extra/e.txt", OUTSIDE, OUTSIDE},
    {"@/extra/../secret.txt", OUTSIDE, OUTSIDE},
    {"@/extra/inner/../e.txt", OUTSIDE, OUTSIDE},
    {"@/outside/../ws/a.txt", OUTSIDE, OUTSIDE},
    /* Absolute. */
    {"/", OUTSIDE, OUTSIDE},
    {"//", OUTSIDE, OUTSIDE},
    {"/.", OUTSIDE, OUTSIDE},
    {"/..", OUTSIDE, OUTSIDE},
    {"/etc/passwd", OUTSIDE, OUTSIDE},
    {"//etc/passwd", OUTSIDE, OUTSIDE},
    {"/etc/nothing", OUTSIDE, OUTSIDE},
    {"/nothing", OUTSIDE, OUTSIDE},
    {"/proc/1/environ", OUTSIDE, OUTSIDE},
    {"/proc", OUTSIDE, OUTSIDE},
    {"@", OUTSIDE, OUTSIDE},
    {"@/", OUTSIDE, OUTSIDE},
    {"@/w", OUTSIDE, OUTSIDE},
    {"@/wsx", OUTSIDE, OUTSIDE},
    {"@/ws2/a.txt", OUTSIDE, OUTSIDE},
    {"@/ext/e.txt", OUTSIDE, OUTSIDE},
    {"@/outside/secret.txt", OUTSIDE, OUTSIDE},
    {"@/secret.txt", OUTSIDE, OUTSIDE},
    {"@/state/myna.db", OUTSIDE, OUTSIDE},
    {"@/WS/a.txt", OUTSIDE, OUTSIDE},
    {"@/ws\\a.txt", OUTSIDE, OUTSIDE},
    /* Folders, and files that are taken for folders. */
    {".", FOLDER, FOLDER},
    {"./", FOLDER, FOLDER},
    {"sub", FOLDER, FOLDER},
    {"sub/", FOLDER, FOLDER},
    {"sub/.", FOLDER, FOLDER},
    {"sub/..", FOLDER, FOLDER},
    {"@/ws", FOLDER, FOLDER},
    {"@/ws/", FOLDER, FOLDER},
    {"@/ws/.", FOLDER, FOLDER},
    {"@/extra/inner", FOLDER, FOLDER},
    {"@/extra", FOLDER, FOLDER},
    {"/dev", FOLDER, FOLDER},
    {"indir", FOLDER, LINK},
    {"a.txt/", NO_FOLDER, NO_FOLDER},
    {"a.txt/.", NO_FOLDER, NO_FOLDER},
    {"a.txt/b", NO_FOLDER, NO_FOLDER},
    {"@/ws/a.txt/", NO_FOLDER, NO_FOLDER},
    {"in/", NO_FOLDER, LINK},
    {"in/b", NO_FOLDER, LINK},
    {"fifo/a", NO_FOLDER, NO_FOLDER},
    /* What is no file. */
    {"fifo", SPECIAL, SPECIAL},
    {"sock", SPECIAL, SPECIAL},
    {"fifolink", SPECIAL, LINK},
    {"@/ws/fifo", SPECIAL, SPECIAL},
    {"/dev/zero", SPECIAL, SPECIAL},
    {"/dev/null", SPECIAL, SPECIAL},
    {"/dev//./zero", SPECIAL, SPECIAL},
    {"/dev/stdin", SPECIAL, SPECIAL},
    {"/dev/stdout", SPECIAL, SPECIAL},
    {"/dev/stderr", SPECIAL, SPECIAL},
    {"/dev/tty", SPECIAL, SPECIAL},
    {"/dev/../etc/passwd", OUTSIDE, OUTSIDE},
    /* Links of /proc lead anywhere. */
    {"/proc/self/exe", LINK, LINK},
    {"/proc/self/cwd/a.txt", LINK, LINK},
    {"/proc/self/root/etc/passwd", LINK, LINK},
    {"/proc/self/fd/0", LINK, LINK},
    {"/proc/self/../self/root/etc/passwd", OUTSIDE, OUTSIDE},
    /* Nothing there. */
    {"nothing", NONE, NONE},
    {"sub/nothing", NONE, NONE},
    {"nothing/a.txt", NONE, NONE},
    {"nothing/", NONE, NONE},
    {" a.txt", NONE, NONE},
    {"a.txt ", NONE, NONE},
    {"a.txt\n", NONE, NONE},
    {"A.TXT", NONE, NONE},
    {"~", NONE, NONE},
    {"~/a.txt", NONE, NONE},
    {"~root/.netrc", NONE, NONE},
    {"$HOME/a.txt", NONE, NONE},
    {"${PWD}/a.txt", NONE, NONE},
    {"%2e%2e/secret.txt", NONE, NONE},
    {"..\\secret.txt", NONE, NONE},
    {"C:\\a.txt", NONE, NONE},
    {"file:///etc/passwd", NONE, NONE},
    {"\xe2\x80\xa5/secret.txt", NONE, NONE},
    {"\xc0\xae\xc0\xae/secret.txt", NONE, NONE},
    {"*.txt", NONE, NONE},
    {"$(cat a.txt)", NONE, NONE},
    {"a.txt;b", NONE, NONE},
    {".../a.txt", NO_FOLDER, NO_FOLDER},
    {"", BAD, BAD},
    /* The guard, also behind a link. */
    {".ssh/id_rsa", GUARDED, GUARDED},
    {"key", GUARDED, LINK},
    {"keys/id_rsa", GUARDED, LINK},
    {"@/ws/.ssh/id_rsa", GUARDED, GUARDED},
    {"sub/../.ssh/id_rsa", GUARDED, GUARDED},
    {"x/.git-credentials", GUARDED, GUARDED},
    {"key.pub", GUARDED, GUARDED},
};

static void check_row(const struct row *row, bool walk)
{
	const char *code = walk ? row->walk_code : row->code, *cause = walk ? row->walk_cause : row->cause;
	char *path = *row->path == '@' ? xasprintf("%s%s", w.dir, row->path + 1) : xstrdup(row->path);
	struct path_error why = {.code = "unset"};
	char text[8] = "";
	int fd = root_open_file(roots, path, &why);

	if ((fd < 0) != (code != NULL) ||
	    (code && (strcmp(code, why.code) != 0 || strcmp(cause, why.cause) != 0)))
		fail_msg("%s%s: %s/%s %s", path, walk ? " (walked)" : "", why.code ? why.code : "opened",
		    why.cause ? why.cause : "-", why.text);
	if (fd >= 0) {
		assert_null(why.code);
		assert_true(read(fd, text, 3) > 0);
		assert_string_not_equal(text, "OUT");
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
		close(fd);
	} else {
		assert_holds(why.text, *path ? path : "empty");
		assert_int_equal(why.text[strlen(why.text) - 1], '.');
	}
	free(path);
}

static void no_path_leads_out(void **state)
{
	(void)state;
	assert_true(ARRAY_LEN(rows) > 150);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		check_row(&rows[i], false);
}

static void no_path_leads_out_where_there_is_no_openat2(void **state)
{
	(void)state;
	roots_disable_openat2(roots);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		check_row(&rows[i], true);
}

static void expect(const char *path, const char *code, const char *cause)
{
	struct path_error why;

	assert_int_equal(root_open_file(roots, path, &why), -1);
	assert_string_equal(why.code, code);
	assert_string_equal(why.cause, cause);
	assert_int_equal(why.text[strlen(why.text) - 1], '.');
}

/* '/' after every component of len bytes. */
static char *long_path(size_t component, size_t len)
{
	char *path = xmalloc(len + 1);

	for (size_t i = 0; i < len; i++)
		path[i] = i % (component + 1) == component ? '/' : 'n';
	path[len] = '\0';
	return path;
}

static void check_long_paths(void)
{
	char *name255 = long_path(4096, 255), *name256 = long_path(4096, 256),
	     *path4096 = long_path(100, 4096), *path4095 = long_path(1, 4095),
	     *path5000 = long_path(100, 5000), *dots = long_path(1, 4000);

	for (char *p = dots; *p; p++)
		*p = *p == 'n' ? '.' : *p;
	memcpy(dots + 4000 - 6, "/a.txt", 6);
	expect(name255, "NOT_FOUND", "FILE_NOT_FOUND");
	expect(name256, "INVALID_ARGUMENT", "RANGE");
	expect(path4095, "NOT_FOUND", "FILE_NOT_FOUND");
	expect(path4096, "INVALID_ARGUMENT", "RANGE");
	expect(path5000, "INVALID_ARGUMENT", "RANGE");
	struct path_error why;
	int fd = root_open_file(roots, dots, &why);
	assert_true(fd >= 0);
	close(fd);
	free(name255);
	free(name256);
	free(path4095);
	free(path4096);
	free(path5000);
	free(dots);
}

static void long_names_and_paths_are_refused_in_words(void **state)
{
	(void)state;
	check_long_paths();
	roots_disable_openat2(roots);
	check_long_paths();
}

static void a_sentence_repeats_a_long_path_cut_between_characters(void **state)
{
	char path[1001] = "a";
	struct path_error why;

	(void)state;
	for (size_t i = 1; i + 2 < sizeof(path); i += 2)
		memcpy(path + i, i % 100 == 99 ? "//" : "\xc3\xa9", 2);
	assert_int_equal(root_open_file(roots, path, &why), -1);
	assert_string_equal(why.cause, "FILE_NOT_FOUND");
	assert_holds(why.text, "\xc3\xa9…. Check the name");
	assert_true(strlen(why.text) < 400);
}

/* Runs fn in a child as nobody, because root may read everything. */
static int as_nobody(int (*fn)(void))
{
	int status;
	pid_t pid;

	assert_int_equal(chmod(w.dir, 0755), 0);
	pid = fork();
	if (pid == 0) {
		if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
			_exit(99);
		_exit(fn());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int open_forbidden(void)
{
	static const char *const paths[] = {"forbidden.txt", "closed/a.txt"};
	struct path_error why;

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (root_open_file(roots, paths[i], &why) >= 0 || strcmp(why.code, "ACCESS_DENIED") != 0 ||
		    strcmp(why.cause, "PERMISSION_DENIED") != 0)
			return 1 + (int)i;
	/* A folder without permissions is a folder first. */
	return root_open_file(roots, "closed", &why) < 0 && strcmp(why.cause, "IS_A_DIRECTORY") == 0 ? 0 : 9;
}

static void what_the_system_refuses_is_told(void **state)
{
	char *file = tools_fixture_path(&w, "ws/forbidden.txt"),
	     *folder = tools_fixture_path(&w, "ws/closed");

	(void)state;
	tools_fixture_put_text(&w, "ws/forbidden.txt", "in");
	tools_fixture_put_text(&w, "ws/closed/a.txt", "in");
	assert_int_equal(chmod(file, 0), 0);
	assert_int_equal(chmod(folder, 0), 0);
	assert_int_equal(as_nobody(open_forbidden), 0);
	roots_disable_openat2(roots);
	assert_int_equal(as_nobody(open_forbidden), 0);
	assert_int_equal(chmod(folder, 0755), 0);
	free(file);
	free(folder);
}

/* Makes the folder the root of this process: there is no /proc in it. Who is not root is it in a
 * namespace. */
static bool leave_proc(void)
{
	return (geteuid() == 0 || unshare(CLONE_NEWUSER) == 0) && chroot(w.dir) == 0 && chdir("/") == 0;
}

static void quiet(const char *line, void *arg)
{
	(void)line;
	(void)arg;
}

/* In a child; 77: it may not leave /proc. */
static int open_without_proc(void)
{
	static const char *const guarded[] = {".ssh/id_rsa", "sub/../.ssh/id_rsa", "key", "keys/id_rsa",
	    "key.pub", "./key.pub", "sub/../key.pub", "/state/myna.db", "/ws/../state/myna.db",
	    "/./state//myna.db"};
	char *everything = xstrdup("/");
	struct config_strings extra = {&everything, 1};
	struct roots_options options = {
	    .workspace = "/ws", .extra = &extra, .config_file = "/ws/key.pub", .state = "/state"};
	struct path_error why;
	int opened = 0;

	if (!leave_proc())
		return 77;
	log_capture(quiet, NULL);
	struct roots *r = roots_open(&options, NULL);
	if (!r)
		return 78;
	for (size_t i = 0; i < ARRAY_LEN(guarded); i++) {
		struct write_target p;
		bool read = root_open_file(r, guarded[i], &why) >= 0,
		     written = write_target_open(r, guarded[i], true, &p, &why) == 0;
		if (read || written)
			print_error("without /proc %s is %s\n", guarded[i], read ? "read" : "written");
		opened += read || written;
	}
	/* Whether it is one of them cannot be told. */
	if (root_open_file(r, "a.txt", &why) >= 0 || !strstr(why.text, "/proc")) {
		print_error("without /proc a.txt: %s\n", why.code ? why.text : "opened");
		return 79;
	}
	return opened;
}

/* Runs fn in a child. */
static int apart(int (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(fn());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void what_is_guarded_is_guarded_where_there_is_no_proc(void **state)
{
	int opened = apart(open_without_proc);

	(void)state;
	if (opened == 77)
		skip();
	assert_int_equal(opened, 0);
}

/* Opening a pipe to read would let its writer go on, and then kill it with SIGPIPE. */
static void looking_at_a_pipe_does_not_touch_it(void **state)
{
	char *path = tools_fixture_path(&w, "ws/fifo");
	const struct timespec moment = {.tv_nsec = 50 * 1000 * 1000};
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		int fd = open(path, O_WRONLY);
		_exit(fd >= 0);
	}
	nanosleep(&moment, NULL);
	for (int i = 0; i < 2; i++) {
		expect("fifo", "ACCESS_DENIED", "SPECIAL_FILE");
		nanosleep(&moment, NULL);
		assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
		roots_disable_openat2(roots);
	}
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	free(path);
}

static atomic_bool stop;

/* Puts, in turn, a file, links out and a pipe where "victim" is. */
static void *swap(void *arg)
{
	static const char *const sources[] = {"v_file", "v_fifo", "v_file", "v_link", "v_file", "v_abs"};
	char *dir = tools_fixture_path(&w, "ws"), from[256], to[256], keep[256];

	(void)arg;
	for (size_t i = 0; !stop; i = (i + 1) % ARRAY_LEN(sources)) {
		snprintf(from, sizeof(from), "%s/%s", dir, sources[i]);
		snprintf(keep, sizeof(keep), "%s/v_new", dir);
		snprintf(to, sizeof(to), "%s/victim", dir);
		if (linkat(AT_FDCWD, from, AT_FDCWD, keep, 0) == 0)
			rename(keep, to);
		unlink(keep);
	}
	free(dir);
	return NULL;
}

static void open_while_it_is_swapped(void)
{
	size_t opened = 0, refused = 0;
	char text[4] = "";
	pthread_t thread;

	stop = false;
	assert_int_equal(pthread_create(&thread, NULL, swap, NULL), 0);
	for (int i = 0; i < 4000 || opened < 50 || refused < 50; i++) {
		struct path_error why;
		int fd = root_open_file(roots, "victim", &why);
		if (fd < 0) {
			assert_non_null(why.code);
			refused++;
			continue;
		}
		opened++;
		assert_int_equal(read(fd, text, 3), 2);
		assert_string_equal(text, "in");
		close(fd);
	}
	stop = true;
	pthread_join(thread, NULL);
}

static void a_file_that_is_swapped_meanwhile_is_never_left(void **state)
{
	char *fifo = tools_fixture_path(&w, "ws/v_fifo");

	(void)state;
	tools_fixture_put_text(&w, "ws/v_file", "in");
	tools_fixture_put_text(&w, "ws/victim", "in");
	put_link("../outside/secret.txt", "ws/v_link");
	put_link("/etc/passwd", "ws/v_abs");
	assert_int_equal(mkfifo(fifo, 0644), 0);
	open_while_it_is_swapped();
	roots_disable_openat2(roots);
	open_while_it_is_swapped();
	free(fifo);
}

static void some_files_are_guarded_by_name(void **state)
{
	static const char *const yes[] = {"/etc/passwd", "/etc/shadow", "/etc/shadow-", "/etc/sudoers",
	    "/etc/sudoers.d/x", "/home/x/.ssh/id_ed25519", "/x/.ssh/", "/x/.gnupg/pubring.kbx",
	    "/x/.aws/credentials", "/x/.netrc", "/.git-credentials"};
	static const char *const no[] = {"/etc/passwd.txt", "/etc/hostname", "/home/etc/passwd",
	    "/x/ssh/id_rsa", "/x/.sshx/a", "/x/aws/credentials", "/x/.aws/config", "/x/a.netrc",
	    "/etc/sudoers.dx", "/x/.ssh"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(yes); i++)
		if (!protected_files_has(yes[i]))
			fail_msg("%s", yes[i]);
	for (size_t i = 0; i < ARRAY_LEN(no); i++)
		if (protected_files_has(no[i]))
			fail_msg("%s", no[i]);
}

static int open_at(
    const char *workspace, const char *extra, const char *state_dir, const char *path, struct path_error *why)
{
	char *item = xstrdup(extra);
	struct config_strings list = {&item, extra ? 1 : 0};
	struct roots_options options = {.workspace = workspace, .extra = &list, .state = state_dir};
	struct roots *r = roots_open(&options, NULL);
	int fd;

	assert_non_null(r);
	fd = root_open_file(r, path, why);
	if (fd >= 0)
		close(fd);
	roots_unref(r);
	free(item);
	return fd < 0 ? -1 : 0;
}

static void the_own_state_is_guarded_but_for_a_workspace_in_it(void **state)
{
	char *st = tools_fixture_path(&w, "state"), *ws = tools_fixture_path(&w, "state/ws"),
	     *db = tools_fixture_path(&w, "state/myna.db");
	struct path_error why;

	(void)state;
	tools_fixture_put_text(&w, "state/ws/a.txt", "in");
	assert_int_equal(open_at(ws, NULL, st, "a.txt", &why), 0);
	assert_int_equal(open_at(ws, w.dir, st, db, &why), -1);
	assert_string_equal(why.code, "BLOCKED");
	assert_string_equal(why.rule, PROTECTED_RULE);
	assert_int_equal(open_at(ws, st, st, db, &why), -1);
	assert_string_equal(why.code, "BLOCKED");
	assert_int_equal(open_at(ws, w.dir, NULL, db, &why), 0);
	free(st);
	free(ws);
	free(db);
}

static void what_the_nodes_of_a_cluster_share_is_guarded_like_the_state(void **state)
{
	char *shared = tools_fixture_path(&w, "state"), *ws = tools_fixture_path(&w, "state/ws"),
	     *notes = tools_fixture_path(&w, "state/myna.db"), *above = xstrdup(w.dir);
	struct config_strings list = {&above, 1};
	struct roots_options options = {.workspace = ws, .extra = &list, .shared = shared};
	struct path_error why;
	struct roots *r;
	int fd;

	(void)state;
	tools_fixture_put_text(&w, "state/ws/a.txt", "in");
	r = roots_open(&options, NULL);
	assert_non_null(r);
	fd = root_open_file(r, "a.txt", &why);
	assert_true(fd >= 0);
	close(fd);
	assert_true(roots_protect(r, notes));
	assert_int_equal(root_open_file(r, notes, &why), -1);
	assert_string_equal(why.rule, PROTECTED_RULE);
	roots_unref(r);
	free(shared);
	free(ws);
	free(notes);
	free(above);
}

static void the_password_file_is_guarded_although_a_root_holds_it(void **state)
{
	struct path_error why;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(open_at(w.dir, i ? "/" : "/etc", NULL, "/etc/passwd", &why), -1);
		assert_string_equal(why.code, "BLOCKED");
		assert_string_equal(why.cause, "RULE");
	}
}

static void a_root_of_everything_holds_every_file(void **state)
{
	char *path = tools_fixture_path(&w, "outside/secret.txt"), *ws = tools_fixture_path(&w, "ws");
	struct path_error why;

	(void)state;
	assert_int_equal(open_at(ws, "/", NULL, path, &why), 0);
	assert_int_equal(open_at(ws, "/", NULL, "/dev/zero", &why), -1);
	assert_string_equal(why.cause, "SPECIAL_FILE");
	assert_int_equal(open_at(ws, "/", NULL, "/", &why), -1);
	assert_string_equal(why.cause, "IS_A_DIRECTORY");
	free(path);
	free(ws);
}

static void a_workspace_is_made_with_its_parents(void **state)
{
	char *ws = tools_fixture_path(&w, "new/work/space/");
	struct path_error why;
	struct stat st;

	(void)state;
	assert_int_equal(open_at(ws, NULL, NULL, "a.txt", &why), -1);
	assert_string_equal(why.cause, "FILE_NOT_FOUND");
	assert_int_equal(stat(ws, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	free(ws);
}

static int open_closed_part(void)
{
	struct roots *part = roots_part(roots, "chat/closed", NULL);
	char *path = tools_fixture_path(&w, "ws/chat/closed");
	static const mode_t modes[] = {0, 0300, 0600, 0500};
	struct path_error why;
	int failed = 0;

	if (geteuid() == 0 && seteuid(65534) < 0)
		failed = 1;
	for (size_t i = 0; i < ARRAY_LEN(modes) && !failed; i++) {
		int fd = chmod(path, modes[i]) == 0 ? root_open_folder(part, ".", &why) : -1;
		failed = fd < 0 || faccessat(fd, ".", R_OK | W_OK | X_OK, AT_EACCESS) < 0;
		close(fd);
	}
	roots_unref(part);
	free(path);
	return failed;
}

/* As the user of commands, who can close his folder, and then nobody in the chat could open it. */
static void a_part_that_was_closed_is_opened(void **state)
{
	char *path = tools_fixture_path(&w, "ws/chat/closed"), *chat = tools_fixture_path(&w, "ws/chat"),
	     *ws = tools_fixture_path(&w, "ws");

	(void)state;
	tools_fixture_put_text(&w, "ws/chat/closed/note.txt", "note");
	if (geteuid() == 0)
		assert_true(chown(path, 65534, 65534) == 0 && chmod(w.dir, 0755) == 0 &&
		    chmod(ws, 0755) == 0 && chmod(chat, 0755) == 0);
	assert_int_equal(apart(open_closed_part), 0);
	free(path);
	free(chat);
	free(ws);
}

/* Files come under the former id after the folder of the new one is there. */
static void a_part_takes_over_what_comes_under_its_former_name(void **state)
{
	struct roots *part = roots_part(roots, "chat/new", "chat/old");
	struct path_error why;
	struct stat st;
	char *old, *secret = tools_fixture_path(&w, "outside");

	(void)state;
	tools_fixture_put_text(&w, "ws/chat/new/note.txt", "new");
	tools_fixture_put_text(&w, "ws/chat/new/files/a/one.txt", "one");
	tools_fixture_put_text(&w, "ws/chat/old/files/a/two.txt", "two");
	tools_fixture_put_text(&w, "ws/chat/old/plan.txt", "plan");
	put_link(secret, "ws/chat/old/link");
	close(root_open_folder(part, ".", &why));
	assert_file(&w, "ws/chat/new/files/a/one.txt", "one");
	assert_file(&w, "ws/chat/new/files/a/two.txt", "two");
	assert_file(&w, "ws/chat/new/plan.txt", "plan");
	old = tools_fixture_path(&w, "ws/chat/old");
	assert_int_equal(lstat(old, &st), -1);
	/* Nothing is replaced, and no link is followed. */
	tools_fixture_put_text(&w, "ws/chat/old/note.txt", "old");
	tools_fixture_put_text(&w, "ws/chat/old/link/in.txt", "in");
	close(root_open_folder(part, ".", &why));
	assert_file(&w, "ws/chat/new/note.txt", "new");
	assert_file(&w, "ws/chat/old/note.txt", "old");
	assert_file(&w, "ws/chat/old/link/in.txt", "in");
	roots_unref(part);
	free(old);
	free(secret);
}

static size_t open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void what_is_refused_leaves_no_descriptor_open(void **state)
{
	size_t before = open_descriptors();
	struct path_error why;

	(void)state;
	assert_int_equal(root_open_folder(roots, "a.txt", &why), -1);
	assert_string_equal(why.cause, "NOT_A_DIRECTORY");
	assert_int_equal(root_open_folder(roots, "sub/none", &why), -1);
	assert_int_equal(root_open_file(roots, "sub", &why), -1);
	assert_int_equal(root_open_file(roots, "none", &why), -1);
	assert_int_equal(open_descriptors(), before);
}

static void a_root_that_cannot_be_opened_is_named(void **state)
{
	char *file = tools_fixture_path(&w, "ws/a.txt"), *gone = tools_fixture_path(&w, "gone"),
	     *ws = tools_fixture_path(&w, "ws"), *items[1];
	struct config_strings extra = {items, 1};
	struct roots_options options = {.workspace = file};
	struct error err = {0};

	(void)state;
	assert_null(roots_open(&options, &err));
	assert_holds(err.text, file);
	options = (struct roots_options){.workspace = ws, .extra = &extra};
	items[0] = gone;
	assert_null(roots_open(&options, &err));
	assert_holds(err.text, gone);
	free(file);
	free(gone);
	free(ws);
}

#define ROOT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    ROOT_TEST(no_path_leads_out),
	    ROOT_TEST(no_path_leads_out_where_there_is_no_openat2),
	    ROOT_TEST(long_names_and_paths_are_refused_in_words),
	    ROOT_TEST(a_sentence_repeats_a_long_path_cut_between_characters),
	    ROOT_TEST(what_the_system_refuses_is_told),
	    ROOT_TEST(what_is_guarded_is_guarded_where_there_is_no_proc),
	    ROOT_TEST(looking_at_a_pipe_does_not_touch_it),
	    ROOT_TEST(a_file_that_is_swapped_meanwhile_is_never_left),
	    cmocka_unit_test(some_files_are_guarded_by_name),
	    ROOT_TEST(the_own_state_is_guarded_but_for_a_workspace_in_it),
	    ROOT_TEST(what_the_nodes_of_a_cluster_share_is_guarded_like_the_state),
	    ROOT_TEST(the_password_file_is_guarded_although_a_root_holds_it),
	    ROOT_TEST(a_root_of_everything_holds_every_file),
	    ROOT_TEST(a_workspace_is_made_with_its_parents),
	    ROOT_TEST(a_part_that_was_closed_is_opened),
	    ROOT_TEST(a_part_takes_over_what_comes_under_its_former_name),
	    ROOT_TEST(what_is_refused_leaves_no_descriptor_open),
	    ROOT_TEST(a_root_that_cannot_be_opened_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
