#ifndef TESTS_LIB_SQL_TAP_H
#define TESTS_LIB_SQL_TAP_H
/*
 * Between the store and SQLite: a program that links this counts what SQLite is asked for, and can make it
 * fail. Its sqlite3_step and sqlite3_bind_* take the place of the library's; a call that fails does nothing.
 */
#include <stdbool.h>

/* Steps of statements so far, by all threads. */
unsigned long sql_steps(void);
/* From now on each step of a statement whose text contains part fails, which is borrowed; NULL: none does. */
void sql_fail(const char *part);
/* Of the next write of the store the call number n fails, counted from 1 at its savepoint up to its commit. A
 * call is the first value that is bound to a statement, or a step. 0: none fails. */
void sql_fail_call(unsigned n);
/* Whether one has failed since sql_fail or sql_fail_call. */
bool sql_failed(void);

#endif
