#ifndef STORE_RETENTION_RETENTION_H
#define STORE_RETENTION_RETENTION_H
/* How long what is over is kept: retention: { … } in the config. */
#include <stdint.h>

struct config_section;

struct retention {
	int64_t messages_ms;      /* 0: 30 days, the least */
	int64_t conversations_ms; /* of those that have ended; 0: for ever */
	int64_t size;             /* bytes of the database beyond which ended ones go early; 0: any */
};

extern const struct config_section retention_section;

#endif
