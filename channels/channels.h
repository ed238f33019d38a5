#ifndef CHANNELS_CHANNELS_H
#define CHANNELS_CHANNELS_H
/* The platforms that Myna speaks: one row each, compiled in. A new adapter is a folder and a row. */

struct channel_ops;

/* Sorted by type; NULL-terminated. */
extern const struct channel_ops *const channel_types[];

/* NULL when no adapter is of this type. */
const struct channel_ops *channels_find(const char *type);

#endif
