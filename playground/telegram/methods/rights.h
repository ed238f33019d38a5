#ifndef PLAYGROUND_TELEGRAM_METHODS_RIGHTS_H
#define PLAYGROUND_TELEGRAM_METHODS_RIGHTS_H
/* What an administrator needs for a method. */
struct call;
struct chat;

/* Returns the chat of chat_id, where the bot has that right, or NULL after call_fail. of_private: what is
 * said of a private chat; without: what is said without the right. Both without "Bad Request: ". */
struct chat *rights_chat(struct call *call, const char *right, const char *of_private, const char *without);

#endif
