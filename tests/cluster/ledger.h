#ifndef CLUSTER_LEDGER_H
#define CLUSTER_LEDGER_H
/* What people asked, and what became of it: each question is answered once, or its repeat bears a mark, and
 * the answers of a chat come in the order in which the platform delivers its questions. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum question { QUESTION_SHORT, QUESTION_LONG, QUESTION_WORK };

void ledger_begin(void);
/* Somebody asks in a chat with the bot, of which there are as many as are needed. Returns the question's
 * number. */
unsigned ledger_ask(size_t side, unsigned chat, enum question kind);
/* In a chat where nobody has asked before. */
unsigned ledger_ask_anew(size_t side, enum question kind);
/* The first question of three, one on each platform. */
unsigned ledger_ask_all(void);
/* Looks at the platforms. Returns how many questions have no answer yet. */
size_t ledger_look(void);
/* Is it answered? As of the last look. */
bool ledger_is_answered(unsigned number);
/* How long the answer took, from the question on. */
uint64_t ledger_took_ms(unsigned number);
/* Waits for the answer. */
void ledger_await(unsigned number);
/* Waits for all answers, and fails the test if something is lost, doubled or out of order, or if the database
 * saw something wrong. marks: how many repeats there may be, at most one of a question. */
void ledger_judge(size_t marks);
/* How often the question was answered, and how often with the mark of a repeat. */
size_t ledger_answers(unsigned number, size_t *marked);

#endif
