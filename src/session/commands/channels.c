#include "base/buf.h"
#include "base/time/clock.h"
#include "bus/bus.h"
#include "bus/channel.h"
#include "bus/escape.h"
#include "base/time/duration.h"
#include "session/commands/command.h"
#include "session/session_internal.h"

static void describe(struct buf *out, const struct sessions *all, const struct channel *ch)
{
	const struct access_settings *access = all->options.access(all->options.arg, ch->channel);
	const char *warning = access ? access_warning(access) : NULL;

	buf_addf(out, "%s (%s): %s for ", ch->name, ch->ops->type, channel_status_name(ch->status));
	duration_add(out, clock_wall() - ch->status_since_ms);
	if (*ch->status_text) {
		buf_addstr(out, ", ");
		channel_describe(ch, out);
	}
	if (warning)
		buf_addf(out, ". Warning: %s", warning);
}

static void run(struct task *t, struct command_call *call)
{
	struct buf line = BUF_INIT;

	(void)t;
	for (struct channel *ch = NULL; (ch = bus_next_channel(call->all->options.agent->bus, ch));) {
		buf_reset(&line);
		describe(&line, call->all, ch);
		buf_addstr(call->reply, "- ");
		escape_markdown(call->reply, line.data);
		buf_addch(call->reply, '\n');
	}
	buf_clear(&line);
}

const struct command command_channels = {
    .name = "channels",
    .role = ACCESS_ADMIN,
    .channel_wide = true,
    .help = "show each channel's state, account and problems",
    .run = run,
};
