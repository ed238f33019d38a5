#ifndef CHANNELS_SHARED_BLANK_H
#define CHANNELS_SHARED_BLANK_H
#include <stdbool.h>

/* Does the text show nothing? Platforms refuse such a message. */
bool text_is_blank(const char *text);

#endif
