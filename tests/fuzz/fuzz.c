#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "llm/llm.h"

_Noreturn void fuzz_failed(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

struct fuzz_input fuzz_open(const uint8_t *data, size_t size)
{
	const char *at = size > 0 ? (const char *)data : "";

	return (struct fuzz_input){at, at + size};
}

unsigned fuzz_byte(struct fuzz_input *in)
{
	return in->at < in->end ? (unsigned char)*in->at++ : 0;
}

size_t fuzz_below(struct fuzz_input *in, size_t bound)
{
	return fuzz_byte(in) % bound;
}

static char *take(struct fuzz_input *in, size_t len)
{
	char *text = xmalloc(len + 1);

	memcpy(text, in->at, len);
	text[len] = '\0';
	in->at += len;
	return text;
}

char *fuzz_until(struct fuzz_input *in, char stop, size_t *len)
{
	size_t left = (size_t)(in->end - in->at);
	const char *found = memchr(in->at, stop, left);
	char *text;

	*len = found ? (size_t)(found - in->at) : left;
	text = take(in, *len);
	in->at += found != NULL;
	return text;
}

char *fuzz_rest(struct fuzz_input *in, size_t *len)
{
	*len = (size_t)(in->end - in->at);
	return take(in, *len);
}

void fuzz_hold_sentence(const char *text)
{
	HOLDS(text && *text != '\0');
	HOLDS(utf8_valid(text, strlen(text)));
}

struct json_object *fuzz_hold_json(const char *text)
{
	struct error err;
	struct json_object *o = json_parse(text, strlen(text), &err);

	if (!o)
		fprintf(stderr, "%s: %s\n", err.text, text);
	HOLDS(o);
	return o;
}

void fuzz_hold_calls(const struct llm_message *m)
{
	for (size_t i = 0; i < m->call_count; i++) {
		const struct llm_call *c = &m->calls[i];
		struct json_object *o = fuzz_hold_json(c->arguments);

		HOLDS(json_object_is_type(o, json_type_object));
		json_object_put(o);
		HOLDS(c->id[0] != '\0' && c->name[0] != '\0' && strlen(c->name) <= 64);
		for (size_t k = 0; k < i; k++)
			HOLDS(strcmp(c->id, m->calls[k].id) != 0);
	}
}

static int files[FUZZ_FILES];

const char *fuzz_file(unsigned slot, const void *data, size_t len)
{
	static char paths[FUZZ_FILES][32];

	if (files[slot] == 0) {
		files[slot] = memfd_create("fuzz", MFD_CLOEXEC);
		HOLDS(files[slot] > 0);
		snprintf(paths[slot], sizeof(paths[slot]), "/proc/self/fd/%d", files[slot]);
	}
	HOLDS(ftruncate(files[slot], 0) == 0 && pwrite(files[slot], data, len, 0) == (ssize_t)len);
	return paths[slot];
}

char *fuzz_file_read(unsigned slot, size_t *len)
{
	struct stat st;
	char *data;

	HOLDS(fstat(files[slot], &st) == 0);
	*len = (size_t)st.st_size;
	data = xmalloc(*len + 1);
	HOLDS(pread(files[slot], data, *len, 0) == st.st_size);
	return data;
}

static void look_at_line(const char *line, void *arg)
{
	(void)arg;
	fuzz_hold_sentence(line);
	HOLDS(!strpbrk(line, "\r\n"));
}

void fuzz_quiet_log(void)
{
	log_capture(look_at_line, NULL);
}
