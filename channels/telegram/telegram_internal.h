#ifndef CHANNELS_TELEGRAM_TELEGRAM_INTERNAL_H
#define CHANNELS_TELEGRAM_TELEGRAM_INTERNAL_H
/* State of a running Telegram account. */
#include <stdbool.h>
#include <stdint.h>

#include "base/task.h"
#include "base/time/clock.h"
#include "channels/shared/rate_limit.h"
#include "channels/telegram/settings.h"
#include "channels/telegram/update.h"
#include "net/backoff.h"

struct address;
struct channel;
struct error;
struct message;
struct outbound;
struct preview;
struct task;
struct telegram_outcome;

/* preview.c: channel_ops.preview: shows the unfinished answer. In private chats as a draft (sendMessageDraft,
 * Bot API 9.3; its stop button, 10.3), which disappears by itself; elsewhere, and where Telegram refuses
 * drafts, as a message, which it edits and the answer replaces. */

/* Maximum number of remembered chats that refuse drafts. */
#define TELEGRAM_NO_DRAFT_CHATS 32

struct telegram_no_drafts {
	bool all;
	char chats[TELEGRAM_NO_DRAFT_CHATS][64]; /* a ring */
	unsigned next;
};

int telegram_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);

/* react.c: channel_ops.react by setMessageReaction (Bot API 10.x). Sends no further reaction to a chat that
 * has refused one, as its administrators may choose. */

/* Maximum number of remembered chats that refuse reactions. */
#define TELEGRAM_NO_REACTION_CHATS 32

struct telegram_no_reactions {
	char chats[TELEGRAM_NO_REACTION_CHATS][64]; /* a ring */
	unsigned next;
};

int telegram_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err);

struct telegram {
	struct channel *ch;
	const struct telegram_settings *settings;
	const struct telegram_limits *limits;
	char *base;      /* api_base/bot<TOKEN>/: never in a log or an error */
	char *file_base; /* api_base/file/bot<TOKEN>/: never in a log or an error */
	char *host;      /* of api_base, for logs and errors */
	struct telegram_self self;
	struct rate_limiter rate_limiter;
	struct task_group tasks;
	bool stopping;
	bool refused;    /* the token was refused: make no calls */
	bool identified; /* self, webhook and offset are loaded */

	/* Polling. */
	struct task *poller; /* NULL: ended */
	struct clock_timer watchdog;
	bool stale;               /* the watchdog aborted the poller; a new one follows */
	bool fresh;               /* the next poll uses a new connection */
	int64_t offset;           /* of the next update; 0: unknown */
	int64_t confirmed_offset; /* offset that the server has received: earlier updates are confirmed */
	struct backoff retry;
	struct backoff early_poll_backoff; /* after polls that end far too soon */
	uint64_t polled_ms;                /* clock_now() at which the last poll began */
	int64_t poll_s;                    /* its timeout */
	bool early_polls_logged;           /* the log says that polls end too soon */
	unsigned conflicts;                /* in a row */
	unsigned unreadable;               /* unreadable responses in a row */
	unsigned single_update_polls;      /* polls left that ask for one update only */
	uint64_t skipped, unknown;         /* updates since the start */

	unsigned presses;       /* running answerCallbackQuery calls */
	unsigned typing_errors; /* in a row */
	struct telegram_no_drafts no_drafts;
	struct telegram_no_reactions no_reactions;
	bool commands_started;                 /* the command task was started */
	bool commands_running, commands_again; /* it runs now; it must run once more */
};

/* account.c: Loads the bot's identity and the stored offset of its updates. */

/* Fills tg->self from the token, which begins with the bot's id. */
void telegram_account_init(struct telegram *tg, const char *channel, const char *token);
/* Repeats getMe, deleteWebhook and the read of the stored offset until they succeed. Returns -1 when
 * cancelled, or when Telegram refused the token. */
int telegram_account_load(struct task *t, struct telegram *tg, struct error *err);
/* Calls deleteWebhook once; Telegram keeps the updates that wait. */
int telegram_account_drop_webhook(struct task *t, struct telegram *tg, struct error *err);

/* poll.c: Calls getUpdates (Bot API 10.x) in a loop: one poll at a time; the offset moves only after a
 * commit. */

/* Starts the task that loads the account and polls, and its watchdog. */
void telegram_poll_start(struct telegram *tg);
/* Call it after the poller has ended: confirms the handled updates with one short call. */
void telegram_poll_confirm(struct task *t, struct telegram *tg);

/* retry.c: Waits after a failed call of the poller. */

/* Sets the channel's status, and waits as the outcome asks. Returns 0 to try again; -1 when cancelled, or
 * when Telegram refused the token and the channel has stopped. */
int telegram_retry_wait(
    struct task *t, struct telegram *tg, const struct telegram_outcome *outcome, struct error *err);
/* The same after an error of our own side, e.g. a full disk. */
int telegram_retry_wait_error(
    struct task *t, struct telegram *tg, const struct error *why, struct error *err);

/* send.c: channel_ops' admit and send. */
int telegram_send_admit(
    struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
int telegram_send_delivery(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err);

/* typing.c: sendChatAction: channel_ops' typing. */
int telegram_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);

/* channel_ops.answer_press: answerCallbackQuery in a task of its own. It ends the button's spinner, and
 * nothing depends on it. Dropped when too many are under way. */
void telegram_press_answer(struct channel *ch, const struct message *m, const char *text);

#endif
