#ifndef PLAYGROUND_TELEGRAM_TEXT_ENTITIES_H
#define PLAYGROUND_TELEGRAM_TEXT_ENTITIES_H
/* Finds entities in plain text: mentions, commands, hashtags, links, e-mail addresses. */
struct formatted;

/* Adds them where no other entity forbids it. Sorts the entities of f. */
void entities_find(struct formatted *f);

#endif
