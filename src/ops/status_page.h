#ifndef OPS_STATUS_PAGE_H
#define OPS_STATUS_PAGE_H
/* The status as a page for a browser: one text without scripts, and nothing from elsewhere. Pure. */
#include <stdbool.h>

struct buf;
struct json_object;

/* What stands on it. Borrowed; what is NULL is left out. */
struct status_page {
	struct json_object *status;  /* of status_collect */
	struct json_object *reasons; /* of health_reasons */
	struct json_object *usage;   /* as of spending_table; NULL */
	struct json_object *dead;    /* of store_dead_turns */
	const char *warnings;        /* lines of the log */
	long long now_ms;            /* wall clock */
	bool still;                  /* it does not load itself anew */
};

extern const char status_page_style[]; /* /status.css */

void status_page_write(struct buf *out, const struct status_page *p);

#endif
