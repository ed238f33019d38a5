#include "channels/telegram/telegram.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "bus/channel.h"
#include "channels/shared/base_url.h"
#include "channels/telegram/telegram_internal.h"
#include "channels/telegram/download.h"
#include "channels/telegram/commands.h"
#include "channels/telegram/split.h"
#include "channels/telegram/upload.h"

/* Private chats bear a short burst above their rate. */
#define PRIVATE_BURST 3
/* Burst within the chat rates and the global rate; it costs 3.4 % of the global rate. */
#define GROUP_BURST 4
#define ALL_BURST   2

static char *base_of(const struct telegram_settings *s, const char *folder)
{
	char *trimmed = base_url_trim(s->api_base),
	     *base = xasprintf("%s%s/bot%s/", trimmed, folder, s->token);

	free(trimmed);
	return base;
}

/* Groups and channels have negative ids or a public @name. */
static unsigned is_group(const char *chat)
{
	return chat[0] == '-' || chat[0] == '@';
}

static void start_rate_limiter(struct telegram *tg, const struct telegram_settings *s)
{
	const struct rate_limit_options options = {
	    .chats = {rate_limit_per_window(s->rate_private, 1000, PRIVATE_BURST),
		rate_limit_strict(s->rate_group, 60000, GROUP_BURST)},
	    .all = rate_limit_strict(s->rate_global, 1000, ALL_BURST),
	    .kind = is_group,
	};

	rate_limit_init(&tg->rate_limiter, &options);
}

int telegram_start_with(struct channel *ch, const struct telegram_settings *settings,
    const struct telegram_limits *limits, struct error *err)
{
	struct telegram *tg;

	if (telegram_settings_check(settings, err) < 0)
		return -1;
	secret_register(settings->token);
	tg = xcalloc(1, sizeof(*tg));
	tg->ch = ch;
	tg->settings = settings;
	tg->limits = limits;
	tg->base = base_of(settings, "");
	tg->file_base = base_of(settings, "/file");
	tg->host = base_url_host(settings->api_base);
	tg->retry = (struct backoff){.base_ms = limits->retry_ms, .max_ms = limits->retry_max_ms};
	tg->early_poll_backoff =
	    (struct backoff){.base_ms = limits->empty_ms, .max_ms = limits->empty_max_ms};
	telegram_account_init(tg, ch->name, settings->token);
	start_rate_limiter(tg, settings);
	task_group_init(&tg->tasks);
	ch->state = tg;
	channel_set_status(ch, CHANNEL_STARTING, "asking %s who the bot is", tg->host);
	telegram_poll_start(tg);
	return 0;
}

static int start(struct channel *ch, const void *settings, struct error *err)
{
	return telegram_start_with(ch, settings, &telegram_limits, err);
}

static void stop(struct task *t, struct channel *ch)
{
	struct telegram *tg = ch->state;

	tg->stopping = true;
	ch->state = NULL;
	clock_timer_stop(&tg->watchdog);
	task_group_finish(t, &tg->tasks);
	telegram_poll_confirm(t, tg);
	rate_limit_clear(&tg->rate_limiter);
	free(tg->base);
	free(tg->file_base);
	free(tg->host);
	free(tg);
}

void telegram_refused(struct telegram *tg, const struct error *why)
{
	tg->refused = true;
	channel_set_status(tg->ch, CHANNEL_STOPPED,
	    "the token was refused (%d): put the right one into channels.%s.token and restart", why->code,
	    tg->ch->name);
	if (tg->poller && tg->poller != task_current())
		task_cancel(tg->poller);
}

void telegram_pause(struct telegram *tg, const char *chat, uint64_t ms)
{
	rate_limit_pause(&tg->rate_limiter, chat, ms);
	if (ms >= tg->limits->long_pause_ms)
		rate_limit_pause_optional(&tg->rate_limiter, ms);
}

const struct channel_ops telegram_ops = {
    .type = "telegram",
    .caps = CHANNEL_TYPING | CHANNEL_BUTTONS | CHANNEL_FILES,
    .file_max = TELEGRAM_UPLOAD_MAX,
    .caption_max = TELEGRAM_CAPTION_UNITS,
    .section = &telegram_section,
    .settings_size = sizeof(struct telegram_settings),
    .setup = telegram_setup,
    /* sendMessage has no idempotency key, and a bot cannot read a chat's history. */
    .repeat_uncertain_replies = true,
    .stop_reaction = "👎",
    .person_ids = "^[1-9][0-9]{0,15}$",
    .group_ids = "^-[1-9][0-9]{0,18}$",
    .public_names = "^@[A-Za-z][A-Za-z0-9_]{3,}$",
    .person_id_help = "Telegram knows people by numbers, such as \"123456789\": let them write to the bot in "
		      "private, or ask for /whoami.",
    .person_mention_help =
	"Or answer a message of theirs with the command. A mention counts, too, but not an "
	"@name: Telegram does not say whose it is.",
    .group_id_help = "Telegram knows groups by negative numbers, such as \"-1001234567890\": /whoami in the "
		     "group shows its own.",
    .person_chat = "", /* a private chat has the id of the person */
    .abilities = "Markdown is shown as bold, italics, code, quotes, lists and links; tables become aligned "
		 "code. A message holds 4,096 characters, and a longer answer becomes several.",
    .check = telegram_settings_check,
    .probe = telegram_probe,
    .start = start,
    .stop = stop,
    .split = telegram_split,
    .admit = telegram_send_admit,
    .send = telegram_send_delivery,
    .fetch = telegram_download,
    .typing = telegram_typing,
    .preview = telegram_preview,
    .react = telegram_react,
    .admins_changed = telegram_commands_admins_changed,
    .answer_press = telegram_press_answer,
};
