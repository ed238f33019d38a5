#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "net/server/server.h"
#include "playground/discord/http/api.h"
#include "playground/discord/methods/methods.h"
#include "playground/server/exchange.h"

#define FILES_MAX 10

/* Returns the entry of "attachments" with that id; NULL for none. */
static struct json_object *row_of(struct json_object *rows, const char *id)
{
	json_each(rows, row)
		if (strcmp(json_get_str(row, "id"), id) == 0)
			return row;
	return NULL;
}

static void describe(struct cord_file *f, struct json_object *row)
{
	if (!row)
		return;
	f->description = xstrdup(json_get_str(row, "description"));
	f->duration = json_get_double(row, "duration_secs", 0);
	f->waveform = xstrdup(json_get_str(row, "waveform"));
}

/* The part "files[n]", or "fileN" or "file", as it was named earlier and as libraries still name it. */
static int add_part(struct cord_call *call, const char *name, struct json_object *part,
    struct json_object *rows, struct cord_message *m)
{
	size_t len = (size_t)json_get_int(part, "bytes", 0);
	const char *filename = json_get_str(part, "filename");
	struct json_object *row;
	char *data, id[16] = "";
	struct cord_file *f;

	if (sscanf(name, "files[%15[0-9]]", id) != 1 && sscanf(name, "file%15[0-9]", id) != 1 &&
	    strcmp(name, "file") != 0)
		return cord_refuse_field(call, name, "UNKNOWN_FIELD", "A file's part is named files[n].");
	row = row_of(rows, id);
	if (!row && rows)
		return cord_refuse_field(
		    call, "attachments", "ATTACHMENT_NOT_LISTED", "%s is not listed.", name);
	if (len > CORD_FILE_MAX)
		return cord_fail(call, "Request entity too large");
	if (m->file_count == FILES_MAX)
		return cord_fail(call, "Maximum number of attachments in a message reached (10)");
	if (row && json_get_str(row, "filename"))
		filename = json_get_str(row, "filename");
	data = xmalloc(len + 1);
	memcpy(data, call->content + json_get_int(part, "at", 0), len);
	data[len] = '\0';
	f = cord_file_new(call->world, cord_new_id(call->world), m->channel->id,
	    filename && filename[0] != '\0' ? filename : "unknown", NULL, data, len);
	describe(f, row);
	cord_message_add_file(m, f);
	return 0;
}

static int add_parts(struct cord_call *call, struct json_object *rows, struct cord_message *m)
{
	if (!call->parts)
		return 0;
	json_object_object_foreach(call->parts, name, part) {
		if (add_part(call, name, part, rows, m) != 0)
			return -1;
	}
	return 0;
}

static bool has_file(const struct cord_message *m, uint64_t id)
{
	for (size_t i = 0; i < m->file_count; i++)
		if (m->files[i]->id == id)
			return true;
	return false;
}

/* Each entry refers to a part, or to a file that m already has. */
static int check_rows(struct cord_call *call, struct json_object *rows, const struct cord_message *m)
{
	for (size_t i = 0; i < json_count(rows); i++) {
		const char *id = json_get_str(json_at(rows, i), "id");
		uint64_t number = 0;
		char part[32];

		snprintf(part, sizeof(part), "files[%.20s]", id);
		if (json_get_object(call->parts, part) ||
		    (cord_snowflake_read(id, &number) && has_file(m, number)))
			continue;
		cord_errors_enter(&call->errors, "attachments");
		cord_errors_enter_index(&call->errors, i);
		cord_errors_add(&call->errors, "id", "ATTACHMENT_NOT_FOUND", "There is no file %s.", id);
		cord_errors_leave(&call->errors);
		cord_errors_leave(&call->errors);
	}
	return !call->errors.tree ? 0 : cord_refuse(call);
}

int cord_upload_read(struct cord_call *call, struct json_object *body, struct cord_message *m)
{
	struct json_object *rows = json_get_array(body, "attachments");

	if (check_rows(call, rows, m) != 0)
		return -1;
	return add_parts(call, rows, m);
}

int cord_upload_read_edit(struct cord_call *call, struct json_object *body, struct cord_message *m)
{
	struct json_object *rows = json_get_array(body, "attachments");
	size_t kept = 0;
	char id[24];

	if (check_rows(call, rows, m) != 0)
		return -1;
	for (size_t i = 0; i < m->file_count; i++) {
		snprintf(id, sizeof(id), "%llu", (unsigned long long)m->files[i]->id);
		if (!cord_given(body, "attachments") || row_of(rows, id))
			m->files[kept++] = m->files[i];
	}
	m->file_count = kept;
	return add_parts(call, rows, m);
}

int cord_upload_check_voice(struct cord_call *call, const struct cord_message *m)
{
	if (m->file_count != 1 || strncmp(m->files[0]->type, "audio/", 6) != 0)
		return cord_fail(call, "Voice messages must have a single audio attachment.");
	if (m->files[0]->duration <= 0 || !m->files[0]->waveform)
		return cord_fail(call, "Voice messages must have supporting metadata.");
	return 0;
}
