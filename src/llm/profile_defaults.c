#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/mem.h"
#include "llm/formats/formats.h"
#include "llm/profile.h"

static bool has(struct config *cfg, const char *path, const char *name)
{
	char *whole = xasprintf("%s.%s", path, name);
	bool there = config_has(cfg, whole);

	free(whole);
	return there;
}

static void choose_format(
    struct llm_provider *p, const struct llm_profile *named, struct config *cfg, const char *path)
{
	const char *said = p->settings.api > 0 ? llm_format_names[p->settings.api] : NULL;
	const char *api = said ? said : llm_profile_of(p)->api;

	p->ops = api ? llm_format_find(api) : NULL;
	/* An invalid value has already been reported. */
	if (!p->ops && !has(cfg, path, "api") && !has(cfg, path, "profile"))
		config_error(cfg, path,
		    "which provider is it? Say profile = \"NAME\" for one that is known, or api = "
		    "\"openai-chat\" (or another format) with base_url.");
	if (!p->ops)
		p->ops = llm_format_find("openai-chat");
	/* Only OpenAI has two formats at one URL. */
	if (named && said && !p->settings.base_url && strcmp(said, named->api) != 0 &&
	    strcmp(named->name, "openai") != 0)
		config_error(cfg, path, "profile \"%s\" speaks \"%s\". For another api it needs a base_url.",
		    named->name, named->api);
}

void llm_profile_apply_defaults(struct llm_provider *p, struct config *cfg, const char *path)
{
	const struct llm_profile *named = llm_profile_find(llm_profile_names[p->settings.profile]);

	p->profile = named;
	choose_format(p, named, cfg, path);
	if (!p->settings.base_url)
		p->settings.base_url = xstrdup(named ? named->base_url : p->ops->default_base_url);
	p->profile = llm_profile_of(p);
	if (named && named->needs_key && !p->settings.key)
		config_error(cfg, path, "key is missing: %s answers nobody without one.", named->name);
}
