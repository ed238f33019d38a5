#include "bench/platform.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "bench/bench.h"

static const struct platform telegram = {
    .name = "telegram",
    .send = "sendMessage",
    .chat = "%" PRId64,
    .section = "token = \"" PLATFORM_TELEGRAM_TOKEN "\"; api_base = \"%s/telegram\"; group = \"all\"; ",
    .unlimited = "rate_private = 0; rate_group = 0; rate_global = 0; ",
};

static const struct platform slack = {
    .name = "slack",
    .send = "chat.postMessage",
    .chat = "person%" PRId64,
    .section =
	"bot_token = \"xoxb-1-2-bench\"; app_token = \"xapp-1-A2-3-bench\"; api_base = \"%s/slack/api\"; ",
    .unlimited = "rate_chat = 0; rate_global = 0; ",
};

static const struct platform discord = {
    .name = "discord",
    .send = "POST /channels/messages",
    .chat = "person%" PRId64,
    .section = "token = \"NDI0MjQyNDI0MjQyNDI0MjQy.GbEnch.benchTokenOfTheMeasurements0123456789\"; api_base "
	       "= \"%s/discord/api/v10\"; ",
    .unlimited = "rate_channel = 0; rate_global = 0; ",
};

const struct platform *const platforms[] = {&telegram, &slack, &discord, NULL};

const struct platform *platform_find(const char *name)
{
	if (!name)
		return &telegram;
	for (size_t i = 0; platforms[i]; i++)
		if (strcmp(platforms[i]->name, name) == 0)
			return platforms[i];
	bench_die("there is no platform \"%s\"", name);
}

void platform_write(const struct platform *p, struct buf *out, const char *url, unsigned poll_s, bool limits)
{
	buf_addf(out, "  %s: { type = \"%s\"; allow = [\"*\"]; ", p->name, p->name);
	buf_addf(out, p->section, url);
	if (p == &telegram)
		buf_addf(out, "poll_timeout = \"%u s\"; ", poll_s);
	if (!limits)
		buf_addstr(out, p->unlimited);
	buf_addstr(out, "};\n");
}
