#ifndef TOOLS_REMINDERS_REMINDERS_H
#define TOOLS_REMINDERS_REMINDERS_H
/* What somebody may do with the reminders of a chat, for the tool and the command. Nothing here commits. */
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
	const char *person;            /* the platform's id; NULL: it is not one person */
	bool admin;
};

enum reminder_change { REMINDER_PAUSE, REMINDER_RESUME };

/* A new entry that is not stored; NULL with err, ERROR_REFUSED when the request is wrong. */
struct store_schedule *reminder_new(struct task *t, const struct reminders_user *u,
    const struct schedule_request *request, const char *content, struct error *err);
/* The entry of this chat, to be freed; NULL with err: ERROR_REFUSED, there is none, or with code 403: it is
 * somebody else's. */
struct store_schedule *reminder_find(
    struct task *t, const struct reminders_user *u, int64_t id, struct error *err);
/* How the entry is then; NULL with err, ERROR_REFUSED when it cannot be. What was due while it was paused is
 * not made up for. */
struct store_schedule *reminder_changed(
    struct task *t, const struct store_schedule *e, enum reminder_change change, struct error *err);

#endif
