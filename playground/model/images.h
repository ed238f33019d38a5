#ifndef PLAYGROUND_MODEL_IMAGES_H
#define PLAYGROUND_MODEL_IMAGES_H
/* Images in requests to the model, whatever wire format they come in: judged in the words of the provider,
 * and looked at as far as their header goes. A model whose name ends with "-blind" takes none, and says so as
 * OpenRouter does. */

struct conversation;
struct json_object;
struct refusal;

/* All images of a request (messages or input). 0, or -1 with the refusal. */
int images_check(struct json_object *request, struct refusal *r);
/* Has d see what the images in a content are ("640x480 PNG"), those in results of tools, too. How many there
 * were. */
int images_read(struct json_object *content, struct conversation *d);

#endif
