#ifndef BUS_LANE_H
#define BUS_LANE_H
/*
 * A lane sends the outbound rows of one chat, in order, each only after the one before
 * has an end. It lives while the journal has rows for it. Private to the bus.
 */
#include "bus/journal.h"

struct bus;
struct error;
struct lane;
struct outbound;

/* Starts the lane of a chat, or tells it that the journal has more rows. */
void lane_wake(struct bus *b, const struct journal_lane *key);
/* A channel changed its status: lanes that wait for it look again. */
void lane_wake_channel(struct bus *b, const char *channel);
/* From channel_sent and channel_failed. */
void lane_sent(const struct outbound *row, const char *platform_id);
void lane_failed(const struct outbound *row, const struct error *why);
/* Stopping: ends the lanes that only wait. Those in mid-send go on to the end of their row. */
void lane_stop_idle(struct bus *b);

#endif
