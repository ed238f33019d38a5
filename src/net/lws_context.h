#ifndef NET_LWS_CONTEXT_H
#define NET_LWS_CONTEXT_H
/*
 * The one libwebsockets context of the process, on uv_default_loop(). Servers and
 * WebSockets each add a vhost of their own and destroy it; the context is made when
 * first asked for and stays. It loads no certificates: a vhost that needs them does.
 */
struct error;
struct lws_context;

/* Sockets that the context has room for, unless somebody asks for more; further ones are closed as they
 * arrive. */
#define LWS_SHARED_SOCKETS 4096
/* Before anything else here. */
void lws_context_reserve(unsigned sockets);
/* Bytes that one read takes from a socket at most. */
#define LWS_SHARED_READ (32 * 1024)
#define LWS_SHARED_HEAD (16 * 1024)

/* NULL with ERROR_OURS when libwebsockets cannot start on the loop. */
struct lws_context *lws_context_get(struct error *err);

/* Whoever opens a connection in the context enters, and leaves when it is destroyed. While nobody is inside
 * the context sleeps: its timer, which looks every 30 s whether there is anything to do, does not wake the
 * loop. */
void lws_context_enter(void);
void lws_context_leave(void);

#endif
