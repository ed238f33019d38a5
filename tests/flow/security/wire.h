#ifndef TESTS_FLOW_SECURITY_WIRE_H
#define TESTS_FLOW_SECURITY_WIRE_H
/*
 * Recording relays between the gateway and the playground, in a process of their own: what the gateway sends
 * through the one called NAME stands in DIR/wire/NAME, with all headers.
 */
#include <stddef.h>
#include <sys/types.h>

#define WIRE_MAX 8

struct wire {
	pid_t pid;
	size_t count;
	const char *names[WIRE_MAX]; /* borrowed */
	char urls[WIRE_MAX][64];     /* http://127.0.0.1:PORT */
};

/* upstream is http://127.0.0.1:PORT. Fails the test where it cannot go on. */
void wire_start(
    struct wire *w, const char *dir, const char *upstream, const char *const *names, size_t count);
void wire_stop(struct wire *w);
/* The URL of the relay of this name. */
const char *wire_url(const struct wire *w, const char *name);

#endif
