#ifndef STORE_RETENTION_RETENTION_H
#define STORE_RETENTION_RETENTION_H
/* How long finished data is kept: retention: { … } in the configuration. */
#include <stdint.h>

struct config_section;

struct retention {
	int64_t messages_ms;      /* 0: 30 days, the minimum */
	int64_t conversations_ms; /* of ended conversations; 0: for ever */
	/* database size in bytes above which ended conversations are deleted early; 0: no limit */
	int64_t size;
};

extern const struct config_section retention_section;

#endif
