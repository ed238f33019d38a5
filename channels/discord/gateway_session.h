#ifndef CHANNELS_DISCORD_GATEWAY_SESSION_H
#define CHANNELS_DISCORD_GATEWAY_SESSION_H
/* The gateway session: what is needed to resume it after a restart, and to backfill when it cannot be
 * resumed. Stored in the journal, in the commit of the messages that it covers. */
#include <stdbool.h>
#include <stdint.h>

struct discord_gateway_session {
	char *id, *url; /* needed to resume; NULL: no session */
	int64_t seq;    /* of the last committed event; sent in RESUME */
	bool has_seq;
	uint64_t mark; /* newest committed message; 0: none */
	/* After the loss of a session: backfill starts after this message, for each guild as it becomes
	 * available. 0: nothing to fetch. */
	uint64_t gap;
	unsigned shards;   /* in all, when it began */
	bool dirty;        /* differs from the stored value in more than seq */
	uint64_t saved_ms; /* clock_now() of the last store */
};

void discord_gateway_session_clear(struct discord_gateway_session *s);
/* Drops the session, keeps mark and gap. */
void discord_gateway_session_forget(struct discord_gateway_session *s);
/* Starts a session; copies the strings. */
void discord_gateway_session_begin(struct discord_gateway_session *s, const char *id, const char *url);
/* Records the highest seq of a committed batch; lower values are ignored. */
void discord_gateway_session_commit(struct discord_gateway_session *s, int64_t seq);

/* Write and read the stored form. discord_gateway_session_text's result is the caller's to free; an
 * unreadable text is no session. */
char *discord_gateway_session_text(const struct discord_gateway_session *s);
void discord_gateway_session_read(struct discord_gateway_session *s, const char *text);

#endif
