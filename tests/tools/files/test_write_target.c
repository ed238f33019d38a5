/* Where file tools write, while somebody changes everything around them, and while they are killed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/files/outside_files.h"
#include "tools/files/write_target.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/tools_fixture.h"

/* How often what is being written to is changed. */
#define SWAPS_MIN 50000
#define KILLS     200

static struct tools_fixture w;

static int set_up(void **state)
{
	*state = &w;
	outside_files_init(&w);
	return 0;
}

static const struct {
	const char *tool, *format;
} calls[] = {
    {"edit_file", "{\"path\": \"%s\", \"old_text\": \"idd\", \"new_text\": \"in\"}"},
    {"edit_file", "{\"path\": \"%s\", \"new_text\": \"in\", \"create_if_not_exists\": true}"},
    {"list_directory", "{\"path\": \"%s\"}"},
    {"read_file", "{\"path\": \"%s\"}"},
    {"write_file", "{\"path\": \"%s\", \"content\": \"in\"}"},
    {"write_file", "{\"path\": \"%s\", \"content\": \"in\", \"backup\": true}"},
};

/* A folder may be listed; nothing else may come of a hostile path but a refusal that shows nothing. */
static void check_hostile(size_t call, const char *path)
{
	char *whole = outside_files_path(&w, path), *arguments = NULL;

	assert_true(asprintf(&arguments, calls[call].format, whole) > 0);
	struct json_object *o = tools_fixture_run(&w, calls[call].tool, arguments);
	const char *text = json_object_to_json_string(o);
	if (strstr(text, "hidden") || strstr(text, "\"name\": \"secret.txt\""))
		fail_msg("%s %s: %s", calls[call].tool, path, text);
	if (strcmp(calls[call].tool, "list_directory") != 0 && !json_get_str(o, "error_code"))
		fail_msg("%s %s: %s", calls[call].tool, path, text);
	json_object_put(o);
	free(arguments);
	free(whole);
}

static void check_all_hostile(void)
{
	char *before = outside_files_list(&w);

	for (size_t call = 0; call < ARRAY_LEN(calls); call++)
		for (size_t i = 0; i < outside_files_hostile_count; i++)
			check_hostile(call, outside_files_hostile[i]);
	char *after = outside_files_list(&w);
	assert_string_equal(after, before);
	assert_file(&w, "ws/file", "in");
	assert_int_equal(access("/tmp/myna-new", F_OK), -1);
	assert_int_equal(access("/dev/shm/myna-new", F_OK), -1);
	free(before);
	free(after);
}

static void no_hostile_path_leads_any_file_tool_out(void **state)
{
	(void)state;
	check_all_hostile();
}

static void no_hostile_path_leads_out_where_there_is_no_openat2(void **state)
{
	(void)state;
	roots_disable_openat2(w.tools->roots);
	check_all_hostile();
}

static atomic_bool stop;
static atomic_uint swaps;

/* Puts one after the other where "victim" and "folder" are. */
static void *swap(void *arg)
{
	static const char *const files[] = {"v_file", "v_link", "v_file", "v_abs", "v_hard", "v_fifo"};
	static const char *const folders[] = {"d_real", "d_out", "d_abs"};
	int ws = open(arg, O_PATH | O_DIRECTORY);
	char keep[32];

	for (unsigned i = 0; !stop; i++) {
		const char *file = files[i % ARRAY_LEN(files)], *folder = folders[i % ARRAY_LEN(folders)];
		/* A name that is free takes part as well. */
		if (i % 7 == 0)
			unlinkat(ws, "victim", 0);
		if (strcmp(file, "v_hard") == 0)
			file = "../outside/secret.txt";
		if (linkat(ws, file, ws, "v_new", 0) < 0)
			abort();
		renameat(ws, "v_new", ws, "victim");
		unlinkat(ws, "v_new", 0);
		/* A real folder has no second link: it is exchanged with one. */
		snprintf(keep, sizeof(keep), "%s", folder);
		renameat2(ws, keep, ws, "folder", RENAME_EXCHANGE);
		swaps++;
	}
	close(ws);
	return NULL;
}

static void write_while_all_is_swapped(void)
{
	static const char *const paths[] = {"victim", "folder/f", "folder/new/f", "victim.bak"};
	char *ws = tools_fixture_path(&w, "ws"), *before = outside_files_list(&w);
	const struct write_target_content text = {.data = "new", .len = 3, .mode = 0600};
	unsigned written = 0, refused = 0;
	pthread_t thread;

	stop = false;
	swaps = 0;
	assert_int_equal(pthread_create(&thread, NULL, swap, ws), 0);
	for (unsigned i = 0; swaps < SWAPS_MIN || written < 50 || refused < 50; i++) {
		const char *path = paths[i % ARRAY_LEN(paths)];
		struct write_target p, backup;
		struct write_target_content with = text;
		struct path_error why;
		int rc = write_target_open(w.tools->roots, path, true, &p, &why);
		if (rc == 0 && p.exists && i % 3 == 0) {
			rc = write_target_sibling(&p, path, ".bak", &backup, &why);
			with.backup = &backup;
		}
		if (rc == 0)
			rc = write_target_replace(&p, path, &with, &why);
		written += rc == 0;
		refused += rc < 0;
		assert_true(rc == 0 || why.code);
		write_target_clear(&p);
	}
	stop = true;
	pthread_join(thread, NULL);
	char *after = outside_files_list(&w);
	assert_string_equal(after, before);
	printf("# %u swaps, %u written, %u refused\n", swaps, written, refused);
	free(before);
	free(after);
	free(ws);
}

static void a_link_that_is_swapped_in_meanwhile_leads_nothing_out(void **state)
{
	char *fifo = tools_fixture_path(&w, "ws/v_fifo"), *outside = tools_fixture_path(&w, "outside");

	(void)state;
	tools_fixture_put_text(&w, "ws/v_file", "in");
	tools_fixture_put_text(&w, "ws/victim", "in");
	tools_fixture_put_text(&w, "ws/d_real/f", "in");
	tools_fixture_put_text(&w, "ws/folder/f", "in");
	outside_files_link(&w, "../outside/secret.txt", "ws/v_link");
	outside_files_link(&w, "/etc/passwd", "ws/v_abs");
	outside_files_link(&w, "../outside", "ws/d_out");
	outside_files_link(&w, outside, "ws/d_abs");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	write_while_all_is_swapped();
	roots_disable_openat2(w.tools->roots);
	write_while_all_is_swapped();
	free(fifo);
	free(outside);
}

/* Writes two texts in turn until it is killed. */
static void write_forever(bool keep_old)
{
	static char texts[2][200000];
	struct write_target_content text = {.len = sizeof(texts[0]), .mode = 0600};

	memset(texts[0], 'a', sizeof(texts[0]));
	memset(texts[1], 'b', sizeof(texts[1]));
	for (unsigned i = 0;; i++) {
		struct write_target p, backup;
		struct path_error why;
		text.data = texts[i % 2];
		if (write_target_open(w.tools->roots, "whole", true, &p, &why) < 0)
			_exit(1);
		text.backup = NULL;
		if (keep_old && p.exists && write_target_sibling(&p, "whole", ".bak", &backup, &why) == 0)
			text.backup = &backup;
		if (write_target_replace(&p, "whole", &text, &why) < 0)
			_exit(2);
		write_target_clear(&p);
	}
}

static void check_everything(const char *name)
{
	char *path = tools_fixture_path(&w, name);
	static char text[200001];
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text)), sizeof(text) - 1);
	for (size_t i = 0; i + 1 < sizeof(text); i++)
		if (text[i] != text[0] || (text[0] != 'a' && text[0] != 'b'))
			fail_msg("byte %zu of %s is %c after %c", i, name, text[i], text[0]);
	/* Otherwise it could not be written again. */
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_nlink, 1);
	close(fd);
	free(path);
}

static void a_writer_that_is_killed_leaves_the_old_or_the_new_file(void **state)
{
	uint64_t seed = 1;
	int status;

	(void)state;
	for (int i = 0; i < KILLS; i++) {
		const struct timespec moment = {.tv_nsec = 100000 + (long)any(&seed, 4000000)};
		pid_t pid = fork();
		if (pid == 0)
			write_forever(i % 2);
		/* The first ones may not have come far enough. */
		char *path = tools_fixture_path(&w, i % 2 ? "ws/whole.bak" : "ws/whole");
		while (access(path, F_OK) < 0 && waitpid(pid, &status, WNOHANG) == 0)
			nanosleep(&moment, NULL);
		nanosleep(&moment, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		check_everything("ws/whole");
		free(path);
	}
}

/* Runs fn in a child, as nobody when root may everything. */
static int in_child(int (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(fn());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int refusal_is(const char *path, const char *code, const char *cause, size_t len)
{
	struct write_target_content text = {.data = xcalloc(1, len), .len = len, .mode = 0600};
	struct path_error why;
	struct write_target p;
	int rc = write_target_open(w.tools->roots, path, true, &p, &why);

	if (rc == 0)
		rc = write_target_replace(&p, path, &text, &why);
	write_target_clear(&p);
	free((char *)text.data);
	if (rc < 0 && strcmp(why.code, code) == 0 && strcmp(why.cause, cause) == 0)
		return 0;
	fprintf(stderr, "%s: %s\n", path, rc < 0 ? why.text : "written");
	return 1;
}

static int write_forbidden(void)
{
	if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
		return 99;
	return refusal_is("closed/f", "ACCESS_DENIED", "PERMISSION_DENIED", 1) +
	    refusal_is("closed/d/f", "ACCESS_DENIED", "PERMISSION_DENIED", 1) +
	    refusal_is("closed/old", "ACCESS_DENIED", "PERMISSION_DENIED", 1) +
	    refusal_is("open/readonly", "ACCESS_DENIED", "PERMISSION_DENIED", 1) +
	    (geteuid() == 65534 ? refusal_is("open/of-root", "ACCESS_DENIED", "PERMISSION_DENIED", 1) : 0);
}

static void what_the_system_forbids_is_refused(void **state)
{
	char *closed = tools_fixture_path(&w, "ws/closed"), *open_folder = tools_fixture_path(&w, "ws/open");
	char *readonly = tools_fixture_path(&w, "ws/open/readonly"),
	     *of_root = tools_fixture_path(&w, "ws/open/of-root");
	char *ws = tools_fixture_path(&w, "ws");

	(void)state;
	tools_fixture_put_text(&w, "ws/closed/old", "old");
	tools_fixture_put_text(&w, "ws/open/readonly", "old");
	tools_fixture_put_text(&w, "ws/open/of-root", "old");
	assert_int_equal(chmod(w.dir, 0755), 0);
	assert_int_equal(chmod(ws, 0755), 0);
	assert_int_equal(chmod(open_folder, 0777), 0);
	assert_int_equal(chmod(readonly, 0444), 0);
	/* It may be written, but not given back to its owner. */
	assert_int_equal(chmod(of_root, 0666), 0);
	assert_int_equal(chmod(closed, 0555), 0);
	assert_int_equal(in_child(write_forbidden), 0);
	assert_file(&w, "ws/closed/old", "old");
	assert_file(&w, "ws/open/of-root", "old");
	assert_int_equal(chmod(closed, 0755), 0);
	free(closed);
	free(open_folder);
	free(readonly);
	free(of_root);
	free(ws);
}

#define NO_MOUNT 77

static int write_to_full_disk(void)
{
	char *full = tools_fixture_path(&w, "ws/full");
	int folder;

	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", full, "tmpfs", 0, "size=64k") != 0)
		return NO_MOUNT;
	folder = open(full, O_PATH | O_DIRECTORY);
	int old = openat(folder, "old", O_WRONLY | O_CREAT, 0600);
	if (write(old, "old", 3) != 3)
		return 2;
	close(old);
	struct roots_options options = {.workspace = full};
	w.tools->roots = roots_open(&options, NULL);
	int failed = refusal_is("old", "IO_ERROR", "NO_SPACE", 100000);
	char text[4] = "";
	old = openat(folder, "old", O_RDONLY);
	return failed + (read(old, text, 3) != 3 || strcmp(text, "old") != 0);
}

static int write_to_disk_without_inodes(void)
{
	char *full = tools_fixture_path(&w, "ws/full");

	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", full, "tmpfs", 0, "size=64m,nr_inodes=40") != 0)
		return NO_MOUNT;
	struct roots_options options = {.workspace = full, .disk_reserve = 1 << 20};
	w.tools->roots = roots_open(&options, NULL);
	return refusal_is("f", "LIMIT_REACHED", "DISK", 1);
}

static void inodes_are_kept_free_too(void **state)
{
	char *full = tools_fixture_path(&w, "ws/full");

	(void)state;
	assert_int_equal(mkdir(full, 0700), 0);
	int rc = in_child(write_to_disk_without_inodes);
	assert_true(rc == 0 || rc == NO_MOUNT);
	free(full);
}

/* Where nobody may mount, what the errno says is all that is tested, by the test of write_file. */
static void a_full_disk_is_told_and_the_old_file_stays(void **state)
{
	char *full = tools_fixture_path(&w, "ws/full");

	(void)state;
	assert_int_equal(mkdir(full, 0700), 0);
	int rc = in_child(write_to_full_disk);
	assert_true(rc == 0 || rc == NO_MOUNT);
	free(full);
}

/* The backup's name is free when it is checked, and a folder when the old file shall get it. */
static int replace_without_backup(void)
{
	struct write_target_content text = {.data = "new", .len = 3, .mode = 0600};
	struct write_target p, backup;
	struct path_error why;
	struct stat st;
	char *bak = tools_fixture_path(&w, "ws/kept.bak"), *path = tools_fixture_path(&w, "ws/kept");

	tools_fixture_put_text(&w, "ws/kept", "precious");
	if (write_target_open(w.tools->roots, "kept", true, &p, &why) < 0 ||
	    write_target_sibling(&p, "kept", ".bak", &backup, &why) < 0 || mkdir(bak, 0700) < 0)
		return 1;
	text.backup = &backup;
	int rc = write_target_replace(&p, "kept", &text, &why);
	write_target_clear(&p);
	/* With a second name it could not be written again. */
	if (rc == 0 || stat(path, &st) < 0 || st.st_nlink != 1)
		return 2;
	free(bak);
	free(path);
	return 0;
}

static void a_backup_that_fails_leaves_the_old_file(void **state)
{
	(void)state;
	assert_int_equal(replace_without_backup(), 0);
	assert_file(&w, "ws/kept", "precious");
}

/* As on a file system that cannot exchange two files. */
static int replace_without_exchange(void)
{
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RENAME_EXCHANGE, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {ARRAY_LEN(filter), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 3;
	return replace_without_backup();
}

static void a_backup_that_fails_leaves_the_old_file_with_one_name(void **state)
{
	(void)state;
	assert_int_equal(in_child(replace_without_exchange), 0);
	assert_file(&w, "ws/kept", "precious");
}

#define SANDBOX_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tools_fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    SANDBOX_TEST(no_hostile_path_leads_any_file_tool_out),
	    SANDBOX_TEST(no_hostile_path_leads_out_where_there_is_no_openat2),
	    SANDBOX_TEST(a_link_that_is_swapped_in_meanwhile_leads_nothing_out),
	    SANDBOX_TEST(a_writer_that_is_killed_leaves_the_old_or_the_new_file),
	    SANDBOX_TEST(what_the_system_forbids_is_refused),
	    SANDBOX_TEST(a_full_disk_is_told_and_the_old_file_stays),
	    SANDBOX_TEST(inodes_are_kept_free_too),
	    SANDBOX_TEST(a_backup_that_fails_leaves_the_old_file),
	    SANDBOX_TEST(a_backup_that_fails_leaves_the_old_file_with_one_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
