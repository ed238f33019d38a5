#ifndef CHANNELS_SHARED_RENDERING_CACHE_H
#define CHANNELS_SHARED_RENDERING_CACHE_H
/* Caches the renderings by which a text was split into messages, for sending them. A rendering depends on its
 * text alone, so no entry expires. For the loop's thread only. */

/* Longer texts are rendered again. */
#define RENDERING_CACHE_TEXT_MAX 4096
#define RENDERING_CACHE_SLOTS    64

struct rendering_cache {
	void (*free)(void *rendering);
	/* By the hash of the text: another text in the same slot takes its place. */
	struct rendering_cache_slot {
		char *text; /* NULL: empty */
		void *rendering;
	} slots[RENDERING_CACHE_SLOTS];
};

/* Takes the rendering. */
void rendering_cache_put(struct rendering_cache *c, const char *text, void *rendering);
/* Returns the rendering of the text, valid until the next put; NULL for none. */
const void *rendering_cache_get(struct rendering_cache *c, const char *text);

#endif
