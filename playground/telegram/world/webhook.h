#ifndef PLAYGROUND_TELEGRAM_WORLD_WEBHOOK_H
#define PLAYGROUND_TELEGRAM_WORLD_WEBHOOK_H
/* Delivers updates to the webhook of a bot, to servers of this machine alone. As the platform does: those of
 * one chat one after the other, those of several at once; again after a failure, with growing delays. */
#include <stdbool.h>
#include <stdint.h>

struct bot;
struct json_object;

struct webhook {
	char *url;    /* NULL: none */
	char *secret; /* NULL: none */
	int connections;
	int64_t error_date; /* Unix time of the last failure; 0: none */
	char error[160];
	unsigned generation; /* counts changes: what runs for another is over */
	unsigned active;     /* deliveries under way */
};

/* Copies the texts; url NULL removes it. */
void webhook_set(struct bot *b, const char *url, const char *secret, int connections);
/* Delivers what waits; call it when there is more. */
void webhook_pump(struct bot *b);
/* Is it a host of this machine? */
bool webhook_is_local(const char *url);
void webhook_clear(struct webhook *h);
/* For --data; NULL: none is set. */
struct json_object *webhook_save(const struct webhook *h);
void webhook_load(struct bot *b, struct json_object *o);

#endif
