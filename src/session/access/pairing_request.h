#ifndef SESSION_ACCESS_PAIRING_REQUEST_H
#define SESSION_ACCESS_PAIRING_REQUEST_H
/* The two halves of pairing: who asks, and who may be told. Private to pairing. */
struct message;
struct sessions;
struct store_pairing;

/* A new request with a new code, in memory only. */
const struct store_pairing *pairing_reserve(struct sessions *all, const struct message *m);
void pairing_forget(struct sessions *all, const char *code);

#endif
