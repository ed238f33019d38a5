#ifndef SESSION_SESSION_SETTINGS_H
#define SESSION_SESSION_SETTINGS_H
/* The settings "sessions" and "chats". */
#include <stdbool.h>
#include <stdint.h>

#include "base/config/config.h"
#include "session/chat_settings.h"

struct session_settings {
	int queue;        /* index into queue_mode_choices */
	int64_t idle_ms;  /* a conversation ends after this time without a message; 0: never */
	char *daily;      /* and at this time of day, "HH:MM"; NULL: never */
	int daily_minute; /* daily in minutes since midnight; -1: never */
	struct chat_settings chats;
};

extern const struct config_section sessions_section;

/* Reports mistakes to cfg. */
void session_settings_read(struct session_settings *s, struct config *cfg);
void session_settings_clear(struct session_settings *s);
/* Returns the cutoff, wall clock time: a conversation whose last message is older has expired. */
int64_t session_settings_cutoff_ms(const struct session_settings *s, int64_t now_ms);

#endif
