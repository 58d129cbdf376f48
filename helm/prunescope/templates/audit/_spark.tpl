{{/*
A pod that Spark starts, as its pod template: Spark adds the image, the command, the resources and
the addresses. Takes (list . values component container), and gives metadata and spec.
*/}}
{{- define "prunescope.sparkPod" -}}
{{- $root := index . 0 }}{{ $values := index . 1 }}{{ $component := index . 2 -}}
metadata:
  {{- include "prunescope.podMetadata" . | nindent 2 }}
spec:
  # Only a driver talks to the Kubernetes API.
  automountServiceAccountToken: {{ eq $component "audit" }}
  {{- include "prunescope.podSpec" . | nindent 2 }}
  containers:
    - name: {{ index . 3 }}
      securityContext:
        {{- toYaml $root.Values.containerSecurityContext | nindent 8 }}
      env:
        {{- include "prunescope.env" . | nindent 8 }}
      {{- with include "prunescope.envFrom" $root }}
      {{- . | nindent 6 }}
      {{- end }}
      volumeMounts:
        {{- include "prunescope.volumeMounts" . | nindent 8 }}
        {{- with include "prunescope.receivedMount" $root }}
        {{- . | nindent 8 }}
        {{- end }}
  volumes:
    {{- include "prunescope.volumes" . | nindent 4 }}
    {{- with include "prunescope.receivedVolume" $root }}
    {{- . | nindent 4 }}
    {{- end }}
{{- end }}
