#ifndef PLAYGROUND_SLACK_WORLD_TEXT_H
#define PLAYGROUND_SLACK_WORLD_TEXT_H
/* mrkdwn, the text of messages: & < > are entities, <...> is a mention or a link. */
struct buf;
struct slk_world;

/* Converts typed text to mrkdwn: "@name" of a known user becomes a mention, except in code. */
void slk_text_typed(const struct slk_world *w, const char *typed, struct buf *out);
/* Converts mrkdwn to what a person sees; formatting characters stay. */
void slk_text_seen(const struct slk_world *w, const char *text, struct buf *out);

#endif
