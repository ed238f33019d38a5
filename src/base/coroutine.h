#ifndef BASE_COROUTINE_H
#define BASE_COROUTINE_H
/*
 * Stacks and the switch between them, for base/task alone. A switch leads from the
 * loop into a coroutine or back, never from one coroutine into another.
 */
#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

struct coroutine {
	ucontext_t context;
	char *stack;      /* its lowest usable byte; NULL before it has begun and after it has ended */
	void *fake_stack; /* AddressSanitizer's */
	const char *name; /* borrowed */
	void (*fn)(void *arg);
	void *arg;
};

/* Embedded; nothing is held until the first coroutine_enter. */
void coroutine_init(struct coroutine *co, const char *name, void (*fn)(void *arg), void *arg);
/* On the loop: begins fn or goes on behind its coroutine_leave. False when fn has
 * returned, then nothing is held any more. */
bool coroutine_enter(struct coroutine *co);
/* Inside co: back to the loop, until the next coroutine_enter. */
void coroutine_leave(struct coroutine *co);

/* Bytes of a stack: TASK_STACK, more under AddressSanitizer, whose frames are larger. */
size_t coroutine_stack_size(void);
/* Does the work of task_catch_overflow. */
void coroutine_catch_overflow(void);

#endif
