#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H
/*
 * Fuzz targets: each is a function that takes any bytes, passes them to a part of Myna, and ends the process
 * when an invariant is violated. Each makes a libFuzzer program, tests/fuzz/targets/NAME; test_corpus runs
 * them without libFuzzer on the files in tests/fuzz/corpus/NAME.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;
struct llm_message;

typedef void fuzz_target_fn(const uint8_t *data, size_t size);

/* Sorted by name; ends with a NULL name. */
extern const struct fuzz_target {
	const char *name;
	fuzz_target_fn *run;
} fuzz_targets[];

fuzz_target_fn fuzz_address, fuzz_arguments, fuzz_base64, fuzz_classify, fuzz_command, fuzz_config,
    fuzz_control, fuzz_cron, fuzz_discord_bot, fuzz_discord_calls, fuzz_discord_event, fuzz_discord_text,
    fuzz_etf, fuzz_flow, fuzz_form, fuzz_formats, fuzz_formatted, fuzz_history, fuzz_image, fuzz_json,
    fuzz_mcp, fuzz_model_requests, fuzz_model_script, fuzz_openai, fuzz_path, fuzz_pattern, fuzz_reader,
    fuzz_rich, fuzz_rules, fuzz_salvage_page, fuzz_secret, fuzz_server_body, fuzz_server_head, fuzz_slack_bot,
    fuzz_slack_calls, fuzz_slack_event, fuzz_slack_text, fuzz_snapshot, fuzz_spec, fuzz_sse,
    fuzz_telegram_bot, fuzz_telegram_calls, fuzz_telegram_render, fuzz_telegram_split, fuzz_telegram_update,
    fuzz_telegram_verdict, fuzz_url, fuzz_utf8, fuzz_wal, fuzz_web;

/* Defines a libFuzzer program for the target. Weak, because test_corpus links all of them. */
#define FUZZ_PROGRAM(target)                                                               \
	__attribute__((weak)) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) \
	{                                                                                  \
		target(data, size);                                                        \
		return 0;                                                                  \
	}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Asserts an invariant. */
#define HOLDS(what) ((what) ? (void)0 : fuzz_failed(__FILE__, __LINE__, #what))
_Noreturn void fuzz_failed(const char *file, int line, const char *what);

/* The unread bytes; a target takes its choices from the front and gives the rest to a parser. */
struct fuzz_input {
	const char *at, *end;
};

struct fuzz_input fuzz_open(const uint8_t *data, size_t size);
/* Returns the next byte, 0 at the end. */
unsigned fuzz_byte(struct fuzz_input *in);
/* Returns a number in [0, bound) from one byte. */
size_t fuzz_below(struct fuzz_input *in, size_t bound);
/* Returns the bytes up to the next stop, which is consumed, or all: malloc'd to their exact size plus a
 * NUL, so that overreads are found. As a string it ends at the first NUL. */
char *fuzz_until(struct fuzz_input *in, char stop, size_t *len);
char *fuzz_rest(struct fuzz_input *in, size_t *len);

/* Asserts a readable sentence: not empty, valid UTF-8. */
void fuzz_hold_sentence(const char *text);
/* Asserts that the text is JSON and returns the value, owned by the caller. */
struct json_object *fuzz_hold_json(const char *text);
/* Asserts that its calls have names, ids of their own, and arguments that are objects. */
void fuzz_hold_calls(const struct llm_message *m);
/* Returns the path of an in-memory file with these bytes; each slot is one file. */
const char *fuzz_file(unsigned slot, const void *data, size_t len);
#define FUZZ_FILES 2
/* Returns the bytes of the file; the caller frees them. */
char *fuzz_file_read(unsigned slot, size_t *len);
/* Discards log lines, but checks each: one line of valid UTF-8. */
void fuzz_quiet_log(void);

#endif
