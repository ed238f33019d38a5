#include "bench/bench.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <time.h>

#include "base/mem.h"

void bench_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "bench: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	va_end(ap);
	exit(2);
}

void bench_figure(const struct bench_options *o, double value, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("%s.", o->name);
	vprintf(fmt, ap);
	printf("\t%.3f\n", value);
	fflush(stdout);
	va_end(ap);
}

static double to_ms(const struct timespec *ts)
{
	return (double)ts->tv_sec * 1e3 + (double)ts->tv_nsec / 1e6;
}

double bench_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return to_ms(&ts);
}

void bench_sleep_ms(double ms)
{
	struct timespec ts = {.tv_sec = (time_t)(ms / 1e3)};

	ts.tv_nsec = (long)((ms - (double)ts.tv_sec * 1e3) * 1e6);
	while (nanosleep(&ts, &ts) != 0 && errno == EINTR)
		;
}

double bench_cpu_ms(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &ts) != 0)
		bench_die("process %d has no CPU clock", (int)pid);
	return to_ms(&ts);
}

/* The number after "NAME:" in a file of /proc; 0 when the process or the line is not there. */
static double read_number(const char *path, const char *name)
{
	FILE *f = fopen(path, "re");
	size_t len = strlen(name);
	char line[256];
	double value = 0;

	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, name, len) == 0 && line[len] == ':')
			value = strtod(line + len + 1, NULL);
	if (f)
		fclose(f);
	return value;
}

double bench_memory_kib(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	return read_number(path, name);
}

double bench_switches(pid_t pid, const char *kind)
{
	char path[320];
	struct dirent *e;
	double sum = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	while (tasks && (e = readdir(tasks))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%s/status", (int)pid, e->d_name);
		sum += read_number(path, kind);
	}
	if (tasks)
		closedir(tasks);
	return sum;
}

double bench_files(pid_t pid)
{
	char path[64];
	struct dirent *e;
	double count = 0;
	DIR *files;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	files = opendir(path);
	while (files && (e = readdir(files)))
		count += e->d_name[0] != '.';
	if (files)
		closedir(files);
	return count;
}

int bench_listen(unsigned *port)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(in);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&in, len) != 0 || listen(fd, 4096) != 0 ||
	    getsockname(fd, (struct sockaddr *)&in, &len) != 0)
		bench_die("cannot listen on loopback");
	*port = ntohs(in.sin_port);
	return fd;
}

void samples_add(struct samples *s, double value)
{
	if (s->count == s->room) {
		s->room = s->room != 0 ? 2 * s->room : 64;
		s->value = xrealloc(s->value, s->room * sizeof(*s->value));
	}
	s->value[s->count++] = value;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double samples_at(struct samples *s, double share)
{
	size_t at = (size_t)(share * (double)s->count);

	if (s->count == 0)
		bench_die("nothing was measured");
	qsort(s->value, s->count, sizeof(*s->value), compare);
	return s->value[at < s->count ? at : s->count - 1];
}

void samples_clear(struct samples *s)
{
	free(s->value);
	*s = (struct samples){0};
}
