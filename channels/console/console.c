#include "channels/console/console.h"

#include "base/config/config.h"
#include "bus/channel.h"
#include "channels/console/chat.h"

/* It has no settings beside those of every channel. */
static const struct config_section console_section = {
    .path = "channels.*",
    .help =
	"Terminals (type = \"console\"): the conversations of `myna chat`. Without a section there is one "
	"named console; a section gives it another name and lets `targets` name its chats. Anyone who can "
	"use the control socket is the operator: `allow`, `admins` and `chats` have no effect here.",
};

static int start(struct channel *ch, const void *settings, struct error *err)
{
	(void)settings;
	(void)err;
	/* A terminal that has shown the row knows it by its number, so that a repeat does no harm. */
	if (ch->uncertain == CHANNEL_UNCERTAIN_DEFAULT)
		ch->uncertain = CHANNEL_UNCERTAIN_REPEAT;
	ch->state = console_new(ch);
	channel_set_status(ch, CHANNEL_READY, "waiting for terminals on the control socket");
	return 0;
}

static void stop(struct task *t, struct channel *ch)
{
	struct console *c = ch->state;

	(void)t;
	ch->state = NULL;
	console_free(c);
}

const struct channel_ops console_ops = {
    .type = "console",
    .caps = CHANNEL_TYPING,
    .abilities = "It is a terminal: Markdown is shown as far as one can.",
    .section = &console_section,
    .settings_size = 1,
    .repeat_uncertain_replies = true,
    .start = start,
    .stop = stop,
    .split = console_split,
    .admit = console_admit,
    .send = console_send,
    .typing = console_typing,
    .preview = console_preview,
};
