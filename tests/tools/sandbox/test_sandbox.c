#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/mem.h"
#include "tools/sandbox/bypass_commands.h"
#include "tools/sandbox/sandbox_fixture.h"
#include "lib/until.h"

static struct sandbox_fixture *place;
static struct sandbox *sandbox;
/* What this machine can do; S0 is the least. */
static enum sandbox_level best;

static int make(void **state)
{
	(void)state;
	place = sandbox_fixture_new();
	sandbox = sandbox_fixture_sandbox(place, SANDBOX_S0, FEW);
	best = machine_has_namespaces() ? SANDBOX_S3 : machine_has_landlock() ? SANDBOX_S2 : SANDBOX_S0;
	return 0;
}

static int clear(void **state)
{
	(void)state;
	sandbox_unref(sandbox);
	sandbox_fixture_free(place);
	return 0;
}

/* The levels that are a boundary, as far as they are to be had here. */
static enum sandbox_level next_level(enum sandbox_level level)
{
	if (level < SANDBOX_S2)
		return machine_has_landlock() ? SANDBOX_S2 : best == SANDBOX_S3 ? SANDBOX_S3 : SANDBOX_S3 + 1;
	return level == SANDBOX_S2 && best == SANDBOX_S3 ? SANDBOX_S3 : SANDBOX_S3 + 1;
}

#define EACH_LEVEL(level) \
	(enum sandbox_level level = next_level(SANDBOX_S0); level <= SANDBOX_S3; level = next_level(level))

static void assert_runs(struct task *t, enum sandbox_level level, const char *command, const char *out)
{
	struct run run;

	run_at(t, sandbox, level, command, NULL, &run);
	if (run.rc != 0)
		fail_msg("%s at %s: %s", command, sandbox_level_name(level), run.err.text);
	assert_string_equal(run.out.data, out);
	run_clear(&run);
}

static void what_is_proved_is_what_the_machine_can_do(struct task *t, void *arg)
{
	struct sandbox *s = sandbox_fixture_sandbox(place, SANDBOX_S2, MANY);
	struct error err = {0};
	const char *reason;
	int rc;

	(void)arg;
	assert_true(sandbox_may_run(s));
	assert_int_equal(sandbox_level(s, NULL), SANDBOX_NONE);
	rc = sandbox_prove(t, s, &err);
	if (sandbox_level(s, &reason) != best)
		fail_msg("%s instead of %s: %s", sandbox_level_name(sandbox_level(s, NULL)),
		    sandbox_level_name(best), reason);
	assert_int_equal(rc, best >= SANDBOX_S2 ? 0 : -1);
	assert_int_equal(sandbox_may_run(s), best >= SANDBOX_S2);
	if (best == SANDBOX_S3)
		assert_string_equal(reason, "");
	assert_non_null(strstr(sandbox_acts(s), "+ use-the-workspace done\n"));
	sandbox_unref(s);
}

static void status_and_signal_come_back(struct task *t, void *arg)
{
	(void)arg;
	for
		EACH_LEVEL(level)
		{
			struct run run;

			run_at(t, sandbox, level, "echo out; echo err >&2; exit 7", NULL, &run);
			assert_int_equal(run.end.child.status, 7);
			assert_int_equal(run.end.child.signal, 0);
			assert_string_equal(run.out.data, "out\nerr\n");
			run_clear(&run);
			run_at(t, sandbox, level, "kill -INT 0", NULL, &run);
			assert_int_equal(run.end.child.status, 128 + SIGINT);
			assert_int_equal(run.end.child.signal, SIGINT);
			assert_null(run.end.limit);
			run_clear(&run);
		}
}

static void a_program_that_is_not_there_is_named(struct task *t, void *arg)
{
	const char *const argv[] = {"no-such-program", NULL};
	const struct sandbox_run with = {.argv = argv};

	(void)arg;
	for
		EACH_LEVEL(level)
		{
			struct run run;

			run_at(t, sandbox, level, NULL, &with, &run);
			assert_int_equal(run.rc, -1);
			assert_int_equal(run.err.code, ENOENT);
			assert_non_null(strstr(run.err.text, "no-such-program"));
			run_clear(&run);
		}
}

static void the_environment_is_clean(struct task *t, void *arg)
{
	const char *const env[] = {"GIVEN=yes", NULL};
	const struct sandbox_run with = {.env = env};

	(void)arg;
	setenv("MYNA_TEST_SECRET", "hidden", 1);
	for
		EACH_LEVEL(level)
		{
			struct run run;

			run_at(t, sandbox, level, "env", &with, &run);
			assert_non_null(strstr(run.out.data, "GIVEN=yes\n"));
			assert_non_null(strstr(run.out.data, "HOME=/tmp/myna-test-sandbox-"));
			assert_non_null(strstr(run.out.data, "TMPDIR=/tmp"));
			assert_null(strstr(run.out.data, "hidden"));
			run_clear(&run);
			run_at(t, sandbox, level,
			    "cat /proc/self/environ /proc/1/environ /proc/$PPID/environ; ls /proc/", NULL,
			    &run);
			assert_null(strstr(run.out.data, "hidden"));
			assert_null(strstr(run.out.data, "\nself"));
			run_clear(&run);
		}
	unsetenv("MYNA_TEST_SECRET");
}

static void files_outside_can_be_neither_read_nor_written(struct task *t, void *arg)
{
	char *command = xasprintf(
	    "cat %s/file; echo x >%s/file; echo x >%s/new; ln -s %s/file l; cat l; rm l; ln %s/file h; mv %s "
	    ".; chmod 777 %s/file; truncate -s 1 %s; ls %s; find %s -name file; true",
	    place->victim, place->victim, place->victim, place->victim, place->victim, place->victim,
	    place->victim, place->disk, place->dir, place->victim);

	(void)arg;
	for
		EACH_LEVEL(level)
		{
			struct run run;

			run_at(t, sandbox, level, command, NULL, &run);
			assert_null(strstr(run.out.data, "content"));
			assert_true(sandbox_fixture_is_untouched(place));
			run_clear(&run);
		}
	free(command);
}

static void what_is_granted_can_be_used(struct task *t, void *arg)
{
	char *readable = xasprintf("%s/bin", place->dir);
	const char *const more[] = {readable, NULL};
	const struct sandbox_run with = {.readable = more};
	char *command = xasprintf(
	    "mkdir -p a/b && echo text >a/b/c && mv a/b/c a/d && cat a/d && rm -r a && echo x >$TMPDIR/t && "
	    "echo x >/dev/null && head -c 3 /dev/zero | wc -c && cat %s/sudo | wc -l; echo x >%s/sudo; pwd",
	    readable, readable);

	(void)arg;
	for
		EACH_LEVEL(level)
		{
			struct run run;
			char *end;

			run_at(t, sandbox, level, command, &with, &run);
			assert_true(strncmp(run.out.data, "text\n3\n2\n", 9) == 0);
			end = xasprintf("%s\n", place->workspace);
			assert_non_null(strstr(run.out.data, end));
			assert_true(sandbox_fixture_is_untouched(place));
			free(end);
			run_clear(&run);
		}
	free(command);
	free(readable);
}

static void what_is_hidden_inside_of_a_root_is_not_seen(struct task *t, void *arg)
{
	char *dir = xasprintf("%s/state", place->workspace),
	     *file = xasprintf("%s/secret.conf", place->workspace);
	const char *const hidden[] = {dir, file, NULL};
	const struct sandbox_options o = {.workspace = place->workspace,
	    .hidden = hidden,
	    .required = SANDBOX_S2,
	    .memory_bytes = 256 << 20,
	    .file_bytes = 1 << 20,
	    .processes = 64,
	    .open_files = 64,
	    .cpu_s = 10};
	char *command =
	    xasprintf("mkdir '%s' && echo token >'%s/db' && echo token >'%s' && chmod -R a+rwX '%s'", dir,
		dir, file, place->workspace);
	struct sandbox *s;
	struct error err = {0};
	struct run run;

	(void)arg;
	assert_int_equal(system(command), 0);
	s = sandbox_new(&o);
	if (best == SANDBOX_S3) {
		run_at(t, s, SANDBOX_S3, "cat state/db secret.conf; ls state; ls", NULL, &run);
		assert_null(strstr(run.out.data, "token"));
		assert_non_null(strstr(run.out.data, "state"));
		run_clear(&run);
		/* By another name it would be. */
		char *moved = xasprintf("%s.moved", dir);
		assert_int_equal(rename(dir, moved), 0);
		run_at(t, s, SANDBOX_S3, "cat state.moved/db", NULL, &run);
		assert_null(strstr(run.out.data, "token"));
		run_clear(&run);
		assert_int_equal(rename(moved, dir), 0);
		free(moved);
	} else {
		/* Landlock cannot take away what it has given. */
		assert_int_equal(sandbox_prove(t, s, &err), -1);
		assert_int_equal(err.kind, ERROR_REFUSED);
	}
	free(command);
	command = xasprintf("rm -rf '%s' '%s'", dir, file);
	assert_int_equal(system(command), 0);
	sandbox_unref(s);
	free(command);
	free(dir);
	free(file);
}

#define MANY_PATHS 300

/* An installation with hundreds of accounts has a file for each token. */
static void hundreds_of_paths_are_granted_and_hidden(struct task *t, void *arg)
{
	char *base = xasprintf("%s/many", place->workspace), *inside = xasprintf("%s/ws/token", base);
	char *workspace = xasprintf("%s/ws", base), *granted[MANY_PATHS], *hidden[MANY_PATHS + 2] = {NULL};
	const struct config_strings roots = {granted, MANY_PATHS};
	const struct sandbox_options o = {.workspace = workspace,
	    .roots = &roots,
	    .hidden = (const char *const *)hidden,
	    .memory_bytes = 256 << 20,
	    .file_bytes = 1 << 20,
	    .processes = 64,
	    .open_files = 64,
	    .cpu_s = 10};
	char *command =
	    xasprintf("mkdir '%s' && cd '%s' && mkdir ws $(seq -f r%%g 0 %d) && touch $(seq -f h%%g "
		      "0 %d) && echo token >ws/token && chmod -R a+rwX .",
		base, base, MANY_PATHS - 1, MANY_PATHS - 1);

	(void)arg;
	assert_int_equal(system(command), 0);
	for (size_t i = 0; i < MANY_PATHS; i++) {
		granted[i] = xasprintf("%s/r%zu", base, i);
		hidden[i] = xasprintf("%s/h%zu", base, i);
	}
	for
		EACH_LEVEL(level)
		{
			struct sandbox *s;
			struct run run;

			/* Below S3 nothing can be hidden in what is granted. */
			hidden[MANY_PATHS] = level == SANDBOX_S3 ? inside : NULL;
			s = sandbox_new(&o);
			run_at(t, s, level, "echo x >../r299/a && cat ../r299/a; cat token ../h299 2>&-",
			    NULL, &run);
			assert_string_equal(run.out.data, level == SANDBOX_S3 ? "x\n" : "x\ntoken\n");
			run_clear(&run);
			sandbox_unref(s);
		}
	free(command);
	command = xasprintf("rm -rf '%s'", base);
	assert_int_equal(system(command), 0);
	for (size_t i = 0; i < MANY_PATHS; i++) {
		free(granted[i]);
		free(hidden[i]);
	}
	free(command);
	free(workspace);
	free(inside);
	free(base);
}

/* Puts each way into a file of its own, so that a shell reads it as it stands. */
static void write_bypasses(void)
{
	char path[256];

	for (size_t i = 0; i < ARRAY_LEN(bypasses); i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/way-%02zu.%s", place->workspace, i,
		    bypasses[i].bash ? "bash" : "sh");
		f = fopen(path, "we");
		assert_non_null(f);
		fprintf(f, "%s\n", bypasses[i].text);
		fclose(f);
		chmod(path, 0644);
	}
}

/* Tries them one after the other; where it can, it looks whether something happened, and puts it right
 * again. */
static char *driver(void)
{
	return xasprintf("V=%s D=%s M=%s B=%s; export V D B; PATH=%s:$PATH; umask 0; n=0; for w in way-*; do "
			 "mkdir -p d; cd d; timeout 20 ${w##*.} ../$w </dev/null >/dev/null 2>&1; cd ..; rm "
			 "-rf d; if ! test -s $V/file || ! test -d $V || test -s $M || ! test \"$(cat $D "
			 "2>/dev/null)\" = 'a disk'; then n=$((n+1)); fi; { mkdir $V; echo content >$V/file; "
			 "rm -f $V/gone; echo 'a disk' >$D; : >$M; } 2>/dev/null; done; echo $n",
	    place->victim, place->disk, place->marker, place->bin, place->bin);
}

static void the_ways_round_a_list_do_something_where_there_is_no_boundary(struct task *t, void *arg)
{
	const char *const more[] = {place->bin, NULL};
	const struct sandbox_run with = {.readable = more, .deadline_ms = 500000};
	struct sandbox *s = sandbox_fixture_sandbox(place, SANDBOX_S0, MANY);
	char *command = driver();
	struct run run;
	long effects;

	(void)arg;
	write_bypasses();
	run_at(t, s, SANDBOX_S0, command, &with, &run);
	effects = strtol(run.out.data, NULL, 10);
	print_message("%ld of %zu ways had an effect without a boundary: %.300s\n", effects,
	    ARRAY_LEN(bypasses), run.out.data);
	/* Some need programs that a machine need not have. */
	assert_true(effects >= 60);
	assert_true(sandbox_fixture_is_untouched(place));
	run_clear(&run);
	sandbox_unref(s);
	free(command);
}

static void no_way_round_a_list_is_a_way_out(struct task *t, void *arg)
{
	const char *const more[] = {place->bin, NULL};
	const struct sandbox_run with = {.readable = more, .deadline_ms = 500000};
	struct sandbox *s = sandbox_fixture_sandbox(place, SANDBOX_S0, MANY);
	char *command = driver();

	(void)arg;
	write_bypasses();
	for
		EACH_LEVEL(level)
		{
			struct run run;

			run_at(t, s, level, command, &with, &run);
			assert_int_equal(run.rc, 0);
			assert_false(run.end.child.timed_out);
			assert_true(sandbox_fixture_is_untouched(place));
			run_clear(&run);
		}
	sandbox_unref(s);
	free(command);
}

static void assert_leaves_nothing(
    struct task *t, enum sandbox_level level, const char *what, const struct sandbox_run *with)
{
	char *word = xasprintf("mark-%s-%d-%d", what, (int)level, (int)getpid());
	char *command = xasprintf("%s/hostile_program %s %s; echo begun", place->helpers, what, word);
	const char *const more[] = {place->helpers, NULL};
	struct sandbox_run r = *with;
	struct run run;

	r.readable = more;
	run_at(t, sandbox, level, command, &r, &run);
	if (processes_with(word) != 0)
		fail_msg("%s at %s has left %d", what, sandbox_level_name(level), processes_with(word));
	if (!r.deadline_ms)
		assert_string_equal(run.out.data, "begun\n");
	run_clear(&run);
	free(command);
	free(word);
}

static void every_descendant_is_gone_at_the_end(struct task *t, void *arg)
{
	const struct sandbox_run with = {0};

	(void)arg;
	for
		EACH_LEVEL(level)
		{
			assert_leaves_nothing(t, level, "stay", &with);
			assert_leaves_nothing(t, level, "hop", &with);
			assert_leaves_nothing(t, level, "bomb", &with);
		}
}

static void every_descendant_is_gone_after_the_deadline(struct task *t, void *arg)
{
	const struct sandbox_run with = {.deadline_ms = 100, .grace_ms = 50};

	(void)arg;
	for
		EACH_LEVEL(level)
	assert_leaves_nothing(t, level, "linger", &with);
}

static void fork_bombs_end(struct task *t, void *arg)
{
	const struct sandbox_run with = {.deadline_ms = 150, .grace_ms = 50};

	(void)arg;
	for
		EACH_LEVEL(level)
		{
			for (size_t i = 0; i < ARRAY_LEN(fork_bombs); i++) {
				char *command = xasprintf(": bomb-%d; %s", (int)getpid(), fork_bombs[i]),
				     word[32];
				struct run run;

				snprintf(word, sizeof(word), "bomb-%d", (int)getpid());
				run_at(t, sandbox, level, command, &with, &run);
				assert_int_equal(processes_with(word), 0);
				run_clear(&run);
				free(command);
			}
		}
}

struct stopped {
	char *command;
	bool begun;
};

static void stop_it(struct task *t, void *arg)
{
	struct stopped *s = arg;
	const char *const argv[] = {"sh", "-c", s->command, NULL}, *const more[] = {place->helpers, NULL};
	const struct sandbox_run run = {.argv = argv, .readable = more, .grace_ms = 50};
	struct sandboxed *p = sandbox_start(t, sandbox, &run, NULL);
	struct sandbox_end end;
	struct buf out = BUF_INIT;

	assert_non_null(p);
	assert_int_equal(child_read(t, sandboxed_child(p), CHILD_STDOUT, &out, LONG_MS, NULL), 1);
	s->begun = true;
	assert_int_equal(sandboxed_wait(t, p, &end, NULL), -1);
	sandboxed_free(t, p);
	buf_clear(&out);
}

static void a_cancelled_task_takes_everything_with_it(struct task *t, void *arg)
{
	char *word = xasprintf("mark-cancel-%d", (int)getpid());
	struct stopped s = {
	    .command = xasprintf("%s/hostile_program stay %s; echo begun; %s/hostile_program linger %s",
		place->helpers, word, place->helpers, word)};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	task_start(&group, "stopped", stop_it, &s);
	task_until(t, s.begun && processes_with(word) >= 3);
	task_group_finish(t, &group);
	assert_int_equal(processes_with(word), 0);
	free(s.command);
	free(word);
}

static void ignore(void *arg, enum child_stream stream, const char *data, size_t len)
{
	(void)arg, (void)stream, (void)data, (void)len;
}

/* The report is in the pipe before the program begins; it is read when the program is ended. */
static void what_a_stopped_program_reports_is_freed(struct task *t, void *arg)
{
	char *begun = xasprintf("%s/begun", place->workspace),
	     *command = xasprintf("touch %s; sleep 600", begun);
	const char *const argv[] = {"sh", "-c", command, NULL};
	const struct sandbox_run run = {.argv = argv, .grace_ms = 50, .sink = ignore};

	(void)arg;
	for
		EACH_LEVEL(level)
		{
			struct sandboxed *p = sandbox_start_at(sandbox, level, &run, NULL);
			assert_non_null(p);
			while (access(begun, F_OK) != 0)
				usleep(1000);
			sandboxed_free(t, p);
			unlink(begun);
		}
	free(begun);
	free(command);
}

static void assert_no_temp_is_left(enum sandbox_level level)
{
	char *note = xasprintf("%s/temp", place->workspace), path[256] = "";
	FILE *f = fopen(note, "re");

	assert_true(f && fscanf(f, "%255s", path) == 1);
	fclose(f);
	/* The supervisor removes it last. */
	for (int i = 0; i < 6000 && level < SANDBOX_S3 && access(path, F_OK) == 0; i++)
		usleep(10000);
	if (level < SANDBOX_S3 && access(path, F_OK) == 0)
		fail_msg("%s is left at %s", path, sandbox_level_name(level));
	unlink(note);
	free(note);
}

/* A daemon of its own that is killed while its program runs. */
static void daemon_dies(enum sandbox_level level, const char *word)
{
	/* Nothing else has the last word in its command line, quoted as it is. */
	char *command =
		 xasprintf("echo $TMPDIR >%s/temp; %s/hostile_program stay %s; exec %s/hostile_program "
			   "linger %s'-'last",
		     place->workspace, place->helpers, word, place->helpers, word),
	     *last = xasprintf("%s-last", word);
	char *write = xasprintf("--write=%s", place->workspace),
	     *read = xasprintf("--read=%s", place->helpers);
	char *helper = xasprintf("%s/" SANDBOX_HELPER, place->helpers), at[24], from[32];
	bool begun = false;
	pid_t daemon = fork();

	if (daemon == 0) {
		int report[2];

		/* Nobody reads it once the daemon is dead. */
		if (pipe2(report, O_CLOEXEC) < 0)
			_exit(1);
		snprintf(at, sizeof(at), "--level=%d", (int)level);
		snprintf(from, sizeof(from), "--parent=%d", (int)getpid());
		if (fork() == 0 && (report[1] == 3 ? fcntl(3, F_SETFD, 0) == 0 : dup2(report[1], 3) == 3))
			execl(helper, helper, at, from, "--grace=50", write, read, "--dir=/", "--", "sh",
			    "-c", command, NULL);
		for (;;)
			pause();
	}
	/* One count may miss a process whose parent ends meanwhile; the next does not. */
	for (int i = 0; i < 6000 && !begun; i++) {
		begun = processes_with(last) >= 2 && processes_with(word) >= 4;
		if (!begun)
			usleep(10000);
	}
	assert_true(begun);
	assert_int_equal(processes_spared(word), 0);
	kill(daemon, SIGKILL);
	waitpid(daemon, NULL, 0);
	for (int i = 0; i < 6000 && processes_with(word) > 0; i++)
		usleep(10000);
	assert_int_equal(processes_with(word), 0);
	assert_no_temp_is_left(level);
	free(command);
	free(last);
	free(write);
	free(read);
	free(helper);
}

static void everything_ends_with_the_daemon(struct task *t, void *arg)
{
	char word[64];

	(void)t;
	(void)arg;
	for
		EACH_LEVEL(level)
		{
			snprintf(word, sizeof(word), "mark-daemon-%d-%d", (int)level, (int)getpid());
			daemon_dies(level, word);
		}
}

/* On a disk of its own, whose free space nobody else changes; only root can make one. */
static void a_program_that_fills_the_disk_is_stopped(struct task *t, void *arg)
{
	char *dir = xasprintf("%s/disk", place->dir);
	const struct sandbox_run with = {.keep_free = true, .deadline_ms = 60000};
	struct sandbox_options o = {.workspace = dir,
	    .required = SANDBOX_S0,
	    .run_as = "nobody",
	    .memory_bytes = 64 << 20,
	    .file_bytes = 256 << 20,
	    .processes = MANY,
	    .open_files = 32,
	    .cpu_s = 60,
	    .disk_reserve = 192 << 20};
	struct run run;

	(void)arg;
	assert_int_equal(mkdir(dir, 0777), 0);
	if (mount("tmpfs", dir, "tmpfs", MS_NOSUID | MS_NODEV, "size=256m,mode=0777") < 0) {
		rmdir(dir);
		free(dir);
		return;
	}
	struct sandbox *s = sandbox_new(&o);
	run_at(t, s, best, "trap '' TERM; head -c 128000000 /dev/zero >big; while :; do sleep 1; done", &with,
	    &run);
	if (run.rc < 0)
		fail_msg("%s", run.err.text);
	assert_string_equal(run.end.limit, "disk");
	run_clear(&run);
	/* Nothing begins before there is space again. */
	struct error err = {0};
	const char *const argv[] = {"/bin/true", NULL};
	const struct sandbox_run next = {.argv = argv, .keep_free = true};
	assert_null(sandbox_start(t, s, &next, &err));
	assert_int_equal(err.kind, ERROR_LIMITED);
	char *big = xasprintf("%s/big", dir);
	assert_int_equal(unlink(big), 0);
	struct sandboxed *p = sandbox_start(t, s, &next, &err);
	assert_non_null(p);
	struct sandbox_end end;
	assert_int_equal(sandboxed_wait(t, p, &end, &err), 0);
	assert_null(end.limit);
	sandboxed_free(t, p);
	sandbox_unref(s);
	assert_int_equal(umount(dir), 0);
	rmdir(dir);
	free(dir);
	free(big);
}

/* A disk with much space and few inodes; only root can make one. */
static void without_inodes_nothing_begins(struct task *t, void *arg)
{
	const char *const argv[] = {"/bin/true", NULL};
	const struct sandbox_run run = {.argv = argv, .keep_free = true};
	char *dir = xasprintf("%s/names", place->dir);
	struct sandbox_options o = {.workspace = dir,
	    .required = SANDBOX_S0,
	    .run_as = "nobody",
	    .memory_bytes = 64 << 20,
	    .file_bytes = 1 << 20,
	    .processes = MANY,
	    .open_files = 32,
	    .cpu_s = 60,
	    .disk_reserve = 4 << 20};
	struct error err = {0};

	(void)arg;
	assert_int_equal(mkdir(dir, 0777), 0);
	if (mount("tmpfs", dir, "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,nr_inodes=200,mode=0777") == 0) {
		struct sandbox *s = sandbox_new(&o);
		struct sandboxed *p = sandbox_start(t, s, &run, &err);
		sandboxed_free(t, p);
		sandbox_unref(s);
		assert_int_equal(umount(dir), 0);
		assert_null(p);
		assert_int_equal(err.kind, ERROR_LIMITED);
	}
	rmdir(dir);
	free(dir);
}

/* Also when a program takes the permissions from it. No link in it is followed. */
static void the_folder_of_temporary_files_is_removed(struct task *t, void *arg)
{
	const char *const more[] = {place->helpers, NULL};
	const struct sandbox_run with = {.readable = more};
	char *linked = xasprintf("%s/linked", place->dir),
	     *command = xasprintf("echo $TMPDIR; exec %s/hostile_program close %s", place->helpers, linked);
	int fd = open(linked, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	struct stat st;

	(void)arg;
	/* It belongs to the user that programs run as. */
	assert_true(fd >= 0 && (geteuid() != 0 || fchown(fd, 65534, 65534) == 0));
	close(fd);
	for
		EACH_LEVEL(level)
		{
			struct run run;

			run_at(t, sandbox, level, command, &with, &run);
			assert_int_equal(run.end.child.status, 0);
			run.out.data[strcspn(run.out.data, "\n")] = '\0';
			if (level < SANDBOX_S3 && access(run.out.data, F_OK) == 0)
				fail_msg("%s is still there", run.out.data);
			run_clear(&run);
		}
	assert_int_equal(stat(linked, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	unlink(linked);
	free(command);
	free(linked);
}

/* The kernel has about 1 KiB for each file, which no size counts. */
static void files_in_memory_are_bounded_by_number(struct task *t, void *arg)
{
	struct run run;

	(void)arg;
	if (best < SANDBOX_S3)
		return;
	run_at(t, sandbox, SANDBOX_S3, "stat -f -c '%c %S %b' /tmp", NULL, &run);
	unsigned long long files, size, blocks;
	assert_int_equal(sscanf(run.out.data, "%llu %llu %llu", &files, &size, &blocks), 3);
	assert_in_range(files, 1, size * blocks / 8192);
	run_clear(&run);
}

/* Temporary files are on a disk below S3. */
static void temporary_files_count_for_the_quota(struct task *t, void *arg)
{
	struct sandbox *s = sandbox_fixture_sandbox(place, SANDBOX_S0, MANY);
	const struct sandbox_run with = {.quota = 4 << 20};
	struct run run;

	(void)arg;
	run_at(t, s, best == SANDBOX_S3 ? SANDBOX_S2 : best,
	    "head -c 8000000 /dev/zero >$TMPDIR/big; while :; do sleep 1; done", &with, &run);
	assert_string_equal(run.end.limit, "quota");
	run_clear(&run);
	sandbox_unref(s);
}

static void limits_are_met_and_told(struct task *t, void *arg)
{
	const struct sandbox_options o = {.workspace = place->workspace,
	    .required = SANDBOX_S0,
	    .run_as = "nobody",
	    .memory_bytes = 64 << 20,
	    .file_bytes = 1 << 20,
	    .processes = 16,
	    .open_files = 32,
	    .cpu_s = 1};
	struct sandbox *s = sandbox_new(&o);
	const char *const more[] = {place->helpers, NULL};
	const struct sandbox_run with = {.readable = more};
	char *take = xasprintf(
	    "%s/hostile_program take 8 && %s/hostile_program take 128", place->helpers, place->helpers);
	char *spread = xasprintf(
	    "%s/hostile_program spread 3 && %s/hostile_program spread 40", place->helpers, place->helpers);
	enum sandbox_level level = best;
	struct run run;

	(void)arg;
	run_at(t, s, level, "while :; do :; done", NULL, &run);
	assert_string_equal(run.end.limit, "cpu");
	run_clear(&run);
	run_at(t, s, level, "head -c 9000000 /dev/zero >big", NULL, &run);
	assert_string_equal(run.end.limit, "file size");
	run_clear(&run);
	run_at(t, s, level, take, &with, &run);
	assert_int_equal(run.end.child.status, ENOMEM);
	run_clear(&run);
	run_at(t, s, level, spread, &with, &run);
	assert_int_equal(run.end.child.status, EAGAIN);
	run_clear(&run);
	free(take);
	free(spread);
	sandbox_unref(s);
}

/* With this mode of the folder, no sandbox stands, and the reason contains the text and who it is about. */
static void expect_refused(struct task *t, const char *folder, mode_t mode, const char *text)
{
	struct sandbox *s = sandbox_fixture_sandbox(place, SANDBOX_S0, MANY);
	struct stat st;
	const char *reason;

	assert_int_equal(stat(folder, &st), 0);
	assert_int_equal(chmod(folder, mode), 0);
	assert_int_equal(sandbox_prove(t, s, NULL), -1);
	assert_int_equal(sandbox_level(s, &reason), SANDBOX_NONE);
	assert_non_null(strstr(reason, text));
	assert_non_null(strstr(reason, "user"));
	assert_int_equal(chmod(folder, st.st_mode & 07777), 0);
	sandbox_unref(s);
}

static void a_workspace_that_cannot_be_written_is_named(struct task *t, void *arg)
{
	(void)arg;
	expect_refused(t, place->workspace, 0555, "may not write to tools.workspace: chown it");
}

/* Commands of a gateway that runs as root have a user of their own. */
static void a_closed_folder_above_the_workspace_is_named(struct task *t, void *arg)
{
	char *text = xasprintf("the user 65534 may not enter %s)", place->dir);

	(void)arg;
	if (geteuid() == 0)
		expect_refused(t, place->dir, 0700, text);
	free(text);
}

static int listen_here(int *port)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(in);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	assert_int_equal(bind(fd, (const struct sockaddr *)&in, len), 0);
	assert_int_equal(listen(fd, 4), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &len), 0);
	*port = ntohs(in.sin_port);
	return fd;
}

static void no_kind_of_memory_is_beyond_the_limit(struct task *t, void *arg)
{
	static const struct {
		const char *mode;
		enum sandbox_level from;
	} kinds[] = {{"take", SANDBOX_S0}, {"stack", SANDBOX_S0}, {"zeros", SANDBOX_S1},
	    {"share", SANDBOX_S2}, {"down", SANDBOX_S2}};
	const struct sandbox_options o = {.workspace = place->workspace,
	    .required = SANDBOX_S0,
	    .run_as = "nobody",
	    .memory_bytes = 64 << 20,
	    .processes = MANY};
	const char *const more[] = {place->helpers, NULL};
	const struct sandbox_run with = {.readable = more};
	struct sandbox *s = sandbox_new(&o);
	struct run run;

	(void)arg;
	for
		EACH_LEVEL(level)
		{
			for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
				char *command =
				    xasprintf("%s/hostile_program %s 100", place->helpers, kinds[i].mode);
				run_at(t, s, level, command, &with, &run);
				if (level >= kinds[i].from && run.end.child.status == 0)
					fail_msg("%s at %s", kinds[i].mode, sandbox_level_name(level));
				run_clear(&run);
				free(command);
			}
		}
	sandbox_unref(s);
}

/* What processes share since a fork counts once. */
static void all_processes_together_have_a_limit(struct task *t, void *arg)
{
	const struct sandbox_options o = {.workspace = place->workspace,
	    .required = SANDBOX_S0,
	    .run_as = "nobody",
	    .memory_bytes = 256 << 20,
	    .memory_all_bytes = 128 << 20,
	    .cpu_s = 60,
	    .processes = MANY};
	const char *const more[] = {place->helpers, NULL};
	const struct sandbox_run with = {.readable = more, .deadline_ms = LONG_MS};
	struct sandbox *s = sandbox_new(&o);
	char *many =
		 xasprintf("for i in 1 2 3 4; do %s/hostile_program hold 48 & done; wait", place->helpers),
	     *shared = xasprintf("exec %s/hostile_program inherit 64", place->helpers);
	struct run run;

	(void)arg;
	for
		EACH_LEVEL(level)
		{
			run_at(t, s, level, many, &with, &run);
			assert_non_null(run.end.limit);
			assert_string_equal(run.end.limit, "memory");
			assert_int_equal(run.end.child.signal, SIGKILL);
			assert_false(run.end.child.timed_out);
			run_clear(&run);
			run_at(t, s, level, shared, &with, &run);
			assert_null(run.end.limit);
			assert_int_equal(run.end.child.status, 0);
			run_clear(&run);
		}
	sandbox_unref(s);
	free(many);
	free(shared);
}

static void the_network_is_there_only_when_it_is_granted(struct task *t, void *arg)
{
	const char *const more[] = {place->helpers, NULL};
	const struct sandbox_run without = {.readable = more}, with = {.readable = more, .network = true};
	int port, fd = listen_here(&port);
	char *command = xasprintf("%s/hostile_program reach %d", place->helpers, port);

	(void)arg;
	for
		EACH_LEVEL(level)
		{
			struct run run;
			int peer;

			run_at(t, sandbox, level, command, &without, &run);
			assert_int_equal(run.end.child.status, EPERM);
			run_clear(&run);
			assert_int_equal(accept(fd, NULL, NULL), -1);
			run_at(t, sandbox, level, command, &with, &run);
			assert_int_equal(run.end.child.status, 0);
			run_clear(&run);
			peer = accept(fd, NULL, NULL);
			assert_true(peer >= 0);
			close(peer);
		}
	free(command);
	close(fd);
}

static void root_is_nobody_inside(struct task *t, void *arg)
{
	(void)arg;
	for
		EACH_LEVEL(level)
		{
			struct run run;

			run_at(t, sandbox, level, "test $(id -u) -ne 0", NULL, &run);
			assert_int_equal(run.end.child.status, 0);
			run_clear(&run);
		}
	assert_runs(t, best, "echo fine", "fine\n");
}

static const struct CMUnitTest tests[] = {
    IN_TASK(what_is_proved_is_what_the_machine_can_do),
    IN_TASK(status_and_signal_come_back),
    IN_TASK(a_program_that_is_not_there_is_named),
    IN_TASK(the_environment_is_clean),
    IN_TASK(files_outside_can_be_neither_read_nor_written),
    IN_TASK(what_is_granted_can_be_used),
    IN_TASK(what_is_hidden_inside_of_a_root_is_not_seen),
    IN_TASK(hundreds_of_paths_are_granted_and_hidden),
    IN_TASK(the_ways_round_a_list_do_something_where_there_is_no_boundary),
    IN_TASK(no_way_round_a_list_is_a_way_out),
    IN_TASK(every_descendant_is_gone_at_the_end),
    IN_TASK(every_descendant_is_gone_after_the_deadline),
    IN_TASK(fork_bombs_end),
    IN_TASK(a_cancelled_task_takes_everything_with_it),
    IN_TASK(what_a_stopped_program_reports_is_freed),
    IN_TASK(everything_ends_with_the_daemon),
    IN_TASK(a_program_that_fills_the_disk_is_stopped),
    IN_TASK(temporary_files_count_for_the_quota),
    IN_TASK(without_inodes_nothing_begins),
    IN_TASK(the_folder_of_temporary_files_is_removed),
    IN_TASK(files_in_memory_are_bounded_by_number),
    IN_TASK(limits_are_met_and_told),
    IN_TASK(no_kind_of_memory_is_beyond_the_limit),
    IN_TASK(all_processes_together_have_a_limit),
    IN_TASK(the_network_is_there_only_when_it_is_granted),
    IN_TASK(a_workspace_that_cannot_be_written_is_named),
    IN_TASK(a_closed_folder_above_the_workspace_is_named),
    IN_TASK(root_is_nobody_inside),
};

/* What may differ when we are not root to begin with. */
static const struct CMUnitTest user_tests[] = {
    IN_TASK(what_is_proved_is_what_the_machine_can_do),
    IN_TASK(the_environment_is_clean),
    IN_TASK(files_outside_can_be_neither_read_nor_written),
    IN_TASK(what_is_granted_can_be_used),
    IN_TASK(no_way_round_a_list_is_a_way_out),
    IN_TASK(every_descendant_is_gone_after_the_deadline),
    IN_TASK(the_network_is_there_only_when_it_is_granted),
    IN_TASK(a_workspace_that_cannot_be_written_is_named),
};

/* As an ordinary user in a process of its own, when we are root; both must hold. */
static int run_as_nobody(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0)
			_exit(99);
		_exit(cmocka_run_group_tests_name("sandbox, an ordinary user", user_tests, make, clear));
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status);
}

int main(void)
{
	int failed = geteuid() == 0 ? run_as_nobody() : 0;

	return failed + cmocka_run_group_tests_name("sandbox", tests, make, clear);
}
