#ifndef PLAYGROUND_TELEGRAM_WORLD_MEDIA_H
#define PLAYGROUND_TELEGRAM_WORLD_MEDIA_H
/* Files in messages, as the Bot API shows them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct json_object;
struct world;

#define MEDIA_ALBUM_MAX 10

enum media_kind { /* sorted by name */
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
	int64_t number; /* part of its file_id */
	enum media_kind kind;
	char *name;
	char *data; /* NULL: len zero bytes, not saved */
	size_t len;
	struct file *was;                 /* what it replaced, which can still be fetched; NULL: nothing */
	struct json_object *sticker;      /* members of a Sticker besides: emoji, set_name, …; NULL: none */
	bool gone;                        /* a profile photo that was removed */
	unsigned width, height, duration; /* 0: unknown; also of stickers and video notes */
};

const char *media_name(enum media_kind kind); /* also the member of Message and the parameter of its method */
/* Returns MEDIA_KINDS if unknown. */
enum media_kind media_find(const char *name);
bool media_has_caption(enum media_kind kind);
/* Bot API, sendMediaGroup: photos and videos together, documents and audio only among themselves. */
bool media_may_share_album(enum media_kind a, enum media_kind b);

/* Creates a file; takes data (NULL: zeros), copies name. */
struct file *media_new(struct world *w, enum media_kind kind, const char *name, char *data, size_t len);
/* Copies the content under a new number as another kind. */
struct file *media_copy(struct world *w, const struct file *f);
/* f may be NULL; what it replaced goes, too. The world must not know it any more. */
void media_free(struct file *f);

/* Saves a file, and loads it under its number. load returns NULL with err set. */
struct json_object *media_save(const struct file *f);
struct file *media_load(struct world *w, struct json_object *o, struct error *err);

/* Appends "photo":[…], "document":{…} and so on. */
void media_write(const struct file *f, struct buf *out);
/* Finds a file by file_id, or returns NULL. */
struct file *media_by_id(const struct world *w, const char *file_id);
/* The same by the file_path of media_write_path, without quotes. */
struct file *media_by_path(const struct world *w, const char *path);
void media_write_path(const struct file *f, struct buf *out);

#endif
