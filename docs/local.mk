EXTRA_DIST += \
	%D%/access.md %D%/architecture-messages.md %D%/architecture-store.md %D%/architecture-tools.md %D%/glossary.md \
	%D%/playground-methods.md %D%/playground-reference.md %D%/playground-testing.md %D%/sandbox.md %D%/setup.md \
	%D%/README.md %D%/administration.md %D%/architecture.md %D%/budgets.md %D%/channels.md %D%/chat.md \
	%D%/commands.md %D%/cluster.md %D%/comparison.md %D%/container.md %D%/configuration.md %D%/conversations.md %D%/external-tools.md \
	%D%/faq.md %D%/getting-started.md %D%/http.md %D%/mcp.md %D%/measurements.md %D%/models.md %D%/performance.md \
	%D%/playground.md %D%/postgresql.md %D%/playground.png %D%/kill.webp %D%/platforms.webp \
	%D%/prompt.md %D%/reminders.md %D%/security.md %D%/skills.md \
	%D%/tools.md %D%/troubleshooting.md %D%/upgrade.md %D%/web.md %D%/recipes/community-discord.md \
	%D%/recipes/family-telegram.md %D%/recipes/ollama-small.md %D%/recipes/team-slack.md
# The manual says what the program says of its settings and commands, so that it is never behind.
dist_man_MANS = %D%/man/myna.1 %D%/man/myna.conf.5 %D%/man/myna-playground.1
CLEANFILES += %D%/man/myna.1 %D%/man/myna.conf.5
EXTRA_DIST += %D%/man/make.sh %D%/man/myna.1.in %D%/man/myna.conf.5.in
%D%/man/myna.1: %D%/man/myna.1.in
%D%/man/myna.conf.5: %D%/man/myna.conf.5.in
%D%/man/myna.1 %D%/man/myna.conf.5: %D%/man/make.sh myna$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) %D%/man && $(srcdir)/%D%/man/make.sh "$(EMULATOR) ./myna" $(srcdir)/$@.in >$@.new && mv $@.new $@
# All of it as a site that can be searched. make site SITE=FOLDER
EXTRA_DIST += %D%/site
SITE = site
.PHONY: site
site:
	$(AM_V_GEN)$(srcdir)/%D%/site/make.sh $(SITE)
