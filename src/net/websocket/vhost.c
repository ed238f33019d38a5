#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "net/lws_context.h"
#include "net/websocket/websocket_internal.h"

/* The effective limits are those of websocket_open. */
#define TIMEOUT_S 3600
/* A connection keeps the headers of its answer: libwebsockets would end one that does so for long. */
#define HEADERS_S (10 * 365 * 24 * 3600)

/* An existing vhost. */
struct vhost {
	struct list link;
	char *key; /* "" without TLS, else "tls" and the file of the certificates */
	struct lws_vhost *lws;
};

static struct list vhosts = LIST_INIT(vhosts);

static struct lws_vhost *vhost_find(const char *key)
{
	list_each(&vhosts, it, tmp) {
		struct vhost *v = list_entry(it, struct vhost, link);

		if (strcmp(v->key, key) == 0)
			return v->lws;
	}
	return NULL;
}

static struct lws_vhost *vhost_new(const char *key, bool tls, const char *ca_file, struct error *err)
{
	struct lws_context *context = lws_context_get(err);
	struct lws_context_creation_info info = {
	    .vhost_name = "websocket",
	    .port = CONTEXT_PORT_NO_LISTEN,
	    .protocols = websocket_protocols(),
	    .connect_timeout_secs = TIMEOUT_S,
	    .timeout_secs_ah_idle = HEADERS_S,
	    /* Sets no proxy (port 0), so that $http_proxy is ignored: a proxy would see what we send. */
	    .http_proxy_address = "none:0",
	    .client_ssl_ca_filepath = ca_file,
	};
	struct vhost *v;

	if (!context)
		return NULL;
	if (tls)
		info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
	if (ca_file)
		info.options |= LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
	v = xcalloc(1, sizeof(*v));
	v->key = xstrdup(key);
	v->lws = lws_create_vhost(context, &info);
	if (!v->lws) {
		error_set(err, ERROR_OURS,
		    "libwebsockets makes no place for WebSockets: are the CA certificates in order?");
		free(v->key);
		free(v);
		return NULL;
	}
	list_append(&vhosts, &v->link);
	return v->lws;
}

struct lws_vhost *websocket_vhost(bool tls, const char *ca_file, struct error *err)
{
	struct lws_vhost *found;
	char *key;

	if (tls && !ca_file)
		ca_file = getenv("SSL_CERT_FILE");
	if (!tls)
		ca_file = NULL;
	if (ca_file && access(ca_file, R_OK) != 0) {
		error_set(err, ERROR_OURS, "the CA certificates in %s cannot be read", ca_file);
		return NULL;
	}
	key = xasprintf("%s%s", tls ? "tls" : "", ca_file ? ca_file : "");
	found = vhost_find(key);
	if (!found)
		found = vhost_new(key, tls, ca_file, err);
	free(key);
	return found;
}
