#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/telegram/text/formatted.h"

static bool read_number(const char *s, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(s, &end, 10);
	return isdigit((unsigned char)s[s[0] == '-']) && *end == '\0' && errno == 0;
}

bool link_is_valid(const char *url)
{
	static const char *const schemes[] = {
	    "http://", "https://", "ftp://", "tg://", "ton://", "tonsite://", "mailto:", "tel:"};
	const char *dot;

	for (const char *c = url; *c != '\0'; c++)
		if ((unsigned char)*c <= ' ')
			return false;
	for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
		if (strncasecmp(url, schemes[i], strlen(schemes[i])) == 0)
			return url[strlen(schemes[i])] != '\0';
	dot = strchr(url, '.');
	return dot && dot != url && isalnum((unsigned char)dot[1]) && !strchr(url, ':');
}

/* Returns the URL as the platform stores it: with a scheme, and a slash after a bare host. */
static char *canonical(const char *url)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url;
	bool bare = !strpbrk(host, "/?#");

	if (!scheme && strchr(url, ':'))
		return xstrdup(url);
	return xasprintf(
	    "%s%s%s", scheme ? "" : "http://", url, bare && strncasecmp(url, "tg:", 3) != 0 ? "/" : "");
}

void link_add(struct formatted *f, size_t offset, size_t length, const char *url)
{
	static const char user[] = "tg://user?id=";
	int64_t id;

	if (strncasecmp(url, user, sizeof(user) - 1) == 0 && read_number(url + sizeof(user) - 1, &id)) {
		formatted_add(f, ENTITY_TEXT_MENTION, offset, length, NULL);
		f->entities[f->count - 1].number = id;
	} else if (link_is_valid(url)) {
		formatted_add(f, ENTITY_TEXT_LINK, offset, length, canonical(url));
	}
}

int link_add_special(struct formatted *f, enum entity_type type, size_t offset, size_t length,
    const char *value, const char *format, struct error *err)
{
	int64_t number;

	if (!value || !read_number(value, &number) || number == 0)
		return error_set(err, ERROR_OURS,
		    type == ENTITY_CUSTOM_EMOJI ? "Invalid custom emoji identifier specified" :
						  "Invalid Unix time specified");
	if (type == ENTITY_CUSTOM_EMOJI) {
		formatted_add(f, type, offset, length, xstrdup(value));
		return 0;
	}
	formatted_add(f, type, offset, length, xstrdup(format));
	f->entities[f->count - 1].number = number;
	return 0;
}
