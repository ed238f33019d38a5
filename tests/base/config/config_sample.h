#ifndef TESTS_BASE_CONFIG_CONFIG_SAMPLE_H
#define TESTS_BASE_CONFIG_CONFIG_SAMPLE_H
/* Rows in the shape of Myna's own settings, for the tests of base/config. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/config/config.h"
#include "base/mem.h"

struct sample_top {
	char *state, *control;
	int log;
	bool color;
};

struct sample_channel {
	int type, group;
	const char *token;
	char *greeting;
	struct config_strings allow, admins;
	int64_t poll, idle, file_size, port, offset;
	bool typing;
};

struct sample_provider {
	int api;
	char *base_url, *model;
	const char *key;
};

static const char *const sample_logs[] = {"error", "warn", "info", "debug", NULL};
static const char *const sample_types[] = {"telegram", "slack", "discord", "console", NULL};
static const char *const sample_groups[] = {"mention", "all", "off", NULL};
static const char *const sample_apis[] = {"anthropic", "openai-chat", "openai-responses", NULL};

#define TOP(m)      offsetof(struct sample_top, m)
#define CHANNEL(m)  offsetof(struct sample_channel, m)
#define PROVIDER(m) offsetof(struct sample_provider, m)

static const struct config_key sample_top_keys[] = {
    {.name = "state",
	.type = CONFIG_STRING,
	.flags = CONFIG_REQUIRED,
	.offset = TOP(state),
	.help = "Where it is."},
    {.name = "control", .type = CONFIG_STRING, .offset = TOP(control), .help = "The control socket."},
    {.name = "log",
	.type = CONFIG_ENUM,
	.flags = CONFIG_RESTART,
	.offset = TOP(log),
	.fallback = "info",
	.choices = sample_logs,
	.help = "How much is logged."},
    {.name = "color",
	.type = CONFIG_BOOL,
	.offset = TOP(color),
	.fallback = "false",
	.help = "Colours: a|b."},
};

static const struct config_key sample_channel_keys[] = {
    {.name = "type",
	.type = CONFIG_ENUM,
	.flags = CONFIG_REQUIRED,
	.offset = CHANNEL(type),
	.choices = sample_types,
	.help = "Which platform."},
    {.name = "token", .type = CONFIG_SECRET, .offset = CHANNEL(token), .help = "The token of the bot."},
    {.name = "greeting",
	.type = CONFIG_STRING,
	.offset = CHANNEL(greeting),
	.fallback = "Hello.",
	.help = "The first words."},
    {.name = "allow",
	.type = CONFIG_STRINGS,
	.flags = CONFIG_RESTART,
	.offset = CHANNEL(allow),
	.help = "Who may talk."},
    {.name = "admins",
	.type = CONFIG_STRINGS,
	.offset = CHANNEL(admins),
	.fallback = "root, wheel",
	.help = "Who may command."},
    {.name = "group",
	.type = CONFIG_ENUM,
	.offset = CHANNEL(group),
	.fallback = "mention",
	.choices = sample_groups,
	.help = "What is answered in groups."},
    {.name = "poll",
	.type = CONFIG_DURATION,
	.offset = CHANNEL(poll),
	.fallback = "30 s",
	.min = 1000,
	.max = 300000,
	.help = "How long a poll waits."},
    {.name = "idle",
	.type = CONFIG_DURATION,
	.offset = CHANNEL(idle),
	.fallback = "60",
	.help = "When to rest."},
    {.name = "file_size",
	.type = CONFIG_SIZE,
	.offset = CHANNEL(file_size),
	.fallback = "20 MiB",
	.max = 1 << 30,
	.help = "The largest file."},
    {.name = "port",
	.type = CONFIG_INT,
	.offset = CHANNEL(port),
	.fallback = "8080",
	.min = 1,
	.max = 65535,
	.help = "The port."},
    {.name = "offset",
	.type = CONFIG_INT,
	.offset = CHANNEL(offset),
	.fallback = "-1",
	.min = -1,
	.max = -2,
	.help = "The first update."},
    {.name = "typing",
	.type = CONFIG_BOOL,
	.offset = CHANNEL(typing),
	.fallback = "true",
	.help = "Shows typing."},
};

static const struct config_key sample_provider_keys[] = {
    {.name = "api",
	.type = CONFIG_ENUM,
	.flags = CONFIG_REQUIRED,
	.offset = PROVIDER(api),
	.choices = sample_apis,
	.help = "The wire format."},
    {.name = "base_url", .type = CONFIG_STRING, .offset = PROVIDER(base_url), .help = "Where it is."},
    {.name = "key", .type = CONFIG_SECRET, .offset = PROVIDER(key), .help = "The key."},
    {.name = "model",
	.type = CONFIG_STRING,
	.flags = CONFIG_REQUIRED,
	.offset = PROVIDER(model),
	.help = "Which."},
};

static const char *const sample_top_children[] = {"channels", "llm", "targets", NULL};
static const char *const sample_llm_children[] = {"providers", NULL};

static const struct config_section sample_top = {
    "", sample_top_keys, ARRAY_LEN(sample_top_keys), "The whole.", sample_top_children, false};
static const struct config_section sample_channel = {
    "channels.*", sample_channel_keys, ARRAY_LEN(sample_channel_keys), "One account.", NULL, false};
static const struct config_section sample_llm = {"llm", NULL, 0, "Models.", sample_llm_children, false};
static const struct config_section sample_provider = {
    "llm.providers.*", sample_provider_keys, ARRAY_LEN(sample_provider_keys), "One provider.", NULL, false};

/* Reads everything as the daemon does, and forgets it. */
static inline void sample_read(struct config *cfg)
{
	const char **names;
	size_t count;
	char path[200];
	struct sample_top top = {0};
	struct config_strings target = {0};

	config_read(cfg, "", &sample_top, &top);
	config_settings_clear(sample_top_keys, ARRAY_LEN(sample_top_keys), &top);
	count = config_names(cfg, "channels", &names);
	for (size_t i = 0; i < count; i++) {
		struct sample_channel channel = {0};
		snprintf(path, sizeof(path), "channels.%s", names[i]);
		config_read(cfg, path, &sample_channel, &channel);
		config_settings_clear(sample_channel_keys, ARRAY_LEN(sample_channel_keys), &channel);
	}
	free(names);
	config_read(cfg, "llm", &sample_llm, &top);
	count = config_names(cfg, "llm.providers", &names);
	for (size_t i = 0; i < count; i++) {
		struct sample_provider provider = {0};
		snprintf(path, sizeof(path), "llm.providers.%s", names[i]);
		config_read(cfg, path, &sample_provider, &provider);
		config_settings_clear(sample_provider_keys, ARRAY_LEN(sample_provider_keys), &provider);
	}
	free(names);
	count = config_names(cfg, "targets", &names);
	for (size_t i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "targets.%s", names[i]);
		config_read_strings(cfg, path, &target);
		config_strings_clear(&target);
	}
	free(names);
}

#endif
