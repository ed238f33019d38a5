#ifndef BENCH_PLATFORM_H
#define BENCH_PLATFORM_H
/* Differences between the platforms of a benchmark. */
#include <stdbool.h>
#include <stdint.h>

struct buf;

#define PLATFORM_TELEGRAM_TOKEN "4242424242:AAEbenchTokenOfTheMeasurements01234"

struct platform {
	const char *name;
	const char *send;      /* the method that sends a message, as in the playground's log */
	const char *chat;      /* format of the chat's and the person's name, with an int64_t */
	const char *section;   /* settings of the channel, a format with the playground's URL */
	const char *unlimited; /* settings that lift rate limits */
};

extern const struct platform *const platforms[]; /* NULL at the end */

/* Returns a platform by name; NULL: Telegram. Ends the program if unknown. */
const struct platform *platform_find(const char *name);
/* Appends Myna's channel section. */
void platform_write(const struct platform *p, struct buf *out, const char *url, unsigned poll_s, bool limits);

#endif
