#ifndef PLAYGROUND_SERVER_CERTIFICATE_H
#define PLAYGROUND_SERVER_CERTIFICATE_H
/* The playground's certificate, and the authority that signs it and nothing else: its key is not kept. */

struct error;

struct certificate {
	char *authority; /* PEM file that clients trust */
	char *server;    /* PEM file of the server's certificate and key */
};

/* Makes both in the folder, which it makes, too, unless they are there and good for a month: for localhost,
 * the loopback addresses and host ("127.0.0.1", "[::1]"). */
int certificate_prepare(struct certificate *c, const char *folder, const char *host, struct error *err);
void certificate_clear(struct certificate *c);

#endif
