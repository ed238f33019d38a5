#include "channels/telegram/render_internal.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

/* Longer targets leave no room for the text. */
#define TARGET_MAX 1024

static const char *const schemes[] = {"http://", "https://", "mailto:", "tg://"};

/* tg://user?id=7 is a mention of a person, whatever stands in the link (Bot API, "HTML style"). */
static bool is_person(const char *target)
{
	return strncasecmp(target, "tg:", 3) == 0 && strncasecmp(target, "tg://resolve?", 13) != 0 &&
	    strncasecmp(target, "tg://join?", 10) != 0 && strncasecmp(target, "tg://settings", 13) != 0 &&
	    strncasecmp(target, "tg://addstickers?", 17) != 0 &&
	    strncasecmp(target, "tg://msg_url?", 13) != 0;
}

enum render_link render_link_of(const char *target, size_t len)
{
	if (len == 0 || len > TARGET_MAX || target[0] == '#' || is_person(target))
		return RENDER_DROPPED;
	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		size_t n = strlen(schemes[i]);

		if (strncasecmp(target, schemes[i], n) == 0)
			return len > n && isgraph((unsigned char)target[n]) && target[n] != '/' ?
			    RENDER_LINKED :
			    RENDER_WRITTEN;
	}
	return RENDER_WRITTEN;
}
