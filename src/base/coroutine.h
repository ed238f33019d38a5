#ifndef BASE_COROUTINE_H
#define BASE_COROUTINE_H
/*
 * Stacks and the switch between them, for base/task only. A switch leads from the loop into a coroutine
 * or back, never from one coroutine into another.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/stack_switch.h"

struct coroutine {
	struct saved_stack saved;
	char *stack;      /* lowest usable byte; NULL before the start and after the end */
	void *fake_stack; /* AddressSanitizer's */
	const char *name; /* borrowed */
	void (*fn)(void *arg);
	void *arg;
};

/* Embedded in a struct; allocates nothing before the first coroutine_enter. */
void coroutine_init(struct coroutine *co, const char *name, void (*fn)(void *arg), void *arg);
/* On the loop: starts fn, or resumes it after its coroutine_leave. Returns false when fn has returned; its
 * stack is freed then. */
bool coroutine_enter(struct coroutine *co);
/* Inside co: switches to the loop until the next coroutine_enter. */
void coroutine_leave(struct coroutine *co);

/* Stack size in bytes: TASK_STACK, more under AddressSanitizer, whose frames are larger. */
size_t coroutine_stack_size(void);
/* Implements task_catch_overflow. */
void coroutine_catch_overflow(void);

#endif
