#ifndef CHANNELS_SHARED_RENDERING_CACHE_H
#define CHANNELS_SHARED_RENDERING_CACHE_H
/*
 * Keeps what was rendered to see whether a text fits into a message, until the message is sent. A rendering
 * depends on its text alone, so that none gets old; it is used once. On the loop's thread.
 */

/* Longer texts are rendered again. */
#define RENDERING_CACHE_TEXT_MAX 8192
#define RENDERING_CACHE_SLOTS    256

struct rendering_cache {
	void (*free)(void *rendering);
	/* By the hash of the text: another text in the same slot takes its place. */
	struct rendering_cache_slot {
		char *text; /* NULL: empty */
		void *rendering;
	} slots[RENDERING_CACHE_SLOTS];
};

/* Takes the malloc'd rendering. */
void rendering_cache_put(struct rendering_cache *c, const char *text, void *rendering);
/* Returns the rendering of the text, which is the caller's then; NULL for none. */
void *rendering_cache_take(struct rendering_cache *c, const char *text);

#endif
