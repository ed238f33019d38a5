#include "helpers/sandbox/sandbox_internal.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helpers/sandbox/report.h"

/* All of the machine, in order of their pids. */
static struct process {
	pid_t pid, parent;
	char state;
	bool below;
} * processes;
static size_t room;

static int proc = -1;

void descendants_open(void)
{
	proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (proc < 0)
		report_failed("open /proc");
}

ssize_t proc_read(const char *path, char *text, size_t size)
{
	int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n;
}

ssize_t process_read(pid_t pid, const char *file, char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/%s", (int)pid, file);
	return proc_read(path, text, size);
}

static bool read_process(const char *pid, struct process *p)
{
	char text[512];
	const char *end;

	if (process_read((pid_t)strtol(pid, NULL, 10), "stat", text, sizeof(text)) <= 0)
		return false;
	/* The name is in brackets and may contain brackets itself. */
	end = strrchr(text, ')');
	if (!end || strlen(end) < 5)
		return false;
	*p = (struct process){.pid = (pid_t)strtol(pid, NULL, 10), .state = end[2]};
	p->parent = (pid_t)strtol(end + 4, NULL, 10);
	return true;
}

/* Without memory, at least those that fit. */
static bool make_room(size_t n)
{
	size_t more = room ? 2 * room : 4096;
	struct process *grown;

	if (n < room)
		return true;
	grown = reallocarray(processes, more, sizeof(*processes));
	if (!grown)
		return false;
	processes = grown;
	room = more;
	return true;
}

static int by_pid(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static size_t read_all(void)
{
	int fd = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;
	size_t n = 0;

	while (dir && make_room(n) && (e = readdir(dir))) {
		if (isdigit((unsigned char)e->d_name[0]) && read_process(e->d_name, &processes[n]))
			n++;
	}
	if (dir)
		closedir(dir);
	if (n > 0)
		qsort(processes, n, sizeof(*processes), by_pid);
	return n;
}

static bool is_below(pid_t pid, size_t n)
{
	const struct process key = {.pid = pid};
	const struct process *p = bsearch(&key, processes, n, sizeof(*processes), by_pid);

	if (p)
		return p->below;
	return pid == getpid();
}

/* Repeats until no new descendant is found. */
static void mark_below(size_t n)
{
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = 0; i < n; i++) {
			struct process *p = &processes[i];
			if (p->below || p->pid == getpid() ||
			    (p->parent != getpid() && !is_below(p->parent, n)))
				continue;
			p->below = again = true;
		}
	}
}

void descendants_each(void (*fn)(pid_t pid, void *arg), void *arg)
{
	size_t n = read_all();

	mark_below(n);
	for (size_t i = 0; i < n; i++) {
		if (processes[i].below)
			fn(processes[i].pid, arg);
	}
}

int descendants_signal(int signo)
{
	size_t n = read_all();
	int moving = 0;

	mark_below(n);
	for (size_t i = 0; i < n; i++) {
		if (!processes[i].below)
			continue;
		if (!strchr("TtZX", processes[i].state))
			moving++;
		if (signo && processes[i].state != 'Z')
			kill(processes[i].pid, signo);
	}
	return moving;
}
