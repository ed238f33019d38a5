#ifndef BASE_STACK_SWITCH_H
#define BASE_STACK_SWITCH_H
/*
 * The switch from one stack to another, for base/coroutine only. On x86-64 and arm64 it keeps what a call
 * must preserve (System V ABI, AAPCS64) and, unlike swapcontext, asks the kernel nothing: it leaves the
 * signal mask alone. Elsewhere, and where the processor checks returns against a shadow stack, it is
 * swapcontext.
 */
#include <stddef.h>
#include <ucontext.h>

/* Where a stack continues; zero-initialised. */
struct saved_stack {
	void **top;          /* lowest of the words that stack_switch pushed; NULL with swapcontext */
	ucontext_t *context; /* NULL without swapcontext */
};

/* The first switch to s calls fn on the empty stack; fn must not return. */
void stack_switch_prepare(struct saved_stack *s, char *stack, size_t size, void (*fn)(void));
/* Saves the running stack and switches to another. Returns when something switches back to the first. */
void stack_switch(struct saved_stack *from, struct saved_stack *to);
/* Frees what belongs to a stack that is not switched to any more. */
void stack_switch_end(struct saved_stack *s);

#endif
