{{- define "myna.labels" -}}
app.kubernetes.io/name: myna
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
