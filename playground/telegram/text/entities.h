#ifndef PLAYGROUND_TELEGRAM_TEXT_ENTITIES_H
#define PLAYGROUND_TELEGRAM_TEXT_ENTITIES_H
/* What the platform finds in a text by itself: mentions, commands, tags, links, e-mail addresses. */
struct formatted;

/* Adds them where no other entity forbids it. The entities of f are sorted. */
void entities_find(struct formatted *f);

#endif
