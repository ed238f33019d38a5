#ifndef SESSION_ACCESS_PAIRING_H
#define SESSION_ACCESS_PAIRING_H
/*
 * Pairing: strangers who ask for access. A stranger who writes in a private chat gets a code, at most
 * once an hour. The code is bound to that person on that channel and admits nobody by itself: an admin
 * enters it with /pair, or presses a button, or the operator decides (control/pairings.c). On a channel
 * without an admin strangers get a code only while the operator watches.
 */
#include <stdbool.h>
#include <stddef.h>

#include "session/access/access.h"

struct buf;
struct error;
struct message;
struct pairings;
struct sessions;
struct store_pairing;
struct task;

#define PAIRING_CODE_LEN 8
/* Open requests of one channel. One more ends the oldest, if that is older than PAIRING_KEEP_MS; else the
 * stranger gets no answer. */
#define PAIRING_OPEN_MAX 200
#define PAIRING_KEEP_MS  (10 * 60 * 1000)
/* While more are open, the admins of the channel get no further notices. */
#define PAIRING_NOTICES_MAX 20
/* A code expires after this time; until then the person gets no other. */
#define PAIRING_MS (3600 * 1000)

struct pairings *pairings_new(void);
void pairings_free(struct pairings *p);
int pairing_load(struct task *t, struct sessions *all, struct error *err);

/* Returns whether the sender of m, refused with this verdict, should get a code. Never suspends. */
bool pairing_is_offered(struct sessions *all, const struct message *m, enum access_verdict verdict);
/* Records that the operator lists the requests: the operator counts as present for the next minute. */
void pairing_watch(struct sessions *all);
/* Returns whether strangers could get a code on the channel, but it has no admin who could let them in. */
bool pairing_lacks_admin(const struct sessions *all, const char *channel);
/* Sends the code, in a task: the answer, the notices to admins and the end of the message are one commit.
 * Takes m. */
void pairing_request(struct sessions *all, struct message *m);

/* Returns the next open, unexpired request after `after`; NULL begins the list, and ends it. Valid until the
 * task suspends. */
const struct store_pairing *pairing_next(struct sessions *all, const struct store_pairing *after);
/* Finds a request by its code, in upper or lower case, whatever its state. NULL: unknown or expired. */
const struct store_pairing *pairing_find(const struct sessions *all, const char *code);
/* Returns whether the sender may try another code: false after several wrong ones within ten minutes. */
bool pairing_may_guess(struct sessions *all, const struct message *asked);
void pairing_guess_failed(struct sessions *all, const struct message *asked);
/* Admits the person with that role (an admin in groups, too), or refuses (ACCESS_NONE), in one commit with
 * the end of asked (NULL: none). Returns 0 when that is in effect: with asked, the result was committed as
 * its answer, else it is appended to reply. Returns 1 when it is decided already: who did so is appended to
 * reply, or nothing when the code has expired. Returns -1 when the process stops. */
int pairing_decide(struct task *t, struct sessions *all, const struct store_pairing *p, enum access_role role,
    const char *by, const struct message *asked, struct buf *reply);

/* pairing_request.c uses these to add a request. */

/* Adds a request with a new code, in memory only. */
const struct store_pairing *pairing_reserve(struct sessions *all, const struct message *m);
/* Returns whether the channel has so many open requests that its admins get no notice of another one. */
bool pairing_is_crowded(const struct sessions *all, const char *channel);
void pairing_forget(struct sessions *all, const char *code);

#endif
