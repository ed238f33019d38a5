#ifndef BENCH_PLATFORM_H
#define BENCH_PLATFORM_H
/* What differs between the platforms that a bot is measured on. */
#include <stdbool.h>
#include <stdint.h>

struct buf;

#define PLATFORM_TELEGRAM_TOKEN "4242424242:AAEbenchTokenOfTheMeasurements01234"

struct platform {
	const char *name;
	const char *send;      /* the method of a message, as the playground records it */
	const char *chat;      /* the format of a chat's name, and of the person's: of an int64_t */
	const char *section;   /* settings of its channel, a format of the playground's URL */
	const char *unlimited; /* those that lift its limits */
};

extern const struct platform *const platforms[]; /* NULL at the end */

/* By name; NULL is Telegram. Ends the program for a name that is none. */
const struct platform *platform_find(const char *name);
/* Adds the section of channels for Myna. */
void platform_write(const struct platform *p, struct buf *out, const char *url, unsigned poll_s, bool limits);

#endif
