#ifndef FLOW_WEATHER_H
#define FLOW_WEATHER_H
/* A hostile environment for a real gateway. weather_shim.so is preloaded into it and follows this struct,
 * which both map from a file, so a test can change it while the gateway runs. */
#include <stdbool.h>
#include <stdint.h>

#define WEATHER_FILE  "MYNA_WEATHER"       /* environment: the path of the file */
#define WEATHER_STATE "MYNA_WEATHER_STATE" /* environment: the state directory */

struct weather {
	int64_t wall_ms, mono_ms; /* added to the clocks */
	int32_t write_errno;      /* errno of failing database writes; 0: they succeed */
	int32_t writes_left;      /* writes that still succeed */
	int32_t writes_failed;    /* failed writes so far */
	int32_t sync_errno;       /* errno of failing database syncs */
	int32_t open_errno;       /* errno of failing opens for writing in the state directory */
	int32_t sync_hangs;       /* nonzero: database syncs block */
	int32_t disk_free_mib;    /* free space to report; 0: the real value */
	int32_t names_hang;       /* nonzero: name lookups never finish */
	char poison[64];          /* a send that contains it kills the process; "": none */
	int32_t lookups;          /* name lookups started so far */
};

struct flow;

/* Creates the weather of a test, initially fine. Ends with the test's folder. */
struct weather *weather_new(struct flow *f);
void weather_free(struct weather *w);
/* flow_gateway with the weather. */
void weather_gateway(struct flow *f, bool ready);
/* The same without waiting for the gateway. */
void weather_run(struct flow *f);
/* Processes started between the two calls get the weather. */
void weather_enter(struct flow *f);
void weather_leave(void);

#endif
