#ifndef TESTS_LIB_UNTIL_H
#define TESTS_LIB_UNTIL_H
/* For tests that run as tasks. Include after <cmocka.h>. */
#include "base/task.h"

/* Waits until the condition holds; fails the test with what it is, and with more, after a minute or later. It
 * counts its looks: the test's clock may be a replaced one, and a machine that is busy looks more slowly. */
#define task_until_or(t, condition, more)                                               \
	do {                                                                            \
		for (int until_n = 0; !(condition); until_n++) {                        \
			if (until_n == 30000)                                           \
				fail_msg("it never came true: %s%s", #condition, more); \
			task_sleep(t, 2, NULL);                                         \
		}                                                                       \
	} while (0)
#define task_until(t, condition) task_until_or(t, condition, "")

/* Runs the loop n times: every task that waits for neither time nor another thread or process has
 * progressed. */
static inline void task_turns(struct task *t, unsigned n)
{
	while (n-- > 0)
		task_sleep(t, 0, NULL);
}

#endif
