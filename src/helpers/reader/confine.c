#include "helpers/reader/confine.h"

#include <seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/mem.h"

/* AddressSanitizer needs terabytes of address space. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SHADOW 1
#endif
#endif
#ifndef HAS_SHADOW
#define HAS_SHADOW 0
#endif

static int limit(unsigned cpu_s, size_t memory)
{
	const struct {
		int what;
		rlim_t max;
	} limits[] = {
	    {RLIMIT_CPU, cpu_s},
	    {RLIMIT_CORE, 0},
	    {RLIMIT_AS, HAS_SHADOW ? RLIM_INFINITY : memory},
	};

	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		struct rlimit r = {limits[i].max, limits[i].max};
		if (setrlimit((__rlimit_resource_t)limits[i].what, &r) != 0)
			return -1;
	}
	return 0;
}

static int filter(void)
{
	static const int calls[] = {SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(brk), SCMP_SYS(mmap),
	    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(futex),
	    SCMP_SYS(getrandom), SCMP_SYS(clock_gettime), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask),
	    SCMP_SYS(sigaltstack), SCMP_SYS(exit), SCMP_SYS(exit_group)};
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int rc = ctx ? 0 : -1;

	for (size_t i = 0; i < ARRAY_LEN(calls) && rc == 0; i++)
		rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, calls[i], 0);
	if (rc == 0)
		rc = seccomp_load(ctx);
	seccomp_release(ctx);
	return rc;
}

int confine(unsigned cpu_s, size_t memory)
{
	if (limit(cpu_s, memory) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return filter();
}
