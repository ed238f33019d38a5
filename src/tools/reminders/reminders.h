#ifndef TOOLS_REMINDERS_REMINDERS_H
#define TOOLS_REMINDERS_REMINDERS_H
/* Creates, finds and changes reminders of a chat, for the tool and the command. Commits nothing. */
#include <stdbool.h>
#include <stdint.h>

#include "bus/message.h"

struct error;
struct schedule_settings;
struct schedule_request;
struct store;
struct store_schedule;
struct task;

/* Who asks, and where. Borrowed. */
struct reminders_user {
	struct store *store;
	const struct schedule_settings *settings;
	const struct address *where;
	enum chat_kind chat_kind;
	const char *chat_title, *name; /* may be NULL */
	const char *person;            /* platform id; NULL for more than one person */
	bool admin;
	bool by_reminder; /* a reminder asks, not a person */
};

enum reminder_change { REMINDER_PAUSE, REMINDER_RESUME };

/* Returns a new schedule that is not stored; NULL with err, ERROR_REFUSED when the request is wrong.
 * Suspends. */
struct store_schedule *reminder_new(struct task *t, const struct reminders_user *u,
    const struct schedule_request *request, const char *content, struct error *err);
/* Returns a schedule of this chat, which the caller frees; NULL with err: ERROR_REFUSED when there is none,
 * with code 403 when it belongs to someone else. Suspends. */
struct store_schedule *reminder_find(
    struct task *t, const struct reminders_user *u, int64_t id, struct error *err);
/* Returns the changed schedule; NULL with err, ERROR_REFUSED when the change is impossible. Times missed
 * during a pause are not made up for. Suspends. */
struct store_schedule *reminder_changed(
    struct task *t, const struct store_schedule *e, enum reminder_change change, struct error *err);

#endif
