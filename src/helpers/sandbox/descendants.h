#ifndef HELPERS_SANDBOX_DESCENDANTS_H
#define HELPERS_SANDBOX_DESCENDANTS_H
/* Sends a signal to every process below us; signal 0: to none. Returns how many are not stopped, dead or on
 * the way out. */
int descendants_signal(int signo);

#endif
