#ifndef FLOW_WEATHER_H
#define FLOW_WEATHER_H
/*
 * Bad surroundings for a real gateway: weather_shim.so is preloaded into it and does what this struct says,
 * which lies in a file that both map, so that a test changes it while the gateway runs.
 */
#include <stdbool.h>
#include <stdint.h>

#define WEATHER_FILE  "MYNA_WEATHER"       /* environment: the path of the file */
#define WEATHER_STATE "MYNA_WEATHER_STATE" /* and of the state directory */

struct weather {
	int64_t wall_ms, mono_ms; /* added to the clocks */
	int32_t write_errno;      /* writes to the database fail like this; 0: they work */
	int32_t writes_left;      /* so many work before that */
	int32_t writes_failed;    /* so far */
	int32_t sync_errno;       /* its syncs do */
	int32_t open_errno;       /* opening files of the state directory for writing does */
	int32_t sync_hangs;       /* its syncs do not return while this is set */
	int32_t disk_free_mib;    /* what its disk is said to have; 0: the truth */
	int32_t names_hang;       /* no name is ever resolved, nor refused */
	char poison[64];          /* a send that contains it ends the process; "": none */
	int32_t lookups;          /* begun so far */
};

struct flow;

/* The weather of the test, fine at first. Ends with the test's folder. */
struct weather *weather_new(struct flow *f);
void weather_free(struct weather *w);
/* flow_gateway under it. */
void weather_gateway(struct flow *f, bool ready);
/* The same, without waiting for it. */
void weather_run(struct flow *f);
/* What is started between the two is under it. */
void weather_enter(struct flow *f);
void weather_leave(void);

#endif
