#ifndef PLAYGROUND_CONTROL_REPORT_H
#define PLAYGROUND_CONTROL_REPORT_H
/* GET /control/report: what the bots did that a platform would punish, found in the request log. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct playground;
struct task;

/* A check of the report. */
struct report_check {
	const char *name;
	const char *rule;   /* what must hold, as a title */
	const char *advice; /* a sentence */
};

struct report_finding {
	const struct report_check *check;
	const char *platform; /* literal */
	char method[64];
	bool warning; /* not punished yet, or perhaps meant */
	size_t count;
	uint64_t first; /* number of the first request; 0: it is about none */
	char text[200]; /* what was found first */
};

struct report {
	struct report_finding *findings;
	size_t count;
};

/* A row of NULLs ends it. */
extern const struct report_check report_checks[];

void report_make(struct playground *pg, struct report *r);
void report_clear(struct report *r);
size_t report_count(const struct report *r, bool warnings);
void report_write_json(const struct report *r, struct buf *out);
/* JUnit XML: a document of test suites. */
void report_begin_junit(struct buf *out);
void report_end_junit(struct buf *out);
/* Writes each check of each used platform as a test case. Warnings pass. */
void report_write_suites(struct playground *pg, struct buf *out);
/* Appends text as XML. */
void report_write_xml(struct buf *out, const char *text);

/* For the command: asks the playground at url for its report, prints it, and writes it to the file junit
 * unless that is NULL. Returns 1 when there are problems (warnings_fail: or warnings). Suspends. */
int report_ask(struct task *t, const char *url, const char *junit, bool warnings_fail, struct error *err);

#endif
