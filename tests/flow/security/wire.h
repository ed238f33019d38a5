#ifndef TESTS_FLOW_SECURITY_WIRE_H
#define TESTS_FLOW_SECURITY_WIRE_H
/* Recording relays between the gateway and the playground, in a separate process: DIR/wire/NAME has what
 * the gateway sent through relay NAME, with all headers. */
#include <stddef.h>
#include <sys/types.h>

#define WIRE_MAX 8

struct wire {
	pid_t pid;
	size_t count;
	const char *names[WIRE_MAX]; /* borrowed */
	char urls[WIRE_MAX][64];     /* http://127.0.0.1:PORT */
};

/* upstream is http://127.0.0.1:PORT. Fails the test on errors. */
void wire_start(
    struct wire *w, const char *dir, const char *upstream, const char *const *names, size_t count);
void wire_stop(struct wire *w);
/* Returns the URL of the relay of this name. */
const char *wire_url(const struct wire *w, const char *name);

#endif
