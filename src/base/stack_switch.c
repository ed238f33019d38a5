#include "base/stack_switch.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>

#include "base/mem.h"

/* Tells whether returns are checked against a shadow stack: Intel's and AMD's CET (rdsspq leaves 0 without
 * it), Arm's GCS (chkfeat leaves 1 without it). Both are no-ops for older processors. */
static bool has_shadow_stack(void)
{
#if defined __x86_64__ && defined __LP64__
	uint64_t at = 0;

	__asm__ volatile("rdsspq %0" : "+r"(at));
	return at != 0;
#elif defined __aarch64__
	register uint64_t feature __asm__("x16") = 1;

	__asm__ volatile("hint #40" : "+r"(feature));
	return feature == 0;
#else
	return true;
#endif
}

static bool is_own(void)
{
	static int own = -1;

	if (own < 0)
		own = !has_shadow_stack();
	return own;
}

void switch_words(void ***from, void **to);

#if defined __x86_64__ && defined __LP64__

/* rbp, rbx, r12 to r15, and below the return address. */
#define WORDS       8
#define RETURN_WORD 6
#define SWITCH_WORDS                                                              \
	"endbr64\n"                                                               \
	"push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n" \
	"mov %rsp, (%rdi)\n"                                                      \
	"mov %rsi, %rsp\n"                                                        \
	"pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n"       \
	"ret\n"

#elif defined __aarch64__

/* x19 to x30, d8 to d15. The return address is x30. */
#define WORDS       20
#define RETURN_WORD 11
#define SWITCH_WORDS                                                                    \
	"hint #34\n" /* bti c */                                                        \
	"sub sp, sp, #160\n"                                                            \
	"stp x19, x20, [sp]\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n"      \
	"stp x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n stp x29, x30, [sp, #80]\n" \
	"stp d8, d9, [sp, #96]\n stp d10, d11, [sp, #112]\n stp d12, d13, [sp, #128]\n" \
	"stp d14, d15, [sp, #144]\n"                                                    \
	"mov x9, sp\n str x9, [x0]\n"                                                   \
	"mov sp, x1\n"                                                                  \
	"ldp x19, x20, [sp]\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n"      \
	"ldp x25, x26, [sp, #48]\n ldp x27, x28, [sp, #64]\n ldp x29, x30, [sp, #80]\n" \
	"ldp d8, d9, [sp, #96]\n ldp d10, d11, [sp, #112]\n ldp d12, d13, [sp, #128]\n" \
	"ldp d14, d15, [sp, #144]\n"                                                    \
	"add sp, sp, #160\n"                                                            \
	"ret\n"

#endif

#ifdef SWITCH_WORDS

/* Pushes WORDS less what stands above the return address, notes where in *from, and pops those at to. */
__asm__(".pushsection .text\n.globl switch_words\n.hidden switch_words\n.type switch_words, "
	"%function\nswitch_words:\n" SWITCH_WORDS ".size switch_words, .-switch_words\n.popsection\n");

/* The words of a stack that fn is called on: its own return address is 0, where debuggers stop. */
static void prepare_words(struct saved_stack *s, char *end, void (*fn)(void))
{
	s->top = (void **)(void *)end - WORDS;
	memset(s->top, 0, WORDS * sizeof(*s->top));
	memcpy(&s->top[RETURN_WORD], &fn, sizeof(fn));
}

#else

void switch_words(void ***from, void **to)
{
	(void)from;
	(void)to;
}

static void prepare_words(struct saved_stack *s, char *end, void (*fn)(void))
{
	(void)s;
	(void)end;
	(void)fn;
}

#endif

void stack_switch_prepare(struct saved_stack *s, char *stack, size_t size, void (*fn)(void))
{
	if (is_own()) {
		prepare_words(s, stack + size, fn);
		return;
	}
	s->context = xcalloc(1, sizeof(*s->context));
	getcontext(s->context);
	s->context->uc_stack.ss_sp = stack;
	s->context->uc_stack.ss_size = size;
	makecontext(s->context, fn, 0);
	/* AddressSanitizer's swapcontext clears the red zones of the stack that is set here. */
	s->context->uc_stack.ss_size = 0;
}

void stack_switch(struct saved_stack *from, struct saved_stack *to)
{
	if (is_own()) {
		switch_words(&from->top, to->top);
		return;
	}
	if (!from->context)
		from->context = xcalloc(1, sizeof(*from->context));
	swapcontext(from->context, to->context);
}

void stack_switch_end(struct saved_stack *s)
{
	free(s->context);
	*s = (struct saved_stack){0};
}
