#ifndef STORE_TURN_TRANSCRIPT_H
#define STORE_TURN_TRANSCRIPT_H
/* The transcript of a session, as rows of turns. store_history reads it. */
#include <stddef.h>
#include <stdint.h>

struct db;
struct error;
struct llm_history;
struct llm_message;

/* Copies of messages, part of a write job. */
struct transcript_rows {
	struct llm_message **messages;
	size_t count;
};

void transcript_copy(
    struct transcript_rows *to, struct llm_message *const *messages, size_t count, int64_t now_ms);
void transcript_clear(struct transcript_rows *r);
/* Inside a write job. Tool calls that tool messages answer become finished. */
int transcript_insert(
    struct db *db, const struct transcript_rows *r, int64_t session, int64_t turn, struct error *err);
/* Inside a job: reads the history as store_history does, if it is short enough to be read in one go. Returns
 * 1, 0 when it is longer, or -1; the messages found are the caller's in each case. */
int transcript_read_short(
    struct db *db, int64_t session, size_t max_bytes, struct llm_history *out, struct error *err);
/* After the job: sets the originals' ids, and whether they differ. */
void transcript_return(const struct transcript_rows *from, struct llm_message *const *to);

#endif
