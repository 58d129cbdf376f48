{{/* Driver or executor of a SparkApplication. Takes (list . values component). */}}
{{- define "prunescope.operatorPod" -}}
{{- $root := index . 0 }}{{ $values := index . 1 }}{{ $pod := $values.pod -}}
{{- include "prunescope.podMetadata" . }}
serviceAccount: {{ include "prunescope.serviceAccountName" $root }}
podSecurityContext:
  {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
securityContext:
  {{- toYaml $root.Values.containerSecurityContext | nindent 2 }}
{{- with $pod.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
env:
  {{- include "prunescope.env" (list $root $values) | nindent 2 }}
{{- with include "prunescope.envFrom" $root }}
{{ . }}
{{- end }}
volumeMounts:
  {{- include "prunescope.volumeMounts" (list $root $values) | nindent 2 }}
  {{- with include "prunescope.receivedMount" $root }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end }}
