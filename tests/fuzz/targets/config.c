/* A configuration file through the rows of all parts: every mistake is reported with its place, and what is
 * accepted is complete and within its limits. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/text/utf8.h"
#include "bus/channel.h"
#include "fuzz/fuzz.h"
#include "config/gateway_config.h"
#include "llm/llm.h"
#include "tools/tools.h"

/* FILE:LINE: sentence. Included files may stand in place of the first. */
static void check_line(const char *line)
{
	const char *colon = strchr(line, ':');
	char *end;

	HOLDS(colon);
	while (strtoul(colon + 1, &end, 10) == 0 || end[0] != ':' || end[1] != ' ') {
		colon = strchr(colon + 1, ':');
		HOLDS(colon);
	}
	HOLDS(end[2] != '\0');
}

static void check_report(const struct buf *report)
{
	const char *at = report->data, *end;

	HOLDS(utf8_valid(report->data, report->len));
	while ((end = strchr(at, '\n'))) {
		char *line = xstrndup(at, (size_t)(end - at));

		check_line(line);
		free(line);
		at = end + 1;
	}
	HOLDS(*at == '\0');
}

static void check_targets(const struct gateway_config *gc)
{
	for (size_t i = 0; i < gc->targets.count; i++) {
		const struct target *target = &gc->targets.items[i];

		HOLDS(target->count > 0);
		for (size_t k = 0; k < target->count; k++)
			HOLDS(gateway_config_channel(gc, target->addresses[k].channel));
	}
}

static void check_accepted(const struct gateway_config *gc)
{
	HOLDS(gc->top.state && gc->top.state[0] != '\0' && gc->top.control && gc->top.name);
	HOLDS(gc->top.turns_at_once >= 1 && gc->top.turns_at_once <= 100000);
	HOLDS(gc->top.log_level >= 0 && gc->top.log_level <= 3 && gc->top.log_format >= 0 &&
	    gc->top.log_format <= 1);
	HOLDS(gc->channel_count > 0);
	for (size_t i = 0; i < gc->channel_count; i++) {
		const struct gateway_channel *ch = &gc->channels[i];

		HOLDS(ch->ops && (ch->implied || strcmp(ch->ops->type, ch->access.type) == 0));
		HOLDS(!ch->ops->check || ch->ops->check(ch->settings, NULL) == 0);
		HOLDS(gateway_config_channel(gc, ch->name) == ch);
	}
	HOLDS(!llm_default(gc->llm) || llm_default(gc->llm)->settings.model);
	HOLDS(tools_rounds(gc->tools) >= 1 && tools_rounds(gc->tools) <= 100);
	check_targets(gc);
}

static int load(const char *file, struct buf *report)
{
	struct gateway_config gc;
	int rc = gateway_config_load(&gc, file, report);

	if (rc == 0)
		check_accepted(&gc);
	else
		HOLDS(report->len > 0);
	check_report(report);
	gateway_config_clear(&gc);
	secret_forget_all();
	return rc;
}

void fuzz_config(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct buf once = BUF_INIT, twice = BUF_INIT;
	size_t len;
	char *text = fuzz_rest(&in, &len);
	const char *file = fuzz_file(0, text, len);
	int rc = load(file, &once);

	HOLDS(load(file, &twice) == rc && strcmp(once.data, twice.data) == 0);
	buf_clear(&once);
	buf_clear(&twice);
	free(text);
}

FUZZ_PROGRAM(fuzz_config)
