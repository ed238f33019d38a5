#ifndef PLAYGROUND_SERVER_FAULT_H
#define PLAYGROUND_SERVER_FAULT_H
/* Faults: what goes wrong because somebody ordered it, in which way, and with which answer. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct buf;
struct error;
struct json_object;
struct spec_record;

/* Peculiarities in the answers of some models and servers, as bits that may be combined. */

enum quirk {
	/* Content. */
	QUIRK_EMPTY = 1 << 0,         /* nothing */
	QUIRK_BAD_ARGUMENTS = 1 << 1, /* call arguments are not JSON */
	QUIRK_CUT_ARGUMENTS = 1 << 2, /* call arguments end early, finish_reason is length */
	QUIRK_TEXT_CALLS = 1 << 3,    /* calls are written as text */
	/* Encoding. */
	QUIRK_SAME_ID = 1 << 4, /* all calls have the same id */
	QUIRK_NO_ID = 1 << 5,
	QUIRK_FAR_INDEX = 1 << 6,        /* indexes of calls, blocks and items start at 7 with gaps */
	QUIRK_ZERO_INDEX = 1 << 7,       /* chat: every call has index 0 */
	QUIRK_NO_INDEX = 1 << 8,         /* chat */
	QUIRK_OBJECT_ARGUMENTS = 1 << 9, /* chat: arguments are an object, not a string */
	QUIRK_NO_USAGE = 1 << 10,
	QUIRK_NO_DONE = 1 << 11,    /* chat: the stream ends without [DONE] */
	QUIRK_SURROGATES = 1 << 12, /* characters beyond U+FFFF are split into surrogates, one event each */
	/* Transport. */
	QUIRK_BOM = 1 << 13,
	QUIRK_CRLF = 1 << 14,
	QUIRK_CR = 1 << 15,
	QUIRK_BYTES = 1 << 16, /* one byte per write */
};

/* Reads an array of names. Returns -1 with err. */
int quirk_read(struct json_object *names, unsigned *quirks, struct error *err);

/* Failures of model providers by name: rows of model/failures.table. */

/* Returns NULL for an unknown name. */
const struct spec_record *failure_find(const char *name);
int failure_status(const struct spec_record *f, bool messages);
const char *failure_body(const struct spec_record *f, bool messages);
/* Appends the failure as an event inside a stream. format is "chat.completions", "messages" or
 * "responses". */
void failure_event(const struct spec_record *f, const char *format, struct buf *out);
/* Appends the HTML error page of a proxy with this status. */
void failure_page(int status, struct buf *out);

/*
 * Faults that were ordered through POST /control/fault, and wait for their request.
 *   status       answered with that status (and that text), nothing is done
 *   retry_after  answered 429 with that many seconds, nothing is done
 *   stall        held for that many seconds, then handled as usual
 *   cut          handled; of the answer only the first at_byte bytes are sent
 *   close        the connection is closed, nothing is done
 *   garbage      handled; the answer is not JSON
 *   outage       for that many seconds connections of the platform are reset, whatever is asked
 *   disconnect   what is connected or being answered is reset now; is over at once
 * Those of the model alone, which a script may order as well (model/script/script.h):
 *   failure      answered with what a provider answers (model/failures.table), nothing is done
 *   page         answered with that status and a page of HTML, nothing is done
 *   error        at least at_byte bytes of the answer are sent, then a failure in mid-stream, and its end;
 *                an answer that is no stream is the failure alone, with status 200
 *   hang         at least at_byte bytes of the answer are sent, then nothing for so many seconds, then the
 *                connection ends
 *   keep_alive   for that many seconds nothing but comments is sent, then the stream ends
 *   pings        the same with ping events
 *   no_finish    the stream ends without an end of the answer
 *   slow         token_ms pass between the pieces of the answer
 *   quirks       the answer has those
 * Those with a count come before those that last until they are cleared.
 */

#define FAULT_FOR_EVER (-1)

/* The method of what a socket of Slack or Discord brings: cut (of the frame), close and garbage. "*" does not
 * mean it, nor what a platform sends to a bot's server (delivery.h). */
#define FAULT_EVENT       "event"
#define FAULT_REQUEST_URL "request_url"
#define FAULT_WEBHOOK     "webhook"

enum fault_kind {
	FAULT_NONE,
	FAULT_STATUS,
	FAULT_RETRY_AFTER,
	FAULT_STALL,
	FAULT_CUT,
	FAULT_CLOSE,
	FAULT_GARBAGE,
	FAULT_OUTAGE,
	FAULT_DISCONNECT,
	FAULT_FAILURE, /* the following are for the model only */
	FAULT_PAGE,
	FAULT_ERROR,
	FAULT_HANG,
	FAULT_KEEP_ALIVE,
	FAULT_PINGS,
	FAULT_NO_FINISH,
	FAULT_SLOW,
	FAULT_QUIRKS,
};

struct fault {
	struct list link;
	enum fault_kind kind;
	char platform[16];
	char method[64]; /* "*": any method */
	int64_t id;
	int64_t count; /* remaining requests, or FAULT_FOR_EVER */
	int64_t used;
	int status;
	char text[96]; /* error text of the response, or garbage; "": the default */
	unsigned seconds;
	size_t at_byte;
	const struct spec_record *failure; /* static */
	int64_t retry_after_ms; /* of a failure; -1: no header; the same in seconds in retry_after_s */
	int64_t retry_after_s;
	bool global; /* Discord: the 429 is for all that a token does */
	unsigned quirks;
	unsigned token_ms;
	uint64_t until_ms; /* clock_now(); 0: no end */
	int64_t until_wall_ms;
};

struct faults {
	struct list list;
	int64_t last_id;
};

const char *fault_kind_name(enum fault_kind kind);
/* Reads the effect from JSON, but not its target and count. */
int fault_read(struct fault *f, struct json_object *in, struct error *err);
void faults_init(struct faults *faults);
/* Adds the body of POST /control/fault. Returns the fault's id, or -1. Sets *kind. A disconnect is not
 * stored. */
int64_t fault_add(struct faults *faults, struct json_object *in, enum fault_kind *kind, struct error *err);
/* Copies the first matching fault to *out and counts it down. Returns FAULT_NONE if there is none. */
enum fault_kind fault_take(
    struct faults *faults, const char *platform, const char *method, struct fault *out);
/* What garbage consists of. */
const char *fault_garbage(const struct fault *f);
/* Drops faults by id (0: any), platform and kind (NULL: any). Returns their number. */
size_t faults_drop(struct faults *faults, int64_t id, const char *platform, const char *kind);
/* Appends "faults":[…]. */
void faults_write(struct faults *faults, struct buf *out);

#endif
