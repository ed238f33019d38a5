#ifndef PLAYGROUND_TELEGRAM_WORLD_MEDIA_H
#define PLAYGROUND_TELEGRAM_WORLD_MEDIA_H
/* What a message carries beside text: a file of some kind, as the Bot API shows it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct world;

#define MEDIA_ALBUM_MAX 10

enum media_kind { /* by name */
	MEDIA_ANIMATION,
	MEDIA_AUDIO,
	MEDIA_DOCUMENT,
	MEDIA_PHOTO,
	MEDIA_STICKER,
	MEDIA_VIDEO,
	MEDIA_VIDEO_NOTE,
	MEDIA_VOICE,
	MEDIA_KINDS
};

struct file {
	int64_t number; /* its file_id is made of it */
	enum media_kind kind;
	char *name;
	char *data; /* NULL: len zero bytes, never written down */
	size_t len;
	unsigned width, height, duration; /* 0: not known; of stickers and video notes too */
};

const char *media_name(enum media_kind kind); /* also the member of Message and the parameter of its method */
/* MEDIA_KINDS when there is no such kind. */
enum media_kind media_find(const char *name);
bool media_has_caption(enum media_kind kind);
/* Bot API, sendMediaGroup: photos and videos together, documents and audio only among themselves. */
bool media_may_share_album(enum media_kind a, enum media_kind b);

/* A new file of the world; data (NULL: zeros) is taken, name copied. */
struct file *media_new(struct world *w, enum media_kind kind, const char *name, char *data, size_t len);
/* The same content under a new number, as another kind of message may show it. */
struct file *media_copy(struct world *w, const struct file *f);
/* NULL is fine. */
void media_free(struct file *f);

/* Appends "photo":[…], "document":{…} and so on. */
void media_write(const struct file *f, struct buf *out);
/* The file that a file_id means; NULL when there is none. */
struct file *media_by_id(const struct world *w, const char *file_id);
/* The same by the file_path that media_write_path appends, without quotes. */
struct file *media_by_path(const struct world *w, const char *path);
void media_write_path(const struct file *f, struct buf *out);

#endif
