#ifndef STORE_GRANTS_H
#define STORE_GRANTS_H
/*
 * Roles granted from chat, and pairing requests of strangers. A change is committed together with the
 * end of the message that asked for it and with all its messages. Calls behave as in store.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct error;
struct outbound;
struct store;
struct store_question;
struct task;

/* At most one per channel and person. */
struct store_grant {
	char channel[32];
	char *person;      /* the platform's id */
	int64_t role;      /* enum access_role, at most 3; 0: blocked */
	bool private_only; /* not valid in groups */
	char *by;          /* who granted it */
	int64_t since_ms;  /* wall clock; set by the commit */
};

enum store_pairing_state { STORE_PAIRING_OPEN, STORE_PAIRING_ADMITTED, STORE_PAIRING_REFUSED };

struct store_pairing {
	int64_t id;
	enum store_pairing_state state;
	struct address where;           /* the private chat */
	int64_t created_ms, expires_ms; /* wall clock */
	char *code, *person;
	char *name; /* the person's display name; may be NULL */
	char *by;   /* who decided; NULL while open */
};

/* Each part may be absent. */
struct store_access_change {
	int64_t inbound; /* the message that it ends; 0 for none */
	const char *why; /* for the trace; a literal */
	const struct store_grant *grant;
	const struct store_pairing *new_request; /* a new request */
	/* An open request to decide, by its state and by, together with its questions. ERROR_REFUSED when
	 * it is not open. */
	const struct store_pairing *decision;
	struct outbound *const *rows;
	size_t row_count;
	/* An array. The delivery at the same index, counted from questions_from, shows each question. */
	struct store_question *questions;
	size_t question_count, questions_from;
};

/* NULL is allowed. */
void store_grant_free(struct store_grant *g);
struct store_grant *store_grant_copy(const struct store_grant *g);
void store_pairing_free(struct store_pairing *p);
struct store_pairing *store_pairing_copy(const struct store_pairing *p);

/* Lists all grants; *out is a malloc'd array of copies. Returns the count or -1. */
int store_grants(struct task *t, struct store *s, struct store_grant ***out, struct error *err);
/* Lists the requests that have not expired, in order of arrival. */
int store_pairings(struct task *t, struct store *s, struct store_pairing ***out, struct error *err);
/* ERROR_REFUSED also when the inbound message is no longer pending. */
int store_access_commit(
    struct task *t, struct store *s, const struct store_access_change *c, struct error *err);

/* The action of questions about pairing requests; their data is the code. */
#define STORE_PAIRING_ACTION "pair"

#endif
