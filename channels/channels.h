#ifndef CHANNELS_CHANNELS_H
#define CHANNELS_CHANNELS_H
/* The table of compiled-in channel types. A new adapter is one folder and one row here. */

struct channel_ops;

/* Sorted by type; NULL-terminated. */
extern const struct channel_ops *const channel_types[];

/* Returns NULL for an unknown type. */
const struct channel_ops *channels_find(const char *type);

#endif
