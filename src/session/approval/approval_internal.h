#ifndef SESSION_APPROVAL_APPROVAL_INTERNAL_H
#define SESSION_APPROVAL_APPROVAL_INTERNAL_H
/* What the files of this folder share. */
#include <stdbool.h>

struct message;
struct outbound;
struct sessions;
struct store_question;
struct tool_question;

/* ask_user_text.c: Shows a question and maps its answers to options, for ask_user.c. Returned strings are
 * malloc'd. */

/* Returns whether a text answer in the chat of this message must mention the bot. */
bool ask_user_needs_mention(const struct sessions *all, const struct message *asked);
/* Returns whether the text numbers the options, because buttons lack the room or the channel has none. */
bool ask_user_is_numbered(const struct tool_question *q, bool buttons);
/* Markdown; hint: it says how to answer. */
char *ask_user_text(const struct tool_question *q, bool buttons, bool hint);
/* As struct outbound has them; NULL without options. */
char *ask_user_buttons(const struct tool_question *q, const char *token);
/* Returns the data stored with the question, and the label of one of its choices; NULL: no such choice. */
char *ask_user_data(const struct tool_question *q, bool numbered);
char *ask_user_label(const struct store_question *p, const char *choice);
/* Returns whether the question ends with its call. */
bool ask_user_is_once(const struct store_question *p);
/* Returns the name of the choice that the text names: by the option itself, or by its number where they are
 * numbered; else NULL. */
char *ask_user_choice(const struct store_question *p, const char *words);
/* Returns the number of the option that a choice names, from 1; 0: none. */
size_t ask_user_option(const struct tool_question *q, const char *choice);
/* Returns the text without surrounding blanks. */
char *ask_user_trim(const char *text);

/* question.c */

/* Returns the delivery that replaces a question's message: the same text without buttons, and how it
 * ended. */
struct outbound *question_closed_outbound(
    const struct outbound *shown, const char *message_id, const char *note);

#endif
