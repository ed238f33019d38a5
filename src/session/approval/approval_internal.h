#ifndef SESSION_APPROVAL_APPROVAL_INTERNAL_H
#define SESSION_APPROVAL_APPROVAL_INTERNAL_H
/* What the files of this folder share. */
#include <stdbool.h>

struct message;
struct outbound;
struct sessions;
struct store_question;
struct tool_question;

/* ask_user_text.c: How a question is shown, and what its answers stand for, for ask.c. What is returned is
 * malloc'd. */

/* Must words be addressed to us in the chat of this message, to be heard? */
bool ask_user_needs_mention(const struct sessions *all, const struct message *asked);
/* Are the options numbered in the text, because they have no room on buttons, or there are none? */
bool ask_user_is_numbered(const struct tool_question *q, bool buttons);
/* Markdown; hint: it says how to answer. */
char *ask_user_text(const struct tool_question *q, bool buttons, bool hint);
/* As struct outbound has them; NULL without options. */
char *ask_user_buttons(const struct tool_question *q, const char *token);
/* What is kept with the prompt, and the label of a choice that it has; NULL: it has none of that name. */
char *ask_user_data(const struct tool_question *q, bool numbered);
char *ask_user_label(const struct store_question *p, const char *choice);
/* Does the question end with its call? */
bool ask_user_is_once(const struct store_question *p);
/* The name of the choice that these words are: the option itself, or its number where they are numbered; else
 * NULL. */
char *ask_user_choice(const struct store_question *p, const char *words);
/* The number of the option that a choice names, from 1; 0: none. */
size_t ask_user_option(const struct tool_question *q, const char *choice);
/* Without blanks around it. */
char *ask_user_trim(const char *text);

/* question_press.c */

/* The row that replaces the message which shows a question: the same without buttons, and how it ended. */
struct outbound *question_closed_outbound(
    const struct outbound *shown, const char *message_id, const char *note);

#endif
