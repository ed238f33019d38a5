#ifndef BUS_LIVE_PREVIEW_H
#define BUS_LIVE_PREVIEW_H
/* The signs of life of turns, see bus_live_start. Private to the bus. */
struct bus;

/* Stopping: nothing more is shown. */
void live_stop_all(struct bus *b);

#endif
