#ifndef TESTS_LIB_POSTGRES_PROXY_H
#define TESTS_LIB_POSTGRES_PROXY_H
/*
 * Stands between the store and a PostgreSQL server, on sockets, in a thread of its own, and cuts
 * connections at an exact place of the conversation: a request is what the client sends up to a query, a
 * sync or the end of a copy, its answer all up to the server's readiness for the next one.
 */
#include <stdbool.h>
#include <stddef.h>

enum postgres_cut {
	POSTGRES_BEFORE, /* the server never sees the request */
	POSTGRES_MIDDLE, /* the server has it, and both connections end at once */
	POSTGRES_AFTER   /* it is done, and its answer is lost */
};
#define POSTGRES_CUTS 3

struct postgres_proxy;

/* Listens in dir as a server does; NULL: on a free port of 127.0.0.1. */
struct postgres_proxy *postgres_proxy_new(const char *server_dir, const char *dir);
/* The same between a program and a port of 127.0.0.1, whatever they speak, without cuts. Where one names the
 * other's address, 127.0.0.1 and the port, it becomes that of the proxy, and back. */
struct postgres_proxy *postgres_proxy_new_port(unsigned port);
unsigned postgres_proxy_port(const struct postgres_proxy *p);
void postgres_proxy_free(struct postgres_proxy *p);

/* Counts requests from now on, and cuts the nth, from 1; 0: none. holds: only one that has this text counts;
 * NULL: any.
 */
void postgres_proxy_cut(struct postgres_proxy *p, unsigned nth, const char *holds, enum postgres_cut cut);
/* Returns how many there were since then. */
unsigned postgres_proxy_requests(struct postgres_proxy *p);
/* Was a request cut since then? */
bool postgres_proxy_has_cut(struct postgres_proxy *p);
/* Cuts every connection, and accepts none, until false. It has happened when this returns. */
void postgres_proxy_refuse(struct postgres_proxy *p, bool refuse);
/* The same from the cut on. */
void postgres_proxy_refuse_after_cut(struct postgres_proxy *p);
/* Cuts every connection: the next ones are to the server in this folder. */
void postgres_proxy_move(struct postgres_proxy *p, const char *server_dir);
/* Passes nothing on, and closes nothing, until false: as a network does that is down. */
void postgres_proxy_stall(struct postgres_proxy *p, bool stall);
/* From now on nothing more passes on a connection that makes a request with this text; NULL: those end. */
void postgres_proxy_freeze(struct postgres_proxy *p, const char *holds);
/* Did a connection make such a request since then? */
bool postgres_proxy_has_frozen(struct postgres_proxy *p);

#endif
