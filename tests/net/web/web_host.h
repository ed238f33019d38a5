#ifndef TESTS_NET_WEB_WEB_HOST_H
#define TESTS_NET_WEB_WEB_HOST_H
/*
 * A web server for tests of the guarded client, on every address of this machine: 127.0.0.2 stands for a
 * public host, all others for forbidden ones. Each connection has its own thread.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define WEB_HOST_PUBLIC "127.0.0.2"

struct web_host;
/* Appends the complete answer to a request (its head and body, terminated). Called on a thread, one at a
 * time. */
typedef void web_host_fn(struct buf *answer, const char *request, void *arg);

/* tls: with a certificate of web_certificate.h, which $SSL_CERT_FILE then names. */
struct web_host *web_host_new(bool tls, web_host_fn *fn, void *arg);
void web_host_free(struct web_host *h);
unsigned web_host_port(const struct web_host *h);
/* Return the number of connections so far: to WEB_HOST_PUBLIC, and to other addresses. */
int web_host_visits(struct web_host *h);
int web_host_strays(struct web_host *h);
/* Returns the last request; the caller frees it. */
char *web_host_last(struct web_host *h);
/* Appends an ordinary answer. */
void web_host_say(struct buf *answer, const char *type, const char *body, size_t len);

#endif
