#include "tools/sandbox/sandbox_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "config.h"

#define DISK_BYTES "a disk\n"

const char sandbox_fixture_real[] = "../../../" SANDBOX_HELPER;

static void must(const char *command)
{
	if (system(command) != 0)
		fail_msg("did not work: %s", command);
}

/* Where the programs for these tests are built, and three folders up the program itself. */
static char *beside(const char *name)
{
	return xasprintf(BUILD_DIR "/tests/tools/sandbox/%s", name);
}

static void put(const struct sandbox_fixture *p, const char *name, const char *as)
{
	char *from = beside(name),
	     *command =
		 xasprintf("cp '%s' '%s/%s' && chmod 755 '%s/%s'", from, p->helpers, as, p->helpers, as);

	must(command);
	free(from);
	free(command);
}

void sandbox_fixture_use(const struct sandbox_fixture *p, const char *name)
{
	put(p, name, SANDBOX_HELPER);
}

void sandbox_fixture_restore(const struct sandbox_fixture *p)
{
	sandbox_fixture_use(p, sandbox_fixture_real);
}

void sandbox_fixture_refuse(const struct sandbox_fixture *p, const char *name, const char *what)
{
	char *command = xasprintf("printf '%%s\\n' %s >'%s/hindrance'", what, p->helpers);

	put(p, name, "real");
	sandbox_fixture_use(p, "refusing_helper");
	must(command);
	free(command);
}

static void make_outside(const struct sandbox_fixture *p)
{
	char *command = xasprintf("rm -rf '%s'; mkdir '%s' && chmod 777 '%s' && echo content >'%s/file' && "
				  "chmod 666 '%s/file' && printf '" DISK_BYTES
				  "' >'%s' && : >'%s' && chmod 666 '%s' '%s'",
	    p->victim, p->victim, p->victim, p->victim, p->victim, p->disk, p->marker, p->disk, p->marker);

	must(command);
	free(command);
}

static void make_programs(const struct sandbox_fixture *p)
{
	static const char *const names[] = {"sudo", "su", "pkexec", "mkfs.ext4", "mke2fs"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *command =
		    xasprintf("printf '#!/bin/sh\\necho ran >>%s\\n' >'%s/%s' && chmod 755 '%s/%s'",
			p->marker, p->bin, names[i], p->bin, names[i]);
		must(command);
		free(command);
	}
}

struct sandbox_fixture *sandbox_fixture_new(void)
{
	char dir[] = "/tmp/myna-test-sandbox-XXXXXX";
	struct sandbox_fixture *p = xcalloc(1, sizeof(*p));
	char *command;

	umask(022);
	assert_non_null(mkdtemp(dir));
	p->dir = xstrdup(dir);
	p->workspace = xasprintf("%s/workspace", dir);
	p->helpers = xasprintf("%s/helpers", dir);
	p->victim = xasprintf("%s/victim", dir);
	p->disk = xasprintf("%s/sdz", dir);
	p->marker = xasprintf("%s/marker", dir);
	p->bin = xasprintf("%s/bin", dir);
	/* 777: also what stands beside the victim could be removed, if it could be. */
	command = xasprintf(
	    "chmod 777 '%s' && mkdir -m 777 '%s' && mkdir '%s' '%s'", dir, p->workspace, p->helpers, p->bin);
	must(command);
	free(command);
	make_outside(p);
	make_programs(p);
	put(p, "hostile_program", "hostile_program");
	sandbox_fixture_restore(p);
	helper_set_folder(p->helpers);
	return p;
}

void sandbox_fixture_free(struct sandbox_fixture *p)
{
	char *command = xasprintf("chmod -R u+rwX '%s' 2>/dev/null; rm -rf '%s'", p->dir, p->dir);

	helper_set_folder(NULL);
	/* What another user has made in the workspace only root can remove: that one runs last. */
	if (system(command) != 0)
		fprintf(stderr, "left behind: %s\n", p->dir);
	free(command);
	free(p->dir);
	free(p->workspace);
	free(p->helpers);
	free(p->victim);
	free(p->disk);
	free(p->marker);
	free(p->bin);
	free(p);
}

bool sandbox_fixture_is_untouched(const struct sandbox_fixture *p)
{
	char *command = xasprintf(
	    "test \"$(cat '%s/file')\" = content && test \"$(cat '%s')\" = \"$(printf '" DISK_BYTES
	    "')\" && test ! -s '%s' && test \"$(ls '%s' | wc -l)\" = 1 && test \"$(ls '%s' | wc -l)\" = 6",
	    p->victim, p->disk, p->marker, p->victim, p->dir);
	bool untouched = system(command) == 0;

	free(command);
	return untouched;
}

struct sandbox *sandbox_fixture_sandbox(
    const struct sandbox_fixture *p, enum sandbox_level required, int processes)
{
	const struct sandbox_options o = {
	    .workspace = p->workspace,
	    .required = required,
	    .run_as = "nobody",
	    .memory_bytes = 256 << 20,
	    .file_bytes = 8 << 20,
	    .processes = processes,
	    .open_files = 128,
	    .cpu_s = 30,
	};

	return sandbox_new(&o);
}

/* In a process of its own, as the user that programs run as. */
static bool try_out(bool (*fn)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
			_exit(2);
		_exit(fn() ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool try_namespaces(void)
{
	return unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC) == 0 &&
	    mount("tmpfs", "/tmp", "tmpfs", 0, NULL) == 0;
}

bool machine_has_namespaces(void)
{
	return try_out(try_namespaces);
}

bool machine_has_landlock(void)
{
	return syscall(444, NULL, 0, 1) > 0;
}

/* Returns the length of what the file in /proc/PID holds, or -1. */
static ssize_t read_proc(const char *pid, const char *file, char *text, size_t size)
{
	char path[300];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, text, size);
	close(fd);
	return n;
}

static bool command_has(const char *pid, const char *word)
{
	char text[4096];
	ssize_t n = read_proc(pid, "cmdline", text, sizeof(text));

	return n > 0 && memmem(text, (size_t)n, word, strlen(word));
}

static bool is_spared(const char *pid, const char *word)
{
	char text[16];
	ssize_t n = command_has(pid, word) ? read_proc(pid, "oom_score_adj", text, sizeof(text)) : -1;

	return n > 0 && (n != 5 || memcmp(text, "1000\n", 5) != 0);
}

static int count_processes(const char *word, bool (*fits)(const char *pid, const char *word))
{
	DIR *dir = opendir("/proc");
	const struct dirent *e;
	int count = 0;

	assert_non_null(dir);
	while ((e = readdir(dir)))
		count += e->d_name[0] >= '1' && e->d_name[0] <= '9' && fits(e->d_name, word);
	closedir(dir);
	return count;
}

int processes_with(const char *word)
{
	return count_processes(word, command_has);
}

int processes_spared(const char *word)
{
	return count_processes(word, is_spared);
}

static void keep(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct run *run = arg;

	(void)stream;
	buf_add(&run->out, data, len);
}

void run_at(struct task *t, const struct sandbox *s, enum sandbox_level level, const char *command,
    const struct sandbox_run *with, struct run *run)
{
	const char *const argv[] = {"sh", "-c", command, NULL};
	struct sandbox_run r = with ? *with : (struct sandbox_run){0};
	struct sandboxed *p;

	*run = (struct run){.out = BUF_INIT};
	r.argv = r.argv ? r.argv : argv;
	r.deadline_ms = r.deadline_ms ? r.deadline_ms : LONG_MS;
	r.sink = keep;
	r.sink_arg = run;
	p = sandbox_start_at(s, level, &r, &run->err);
	if (!p)
		fail_msg("%s", run->err.text);
	run->rc = sandboxed_wait(t, p, &run->end, &run->err);
	sandboxed_free(t, p);
}

void run_clear(struct run *run)
{
	buf_clear(&run->out);
}
