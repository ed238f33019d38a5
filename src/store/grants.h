#ifndef STORE_GRANTS_H
#define STORE_GRANTS_H
/*
 * Roles that were given from chat, and requests of strangers to be let in. A change is committed together
 * with the end of the message that asked for it and with all that is said because of it. The functions are as
 * those of store.h.
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

/* At most one for each channel and person. */
struct store_grant {
	char channel[32];
	char *person;      /* the platform's id */
	int64_t role;      /* enum access_role, at most 3; 0: the person is kept out */
	bool private_only; /* it does not count in groups */
	char *by;          /* who gave it */
	int64_t since_ms;  /* wall clock; set by the commit */
};

enum store_pairing_state { STORE_PAIRING_OPEN, STORE_PAIRING_ADMITTED, STORE_PAIRING_REFUSED };

struct store_pairing {
	int64_t id;
	enum store_pairing_state state;
	struct address where;           /* the private chat */
	int64_t created_ms, expires_ms; /* wall clock */
	char *code, *person;
	char *name; /* as the person calls themselves; may be NULL */
	char *by;   /* who decided, NULL: nobody yet */
};

/* Each part may be absent. */
struct store_access_change {
	int64_t inbound; /* which ends with it; 0: none */
	const char *why; /* for the trace; a literal */
	const struct store_grant *grant;
	const struct store_pairing *asked; /* a new request */
	/* An open one that is decided as its state and by say, and its questions with it; ERROR_REFUSED when
	 * it is not open. */
	const struct store_pairing *decided;
	struct outbound *const *rows;
	size_t row_count;
	struct store_question
	    *prompts; /* an array: each is shown by the row at the same place from questions_from on */
	size_t question_count, questions_from;
};

/* NULL is fine. */
void store_grant_free(struct store_grant *g);
struct store_grant *store_grant_copy(const struct store_grant *g);
void store_pairing_free(struct store_pairing *p);
struct store_pairing *store_pairing_copy(const struct store_pairing *p);

/* All of them: *out is a malloc'd array of new ones. Count or -1. */
int store_grants(struct task *t, struct store *s, struct store_grant ***out, struct error *err);
/* Those that have not expired, in order of their coming. */
int store_pairings(struct task *t, struct store *s, struct store_pairing ***out, struct error *err);
/* ERROR_REFUSED also when the inbound message is not pending any more. */
int store_access_commit(
    struct task *t, struct store *s, const struct store_access_change *c, struct error *err);

/* The action whose questions are about requests: their data is the code. */
#define STORE_PAIRING_ACTION "pair"

#endif
