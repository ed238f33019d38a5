#include "playground/discord/world/permission.h"

#include <stddef.h>
#include <string.h>

#include "base/mem.h"

static const struct {
	const char *name;
	uint64_t bit;
} permissions[] = {
    {"ADD_REACTIONS", CORD_MAY_REACT},
    {"ADMINISTRATOR", CORD_MAY_ADMINISTER},
    {"ATTACH_FILES", CORD_MAY_ATTACH},
    {"CREATE_PRIVATE_THREADS", CORD_MAY_MAKE_PRIVATE},
    {"CREATE_PUBLIC_THREADS", CORD_MAY_MAKE_THREADS},
    {"EMBED_LINKS", CORD_MAY_EMBED},
    {"MANAGE_CHANNELS", CORD_MAY_MANAGE_CHANNELS},
    {"MANAGE_MESSAGES", CORD_MAY_MANAGE_MESSAGES},
    {"MANAGE_THREADS", CORD_MAY_MANAGE_THREADS},
    {"MENTION_EVERYONE", CORD_MAY_MENTION_ALL},
    {"READ_MESSAGE_HISTORY", CORD_MAY_READ_HISTORY},
    {"SEND_MESSAGES", CORD_MAY_SEND},
    {"SEND_MESSAGES_IN_THREADS", CORD_MAY_SEND_IN_THREADS},
    {"SEND_VOICE_MESSAGES", CORD_MAY_SEND_VOICE},
    {"VIEW_CHANNEL", CORD_MAY_VIEW},
};

uint64_t cord_permission_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(permissions); i++)
		if (strcmp(permissions[i].name, name) == 0)
			return permissions[i].bit;
	return 0;
}
