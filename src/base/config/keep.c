#include <string.h>

#include "base/config/config.h"
#include "base/config/value.h"
#include "base/mem.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_strings(const struct config_strings *a, const struct config_strings *b)
{
	for (size_t i = 0; i < a->count && i < b->count; i++)
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	return a->count == b->count;
}

static bool same_value(enum config_type type, const void *a, const void *b)
{
	switch (type) {
	case CONFIG_STRING:
	case CONFIG_SECRET:
		return same_text(*(const char *const *)a, *(const char *const *)b);
	case CONFIG_STRINGS:
		return same_strings(a, b);
	case CONFIG_BOOL:
		return *(const bool *)a == *(const bool *)b;
	case CONFIG_ENUM:
		return *(const int *)a == *(const int *)b;
	default:
		return *(const int64_t *)a == *(const int64_t *)b;
	}
}

static void copy_strings(struct config_strings *to, const struct config_strings *from)
{
	*to = (struct config_strings){
	    .items = xcalloc(from->count + 1, sizeof(*to->items)), .count = from->count};
	for (size_t i = 0; i < from->count; i++)
		to->items[i] = xstrdup(from->items[i]);
}

/* A secret belongs to the table of secrets, so its pointer is copied. */
static void copy_value(enum config_type type, const void *from, void *to)
{
	static const size_t sizes[] = {
	    [CONFIG_INT] = sizeof(int64_t),
	    [CONFIG_BOOL] = sizeof(bool),
	    [CONFIG_SIZE] = sizeof(int64_t),
	    [CONFIG_DURATION] = sizeof(int64_t),
	    [CONFIG_MONEY] = sizeof(int64_t),
	    [CONFIG_ENUM] = sizeof(int),
	    [CONFIG_SECRET] = sizeof(char *),
	};
	const char *text;

	config_value_clear(type, to);
	if (type == CONFIG_STRING) {
		text = *(const char *const *)from;
		*(char **)to = text ? xstrdup(text) : NULL;
	} else if (type == CONFIG_STRINGS) {
		copy_strings(to, from);
	} else {
		memcpy(to, from, sizes[type]);
	}
}

void config_settings_keep_restart_only(const struct config_section *section, const void *old, void *now,
    void (*changed)(void *arg, const struct config_key *key), void *arg)
{
	for (size_t i = 0; i < section->key_count; i++) {
		const struct config_key *key = &section->keys[i];
		const void *from = (const char *)old + key->offset;
		void *to = (char *)now + key->offset;

		if (!(section->restart || (key->flags & CONFIG_RESTART)) || same_value(key->type, from, to))
			continue;
		copy_value(key->type, from, to);
		changed(arg, key);
	}
}
