EXTRA_DIST += %D%/Containerfile %D%/compose.yaml %D%/compose-cluster.yaml %D%/root.sh %D%/sbom.sh %D%/seccomp.json
