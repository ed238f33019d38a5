EXTRA_DIST += %D%/changelog %D%/clean %D%/control %D%/copyright %D%/myna.docs %D%/myna.install %D%/myna.postinst %D%/myna.postrm \
	%D%/myna-playground.docs %D%/myna-playground.install %D%/rules %D%/source/format %D%/source/lintian-overrides %D%/version
