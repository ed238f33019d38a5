#ifndef CHANNELS_DISCORD_GATEWAY_SESSION_H
#define CHANNELS_DISCORD_GATEWAY_SESSION_H
/*
 * What is known of our session with the gateway: enough to resume it after a restart, and to fetch what was
 * missed where that is no longer possible. Kept in the journal, and written in the commit of the messages
 * that it covers.
 */
#include <stdbool.h>
#include <stdint.h>

struct discord_gateway_session {
	char *id, *url; /* to resume with; NULL: there is none */
	int64_t seq;    /* of the last event whose effect is committed; what a RESUME carries */
	bool has_seq;
	uint64_t mark; /* the newest message that is committed; 0: none ever was */
	/* A session was lost: what came behind this message is fetched by REST, as soon as each server is
	 * there. 0: no. */
	uint64_t gap;
	bool dirty;        /* differs from what is stored in more than its seq */
	uint64_t saved_ms; /* clock_now() */
};

void discord_gateway_session_clear(struct discord_gateway_session *s);
/* The session itself is lost; mark and gap stay. */
void discord_gateway_session_forget(struct discord_gateway_session *s);
/* A new session; the strings are copied. */
void discord_gateway_session_begin(struct discord_gateway_session *s, const char *id, const char *url);
/* The highest of a batch of events. One that is lower is no news. */
void discord_gateway_session_commit(struct discord_gateway_session *s, int64_t seq);

/* As the journal has it, malloc'd; and back: what cannot be read is no session. */
char *discord_gateway_session_text(const struct discord_gateway_session *s);
void discord_gateway_session_read(struct discord_gateway_session *s, const char *text);

#endif
