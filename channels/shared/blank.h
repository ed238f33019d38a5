#ifndef CHANNELS_SHARED_BLANK_H
#define CHANNELS_SHARED_BLANK_H
#include <stdbool.h>

/* Nothing in it shows: platforms refuse such a message. */
bool text_is_blank(const char *text);

#endif
