#ifndef BUS_LIVE_PREVIEW_H
#define BUS_LIVE_PREVIEW_H
/* Live previews of turns, see bus_live_start. */
struct bus;

/* Stops all previews at shutdown. */
void live_stop_all(struct bus *b);

#endif
