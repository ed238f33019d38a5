#ifndef PLAYGROUND_SERVER_EXCHANGE_H
#define PLAYGROUND_SERVER_EXCHANGE_H
/*
 * One request to a simulated platform or to the model, from its arrival to its record:
 * the faults that were ordered for it, the verdict on it, and its answer.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/list.h"
#include "playground/server/fault.h"

struct exchange;
struct playground;
struct record_log;
struct server_request;
struct task;

/* Answers with an error in the platform's own shape; retry_s is 0 or what a 429 names. */
typedef void exchange_fail_fn(struct exchange *ex, int status, unsigned retry_s);

struct exchange {
	struct list link;  /* of those that are being answered */
	struct task *task; /* which answers it */
	struct playground *pg;
	struct server_request *req;
	struct record_log *log;
	const char *platform;
	exchange_fail_fn *fail;
	char method[64];
	int64_t began_us;  /* wall clock */
	struct buf body;   /* what was asked, as JSON text */
	struct buf answer; /* what was answered, where it is JSON and not long */
	struct buf problems;
	bool refused;
	bool file; /* a file is answered, whatever it holds */
	struct fault fault;
	int status;
};

/* platform is a literal. Every exchange_begin is followed by one exchange_end. */
void exchange_begin(struct exchange *ex, struct playground *pg, struct server_request *req,
    struct record_log *log, const char *platform, exchange_fail_fn *fail);
/* Keeps text for the record: as it is when it is JSON, else as a JSON string. */
void exchange_set_body(struct exchange *ex, const char *text, size_t len, bool is_json);
/* The verdict becomes "refused", with a sentence. */
__attribute__((format(printf, 2, 3))) void exchange_problem(struct exchange *ex, const char *fmt, ...);
/* A sentence beside a verdict that stays as it is. */
__attribute__((format(printf, 2, 3))) void exchange_remark(struct exchange *ex, const char *fmt, ...);
/* Takes the fault that waits for the request, and plays it if it comes before the handling; method is known
 * by then. True: the request is over. */
bool exchange_fault(struct task *t, struct exchange *ex);
/* Plays the one that is there. */
bool exchange_play_fault(struct task *t, struct exchange *ex);
/* The answer, as a fault may mangle it. headers as for server_respond. */
void exchange_answer(
    struct exchange *ex, int status, const char *content_type, const char *headers, const struct buf *body);
/* What the record shows as the answer, as JSON text; else it is what exchange_answer sends. */
void exchange_set_answer(struct exchange *ex, const char *text, size_t len);
/* Writes the record. */
void exchange_end(struct exchange *ex);
/* Resets all that are being answered for that platform. */
void exchange_cut_all(struct playground *pg, const char *platform);

#endif
