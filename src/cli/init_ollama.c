#include "cli/init_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "llm/local_server.h"
#include "llm/profile.h"
#include "net/http/http.h"
#include "net/loop.h"

struct finding_ollama {
	char *base_url;
	struct buf *models;
	int rc;
};

static void find_task(struct task *t, void *arg)
{
	struct finding_ollama *f = arg;
	struct error err = {0};

	f->rc = llm_local_server_list(t, f->base_url, f->models, &err);
}

char *init_find_ollama(struct buf *models)
{
	const char *host = getenv("OLLAMA_HOST"), *usual = llm_profile_find("ollama")->base_url;
	struct finding_ollama f = {.models = models, .rc = -1};
	struct error err = {0};

	/* OLLAMA_HOST may be HOST:PORT or a URL. */
	f.base_url =
	    host && *host ? xasprintf("%s%s/v1", strstr(host, "://") ? "" : "http://", host) : xstrdup(usual);
	if (http_url_allowed(f.base_url, &err)) {
		loop_init();
		task_run("find-ollama", find_task, &f);
		http_finish();
	}
	char *provider = xstrdup(f.rc != 0 ? NULL : strcmp(f.base_url, usual) == 0 ? "ollama" : f.base_url);
	free(f.base_url);
	return provider;
}
