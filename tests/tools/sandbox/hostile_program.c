/* What a program in the sandbox may be up to. hostile WHAT ARGUMENT; what is made to stay carries the
 * argument in its command line, so that it can be found. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void ignore_all(void)
{
	for (int signo = 1; signo < 32; signo++)
		signal(signo, SIG_IGN);
}

/* Leaves its parent, its session and its group, and ignores what can be ignored. */
static int stay(const char *arg)
{
	(void)arg;
	ignore_all();
	if (fork() != 0)
		return 0;
	setsid();
	if (fork() != 0)
		return 0;
	setsid();
	for (;;)
		pause();
}

static int linger(const char *arg)
{
	ignore_all();
	stay(arg);
	while (pause() < 0)
		;
	return 0;
}

/* Never rests: each process makes the next and ends. */
static int hop(const char *arg)
{
	(void)arg;
	ignore_all();
	if (fork() != 0) {
		usleep(50000);
		return 0;
	}
	for (;;) {
		pid_t pid;

		setsid();
		pid = fork();
		if (pid > 0)
			_exit(0);
	}
}

static int bomb(const char *arg)
{
	(void)arg;
	ignore_all();
	if (fork() != 0) {
		usleep(200000);
		return 0;
	}
	for (;;)
		fork();
}

static int reach(const char *port)
{
	const struct sockaddr_in in = {.sin_family = AF_INET,
	    .sin_port = htons((unsigned short)strtol(port, NULL, 10)),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd >= 0 && connect(fd, (const struct sockaddr *)&in, sizeof(in)) == 0 ? 0 : errno;
}

static int fill(const char *mib, int flags, int fd)
{
	size_t size = (size_t)strtol(mib, NULL, 10) << 20;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (p == MAP_FAILED)
		return errno;
	memset(p, 1, size);
	return 0;
}

static int take(const char *mib)
{
	return fill(mib, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static int hold(const char *mib)
{
	int error = take(mib);

	if (!error)
		pause();
	return error;
}

/* One takes it, and others have it from him. */
static int inherit(const char *mib)
{
	int error = take(mib);

	for (int i = 0; i < 8 && !error; i++) {
		if (fork() == 0) {
			usleep(500000);
			_exit(0);
		}
	}
	if (!error)
		usleep(500000);
	return error;
}

/* Memory that no limit of a process counts but that of its addresses. */
static int share(const char *mib)
{
	return fill(mib, MAP_SHARED | MAP_ANONYMOUS, -1);
}

static int share_zeros(const char *mib)
{
	int fd = open("/dev/zero", O_RDWR | O_CLOEXEC);

	return fd < 0 ? errno : fill(mib, MAP_SHARED, fd);
}

static int grow_down(const char *mib)
{
	return fill(mib, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1);
}

/* NOLINTNEXTLINE(misc-no-recursion): it is what this one is for */
static int recurse(long kib)
{
	volatile char frame[1024];

	frame[0] = frame[sizeof(frame) - 1] = 1;
	return (kib > 0 ? recurse(kib - 1) : 0) + frame[0] - 1;
}

static int stack(const char *mib)
{
	struct rlimit now;

	getrlimit(RLIMIT_STACK, &now);
	now.rlim_cur = now.rlim_max;
	setrlimit(RLIMIT_STACK, &now);
	return recurse(strtol(mib, NULL, 10) << 10);
}

static int spread(const char *count)
{
	for (long n = strtol(count, NULL, 10); n > 0; n--) {
		pid_t pid = fork();

		if (pid < 0)
			return errno;
		if (pid == 0) {
			pause();
			_exit(0);
		}
	}
	return 0;
}

/* Leaves what cannot be removed without permissions, and a link to what is not ours to change. */
static int close_temp(const char *victim)
{
	const char *temp = getenv("TMPDIR");
	int dir = temp ? open(temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	return dir >= 0 && symlinkat(victim, dir, "link") == 0 && mkdirat(dir, "folder", 0700) == 0 &&
		symlinkat(victim, dir, "folder/link") == 0 && fchmod(dir, 0500) == 0 ?
	    0 :
	    errno;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*fn)(const char *arg);
	} modes[] = {{"bomb", bomb}, {"close", close_temp}, {"down", grow_down}, {"hold", hold}, {"hop", hop},
	    {"inherit", inherit}, {"linger", linger}, {"reach", reach}, {"share", share}, {"spread", spread},
	    {"stack", stack}, {"stay", stay}, {"take", take}, {"zeros", share_zeros}};

	for (size_t i = 0; argc == 3 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name) == 0)
			return modes[i].fn(argv[2]);
	}
	return 2;
}
