#ifndef HELPERS_SANDBOX_DESCENDANTS_H
#define HELPERS_SANDBOX_DESCENDANTS_H
/* Sends a signal to every process below us; signal 0 sends none. Returns how many are neither stopped, dead
 * nor exiting. */
int descendants_signal(int signo);

#endif
