# What people copy, and what they paste into Slack.
exampledir = $(docdir)/examples
dist_example_DATA = %D%/myna.conf.example %D%/slack-manifest.json
EXTRA_DIST += %D%/helm %D%/skills/meeting-notes/SKILL.md

bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_bashcompletion_DATA = %D%/completions/myna
dist_zshcompletion_DATA = %D%/completions/_myna
dist_fishcompletion_DATA = %D%/completions/myna.fish

# The service: with --with-systemdsystemunitdir it is installed, else made as an example.
service_files = %D%/systemd/myna.service %D%/systemd/tmpfiles.d/myna.conf
EXTRA_DIST += %D%/systemd/myna.service.in %D%/systemd/sysusers.d/myna.conf %D%/systemd/tmpfiles.d/myna.conf.in
CLEANFILES += $(service_files)
%D%/systemd/myna.service: %D%/systemd/myna.service.in Makefile
%D%/systemd/tmpfiles.d/myna.conf: %D%/systemd/tmpfiles.d/myna.conf.in Makefile
$(service_files):
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed -e 's#[@]bindir[@]#$(bindir)#g' -e 's#[@]sysconfdir[@]#$(sysconfdir)#g' $(srcdir)/$@.in >$@.tmp && mv $@.tmp $@
if SYSTEMD_UNITS
sysusersdir = $(prefix)/lib/sysusers.d
tmpfilesdir = $(prefix)/lib/tmpfiles.d
systemdsystemunit_DATA = %D%/systemd/myna.service
sysusers_DATA = %D%/systemd/sysusers.d/myna.conf
tmpfiles_DATA = %D%/systemd/tmpfiles.d/myna.conf
else
noinst_DATA = $(service_files)
endif
