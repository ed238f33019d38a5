#ifndef PLAYGROUND_TELEGRAM_METHODS_LOCATION_H
#define PLAYGROUND_TELEGRAM_METHODS_LOCATION_H
/* Geographic locations, and dice. */
struct buf;
struct json_object;

/* Appends the Location of in's latitude and longitude; returns -1 when they are invalid. */
int location_write(struct json_object *in, struct buf *out);
/* How many values a dice with that emoji has; 0: there is none. */
int dice_sides(const char *emoji);

#endif
