#include "channels/slack/slack.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "bus/channel.h"
#include "channels/shared/base_url.h"
#include "channels/slack/api.h"
#include "channels/slack/download.h"
#include "channels/slack/socket.h"
#include "channels/slack/slack_internal.h"
#include "channels/slack/render.h"

/* A conversation bears a short burst above its rate, and so does the workspace. */
#define CHAT_BURST 3
#define ALL_BURST  10
/* Of a file, which is held in memory while it is sent. */
#define FILE_MAX (50LL * 1024 * 1024)

static void start_rate_limiter(struct slack *sk)
{
	const struct slack_settings *s = sk->settings;
	const struct rate_limit_options options = {
	    .chats = {rate_limit_per_window(s->rate_chat, 1000, CHAT_BURST)},
	    .all = rate_limit_per_window(s->rate_global, 1000, ALL_BURST),
	};

	rate_limit_init(&sk->rate_limiter, &options);
	slack_api_tiers(sk);
}

int slack_start_with(struct channel *ch, const struct slack_settings *settings,
    const struct slack_limits *limits, struct error *err)
{
	struct slack *sk;

	if (slack_settings_check(settings, err) < 0)
		return -1;
	secret_register(settings->bot_token);
	secret_register(settings->app_token);
	sk = xcalloc(1, sizeof(*sk));
	sk->ch = ch;
	sk->settings = settings;
	sk->limits = limits;
	sk->base = base_url_trim(settings->api_base);
	sk->host = base_url_host(settings->api_base);
	str_copy(sk->self.channel, sizeof(sk->self.channel), ch->name);
	start_rate_limiter(sk);
	task_group_init(&sk->tasks);
	ch->state = sk;
	channel_set_status(ch, CHANNEL_STARTING, "asking %s who the bot is", sk->host);
	slack_socket_start(sk);
	return 0;
}

static int start(struct channel *ch, const void *settings, struct error *err)
{
	return slack_start_with(ch, settings, &slack_limits, err);
}

static void stop(struct task *t, struct channel *ch)
{
	struct slack *sk = ch->state;

	sk->stopping = true;
	ch->state = NULL;
	slack_socket_stop_all(sk);
	task_group_finish(t, &sk->tasks);
	rate_limit_clear(&sk->rate_limiter);
	rate_limit_clear(&sk->methods);
	slack_users_clear(&sk->people);
	slack_recent_map_clear(&sk->threads);
	slack_recent_map_clear(&sk->authors);
	slack_recent_map_clear(&sk->statuses);
	slack_recent_map_clear(&sk->reactions);
	slack_recent_map_clear(&sk->uploads);
	slack_recent_map_clear(&sk->response_urls);
	free(sk->base);
	free(sk->host);
	free(sk);
}

void slack_stopped(struct slack *sk, const char *why)
{
	sk->refused = true;
	channel_set_status(sk->ch, CHANNEL_STOPPED, "%s", why);
	slack_socket_stop_all(sk);
}

void slack_refused(struct slack *sk, const char *key, const struct error *why)
{
	char text[sizeof(sk->ch->status_text)];

	if (sk->refused)
		return;
	snprintf(text, sizeof(text), "channels.%.31s.%s was refused: %.90s", sk->ch->name, key, why->text);
	slack_stopped(sk, text);
}

static const char *slash_command(const void *settings)
{
	return ((const struct slack_settings *)settings)->command;
}

const struct channel_ops slack_ops = {
    .type = "slack",
    .caps = CHANNEL_TYPING | CHANNEL_BUTTONS | CHANNEL_FILES | CHANNEL_WELCOME | CHANNEL_ACK_PRIVATE,
    .stop_reaction = "🛑",
    .person_ids = "^[UW][A-Z0-9]+$",
    .group_ids = "^[CGD][A-Z0-9]+$",
    .person_id_help = "Slack knows people by member ids, such as \"U024BE7LH\": open their profile, then the "
		      "three dots, Copy member ID.",
    .person_mention_help =
	"Or mention them after the command, or mention me with the command in a thread that "
	"they began.",
    .group_id_help = "Slack knows channels by ids, such as \"C024BE91L\": open the details of the channel "
		     "and look at the end.",
    .person_chat = "", /* chat.postMessage to a person writes in the private chat with them */
    .command = slash_command,
    .abilities =
	"Markdown is shown as bold, italics, code, quotes, lists and links; tables become aligned code. "
	"Nobody can be mentioned. A message holds 4,000 characters, and a longer answer becomes several.",
    .section = &slack_section,
    .settings_size = sizeof(struct slack_settings),
    .setup = slack_setup,
    /* Used where the app may not read the history, or where that is too long. */
    .repeat_uncertain_replies = true,
    .file_max = FILE_MAX,
    .caption_max = SLACK_TEXT_UNITS,
    .check = slack_settings_check,
    .probe = slack_probe,
    .start = start,
    .stop = stop,
    .split = slack_split,
    .admit = slack_send_admit,
    .send = slack_send_delivery,
    .reconcile = slack_send_reconcile,
    .fetch = slack_download,
    .typing = slack_typing,
    .preview = slack_preview,
    .find_preview = slack_find_preview,
    .react = slack_react,
    .answer_press = slack_press_answer,
};
