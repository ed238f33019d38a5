#ifndef LLM_IMAGE_H
#define LLM_IMAGE_H
/* Images in a conversation. The transcript has a reference and what must be known to decide about it; the
 * bytes lie in a file, a copy that was made fit for models once. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct llm_image {
	char *path; /* of the copy, for who lends struct llm_image_loader */
	char *hash; /* SHA-256 of the copy in hexadecimal: another file of that name is not shown */
	char *name; /* as people know it */
	char *mime; /* of the copy: image/jpeg or image/png */
	int64_t width, height, bytes; /* of the copy */
	char *refused; /* a provider did not take it, and said why: it is not shown any more; NULL: it may be
			  shown */
	char *words;   /* what a model that sees said is on it; NULL: nobody was asked */
	/* Not stored: */
	bool old;     /* newer ones take its place in requests */
	bool unseen;  /* who is asked sees no images */
	bool changed; /* refused or words are newer than what is stored */
	bool tried;   /* somebody was asked for words */
};

/* All NULL and 0; the strings are the image's to free. */
void llm_image_clear(struct llm_image *i);
void llm_image_copy(struct llm_image *to, const struct llm_image *from);
struct llm_image *llm_images_copy(const struct llm_image *list, size_t count);
void llm_images_free(struct llm_image *list, size_t count);
/* One more at the end; all pointers into the list are void then. */
struct llm_image *llm_images_add(struct llm_image **list, size_t *count);
/* As a JSON array text, malloc'd; NULL when there are none. And back, behind what is in the list: what is not
 * whole is left out. */
char *llm_images_text(const struct llm_image *list, size_t count);
void llm_images_parse(const char *text, struct llm_image **list, size_t *count);
/* About as many as any provider counts: Anthropic has width * height / 750. */
size_t llm_image_tokens(const struct llm_image *i);

#endif
