#ifndef BUS_ATTACHMENT_H
#define BUS_ATTACHMENT_H
/*
 * Files that come with a message or leave with one. What came in is only described here: the
 * adapter keeps in ref how it is found again, and channel_ops.fetch gets its bytes when they
 * are wanted. Values: copied, freed and compared by their owner alone.
 */
#include <stddef.h>
#include <stdint.h>

struct buf;

enum attachment_kind {
	ATTACHMENT_FILE,
	ATTACHMENT_IMAGE,
	ATTACHMENT_AUDIO, /* music, or any sound that is not a voice message */
	ATTACHMENT_VOICE, /* somebody spoke instead of writing */
	ATTACHMENT_VIDEO
};

struct attachment {
	enum attachment_kind kind;
	char *name;      /* as its sender chose it, so never a path; NULL: none */
	char *mime;      /* as the platform says; NULL: not known */
	int64_t size;    /* bytes; -1: not known */
	int64_t seconds; /* of sound or film; -1: not known */
	/* In: how the adapter finds it again, stored and given back as it is. The adapter's own: nobody else
	 * reads, logs or shows it, and it holds no secret (no token, no signature that opens more than this
	 * file). NULL when it cannot be fetched. Out: NULL. */
	char *ref;
	/* In: where it was kept, relative to the workspace; NULL: it was not, and note says why, if anybody
	 * tried. Not stored. Out: the absolute path of a copy that belongs to the outbox. */
	char *path;
	char *note;  /* in: one sentence. Not stored */
	char *words; /* in: what was spoken in it, NULL: not known. Not stored */
	char *shown; /* in: how a model is shown it, in the words of who keeps it; NULL: it is not. Not stored
		      */
};

/* Takes the bytes of a file as they come. */
struct attachment_sink {
	int64_t most;      /* how many it takes at most */
	uint64_t total_ms; /* how long all of it may take, which the adapter sees to */
	/* Never suspends, so that it can stand as the HTTP client's on_data. -1: it wants no more (too large,
	 * disk full). */
	int (*data)(const char *data, size_t len, void *arg);
	void *arg;
};

void attachment_clear(struct attachment *a);
struct attachment attachment_copy(const struct attachment *a);
struct attachment *attachments_copy(const struct attachment *list, size_t count); /* NULL for none */
void attachments_free(struct attachment *list, size_t count);
/* Appends one that is not described yet to the list, and returns it. */
struct attachment *attachments_add(struct attachment **list, size_t *count, enum attachment_kind kind);

/* As one JSON text for a journal, malloc'd; NULL for none. */
char *attachments_encode(const struct attachment *list, size_t count);
/* NULL text: none. -1: it is not what attachments_encode writes. */
int attachments_decode(const char *text, struct attachment **list, size_t *count);

const char *attachment_kind_name(enum attachment_kind kind);
/* Appends "voice message, 5 s" or "file report.pdf, application/pdf, 12 kB": one line, without the brackets
 * that delimit ours, whatever the sender called it. */
void attachment_describe(struct buf *out, const struct attachment *a);

/* Appends ", 12 kB"; nothing for a size below 0, which is not known. */
void attachment_add_size(struct buf *out, int64_t bytes);

/* What the beginning of a file, or else its name, says of it: a literal. */
const char *attachment_guess_mime(const char *name, const void *head, size_t len);
enum attachment_kind attachment_kind_of(const char *mime);

#endif
