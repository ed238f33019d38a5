#ifndef NET_LWS_CONTEXT_H
#define NET_LWS_CONTEXT_H
/*
 * The only libwebsockets context of the process, on uv_default_loop(). Each server and WebSocket adds a
 * vhost and destroys it; the context is created on first use and stays. It loads no certificates: a
 * vhost that needs them does.
 */
struct error;
struct lws_context;

/* Default maximum of sockets; further ones are closed on arrival. */
#define LWS_SHARED_SOCKETS 4096
/* Raises the maximum. Call it before all other functions here. */
void lws_context_reserve(unsigned sockets);
/* Maximum bytes of one read from a socket. */
#define LWS_SHARED_READ (32 * 1024)
#define LWS_SHARED_HEAD (16 * 1024)

/* Returns NULL with ERROR_OURS when libwebsockets cannot start on the loop. */
struct lws_context *lws_context_get(struct error *err);

/* Enter before opening a connection in the context, and leave when it is destroyed. While no user is
 * inside, the context's 30 s timer does not wake the loop. */
void lws_context_enter(void);
void lws_context_leave(void);

#endif
