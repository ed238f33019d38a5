#ifndef SESSION_GUEST_LIMIT_H
#define SESSION_GUEST_LIMIT_H
/*
 * Limits how many commands guests give in groups: a platform takes few messages a minute there, and the
 * answers to others wait behind those to commands. Each guest has a token bucket. On the loop's thread.
 */
#include <stddef.h>

struct guest_limit;
struct message;

/* Guests that have a bucket; one more takes that of the guest who wrote least recently. */
#define GUEST_LIMIT_PEOPLE 512
/* Commands at once, and the time after which one more is admitted. */
#define GUEST_LIMIT_BURST 20
#define GUEST_LIMIT_MS    (10 * 1000)
/* Messages of one guest that wait in a group; more than an album or a long text that was cut. */
#define GUEST_LIMIT_WAITING 16

/* REFUSED: notify the guest. SILENT: refused too, but the guest was notified, and is not again before the
 * bucket is full. */
enum guest_limit_verdict { GUEST_LIMIT_ADMITTED, GUEST_LIMIT_REFUSED, GUEST_LIMIT_SILENT };

struct guest_limit *guest_limit_new(void);
void guest_limit_free(struct guest_limit *g);
enum guest_limit_verdict guest_limit_command(struct guest_limit *g, const struct message *m);
/* For a message that is refused for another reason: returns whether to notify the guest. Takes a token for
 * it. */
enum guest_limit_verdict guest_limit_notice(struct guest_limit *g, const struct message *m);

#endif
