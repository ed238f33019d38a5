#include "net/tls_server.h"

#include <libwebsockets.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

/* Guards nothing: it is known to everybody who reads this. */
static const char certificate[] = "-----BEGIN CERTIFICATE-----\n"
				  "MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlNeW5hIHRl\n"
				  "c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM\n"
				  "CU15bmEgdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJtZnlBLJd7Y2soF\n"
				  "wlyCHh73sDy+5rQ82bsNdMZ/0ltnwKUtLWTFGzv9EXTDJZtiHL2nZyYHI8lvTJR5\n"
				  "5zPZjLWjTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0\n"
				  "hwR/AAABMB0GA1UdDgQWBBQAcQ0/us+a+F5WHgFSARrqBkWnfDAKBggqhkjOPQQD\n"
				  "AgNIADBFAiEA0xgjqvIE6atKvqO16qitdvcfn2vxAUldLPJYCsTQX0sCIDOut6de\n"
				  "VIEd0xNa4AWiGNoiTFeT7H+p2s4qRaVWVbpO\n"
				  "-----END CERTIFICATE-----\n";
static const char private_key[] = "-----BEGIN PRIVATE KEY-----\n"
				  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmanmyXUFByrFZW8g\n"
				  "PlJcShncSAw2UJDeNsfRfuTmXHmhRANCAASbWZ5QSyXe2NrKBcJcgh4e97A8vua0\n"
				  "PNm7DXTGf9JbZ8ClLS1kxRs7/RF0wyWbYhy9p2cmByPJb0yUeecz2Yy1\n"
				  "-----END PRIVATE KEY-----\n";

/* Seen by both processes. */
struct shared {
	atomic_int port, connections, held;
};

struct tls_server {
	pid_t child;
	struct shared *shared;
	char dir[32], cert_file[48], key_file[48];
};

/* In the child. */
struct request {
	bool held, answered;
	unsigned char *echo; /* of a WebSocket: LWS_PRE bytes of room, then the message */
	size_t echo_len;
};

static struct shared *shared;
static int hold_until;

static int answer(struct lws *wsi)
{
	unsigned char head[LWS_PRE + 512], body[LWS_PRE + 2], *p = head + LWS_PRE,
							      *end = head + sizeof(head) - 1;

	if (lws_add_http_common_headers(wsi, 200, "text/plain", 2, &p, end) != 0 ||
	    lws_finalize_write_http_header(wsi, head + LWS_PRE, &p, end) != 0)
		return 1;
	memcpy(body + LWS_PRE, "ok", 2);
	if (lws_write(wsi, body + LWS_PRE, 2, LWS_WRITE_HTTP_FINAL) != 2)
		return 1;
	return lws_http_transaction_completed(wsi) != 0;
}

static int on_request(struct lws *wsi, struct request *r, const char *path)
{
	*r = (struct request){.held = strcmp(path, "/hold") == 0};
	if (r->held && atomic_fetch_add(&shared->held, 1) + 1 >= hold_until)
		lws_callback_on_writable_all_protocol(lws_get_context(wsi), lws_get_protocol(wsi));
	if (!r->held)
		lws_callback_on_writable(wsi);
	return 0;
}

static int on_writable(struct lws *wsi, struct request *r)
{
	if (r->answered || (r->held && atomic_load(&shared->held) < hold_until))
		return 0;
	r->answered = true;
	return answer(wsi);
}

static int on_message(struct lws *wsi, struct request *r, const void *data, size_t len)
{
	if (!r->echo)
		r->echo = xmalloc(LWS_PRE + TLS_SERVER_ECHO);
	if (r->echo_len + len > TLS_SERVER_ECHO)
		return -1;
	memcpy(r->echo + LWS_PRE + r->echo_len, data, len);
	r->echo_len += len;
	if (lws_is_final_fragment(wsi))
		lws_callback_on_writable(wsi);
	return 0;
}

static int on_echo(struct lws *wsi, struct request *r)
{
	size_t len = r->echo_len;

	r->echo_len = 0;
	return len > 0 && lws_write(wsi, r->echo + LWS_PRE, len, LWS_WRITE_TEXT) < 0 ? -1 : 0;
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	switch (reason) {
	case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
		atomic_fetch_add(&shared->connections, 1);
		return 0;
	case LWS_CALLBACK_HTTP:
		return on_request(wsi, user, in);
	case LWS_CALLBACK_HTTP_WRITEABLE:
		return on_writable(wsi, user);
	case LWS_CALLBACK_RECEIVE:
		return on_message(wsi, user, in, len);
	case LWS_CALLBACK_SERVER_WRITEABLE:
		return on_echo(wsi, user);
	case LWS_CALLBACK_CLOSED:
		free(((struct request *)user)->echo);
		return 0;
	default:
		return lws_callback_http_dummy(wsi, reason, user, in, len);
	}
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = callback, .per_session_data_size = sizeof(struct request)},
    {0},
};

_Noreturn static void serve(const struct tls_server *s, const char *alpn)
{
	struct lws_context_creation_info info = {
	    .port = 0,
	    .iface = "127.0.0.1",
	    .protocols = protocols,
	    .alpn = alpn,
	    .ssl_cert_filepath = s->cert_file,
	    .ssl_private_key_filepath = s->key_file,
	    .options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
	    .fd_limit_per_thread = 2000,
	    .timeout_secs = 60,
	    .keepalive_timeout = 60,
	};
	struct lws_context *context;
	struct lws_vhost *vhost;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	lws_set_log_level(LLL_ERR, NULL);
	context = lws_create_context(&info);
	vhost = context != NULL ? lws_create_vhost(context, &info) : NULL;
	if (vhost == NULL)
		_exit(1);
	atomic_store(&shared->port, lws_get_vhost_listen_port(vhost));
	while (lws_service(context, 0) >= 0)
		;
	_exit(0);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) == EOF || fclose(f) != 0)
		abort();
}

struct tls_server *tls_server_new(const char *alpn, int hold)
{
	struct tls_server *s = xcalloc(1, sizeof(*s));

	snprintf(s->dir, sizeof(s->dir), "/tmp/myna-tls-XXXXXX");
	if (!mkdtemp(s->dir))
		abort();
	snprintf(s->cert_file, sizeof(s->cert_file), "%s/cert.pem", s->dir);
	snprintf(s->key_file, sizeof(s->key_file), "%s/key.pem", s->dir);
	write_file(s->cert_file, certificate);
	write_file(s->key_file, private_key);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		abort();
	s->shared = shared;
	hold_until = hold;
	s->child = fork();
	if (s->child == 0)
		serve(s, alpn);
	while (atomic_load(&s->shared->port) == 0 && waitpid(s->child, NULL, WNOHANG) == 0)
		usleep(1000);
	return s;
}

void tls_server_free(struct tls_server *s)
{
	kill(s->child, SIGKILL);
	waitpid(s->child, NULL, 0);
	munmap(s->shared, sizeof(*s->shared));
	unlink(s->cert_file);
	unlink(s->key_file);
	rmdir(s->dir);
	free(s);
}

unsigned tls_server_port(const struct tls_server *s)
{
	return (unsigned)atomic_load(&s->shared->port);
}

int tls_server_connections(const struct tls_server *s)
{
	return atomic_load(&s->shared->connections);
}

int tls_server_held(const struct tls_server *s)
{
	return atomic_load(&s->shared->held);
}

const char *tls_server_certificate(const struct tls_server *s)
{
	return s->cert_file;
}
