/* What an approval of a command is bound to besides its text: the folder, and the scripts that it names. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/files/file_hash.h"
#include "tools/files/path_error.h"
#include "tools/files/roots.h"
#include "tools/rules/shell_parse.h"
#include "tools/shell/shell.h"
#include "tools/tools_internal.h"

#define SCRIPTS_MAX 8
/* Bytes of a script; a longer file is no script. */
#define SCRIPT_MAX (1024 * 1024)

struct measure_job {
	struct worker_job job;
	struct roots *roots;
	char *folder; /* as the model gave it; NULL for none */
	char *names[SCRIPTS_MAX];
	size_t count;
	/* Results. */
	char *real; /* of the folder, without links; NULL: it cannot be opened */
	struct stat st;
	char hashes[SCRIPTS_MAX][SHA256_TEXT_SIZE]; /* "" for what is no file below the roots */
};

static void job_free(struct worker_job *job)
{
	struct measure_job *j = (struct measure_job *)job;

	for (size_t i = 0; i < j->count; i++)
		free(j->names[i]);
	roots_unref(j->roots);
	free(j->folder);
	free(j->real);
	free(j);
}

static void look_at_folder(struct measure_job *j)
{
	struct path_error why;

	j->real = root_folder_path(j->roots, j->folder ? j->folder : ".", &j->st, &why);
}

static void look_at_script(const struct measure_job *j, const char *name, char *hash)
{
	char *path = *name == '/' ? xstrdup(name) : xasprintf("%s/%s", j->real, name);
	struct path_error why;
	struct stat st;
	int fd = root_open_file(j->roots, path, &why);

	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_size > SCRIPT_MAX || file_hash_of(fd, hash) < 0))
		*hash = '\0';
	if (fd >= 0)
		close(fd);
	free(path);
}

static void job_run(struct worker_job *job)
{
	struct measure_job *j = (struct measure_job *)job;

	look_at_folder(j);
	for (size_t i = 0; j->real && i < j->count; i++)
		look_at_script(j, j->names[i], j->hashes[i]);
}

static void add_name(struct measure_job *j, const char *name)
{
	if (j->count < SCRIPTS_MAX && *name)
		j->names[j->count++] = xstrdup(name);
}

/* The program by its path, and the first operand of an interpreter. */
static void add_scripts(struct measure_job *j, const struct shell_command *c)
{
	static const char *const interpreters[] = {".", "source", "sh", "bash", "dash", "zsh", "python",
	    "python3", "perl", "ruby", "node", "awk", "make"};
	size_t operand = 1;

	if (c->count == 0)
		return;
	if (strchr(c->words[0], '/'))
		add_name(j, c->words[0]);
	while (operand < c->count && c->words[operand][0] == '-')
		operand++;
	for (size_t i = 0; operand < c->count && i < ARRAY_LEN(interpreters); i++)
		if (strcmp(shell_command_name(c), interpreters[i]) == 0)
			add_name(j, c->words[operand]);
}

static void parse(struct shell_line *line, struct json_object *args, bool shell)
{
	const char *command = json_get_str(args, "command");
	struct json_object *rest = json_get_array(args, "args");
	size_t most = rest ? json_object_array_length(rest) : 0, count = 0;
	const char **words = xcalloc(most + 2, sizeof(*words));

	words[count++] = command ? command : "";
	for (size_t i = 0; i < most; i++)
		words[count++] = json_object_get_string(json_object_array_get_idx(rest, i));
	if (shell)
		shell_parse(line, words[0]);
	else
		shell_parse_words(line, words, count);
	free(words);
}

static void add_facts(const struct measure_job *j, struct json_object *facts)
{
	struct json_object *folder = json_object_new_object(), *scripts = json_object_new_object();

	if (j->folder) {
		json_set_str(folder, "path", j->real ? j->real : "");
		json_set_int(folder, "device", (int64_t)j->st.st_dev);
		json_set_int(folder, "inode", (int64_t)j->st.st_ino);
		json_set(facts, SHELL_FOLDER_FACT, json_object_get(folder));
	}
	for (size_t i = 0; i < j->count; i++)
		if (*j->hashes[i])
			json_set_str(scripts, j->names[i], j->hashes[i]);
	if (json_object_object_length(scripts) > 0)
		json_set(facts, "scripts", json_object_get(scripts));
	json_object_put(folder);
	json_object_put(scripts);
}

void shell_measure(
    struct task *t, const struct tool_call *call, struct json_object *args, struct json_object *facts)
{
	struct measure_job *j = xcalloc(1, sizeof(*j));
	struct shell_line line;

	if (!call->tools->roots) {
		free(j);
		return;
	}
	j->job = (struct worker_job){.run = job_run, .free = job_free};
	j->roots = roots_ref(call->tools->roots);
	j->folder = xstrdup(json_get_str(args, "working_directory"));
	parse(&line, args, !json_get_array(args, "args"));
	for (size_t i = 0; i < line.count; i++)
		add_scripts(j, &line.commands[i]);
	shell_line_clear(&line);
	if (!j->folder && j->count == 0) {
		job_free(&j->job);
		return;
	}
	if (tool_worker_await(t, call, &j->job, NULL) < 0)
		return;
	add_facts(j, facts);
	job_free(&j->job);
}

bool shell_folder_changed(const struct tool_call *call, const char *real, const struct stat *st)
{
	struct json_object *folder = json_get_object(call->facts, SHELL_FOLDER_FACT);
	const char *path = json_get_str(folder, "path");

	return folder &&
	    (!path || strcmp(path, real) != 0 || json_get_int(folder, "device", -1) != (int64_t)st->st_dev ||
		json_get_int(folder, "inode", -1) != (int64_t)st->st_ino);
}
