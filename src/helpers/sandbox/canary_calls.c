#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/bpf.h>
#include <linux/falloc.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "helpers/sandbox/canary.h"

static int said(long rc)
{
	return rc < 0 ? errno : 0;
}

static int made(int fd)
{
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int reach(int domain, int type, const void *address, size_t len)
{
	int fd = socket(domain, type | SOCK_CLOEXEC, 0), error = 0;

	if (fd < 0)
		return errno;
	if (connect(fd, address, (socklen_t)len) < 0 || send(fd, "canary", 6, MSG_NOSIGNAL) < 0)
		error = errno;
	close(fd);
	return error;
}

static int reach_port(int type, int port)
{
	const struct sockaddr_in in = {.sin_family = AF_INET,
	    .sin_port = htons((uint16_t)port),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	return reach(AF_INET, type, &in, sizeof(in));
}

static int reach_tcp(const struct canary_facts *f)
{
	return reach_port(SOCK_STREAM, f->tcp);
}

static int reach_udp(const struct canary_facts *f)
{
	return reach_port(SOCK_DGRAM, f->udp);
}

static int reach_socket(const struct canary_facts *f)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};

	snprintf(un.sun_path, sizeof(un.sun_path), "%s", f->listener);
	return reach(AF_UNIX, SOCK_STREAM, &un, sizeof(un));
}

/* A pair is connected, and sends elsewhere when a name is given. */
static int send_datagram(const struct canary_facts *f)
{
	static const int types[] = {SOCK_DGRAM, SOCK_RAW};
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	int pair[2], error = EPERM;

	snprintf(un.sun_path, sizeof(un.sun_path), "%s", f->datagram);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]) && error != 0; i++) {
		if (socketpair(AF_UNIX, types[i] | SOCK_CLOEXEC, 0, pair) < 0)
			continue;
		error = said(sendto(pair[0], "canary", 6, 0, (const struct sockaddr *)&un, sizeof(un)));
		close(pair[0]);
		close(pair[1]);
	}
	return error;
}

static int reach_abstract(const struct canary_facts *f)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	int n = snprintf(un.sun_path + 1, sizeof(un.sun_path) - 1, "%s", f->abstract);

	return reach(AF_UNIX, SOCK_STREAM, &un, offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static int hear_network(const struct canary_facts *f)
{
	(void)f;
	if (made(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0)) == 0)
		return 0;
	return made(socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
}

static int odd_sockets(const struct canary_facts *f)
{
	/* packet, virtual machine, Bluetooth, kernel crypto */
	static const int domains[] = {17, 40, 31, 38};

	(void)f;
	for (size_t i = 0; i < sizeof(domains) / sizeof(domains[0]); i++) {
		if (made(socket(domains[i], SOCK_RAW, 0)) == 0 ||
		    made(socket(domains[i], SOCK_STREAM, 0)) == 0 ||
		    made(socket(domains[i], SOCK_SEQPACKET, 0)) == 0)
			return 0;
	}
	return EPERM;
}

/* Process 1 of a namespace of our own is nobody else's. */
static int signal_others(const struct canary_facts *f)
{
	if (kill(f->pid, 0) == 0)
		return 0;
	return getppid() == 1 ? errno : said(kill(getppid(), 0));
}

/* A signal that nobody is ended by. Whether it came the daemon sees: the kernel refuses it silently. */
static int signal_by_descriptor(const struct canary_facts *f)
{
	const struct f_owner_ex owner = {F_OWNER_PID, f->pid};
	int pair[2], error = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return errno;
	if (fcntl(pair[0], F_SETSIG, SIGURG) < 0 ||
	    (fcntl(pair[0], F_SETOWN, f->pid) < 0 && fcntl(pair[0], F_SETOWN_EX, &owner) < 0 &&
		ioctl(pair[0], FIOSETOWN, &f->pid) < 0 && ioctl(pair[0], SIOCSPGRP, &f->pid) < 0) ||
	    fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0 || write(pair[1], "x", 1) < 0)
		error = errno;
	close(pair[0]);
	close(pair[1]);
	return error ? error : EPERM;
}

static int trace_others(const struct canary_facts *f)
{
	if (ptrace(PTRACE_SEIZE, f->pid, NULL, NULL) == 0)
		return 0;
	return said(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
}

static int read_memory(const struct canary_facts *f)
{
	char byte;
	const struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)&byte, 1};

	(void)f;
	return said(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

static int limit_others(const struct canary_facts *f)
{
	struct rlimit now;

	if (prlimit(f->pid, RLIMIT_NOFILE, NULL, &now) == 0)
		return 0;
	return getppid() == 1 ? errno : said(prlimit(getppid(), RLIMIT_NOFILE, NULL, &now));
}

static int mount_something(const struct canary_facts *f)
{
	return said(mount("none", f->workspace, "tmpfs", 0, NULL));
}

static int make_namespace(const struct canary_facts *f)
{
	(void)f;
	return said(unshare(CLONE_NEWUSER));
}

static int clone_namespace(const struct canary_facts *f)
{
	long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);

	(void)f;
	if (pid == 0)
		_exit(0);
	return said(pid);
}

static int load_program(const struct canary_facts *f)
{
	union bpf_attr attr = {
	    .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};

	(void)f;
	return made((int)syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr)));
}

static int watch_kernel(const struct canary_facts *f)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE};

	(void)f;
	return made((int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
}

static int use_keys(const struct canary_facts *f)
{
	(void)f;
	return said(syscall(SYS_add_key, "user", "canary", "x", 1, -3));
}

static int use_ring(const struct canary_facts *f)
{
	struct io_uring_params params = {0};

	(void)f;
	return made((int)syscall(SYS_io_uring_setup, 1, &params));
}

static int catch_faults(const struct canary_facts *f)
{
	(void)f;
	return made((int)syscall(SYS_userfaultfd, 1));
}

static int be_newer(const struct canary_facts *f)
{
	(void)f;
	/* fchmodat2, which the library may have no name for: refused before it looks at anything. */
	return syscall(452, -1, "", 0, 0) < 0 && errno == ENOSYS ? ENOSYS : 0;
}

static int make_memory_file(const struct canary_facts *f)
{
	(void)f;
	return made((int)syscall(SYS_memfd_create, "canary", MFD_CLOEXEC));
}

static int share_memory(const struct canary_facts *f)
{
	int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);

	(void)f;
	if (id < 0)
		return errno;
	shmctl(id, IPC_RMID, NULL);
	return 0;
}

static int map(int flags, int fd)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (p == MAP_FAILED)
		return errno;
	munmap(p, 4096);
	return 0;
}

static int map_shared(const struct canary_facts *f)
{
	(void)f;
	return map(MAP_SHARED | MAP_ANONYMOUS, -1);
}

static int map_stack(const struct canary_facts *f)
{
	(void)f;
	return map(MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1);
}

static int map_zeros(const struct canary_facts *f)
{
	int fd = open("/dev/zero", O_RDWR | O_CLOEXEC), error;

	(void)f;
	if (fd < 0)
		return errno;
	error = map(MAP_SHARED, fd);
	close(fd);
	return error;
}

static int queue_messages(const struct canary_facts *f)
{
	int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);

	(void)f;
	if (id < 0)
		return errno;
	msgctl(id, IPC_RMID, NULL);
	return 0;
}

static int make_semaphores(const struct canary_facts *f)
{
	int id = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);

	(void)f;
	if (id < 0)
		return errno;
	semctl(id, 0, IPC_RMID);
	return 0;
}

/* FS_IOC_RESVSP64, which linux/falloc.h names for the kernel alone. */
struct space {
	int16_t type, whence;
	int64_t start, len;
	int32_t sysid;
	uint32_t pid, pad[4];
};
#define RESERVE_SPACE _IOW('X', 42, struct space)

/* Space that no limit of a process counts. */
static int allocate_space(const struct canary_facts *f)
{
	const struct space space = {.len = 4096};
	char path[PATH_MAX];
	int fd, error;

	snprintf(path, sizeof(path), "%s/.canary-space", f->workspace);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	error = said(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 4096));
	if (error && ioctl(fd, RESERVE_SPACE, &space) == 0)
		error = 0;
	close(fd);
	unlink(path);
	return error;
}

static int watch_folder(const struct canary_facts *f)
{
	int fd = inotify_init1(IN_CLOEXEC), error;

	if (fd < 0)
		return errno;
	error = said(inotify_add_watch(fd, f->other, IN_ALL_EVENTS));
	close(fd);
	return error;
}

static int see_daemon(const struct canary_facts *f)
{
	return kill(f->pid, 0) < 0 && errno == ESRCH ? ESRCH : 0;
}

const struct canary_act canary_calls[] = {
    {2, "connect-tcp", reach_tcp},
    {2, "send-udp", reach_udp},
    {2, "connect-a-socket", reach_socket},
    {2, "connect-an-abstract-socket", reach_abstract},
    {2, "send-a-datagram", send_datagram},
    {2, "make-network-sockets", hear_network},
    {2, "make-odd-sockets", odd_sockets},
    {2, "signal-others", signal_others},
    {2, "signal-by-descriptor", signal_by_descriptor},
    {2, "trace-others", trace_others},
    {2, "read-memory", read_memory},
    {2, "limit-others", limit_others},
    {2, "mount", mount_something},
    {2, "make-a-namespace", make_namespace},
    {2, "clone-a-namespace", clone_namespace},
    {2, "load-a-kernel-program", load_program},
    {2, "watch-the-kernel", watch_kernel},
    {2, "use-kernel-keys", use_keys},
    {2, "use-io-uring", use_ring},
    {2, "catch-page-faults", catch_faults},
    {2, "call-what-is-newer", be_newer},
    {2, "make-a-memory-file", make_memory_file},
    {2, "share-memory", share_memory},
    {2, "map-shared-memory", map_shared},
    {2, "map-a-growing-stack", map_stack},
    {1, "map-shared-zeros", map_zeros},
    {2, "queue-messages", queue_messages},
    {2, "make-semaphores", make_semaphores},
    {2, "allocate-space", allocate_space},
    {2, "watch-another-chat", watch_folder},
    {3, "see-the-daemon", see_daemon},
    {0, NULL, NULL},
};
