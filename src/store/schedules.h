#ifndef STORE_SCHEDULES_H
#define STORE_SCHEDULES_H
/* Scheduled messages (reminders): text to be sent to the agent in a chat later, once or repeatedly, for a
 * person. Calls behave as in store.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/message.h"

struct error;
struct store;
struct task;

/* Times are wall clock, in ms. */
struct store_schedule {
	int64_t id;
	struct address where;
	enum chat_kind chat_kind;
	bool paused; /* or over: never due */
	int64_t created_ms;
	int64_t next_ms; /* next due time; 0: never again */
	int64_t last_ms; /* last time it ran or was skipped; 0: never */
	int64_t fired;   /* number of messages that it caused */
	int64_t missed;  /* number of skipped times */
	/* Exactly one of at_ms, every_ms and cron is set. */
	int64_t at_ms, every_ms;
	char *cron;                     /* see base/time/cron.h */
	char *zone;                     /* time zone name */
	char *person;                   /* platform id of its owner */
	char *person_name, *chat_title; /* may be NULL */
	char *note;                     /* why it is paused, or its last problem; NULL for none */
	char *content;
};

struct store_schedule *store_schedule_copy(const struct store_schedule *e);
void store_schedule_free(struct store_schedule *e); /* NULL is fine */
void store_schedules_free(struct store_schedule **list, int count);

/* Lists the schedules of a chat with all its threads, in order of id; *out is a malloc'd array of copies.
 * Returns the count or -1. */
int store_schedules(struct task *t, struct store *s, const struct address *chat, struct store_schedule ***out,
    struct error *err);
#define STORE_SCHEDULES_AT_ONCE 64
/* Lists the due schedules in order of time, at most STORE_SCHEDULES_AT_ONCE, after the given one (NULL:
 * from the start). *next_ms: when the next one is due, 0 for none. */
int store_schedules_due(struct task *t, struct store *s, int64_t now_ms, const struct store_schedule *after,
    struct store_schedule ***out, int64_t *next_ms, struct error *err);

/* Lists the schedules that last ran after that time, paused or not. */
int store_schedules_ahead(
    struct task *t, struct store *s, int64_t after_ms, struct store_schedule ***out, struct error *err);

/* A change, in one commit with its consequences. ERROR_REFUSED when the schedule has changed since it was
 * read, or the inbound message is not pending. */
struct store_schedule_step {
	const struct store_schedule *before; /* as it was read; NULL for a new one */
	const struct store_schedule *after;  /* NULL deletes it. A new one with id 0 gets an id */
	int64_t max_per_chat;                /* of a new one: maximum per chat, ERROR_LIMITED beyond */
	/* The message that it causes; gets its id, 0 if its event was already stored. NULL for none. */
	struct message *message;
	int64_t inbound; /* the message that asked for the change, 0 for none */
	const char *why; /* reason for its trace, a literal */
	struct outbound *const *rows;
	size_t row_count;
};
int store_schedule_commit(
    struct task *t, struct store *s, const struct store_schedule_step *step, int64_t *id, struct error *err);
/* Reserves an id for a new schedule, for an answer that names it. */
int store_schedule_reserve(struct task *t, struct store *s, int64_t *id, struct error *err);

/* Calls changed on the loop after each change. */
void store_schedules_watch(struct store *s, void (*changed)(void *arg), void *arg);

#endif
