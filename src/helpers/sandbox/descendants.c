#include "helpers/sandbox/sandbox_internal.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All of the machine, in order of their pids. */
static struct process {
	pid_t pid, parent;
	char state;
	bool below;
} * processes;
static size_t room;

static bool read_process(const char *pid, struct process *p)
{
	char path[64], text[512];
	const char *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
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
	DIR *dir = opendir("/proc");
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
