#include "channels/slack/scopes.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

const char *const slack_scopes[] = {
    "app_mentions:read",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "reactions:read",
    "reactions:write",
    "users:read",
    NULL,
};

static bool is_among(const char *granted, const char *scope)
{
	size_t len = strlen(scope), word;

	for (; *granted; granted += word) {
		granted += strspn(granted, ", ");
		word = strcspn(granted, ", ");
		if (word == len && memcmp(granted, scope, len) == 0)
			return true;
	}
	return false;
}

void slack_scopes_missing(struct buf *out, const char *granted)
{
	size_t before = out->len;

	for (const char *const *scope = slack_scopes; *scope; scope++)
		if (!is_among(granted, *scope))
			buf_addf(out, "%s%s", out->len > before ? ", " : "", *scope);
}
