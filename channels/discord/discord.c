#include "channels/discord/discord.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/time/clock.h"
#include "bus/channel.h"
#include "channels/discord/download.h"
#include "channels/discord/discord_internal.h"
#include "channels/discord/greeting.h"
#include "channels/discord/interaction.h"
#include "channels/discord/receive.h"
#include "channels/discord/send.h"
#include "channels/discord/split.h"
#include "channels/shared/base_url.h"

/* Observed limits of a channel: the burst, and messages in five seconds. */
#define CHANNEL_WINDOW_MS 5000
#define CHANNEL_BURST     3
#define ALL_BURST         5
/* Of a server without boosts. */
#define FILE_MAX (10 << 20)
/* Rendered it may be longer, and has to fit into one message. */
#define CAPTION_MAX 1000

/* Returns this unit's part of the global limit; 0: no limit. */
static int64_t rate_global(const struct discord *d)
{
	int64_t all = d->settings->rate_global, own = all / d->ch->units;

	return all > 0 && own == 0 ? 1 : own;
}

static void init_rate_limiter(struct discord *d)
{
	const struct rate_limit_options options = {
	    .chats = {rate_limit_strict(d->settings->rate_channel, CHANNEL_WINDOW_MS, CHANNEL_BURST),
		rate_limit_strict(0, CHANNEL_WINDOW_MS, 1)},
	    .all = rate_limit_strict(rate_global(d), 1000, ALL_BURST),
	};

	rate_limit_init(&d->rate_limiter, &options);
}

int discord_start_with(struct channel *ch, const struct discord_settings *settings,
    const struct discord_limits *limits, struct error *err)
{
	struct discord *d;

	if (discord_settings_check(settings, err) < 0)
		return -1;
	secret_register(settings->token);
	d = xcalloc(1, sizeof(*d));
	d->ch = ch;
	d->settings = settings;
	d->limits = limits;
	d->base = base_url_trim(settings->api_base);
	d->host = base_url_host(settings->api_base);
	d->authorization = xasprintf("Bot %s", settings->token);
	d->retry = (struct backoff){.base_ms = limits->retry_ms, .max_ms = limits->retry_max_ms};
	str_copy(d->self.channel, sizeof(d->self.channel), ch->channel);
	clock_random_hex(d->unit_name, (sizeof(d->unit_name) - 1) / 2);
	discord_rate_limit_init(&d->rest_limiter, rate_global(d), limits->invalid_max, limits->invalid_stop);
	init_rate_limiter(d);
	discord_cache_init(&d->cache, 1);
	task_semaphore_init(&d->gateway_bot_lock, 1);
	for (size_t i = 0; i < DISCORD_BUCKETS; i++)
		task_semaphore_init(&d->turns[i], 1);
	list_init(&d->greetings);
	list_init(&d->interactions);
	task_group_init(&d->tasks);
	task_group_init(&d->connections);
	ch->state = d;
	channel_set_status(ch, CHANNEL_STARTING, "asking %s who the bot is", d->host);
	discord_gateway_start(d);
	return 0;
}

static int start(struct channel *ch, const void *settings, struct error *err)
{
	return discord_start_with(ch, settings, &discord_limits, err);
}

static void stop(struct task *t, struct channel *ch)
{
	struct discord *d = ch->state;

	d->stopping = true;
	ch->state = NULL;
	task_group_finish(t, &d->tasks);
	task_group_finish(t, &d->connections);
	for (size_t i = 0; i < d->shard_count; i++)
		discord_receive_save_session(t, &d->shards[i]);
	discord_greeting_clear(d);
	discord_interaction_clear(d);
	discord_gateway_clear(d);
	discord_cache_clear(&d->cache);
	rate_limit_clear(&d->rate_limiter);
	discord_rate_limit_clear(&d->rest_limiter);
	task_semaphore_clear(&d->gateway_bot_lock);
	for (size_t i = 0; i < DISCORD_BUCKETS; i++)
		task_semaphore_clear(&d->turns[i]);
	ch->shards = ch->shards_ready = 0;
	free(d->bot.url);
	free(d->refused_commands);
	free(d->authorization);
	free(d->base);
	free(d->host);
	free(d);
}

void discord_stopped(struct discord *d, const char *sentence)
{
	d->refused = true;
	channel_set_status(d->ch, CHANNEL_STOPPED, "%s", sentence);
	d->ch->shards_ready = 0;
	if (d->gateway && d->gateway != task_current())
		task_cancel(d->gateway);
	for (size_t i = 0; i < d->shard_count; i++)
		if (d->shards[i].task && d->shards[i].task != task_current())
			task_cancel(d->shards[i].task);
}

void discord_refused(struct discord *d, const struct error *why)
{
	char *sentence =
	    xasprintf("the token was refused (%d): put the right one into channels.%s.token and restart",
		why->code, d->ch->channel);

	discord_stopped(d, sentence);
	free(sentence);
}

void discord_pause(struct discord *d, const char *channel, uint64_t ms)
{
	rate_limit_pause(&d->rate_limiter, channel, ms);
	if (ms >= d->limits->long_pause_ms)
		rate_limit_pause_optional(&d->rate_limiter, ms);
}

const char *discord_channel_of(const struct address *where)
{
	return where->thread[0] != '\0' ? where->thread : where->chat;
}

const struct channel_ops discord_ops = {
    .type = "discord",
    .caps = CHANNEL_TYPING | CHANNEL_BUTTONS | CHANNEL_FILES | CHANNEL_WELCOME,
    .file_max = FILE_MAX,
    .caption_max = CAPTION_MAX,
    .section = &discord_section,
    .settings_size = sizeof(struct discord_settings),
    .setup = discord_setup,
    /* Used for what is in doubt longer than Discord remembers its nonce. */
    .repeat_uncertain_replies = true,
    .stop_reaction = "🛑",
    .person_ids = "^[1-9][0-9]{0,19}$",
    .group_ids = "^[1-9][0-9]{0,19}$",
    .person_id_help = "Discord knows people by numbers, such as \"123456789012345678\": switch on Developer "
		      "Mode in the advanced settings, then right-click the person, Copy User ID.",
    .person_mention_help =
	"Or mention them after the command, or answer a message of theirs: mention me, and "
	"give the command.",
    .group_id_help = "Discord knows channels by numbers, such as \"234567890123456789\": switch on Developer "
		     "Mode in the advanced settings, then right-click the channel, Copy Channel ID.",
    .person_chat = "@",
    .abilities = "Markdown is shown as headings, bold, italics, code, quotes, lists and links; tables become "
		 "aligned code. Nobody can be mentioned. A message holds 2,000 characters, and a longer "
		 "answer becomes several.",
    .units = discord_settings_units,
    .check = discord_settings_check,
    .probe = discord_probe,
    .start = start,
    .stop = stop,
    .split = discord_split,
    .admit = discord_send_admit,
    .send = discord_send_delivery,
    .reconcile = discord_send_reconcile,
    .typing = discord_typing,
    .preview = discord_preview,
    .react = discord_react,
    .answer_press = discord_interaction_answer_press,
    .fetch = discord_download,
};
