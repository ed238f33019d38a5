/* A configuration as a number: the same for files that mean the same. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config_internal.h"
#include "base/fnv.h"

static bool is_left_out(const char *path, const char *const *without)
{
	for (; *without; without++)
		if (strcmp(path, *without) == 0)
			return true;
	return false;
}

static void add_value(struct buf *out, const struct config_setting_t *s)
{
	switch (config_setting_type(s)) {
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		buf_addf(out, "%lld", (long long)config_setting_get_int64(s));
		break;
	case CONFIG_TYPE_FLOAT:
		buf_addf(out, "%.17g", config_setting_get_float(s));
		break;
	case CONFIG_TYPE_BOOL:
		buf_addf(out, "%s", config_setting_get_bool(s) ? "true" : "false");
		break;
	case CONFIG_TYPE_STRING:
		buf_addf(out, "\"%s\"", config_setting_get_string(s));
		break;
	default:
		break;
	}
}

/* Sums the values of a group in any order, those of a list by position. */
static uint64_t sum_of(const struct config_setting_t *s, const char *path, const char *const *without)
{
	struct buf text = BUF_INIT, below = BUF_INIT;
	uint64_t sum = 0;

	for (int i = 0; config_setting_is_aggregate(s) && i < config_setting_length(s); i++) {
		const struct config_setting_t *member = config_setting_get_elem(s, (unsigned)i);

		buf_reset(&below);
		if (member->name)
			buf_addf(&below, "%s%s%s", path, *path ? "." : "", member->name);
		else
			buf_addf(&below, "%s[%d]", path, i);
		if (!is_left_out(below.data, without))
			sum += sum_of(member, below.data, without);
	}
	buf_addf(&text, "%s=%d:", path, config_setting_type(s));
	add_value(&text, s);
	sum += fnv_text(text.data);
	buf_clear(&text);
	buf_clear(&below);
	return sum;
}

void config_revision(const struct config *cfg, const char *const *without, char out[CONFIG_REVISION_SIZE])
{
	uint64_t sum = sum_of(config_root_setting(&cfg->tree), "", without);

	snprintf(
	    out, CONFIG_REVISION_SIZE, "%012llx", (unsigned long long)(sum ^ sum >> 48) & 0xffffffffffff);
}
