#ifndef CHANNELS_DISCORD_CLOSE_CODE_H
#define CHANNELS_DISCORD_CLOSE_CODE_H
/* How a connection to the gateway ended, and what follows (Gateway v10, "Gateway Close Event Codes").
 * Pure. */
#include <stdbool.h>
#include <stdint.h>

enum discord_next {
	DISCORD_RESUME,   /* connect again and go on where it ended */
	DISCORD_IDENTIFY, /* the session is lost: begin a new one */
	DISCORD_STOP      /* a person must change something first */
};

struct discord_close_code {
	unsigned code;
	enum discord_next next;
	bool ours;           /* we did something wrong: worth a line in the log */
	uint64_t wait_ms;    /* at least */
	const char *meaning; /* a sentence's end; for STOP it says what to do */
};

/* We close with this to keep the session: any code but 1000 and 1001 does (documentation,
 * "Disconnecting"). */
#define DISCORD_CLOSE_KEEP 4900
/* A code that the table does not have is as if the network had failed. 0: no code at all. Never NULL. */
const struct discord_close_code *discord_close_code_find(unsigned code);

#endif
