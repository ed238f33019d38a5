#ifndef PLAYGROUND_TELEGRAM_METHODS_LOCATION_H
#define PLAYGROUND_TELEGRAM_METHODS_LOCATION_H
/* Places on earth. */
struct buf;
struct json_object;

/* Appends the Location that latitude and longitude of in make; -1 when they are no place. */
int location_write(struct json_object *in, struct buf *out);

#endif
