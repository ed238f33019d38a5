#ifndef SESSION_ACCESS_PAIRING_REQUEST_H
#define SESSION_ACCESS_PAIRING_REQUEST_H
/* What the request side of pairing uses from the list of pairings. */
struct message;
struct sessions;
struct store_pairing;

/* Adds a request with a new code, in memory only. */
const struct store_pairing *pairing_reserve(struct sessions *all, const struct message *m);
void pairing_forget(struct sessions *all, const char *code);

#endif
