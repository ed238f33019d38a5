#ifndef OPS_STATUS_PAGE_H
#define OPS_STATUS_PAGE_H
/* The status as an HTML page without scripts and external resources. Pure. */
#include <stdbool.h>

struct buf;
struct json_object;

/* The contents. Borrowed; NULL parts are left out. */
struct status_page {
	struct json_object *status;  /* from status_collect */
	struct json_object *reasons; /* from health_reasons */
	struct json_object *usage;   /* from spending_table */
	struct json_object *dead;    /* from store_dead_turns */
	const char *warnings;        /* log lines */
	long long now_ms;            /* wall clock */
	bool still;                  /* disables the automatic reload */
};

extern const char status_page_style[]; /* /status.css */

void status_page_write(struct buf *out, const struct status_page *p);

#endif
