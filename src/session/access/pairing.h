#ifndef SESSION_ACCESS_PAIRING_H
#define SESSION_ACCESS_PAIRING_H
/*
 * Strangers who ask to be let in. Who writes in a private chat and may not is given a code, at most once an
 * hour; it is bound to that person on that channel, and admits nobody by itself: an admin says it with /pair,
 * or presses a button. Private to sessions.
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
/* Requests of one channel that are open at a time; further strangers get no answer. */
#define PAIRING_OPEN_MAX 20
/* A code counts this long, and as long there is no other for the person. */
#define PAIRING_MS (3600 * 1000)

struct pairings *pairings_new(void);
void pairings_free(struct pairings *p);
int pairing_load(struct task *t, struct sessions *all, struct error *err);

/* Is m, which was judged so, a reason to give its sender a code? Never suspends. */
bool pairing_wanted(struct sessions *all, const struct message *m, enum access_verdict verdict);
/* Gives it, in a task: the answer and what the admins are told are committed with the end of the message.
 * Takes m. */
void pairing_request(struct sessions *all, struct message *m);

/* The next one after p that is open and has not expired; NULL begins and ends. Good until the task
 * suspends. */
const struct store_pairing *pairing_next(struct sessions *all, const struct store_pairing *after);
/* By its code, in any writing, whatever became of it; NULL: there is none, or its time is over. */
const struct store_pairing *pairing_find(struct sessions *all, const char *code);
/* May whoever gave the command say another code now? After some wrong ones within ten minutes: no. */
bool pairing_may_guess(struct sessions *all, const struct message *asked);
void pairing_guess_failed(struct sessions *all, const struct message *asked);
/* Admits with that role, or refuses (NONE), in one commit with the end of asked (NULL: none); appends what is
 * said of it to reply, except when it was committed with asked: then true. */
bool pairing_decide(struct task *t, struct sessions *all, const struct store_pairing *p,
    enum access_role role, const char *by, const struct message *asked, struct buf *reply);

/* pairing_request.c: The two halves of pairing: who asks, and who may be told. Private to pairing. */

/* A new request with a new code, in memory only. */
const struct store_pairing *pairing_reserve(struct sessions *all, const struct message *m);
void pairing_forget(struct sessions *all, const char *code);

#endif
