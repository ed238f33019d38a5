#include "channels/shared/probe.h"

#include <stdlib.h>
#include <strings.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "net/http/http.h"

#define CONNECT_MS 10000
#define TOTAL_MS   20000
#define ANSWER_MAX (256 * 1024)

struct keeper {
	const char *name;
	char *value;
};

static void keep_header(const char *name, const char *value, void *arg)
{
	struct keeper *k = arg;

	if (strcasecmp(name, k->name) != 0)
		return;
	free(k->value);
	k->value = xstrdup(value);
}

int probe_ask(struct task *t, const struct probe_request *q, struct probe_answer *a, struct error *err)
{
	struct keeper keeper = {.name = q->keep};
	struct http_header headers[2];
	struct http_request req = {.method = q->method,
	    .url = q->url,
	    .label = q->label,
	    .headers = headers,
	    .connect_ms = CONNECT_MS,
	    .total_ms = TOTAL_MS,
	    .max_body = ANSWER_MAX,
	    .on_header = q->keep ? keep_header : NULL,
	    .arg = &keeper};
	struct http_response res;
	int rc;

	if (q->authorization)
		headers[req.header_count++] = (struct http_header){"Authorization", q->authorization};
	if (q->agent)
		headers[req.header_count++] = (struct http_header){"User-Agent", q->agent};
	*a = (struct probe_answer){0};
	rc = http_perform(t, &req, &res, err);
	if (rc == 0) {
		a->status = res.status;
		a->reply = json_parse_foreign(res.body.data, res.body.len, NULL);
		a->retry_ms = res.retry_after_ms;
	}
	a->kept = keeper.value;
	http_response_clear(&res);
	return rc;
}
