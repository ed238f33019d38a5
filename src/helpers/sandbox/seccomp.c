#include "helpers/sandbox/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* When a rule applies. */
enum when { ALWAYS, NO_NAMESPACES, NO_SCOPES, NO_TRUNCATE };

/* The first call without a name in the oldest supported libseccomp, and the number of calls from there. */
#define UNKNOWN_FIRST 450
#define UNKNOWN_COUNT 62
#define DOMAIN_LAST   45
/* The kernel's bits of a socket's type; the others are flags. */
#define SOCK_TYPE_MASK 0xf
/* fallocate(2) by other names, for every file system (linux/falloc.h). */
#define IOC_RESVSP     0x40305828
#define IOC_RESVSP64   0x4030582a
#define IOC_ZERO_RANGE 0x40305839

/* Calls that are refused whatever their arguments. ENOSYS where programs then use another way. */
static const struct call {
	int nr;
	enum when when;
	int error;
} refused[] = {
    {SCMP_SYS(acct), ALWAYS, EPERM},
    {SCMP_SYS(add_key), ALWAYS, EPERM},
    {SCMP_SYS(bpf), ALWAYS, EPERM},
    {SCMP_SYS(chroot), ALWAYS, EPERM},
    {SCMP_SYS(clock_adjtime), ALWAYS, EPERM},
    {SCMP_SYS(clock_settime), ALWAYS, EPERM},
    {SCMP_SYS(clone3), ALWAYS, ENOSYS},
    {SCMP_SYS(delete_module), ALWAYS, EPERM},
    {SCMP_SYS(fanotify_init), ALWAYS, EPERM},
    {SCMP_SYS(finit_module), ALWAYS, EPERM},
    {SCMP_SYS(fsconfig), ALWAYS, EPERM},
    {SCMP_SYS(fsmount), ALWAYS, EPERM},
    {SCMP_SYS(fsopen), ALWAYS, EPERM},
    {SCMP_SYS(fspick), ALWAYS, EPERM},
    {SCMP_SYS(init_module), ALWAYS, EPERM},
    {SCMP_SYS(io_uring_enter), ALWAYS, ENOSYS},
    {SCMP_SYS(io_uring_register), ALWAYS, ENOSYS},
    {SCMP_SYS(io_uring_setup), ALWAYS, ENOSYS},
    {SCMP_SYS(ioperm), ALWAYS, EPERM},
    {SCMP_SYS(iopl), ALWAYS, EPERM},
    {SCMP_SYS(kcmp), ALWAYS, EPERM},
    {SCMP_SYS(kexec_file_load), ALWAYS, EPERM},
    {SCMP_SYS(kexec_load), ALWAYS, EPERM},
    {SCMP_SYS(keyctl), ALWAYS, EPERM},
    {SCMP_SYS(lookup_dcookie), ALWAYS, EPERM},
    /* No limit of a process counts memory that belongs to a descriptor or to an identifier. */
    {SCMP_SYS(memfd_create), ALWAYS, ENOSYS},
    {SCMP_SYS(memfd_secret), ALWAYS, ENOSYS},
    {SCMP_SYS(migrate_pages), ALWAYS, EPERM},
    {SCMP_SYS(mount), ALWAYS, EPERM},
    {SCMP_SYS(mount_setattr), ALWAYS, EPERM},
    {SCMP_SYS(move_mount), ALWAYS, EPERM},
    {SCMP_SYS(move_pages), ALWAYS, EPERM},
    {SCMP_SYS(msgctl), ALWAYS, EPERM},
    {SCMP_SYS(msgget), ALWAYS, EPERM},
    {SCMP_SYS(msgrcv), ALWAYS, EPERM},
    {SCMP_SYS(msgsnd), ALWAYS, EPERM},
    {SCMP_SYS(name_to_handle_at), ALWAYS, EPERM},
    {SCMP_SYS(open_by_handle_at), ALWAYS, EPERM},
    {SCMP_SYS(open_tree), ALWAYS, EPERM},
    {SCMP_SYS(perf_event_open), ALWAYS, EPERM},
    {SCMP_SYS(pidfd_getfd), ALWAYS, EPERM},
    {SCMP_SYS(pivot_root), ALWAYS, EPERM},
    {SCMP_SYS(process_madvise), ALWAYS, EPERM},
    {SCMP_SYS(process_mrelease), ALWAYS, EPERM},
    {SCMP_SYS(process_vm_readv), ALWAYS, EPERM},
    {SCMP_SYS(process_vm_writev), ALWAYS, EPERM},
    {SCMP_SYS(ptrace), ALWAYS, EPERM},
    {SCMP_SYS(quotactl), ALWAYS, EPERM},
    {SCMP_SYS(quotactl_fd), ALWAYS, EPERM},
    {SCMP_SYS(reboot), ALWAYS, EPERM},
    {SCMP_SYS(request_key), ALWAYS, EPERM},
    {SCMP_SYS(semctl), ALWAYS, EPERM},
    {SCMP_SYS(semget), ALWAYS, EPERM},
    {SCMP_SYS(semop), ALWAYS, EPERM},
    {SCMP_SYS(semtimedop), ALWAYS, EPERM},
    {SCMP_SYS(setdomainname), ALWAYS, EPERM},
    {SCMP_SYS(sethostname), ALWAYS, EPERM},
    {SCMP_SYS(setns), ALWAYS, EPERM},
    {SCMP_SYS(settimeofday), ALWAYS, EPERM},
    {SCMP_SYS(shmat), ALWAYS, EPERM},
    {SCMP_SYS(shmctl), ALWAYS, EPERM},
    {SCMP_SYS(shmget), ALWAYS, EPERM},
    {SCMP_SYS(swapoff), ALWAYS, EPERM},
    {SCMP_SYS(swapon), ALWAYS, EPERM},
    {SCMP_SYS(syslog), ALWAYS, EPERM},
    {SCMP_SYS(umount2), ALWAYS, EPERM},
    {SCMP_SYS(unshare), ALWAYS, EPERM},
    {SCMP_SYS(userfaultfd), ALWAYS, EPERM},
    {SCMP_SYS(vhangup), ALWAYS, EPERM},
    /* By path, which Landlock does not check: the owner of a file could open it to everybody. */
    {SCMP_SYS(chmod), NO_NAMESPACES, EPERM},
    {SCMP_SYS(chown), NO_NAMESPACES, EPERM},
    {SCMP_SYS(fchmodat), NO_NAMESPACES, EPERM},
    {SCMP_SYS(fchownat), NO_NAMESPACES, EPERM},
    {SCMP_SYS(lchown), NO_NAMESPACES, EPERM},
    {SCMP_SYS(lremovexattr), NO_NAMESPACES, EPERM},
    {SCMP_SYS(lsetxattr), NO_NAMESPACES, EPERM},
    {SCMP_SYS(removexattr), NO_NAMESPACES, EPERM},
    {SCMP_SYS(setxattr), NO_NAMESPACES, EPERM},
    /* By path as well: it tells the names of what others make in folders that cannot be listed. */
    {SCMP_SYS(inotify_init), NO_NAMESPACES, ENOSYS},
    {SCMP_SYS(inotify_init1), NO_NAMESPACES, ENOSYS},
    /* What processes of the same user share. */
    {SCMP_SYS(mq_open), NO_NAMESPACES, EPERM},
    {SCMP_SYS(mq_unlink), NO_NAMESPACES, EPERM},
    {SCMP_SYS(pidfd_send_signal), NO_SCOPES, EPERM},
    {SCMP_SYS(rt_sigqueueinfo), NO_SCOPES, EPERM},
    {SCMP_SYS(rt_tgsigqueueinfo), NO_SCOPES, EPERM},
    {SCMP_SYS(tgkill), NO_SCOPES, EPERM},
    {SCMP_SYS(tkill), NO_SCOPES, EPERM},
    {SCMP_SYS(truncate), NO_TRUNCATE, EPERM},
};

/* Calls that are refused for some values of one argument. Numbers that the kernel cuts to 32 bits are
 * compared as such. */
#define LOW_IS(arg, value)                                 \
	{                                                  \
		arg, SCMP_CMP_MASKED_EQ, 0xffffffff, value \
	}
#define HAS_BIT(arg, value)                           \
	{                                             \
		arg, SCMP_CMP_MASKED_EQ, value, value \
	}
#define LACKS_BIT(arg, value)                     \
	{                                         \
		arg, SCMP_CMP_MASKED_EQ, value, 0 \
	}
#define IS_NOT(arg, value)                 \
	{                                  \
		arg, SCMP_CMP_NE, value, 0 \
	}

/* RLIMIT_DATA counts neither memory that processes share, nor what may grow down. A shared mapping lives on
 * in any process that has it, even without pages of it: so no limit of a process could count it. */
#define SHARES_MEMORY                                                                       \
	{                                                                                   \
		3, SCMP_CMP_MASKED_EQ, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS \
	}

static const struct {
	int nr;
	enum when when;
	struct scmp_arg_cmp arg;
} bounded[] = {
    {SCMP_SYS(clone), ALWAYS, HAS_BIT(0, CLONE_NEWCGROUP)},
    {SCMP_SYS(clone), ALWAYS, HAS_BIT(0, CLONE_NEWIPC)},
    {SCMP_SYS(clone), ALWAYS, HAS_BIT(0, CLONE_NEWNET)},
    {SCMP_SYS(clone), ALWAYS, HAS_BIT(0, CLONE_NEWNS)},
    {SCMP_SYS(clone), ALWAYS, HAS_BIT(0, CLONE_NEWPID)},
    {SCMP_SYS(clone), ALWAYS, HAS_BIT(0, CLONE_NEWUSER)},
    {SCMP_SYS(clone), ALWAYS, HAS_BIT(0, CLONE_NEWUTS)},
    {SCMP_SYS(ioctl), ALWAYS, LOW_IS(1, TIOCSTI)},
    {SCMP_SYS(ioctl), ALWAYS, LOW_IS(1, TIOCLINUX)},
    {SCMP_SYS(mmap), ALWAYS, SHARES_MEMORY},
    {SCMP_SYS(mmap), ALWAYS, HAS_BIT(3, MAP_GROWSDOWN)},
    {SCMP_SYS(mmap2), ALWAYS, SHARES_MEMORY},
    {SCMP_SYS(mmap2), ALWAYS, HAS_BIT(3, MAP_GROWSDOWN)},
    {SCMP_SYS(ioprio_set), NO_NAMESPACES, IS_NOT(1, 0)},
    {SCMP_SYS(ioprio_set), NO_NAMESPACES, IS_NOT(0, 1)},
    {SCMP_SYS(prlimit64), NO_NAMESPACES, IS_NOT(0, 0)},
    {SCMP_SYS(sched_setaffinity), NO_NAMESPACES, IS_NOT(0, 0)},
    {SCMP_SYS(sched_setattr), NO_NAMESPACES, IS_NOT(0, 0)},
    {SCMP_SYS(sched_setparam), NO_NAMESPACES, IS_NOT(0, 0)},
    {SCMP_SYS(sched_setscheduler), NO_NAMESPACES, IS_NOT(0, 0)},
    {SCMP_SYS(setpriority), NO_NAMESPACES, IS_NOT(0, 0)},
    {SCMP_SYS(setpriority), NO_NAMESPACES, IS_NOT(1, 0)},
    /* The own group, and nobody else; a descriptor sends signals, too. */
    {SCMP_SYS(kill), NO_SCOPES, IS_NOT(0, 0)},
    {SCMP_SYS(fcntl), NO_SCOPES, LOW_IS(1, F_SETOWN)},
    {SCMP_SYS(fcntl), NO_SCOPES, LOW_IS(1, F_SETOWN_EX)},
    {SCMP_SYS(fcntl), NO_SCOPES, LOW_IS(1, F_SETSIG)},
    {SCMP_SYS(ioctl), NO_SCOPES, LOW_IS(1, FIOSETOWN)},
    {SCMP_SYS(ioctl), NO_SCOPES, LOW_IS(1, SIOCSPGRP)},
};

/* They take any space at once, sooner than anybody looks; with FALLOC_FL_KEEP_SIZE beyond RLIMIT_FSIZE, too.
 * For this error posix_fallocate writes instead. */
static const struct {
	int nr;
	struct scmp_arg_cmp arg;
} take_space[] = {
    {SCMP_SYS(fallocate), LACKS_BIT(1, FALLOC_FL_PUNCH_HOLE)},
    {SCMP_SYS(ioctl), LOW_IS(1, IOC_RESVSP)},
    {SCMP_SYS(ioctl), LOW_IS(1, IOC_RESVSP64)},
    {SCMP_SYS(ioctl), LOW_IS(1, IOC_ZERO_RANGE)},
};

static bool counts(enum when when, const struct seccomp_options *given)
{
	switch (when) {
	case ALWAYS:
		return true;
	case NO_NAMESPACES:
		return !given->view;
	case NO_SCOPES:
		return !given->view && !given->scopes;
	case NO_TRUNCATE:
		return !given->view && !given->truncate;
	}
	return true;
}

static int refuse_calls(scmp_filter_ctx ctx, const struct seccomp_options *given)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]) && rc == 0; i++) {
		if (counts(refused[i].when, given))
			rc = seccomp_rule_add(
			    ctx, SCMP_ACT_ERRNO((unsigned)refused[i].error), refused[i].nr, 0);
	}
	for (size_t i = 0; i < sizeof(bounded) / sizeof(bounded[0]) && rc == 0; i++) {
		if (counts(bounded[i].when, given))
			rc = seccomp_rule_add_array(
			    ctx, SCMP_ACT_ERRNO(EPERM), bounded[i].nr, 1, &bounded[i].arg);
	}
	for (size_t i = 0; i < sizeof(take_space) / sizeof(take_space[0]) && rc == 0; i++)
		rc = seccomp_rule_add_array(
		    ctx, SCMP_ACT_ERRNO(EOPNOTSUPP), take_space[i].nr, 1, &take_space[i].arg);
	/* Calls newer than this table could do anything, also what the table refuses under another name. */
	for (int nr = UNKNOWN_FIRST; nr < UNKNOWN_FIRST + UNKNOWN_COUNT && rc == 0; nr++)
		rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), nr, 0);
	return rc;
}

static bool domain_is_allowed(int domain, const struct seccomp_options *given)
{
	switch (domain) {
	case AF_UNIX:
		/* A path could lead to the daemon's own socket; an abstract name to anyone in the same
		 * network namespace. */
		return given->view && (!given->network || given->scopes);
	case AF_INET:
	case AF_INET6:
	case AF_NETLINK:
		return given->network;
	default:
		return false;
	}
}

static int refuse_sockets(scmp_filter_ctx ctx, const struct seccomp_options *given)
{
	int rc = seccomp_rule_add(
	    ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_GT, DOMAIN_LAST, 0));

	/* Routes and addresses, by which names are resolved, and no other part of the kernel. */
	if (rc == 0)
		rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 2,
		    SCMP_A0(SCMP_CMP_EQ, AF_NETLINK, 0), SCMP_A2(SCMP_CMP_NE, NETLINK_ROUTE, 0));
	/* A pair of datagram sockets sends to any name; the kernel takes raw ones for the same. */
	for (uint64_t type = SOCK_DGRAM; type <= SOCK_RAW && rc == 0; type++) {
		if (!domain_is_allowed(AF_UNIX, given))
			rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socketpair), 1,
			    SCMP_A1(SCMP_CMP_MASKED_EQ, SOCK_TYPE_MASK, type));
	}
	for (int domain = 0; domain <= DOMAIN_LAST && rc == 0; domain++) {
		if (!domain_is_allowed(domain, given))
			rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
			    SCMP_A0(SCMP_CMP_EQ, (uint64_t)domain, 0));
	}
	return rc;
}

int seccomp_confine(const struct seccomp_options *given)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
	int rc;

	if (!ctx) {
		errno = ENOMEM;
		return -1;
	}
	/* Numbers of another architecture are refused, too. */
	rc = seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (rc == 0)
		rc = refuse_calls(ctx, given);
	if (rc == 0)
		rc = refuse_sockets(ctx, given);
	if (rc == 0)
		rc = seccomp_load(ctx);
	seccomp_release(ctx);
	if (rc == 0)
		return 0;
	errno = -rc;
	return -1;
}
