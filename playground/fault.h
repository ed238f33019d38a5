#ifndef PLAYGROUND_FAULT_H
#define PLAYGROUND_FAULT_H
/*
 * Faults that were ordered through POST /control/fault, and wait for their request.
 *   status       answered with that status (and that text), nothing is done
 *   retry_after  answered 429 with that many seconds, nothing is done
 *   stall        held for that many seconds, then handled as usual
 *   cut          handled; of the answer only the first at_byte bytes are sent
 *   close        the connection is closed, nothing is done
 *   garbage      handled; the answer is not JSON
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct error;
struct json_object;

enum fault_kind { FAULT_NONE, FAULT_STATUS, FAULT_RETRY_AFTER, FAULT_STALL, FAULT_CUT, FAULT_CLOSE, FAULT_GARBAGE };

struct fault {
	struct list link;
	enum fault_kind kind;
	char platform[16];
	char method[64]; /* "*": any */
	int64_t count;	 /* requests that it still waits for */
	int status;
	char text[96]; /* what is wrong with the request; "": as the status says */
	unsigned seconds;
	size_t at_byte;
};

const char *fault_kind_name(enum fault_kind kind);
/* The body of POST /control/fault as a fault in faults. */
int fault_add(struct list *faults, struct json_object *in, struct error *err);
/* Copies the first fault that fits to *out and counts it down; FAULT_NONE if there is none. */
enum fault_kind fault_take(struct list *faults, const char *platform, const char *method, struct fault *out);
void fault_clear_all(struct list *faults);

#endif
