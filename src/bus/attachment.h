#ifndef BUS_ATTACHMENT_H
#define BUS_ATTACHMENT_H
/*
 * Files that arrive with a message or are sent with one. An inbound attachment is a description only:
 * the adapter keeps in ref how to find the file, and channel_ops.fetch downloads its bytes on demand.
 * Plain values: the owner copies, frees and compares them.
 */
#include <stddef.h>
#include <stdint.h>

struct buf;

enum attachment_kind {
	ATTACHMENT_FILE,
	ATTACHMENT_IMAGE,
	ATTACHMENT_AUDIO, /* music, or any audio that is not a voice message */
	ATTACHMENT_VOICE, /* a voice recording */
	ATTACHMENT_VIDEO
};

struct attachment {
	enum attachment_kind kind;
	char *name;      /* the sender's choice, so never a path; NULL for none */
	char *mime;      /* as the platform reports it; NULL when unknown */
	int64_t size;    /* bytes; -1 when unknown */
	int64_t seconds; /* length of audio or video; -1 when unknown */
	/* Inbound: the adapter's handle of the file, stored and handed back unchanged. Only the adapter
	 * reads it; it is never logged or shown. It holds no secret (no token, no signature that opens more
	 * than this file). NULL when the file cannot be fetched. Outbound: NULL. */
	char *ref;
	/* Inbound: path of the saved file, relative to the workspace; NULL when it was not saved, and note
	 * then gives the reason if a download was tried. Not stored. Outbound: absolute path of a copy that
	 * the outbox owns. */
	char *path;
	char *note;          /* inbound: one sentence. Not stored */
	char *transcription; /* inbound: its transcript; NULL when unknown. Not stored */
	/* Inbound: how a model sees the file, as the module that saved it describes it; NULL when a model
	 * does not see it. Not stored. */
	char *model_view;
};

/* Receives the bytes of a file as they arrive. */
struct attachment_sink {
	int64_t max_bytes; /* maximum number of bytes */
	uint64_t total_ms; /* time limit of the whole transfer; the adapter enforces it */
	/* Never suspends, so that it can serve as the HTTP client's on_data. Returns -1 to stop the
	 * transfer (file too large, disk full). */
	int (*data)(const char *data, size_t len, void *arg);
	void *arg;
};

void attachment_clear(struct attachment *a);
struct attachment attachment_copy(const struct attachment *a);
struct attachment *attachments_copy(const struct attachment *list, size_t count); /* NULL for none */
void attachments_free(struct attachment *list, size_t count);
/* Appends an empty attachment to the list and returns it. */
struct attachment *attachments_add(struct attachment **list, size_t *count, enum attachment_kind kind);

/* Returns malloc'd JSON for the journal, NULL for an empty list. */
char *attachments_encode(const struct attachment *list, size_t count);
/* Reads what attachments_encode wrote; NULL text gives an empty list. Returns -1 on any other text. */
int attachments_decode(const char *text, struct attachment **list, size_t *count);

const char *attachment_kind_name(enum attachment_kind kind);
/* Appends one line such as "voice message, 5 s" or "file report.pdf, application/pdf, 12 kB". Leaves out
 * brackets, which delimit the gateway's remarks, whatever the sender's file name contains. */
void attachment_describe(struct buf *out, const struct attachment *a);

/* Appends ", 12 kB"; appends nothing for a size below 0 (unknown). */
void attachment_add_size(struct buf *out, int64_t bytes);

/* Guesses the MIME type from the first bytes, else from the name. Returns a string literal. */
const char *attachment_guess_mime(const char *name, const void *head, size_t len);
enum attachment_kind attachment_kind_of(const char *mime);

#endif
