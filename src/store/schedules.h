#ifndef STORE_SCHEDULES_H
#define STORE_SCHEDULES_H
/* What is to be said in a chat later, once or again and again, for somebody. As in store.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/message.h"

struct error;
struct store;
struct task;

/* Times are of the wall clock, in ms. */
struct store_schedule {
	int64_t id;
	struct address where;
	enum chat_kind chat_kind;
	bool paused; /* or over: it is not due at any time */
	int64_t created_ms;
	int64_t next_ms;                /* when it is due; 0: never again */
	int64_t last_ms;                /* when it came last, or was passed over; 0: never */
	int64_t fired;                  /* so many messages came of it */
	int64_t missed;                 /* so many times nothing did */
	int64_t at_ms, every_ms;        /* one of these is not 0, or there is */
	char *cron;                     /* (base/time/cron.h) */
	char *zone;                     /* the name of the time zone that it was given in */
	char *person;                   /* the platform's id of whose it is */
	char *person_name, *chat_title; /* may be NULL */
	char *note;                     /* why it is paused, or what was wrong; NULL: nothing */
	char *content;
};

struct store_schedule *store_schedule_copy(const struct store_schedule *e);
void store_schedule_free(struct store_schedule *e); /* NULL is fine */
void store_schedules_free(struct store_schedule **list, int count);

/* Those of a chat, all its threads, in the order of their ids: *out is a malloc'd array of new ones. Count or
 * -1. */
int store_schedules(struct task *t, struct store *s, const struct address *chat, struct store_schedule ***out,
    struct error *err);
#define STORE_SCHEDULES_AT_ONCE 64
/* The same of those that are due, in the order of their times, at most STORE_SCHEDULES_AT_ONCE, behind the
 * one given (NULL: the first). *next_ms: when another one is due, 0: none is. */
int store_schedules_due(struct task *t, struct store *s, int64_t now_ms, const struct store_schedule *behind,
    struct store_schedule ***out, int64_t *next_ms, struct error *err);

/* Those that came last after that time, paused or not. */
int store_schedules_ahead(
    struct task *t, struct store *s, int64_t after_ms, struct store_schedule ***out, struct error *err);

/* A change, in one commit with what belongs to it. Refused when the entry is not as it was, or the inbound
 * message not pending. */
struct store_schedule_step {
	const struct store_schedule *before; /* as it was read; NULL: a new one */
	const struct store_schedule *after;  /* NULL: it is forgotten. A new one with id 0 gets one */
	int64_t most; /* of a new one: how many its chat may have, ERROR_LIMITED beyond */
	struct message
	    *message;    /* that comes of it; its id is set, 0 if there was one of that event. NULL: none */
	int64_t inbound; /* the message that ends with it, 0: none */
	const char *why; /* then: for the trace, a literal */
	struct outbound *const *rows;
	size_t row_count;
};
int store_schedule_commit(
    struct task *t, struct store *s, const struct store_schedule_step *step, int64_t *id, struct error *err);
/* An id that no entry has or gets but the one it is given to: for an answer that names it. */
int store_schedule_reserve(struct task *t, struct store *s, int64_t *id, struct error *err);

/* Told on the loop after each change. */
void store_schedules_watch(struct store *s, void (*changed)(void *arg), void *arg);

#endif
