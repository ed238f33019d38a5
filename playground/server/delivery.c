#include "playground/server/delivery.h"

#include <string.h>

#include "base/error.h"
#include "net/http/http.h"
#include "playground/server/exchange.h"
#include "playground/world/timer.h"

/* What came back of an answer. */
static int cut(struct http_response *res, size_t at_byte, struct error *err)
{
	if (at_byte < res->body.len)
		res->body.len = at_byte;
	return error_set(
	    err, ERROR_NETWORK, "the connection ended after %zu bytes of the answer", res->body.len);
}

static int answer(struct http_response *res, const struct fault *f)
{
	res->status = f->kind == FAULT_RETRY_AFTER ? 429 : f->status;
	res->sent = true;
	res->retry_after_ms = (uint64_t)f->seconds * 1000;
	buf_addstr(&res->body, f->text);
	return 0;
}

int delivery_perform(struct task *t, struct playground *pg, const char *platform, const char *method,
    const struct http_request *req, struct http_response *res, struct error *err)
{
	struct http_request changed = *req;
	struct fault f;

	switch (exchange_take_fault(pg, platform, method, &f)) {
	case FAULT_STATUS:
	case FAULT_RETRY_AFTER:
		return answer(res, &f);
	case FAULT_CLOSE:
		return error_set(err, ERROR_NETWORK, "the connection was refused");
	case FAULT_STALL:
		if (world_sleep(t, (uint64_t)f.seconds * 1000, err) != 0)
			return -1;
		break;
	case FAULT_GARBAGE:
		changed.body = fault_garbage(&f);
		changed.body_len = strlen(changed.body);
		break;
	default:
		break;
	}
	if (http_perform(t, &changed, res, err) != 0)
		return -1;
	return f.kind == FAULT_CUT ? cut(res, f.at_byte, err) : 0;
}
