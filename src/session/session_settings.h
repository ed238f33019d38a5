#ifndef SESSION_SESSION_SETTINGS_H
#define SESSION_SESSION_SETTINGS_H
/* The settings "sessions". */
#include <stdbool.h>
#include <stdint.h>

#include "base/config.h"

struct session_settings {
	int queue;		/* index into queue_mode_choices */
};

extern const struct config_section sessions_section;

#endif
