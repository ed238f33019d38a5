#ifndef STORE_JOURNAL_INBOX_H
#define STORE_JOURNAL_INBOX_H
/* The inbox of received messages. Functions with a task behave as in struct journal_ops. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address;
struct db;
struct error;
struct journal_cursor;
struct message;
struct outbound;
struct db_row;
struct task;

/* The columns that inbox_read expects after the id, in this order. */
#define INBOX_COLUMNS                                                                                  \
	"account, event_id, kind, channel, chat, thread, chat_kind, sender_is_chat, sender_is_bot, "   \
	"addressed,"                                                                                   \
	" to_another, continues, sent_ms, received_ms, message_id, reply_to, sender_id, sender_name, " \
	"chat_title,"                                                                                  \
	" reply_text, reply_sender_id, reply_sender_name, press_id, text, attachments"

int inbox_put(struct task *t, void *self, struct message *const *messages, size_t count,
    const struct journal_cursor *cursor, struct error *err);
int inbox_list(struct task *t, void *self, const struct address *from, int64_t after_id, struct message **out,
    size_t max, struct error *err);
int inbox_finish(struct task *t, void *self, const int64_t *ids, size_t count, const char *why,
    struct outbound *const *answers, size_t answer_count, struct error *err);

/* inbox_copy returns a copy as it is stored, with secrets redacted. inbox_insert stores it inside a write
 * job and sets its id, 0 when it was already stored. */
struct message *inbox_copy(const struct message *m, int64_t now_ms);
int inbox_insert(struct db *db, struct message *m, struct error *err);

/* Reads a message from a row of id and INBOX_COLUMNS. Returns NULL with err set when the row holds
 * impossible values. */
struct message *inbox_read(struct db *db, struct db_row *row, struct error *err);

/* Inside a write job. Fail when a message is not pending, so nothing is handled twice. */
int inbox_end(
    struct db *db, const int64_t *ids, size_t count, const char *why, int64_t now_ms, struct error *err);
/* The turn answers for the messages from then on. Also claims context messages. */
int inbox_claim(
    struct db *db, const int64_t *ids, size_t count, int64_t turn, int64_t now_ms, struct error *err);
/* Marks the messages claimed by the turn as dead. */
int inbox_end_dead(struct db *db, int64_t turn, int64_t now_ms, struct error *err);
/* Gets the malloc'd ids of the messages claimed by the turn, and the message that it answers, without its
 * text. *last is NULL for none. */
int inbox_read_claimed(
    struct db *db, int64_t turn, int64_t **ids, size_t *count, struct message **last, struct error *err);

#endif
