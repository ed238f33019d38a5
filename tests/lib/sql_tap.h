#ifndef TESTS_LIB_SQL_TAP_H
#define TESTS_LIB_SQL_TAP_H
/* Sits between the store and SQLite: counts calls and makes them fail. Its sqlite3_step and sqlite3_bind_*
 * replace the library's in programs that link this; a failed call has no effect. */
#include <stdbool.h>

/* Returns the steps of statements so far, by all threads. */
unsigned long sql_steps(void);
/* Makes each step of statements that contain part fail; borrowed. NULL: none. */
void sql_fail(const char *part);
/* Makes call number n from now on fail. A call is the first binding of a statement, or a step. 0: none
 * fails. */
void sql_fail_call(unsigned n);
/* Has a call failed since sql_fail or sql_fail_call? */
bool sql_failed(void);

#endif
