#include "base/coroutine.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/task.h"

/* Libraries built without stack probes may step over a single page. */
#define GUARD       (64 * 1024)
#define POOL_MAX    256
#define FIRST_FRAME 4096

/* AddressSanitizer's interface; absent, and so NULL, in a build without it. */
#define IF_SANITIZED __attribute__((weak))
IF_SANITIZED void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size);
IF_SANITIZED void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom, size_t *size);
IF_SANITIZED void __asan_unpoison_memory_region(void const volatile *addr, size_t size);

static char *pool[POOL_MAX];
static size_t pool_count;

static struct coroutine *running; /* NULL on the loop */
static struct saved_stack loop_saved;
static const void *loop_stack;
static size_t loop_stack_size;

size_t coroutine_stack_size(void)
{
	return __sanitizer_start_switch_fiber ? 4 * (size_t)TASK_STACK : TASK_STACK;
}

static char *stack_take(void)
{
	size_t size = coroutine_stack_size();
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
	char *map;

	if (pool_count > 0)
		return pool[--pool_count];
	map = mmap(NULL, GUARD + size, PROT_NONE, flags, -1, 0);
	if (map == MAP_FAILED || mprotect(map + GUARD, size, PROT_READ | PROT_WRITE) < 0) {
		fprintf(stderr,
		    "myna: no stack for one more task: %s; the memory limit or vm.max_map_count is too low\n",
		    strerror(errno));
		abort();
	}
	return map + GUARD;
}

static void stack_give_back(char *stack)
{
	size_t size = coroutine_stack_size();

	/* coroutine_main never returned, so the red zones of its frame are still marked. */
	if (__asan_unpoison_memory_region)
		__asan_unpoison_memory_region(stack + size - FIRST_FRAME, FIRST_FRAME);
	if (pool_count < POOL_MAX)
		pool[pool_count++] = stack;
	else
		munmap(stack - GUARD, GUARD + size);
}

static void switch_begins(void **fake_stack, const void *bottom, size_t size)
{
	if (__sanitizer_start_switch_fiber)
		__sanitizer_start_switch_fiber(fake_stack, bottom, size);
}

static void switch_is_over(void *fake_stack, const void **bottom, size_t *size)
{
	if (__sanitizer_finish_switch_fiber)
		__sanitizer_finish_switch_fiber(fake_stack, bottom, size);
}

/* The first frame of every coroutine. */
static void coroutine_main(void)
{
	struct coroutine *co = running;

	switch_is_over(NULL, &loop_stack, &loop_stack_size);
	co->fn(co->arg);
	running = NULL;
	/* NULL: this side does not return. */
	switch_begins(NULL, loop_stack, loop_stack_size);
	stack_switch(&co->saved, &loop_saved);
	abort();
}

void coroutine_init(struct coroutine *co, const char *name, void (*fn)(void *arg), void *arg)
{
	*co = (struct coroutine){.name = name, .fn = fn, .arg = arg};
}

static void coroutine_begin(struct coroutine *co)
{
	co->stack = stack_take();
	stack_switch_prepare(&co->saved, co->stack, coroutine_stack_size(), coroutine_main);
}

bool coroutine_enter(struct coroutine *co)
{
	void *fake_stack = NULL;
	bool alive;

	if (!co->stack)
		coroutine_begin(co);
	running = co;
	switch_begins(&fake_stack, co->stack, coroutine_stack_size());
	stack_switch(&loop_saved, &co->saved);
	switch_is_over(fake_stack, NULL, NULL);
	alive = running;
	running = NULL;
	if (!alive) {
		stack_give_back(co->stack);
		stack_switch_end(&co->saved);
		co->stack = NULL;
	}
	return alive;
}

void coroutine_leave(struct coroutine *co)
{
	switch_begins(&co->fake_stack, loop_stack, loop_stack_size);
	stack_switch(&co->saved, &loop_saved);
	switch_is_over(co->fake_stack, &loop_stack, &loop_stack_size);
}

static struct sigaction old_segv, old_bus;
/* "N KiB", formatted beforehand: a signal handler cannot format. */
static char stack_size_text[32];

static size_t add_text(char *line, size_t size, size_t len, const char *s)
{
	while (*s && len < size)
		line[len++] = *s++;
	return len;
}

static void report_overflow(const struct coroutine *co)
{
	char line[200];
	size_t len = add_text(line, sizeof(line), 0, "myna: task ");

	len = add_text(line, sizeof(line) - 64, len, co->name);
	len = add_text(line, sizeof(line), len, " overflowed its stack of ");
	len = add_text(line, sizeof(line), len, stack_size_text);
	if (write(STDERR_FILENO, line, len) < 0)
		abort();
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	const char *at = info->si_addr;

	(void)context;
	/* A signal sent by a process has a code of at most 0, and no address. */
	if (info->si_code > 0 && running && at < running->stack && at >= running->stack - GUARD) {
		report_overflow(running);
		abort();
	}
	/* Not our stack. On return the fault repeats and reaches the old action. */
	sigaction(sig, sig == SIGSEGV ? &old_segv : &old_bus, NULL);
	if (info->si_code <= 0)
		raise(sig);
}

void coroutine_catch_overflow(void)
{
	static char handler_stack[64 * 1024];
	stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof(handler_stack)}, old;
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	snprintf(stack_size_text, sizeof(stack_size_text), "%zu KiB\n", coroutine_stack_size() / 1024);
	/* AddressSanitizer has already set one, and frees the current one at the end. */
	if (sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE))
		sigaltstack(&stack, NULL);
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, &old_segv);
	sigaction(SIGBUS, &action, &old_bus);
}
