#ifndef BUS_BUS_H
#define BUS_BUS_H
/*
 * The bus: inbound messages are committed to the journal, then handed to the handler;
 * outbound rows are committed, then sent in order per chat, each by the task of its lane
 * (channel and chat), with a state in the ledger that tells the truth.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/channel.h"
#include "bus/journal.h"

struct bus;

struct bus_handler {
	/* A message was committed; takes it. On the loop or in a task, never suspends. */
	void (*received)(void *arg, struct message *m);
	/* An outbound row reached sent, uncertain or failed. Borrowed. May be NULL. */
	void (*delivered)(void *arg, const struct outbound *row);
	void *arg;
};

struct bus *bus_new(const struct journal *journal, const struct bus_handler *handler);
/* Stops channels, ends lanes (rows stay in the journal), frees. */
void bus_free(struct task *t, struct bus *b);

/* Adds a channel; settings are the adapter's (parsed), kept by the caller. Not started yet. */
struct channel *bus_add_channel(struct bus *b, const char *name, const struct channel_ops *ops, const void *settings);
struct channel *bus_channel(struct bus *b, const char *name);	/* NULL if there is none */
struct channel *bus_next_channel(struct bus *b, struct channel *after);	/* NULL to begin; NULL at the end */
/* Resumes lanes that the journal has rows for. Once, before channels start. */
int bus_resume(struct task *t, struct bus *b, struct error *err);

/* Cuts the text as the channel asks, and fills rows that are ready to be put into the journal: malloc'd
 * array of *count rows, freed by bus_rows_free. key, if any, gets "/PART" appended for parts after the first. */
struct outbound **bus_rows(struct bus *b, const struct address *to, enum outbound_kind kind, const char *text,
    const char *reply_to, const char *key, int64_t turn, size_t *count, struct error *err);
void bus_rows_free(struct outbound **rows, size_t count);
/* Commits rows and wakes their lanes. */
int bus_send(struct task *t, struct bus *b, struct outbound *const *rows, size_t count, struct error *err);
/* Somebody else committed rows for this chat (with a turn): wakes its lane. */
void bus_wake(struct bus *b, const struct address *to);
/* Waits until the row is sent, uncertain or failed, at most ms: the row as it stands then, to be freed. */
struct outbound *bus_await(struct task *t, struct bus *b, int64_t id, uint64_t ms, struct error *err);

/* Keeps "typing" alive in a chat until bus_typing_stop, at most 10 minutes; a count, so calls nest. */
void bus_typing_start(struct bus *b, const struct address *where);
void bus_typing_stop(struct bus *b, const struct address *where);

const struct journal *bus_journal(struct bus *b);

#endif
