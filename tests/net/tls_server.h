#ifndef TESTS_NET_TLS_SERVER_H
#define TESTS_NET_TLS_SERVER_H
/*
 * An HTTPS server for tests, over libwebsockets in a process of its own. Its certificate is for
 * localhost and 127.0.0.1 and signed by itself.
 *   /now    answers "ok" at once
 *   any     takes a WebSocket and sends back each message of at most TLS_SERVER_ECHO bytes
 *   /hold   answers "ok" when as many such requests wait as it was started with
 */
#include <stddef.h>

#define TLS_SERVER_ECHO ((size_t)300000)

struct tls_server;

/* alpn: "h2" or "http/1.1". */
struct tls_server *tls_server_new(const char *alpn, int hold);
void tls_server_free(struct tls_server *s);
unsigned tls_server_port(const struct tls_server *s);
/* Return the number of TCP connections accepted so far, and of requests on /hold that wait now. */
int tls_server_connections(const struct tls_server *s);
int tls_server_held(const struct tls_server *s);
/* The file of its certificate, for $SSL_CERT_FILE. */
const char *tls_server_certificate(const struct tls_server *s);

#endif
