#ifndef PLAYGROUND_SERVER_EXCHANGE_H
#define PLAYGROUND_SERVER_EXCHANGE_H
/* One request to a platform or to the model, from arrival to log record: the injected faults, the verdict
 * and the response. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/list.h"
#include "playground/server/fault.h"

struct exchange;
struct json_object;
struct playground;
struct record_log;
struct server_request;
struct task;

/* Responds with an error in the platform's format; retry_s is for a 429, else 0. */
typedef void exchange_fail_fn(struct exchange *ex, int status, unsigned retry_s);

struct exchange {
	struct list link;  /* in the list of running requests */
	struct task *task; /* the handler */
	struct playground *pg;
	struct server_request *req;
	struct record_log *log;
	const char *platform;
	exchange_fail_fn *fail;
	char method[64];
	int64_t began_us;  /* wall clock */
	struct buf body;   /* the request, as JSON text */
	struct buf answer; /* the response, if it is short JSON */
	struct buf problems;
	bool refused;
	bool file; /* the response is a file */
	struct fault fault;
	int status;
	uint64_t person_actions;      /* as in struct record */
	unsigned retry_s, limit_used; /* likewise */
};

/* platform is a literal. Call exchange_end once after every exchange_begin. */
void exchange_begin(struct exchange *ex, struct playground *pg, struct server_request *req,
    struct record_log *log, const char *platform, exchange_fail_fn *fail);
/* Stores the request for the log: unchanged if it is JSON, else as a JSON string. */
void exchange_set_body(struct exchange *ex, const char *text, size_t len, bool is_json);
void exchange_set_json(struct exchange *ex, struct json_object *params);
/* Sets the verdict "refused" and adds a sentence. */
__attribute__((format(printf, 2, 3))) void exchange_problem(struct exchange *ex, const char *fmt, ...);
/* Adds a sentence and keeps the verdict. */
__attribute__((format(printf, 2, 3))) void exchange_remark(struct exchange *ex, const char *fmt, ...);
/* Copies the pending fault for that method to *out, and counts it down. Returns its kind, or FAULT_NONE. */
enum fault_kind exchange_take_fault(
    struct playground *pg, const char *platform, const char *method, struct fault *out);
/* Takes the pending fault for this request and applies it if it precedes handling; method must be set.
 * Suspends. Returns true when the request is finished. */
bool exchange_fault(struct task *t, struct exchange *ex);
/* Applies the taken fault. Suspends. */
bool exchange_play_fault(struct task *t, struct exchange *ex);
/* Sends the response, damaged if a fault demands it. headers as for server_respond. */
void exchange_answer(
    struct exchange *ex, int status, const char *content_type, const char *headers, const struct buf *body);
/* Sets the response for the log, as JSON text; the default is what exchange_answer sends. */
void exchange_set_answer(struct exchange *ex, const char *text, size_t len);
/* The request has used up a rate limit to that percentage. */
void exchange_limit(struct exchange *ex, unsigned used);
/* Writes the log record. */
void exchange_end(struct exchange *ex);
/* Resets the connections of all running requests of that platform. */
void exchange_cut_all(struct playground *pg, const char *platform);

#endif
