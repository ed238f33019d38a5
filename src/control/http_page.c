#include "control/control_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log_tail.h"
#include "ops/gateway_view.h"
#include "ops/health.h"
#include "net/server/server.h"
#include "ops/spending.h"
#include "ops/status.h"
#include "ops/status_page.h"
#include "store/store.h"

/* Log lines shown. */
#define WARNINGS 20
/* The page must not be cached, framed or run scripts, and sends nothing elsewhere. */
#define HEADERS                                                                                        \
	"Cache-Control: no-store\r\n"                                                                  \
	"Content-Security-Policy: default-src 'none'; style-src 'self'; base-uri 'none'; form-action " \
	"'none'; frame-ancestors 'none'\r\n"                                                           \
	"Cross-Origin-Resource-Policy: same-origin\r\n"                                                \
	"Referrer-Policy: no-referrer\r\n"                                                             \
	"X-Content-Type-Options: nosniff\r\n"

static const char refusal[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
    "charset=\"utf-8\"><title>Myna</title></head><body><p>This page asks for the token of "
    "<code>http.token</code>: give it as the password, with any user name.</p></body></html>\n";

void http_page(struct task *t, struct gateway *g, struct server_request *req)
{
	struct buf out = BUF_INIT, warnings = BUF_INIT, still = BUF_INIT;
	struct json_object *dead = NULL;
	struct error err = {0};

	if (store_dead_turns(t, gateway_store(g), &dead, &err) < 0)
		dead = NULL; /* the reasons show that the store fails */
	log_tail(LOG_LEVEL_WARN, WARNINGS, &warnings);
	struct status_page p = {.status = status_collect(t, g),
	    .reasons = health_reasons(t, gateway_health(g)),
	    .usage = spending_table(t, g),
	    .dead = dead,
	    .warnings = warnings.data,
	    .now_ms = clock_wall(),
	    .still = server_param(server_query(req), "still", &still)};
	status_page_write(&out, &p);
	server_respond(req, 200, "text/html; charset=utf-8", p.still ? HEADERS : HEADERS "Refresh: 15\r\n",
	    out.data, out.len);
	json_object_put(p.status);
	json_object_put(p.reasons);
	json_object_put(p.usage);
	json_object_put(dead);
	buf_clear(&still);
	buf_clear(&warnings);
	buf_clear(&out);
}

void http_page_style(struct server_request *req)
{
	server_respond(
	    req, 200, "text/css; charset=utf-8", HEADERS, status_page_style, strlen(status_page_style));
}

void http_page_refuse(struct server_request *req)
{
	server_respond(req, 401, "text/html; charset=utf-8",
	    HEADERS "WWW-Authenticate: Basic realm=\"Myna\", charset=\"UTF-8\"\r\n", refusal,
	    strlen(refusal));
}
