#ifndef TESTS_LIB_UNTIL_H
#define TESTS_LIB_UNTIL_H
/* For tests that run as tasks. Include after <cmocka.h>. */
#include "base/task.h"

/* Waits until the condition holds; after a minute or later fails the test with the condition and more. It
 * counts its checks, because the test's clock may be replaced, and a busy machine checks less often. */
#define task_until_or(t, condition, more)                                               \
	do {                                                                            \
		for (int until_n = 0; !(condition); until_n++) {                        \
			if (until_n == 30000)                                           \
				fail_msg("it never came true: %s%s", #condition, more); \
			task_sleep(t, 2, NULL);                                         \
		}                                                                       \
	} while (0)
#define task_until(t, condition) task_until_or(t, condition, "")

/* Runs the loop n times: every task that waits neither for time nor for another thread or process has
 * progressed. */
static inline void task_turns(struct task *t, unsigned n)
{
	while (n-- > 0)
		task_sleep(t, 0, NULL);
}

#endif
