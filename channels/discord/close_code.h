#ifndef CHANNELS_DISCORD_CLOSE_CODE_H
#define CHANNELS_DISCORD_CLOSE_CODE_H
/* Interprets the close codes of the gateway (v10, "Gateway Close Event Codes"). Pure. */
#include <stdbool.h>
#include <stdint.h>

enum discord_next {
	DISCORD_RESUME,   /* reconnect and resume */
	DISCORD_IDENTIFY, /* the session is lost: start a new one */
	DISCORD_STOP      /* the operator must change something first */
};

struct discord_close_code {
	unsigned code;
	enum discord_next next;
	bool ours;           /* the bot made an error: log it */
	uint64_t wait_ms;    /* minimum delay */
	const char *meaning; /* the end of a sentence; for STOP it says what to do */
};

/* The bot closes with this code to keep the session; any code but 1000 and 1001 does ("Disconnecting"). */
#define DISCORD_CLOSE_KEEP 4900
/* Returns the row of a code, never NULL. An unknown code counts as a network failure. 0: no close code. */
const struct discord_close_code *discord_close_code_find(unsigned code);

#endif
