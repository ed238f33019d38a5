#ifndef PLAYGROUND_SLACK_WORLD_TEXT_H
#define PLAYGROUND_SLACK_WORLD_TEXT_H
/* mrkdwn: the text of messages, where & < > stand as entities and <…> is a mention or a link. */
struct buf;
struct slk_world;

/* What a person types becomes the text of a message: "@name" of somebody known mentions, outside of code. */
void slk_text_typed(const struct slk_world *w, const char *typed, struct buf *out);
/* What a person sees of a message's text; the marks of formatting stay. */
void slk_text_seen(const struct slk_world *w, const char *text, struct buf *out);

#endif
