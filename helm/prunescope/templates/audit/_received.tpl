{{/* The receiver's volume, read-only, for pods that read what it wrote. */}}
{{- define "prunescope.receivedVolume" -}}
{{- if .Values.audit.mountReceived -}}
- name: received
  persistentVolumeClaim:
    claimName: {{ include "prunescope.claimName" . | quote }}
    readOnly: true
{{- end }}
{{- end }}

{{- define "prunescope.receivedMount" -}}
{{- if .Values.audit.mountReceived -}}
- name: received
  mountPath: {{ include "prunescope.receivedDirectory" . }}
  readOnly: true
{{- end }}
{{- end }}

{{/*
The audit's values. A volume that one node at a time may have is where the receiver is, so the
audit must be there as well.
*/}}
{{- define "prunescope.auditValues" -}}
{{- $audit := deepCopy .Values.audit }}
{{- if and $audit.mountReceived (not (has "ReadWriteMany" .Values.receiver.persistence.accessModes)) }}
{{- $labels := include "prunescope.selectorLabels" (list . "receiver") | fromYaml }}
{{- $term := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" $labels) }}
{{- $affinity := $audit.pod.affinity }}
{{- $beside := default dict $affinity.podAffinity }}
{{- $key := "requiredDuringSchedulingIgnoredDuringExecution" }}
{{- $_ := set $beside $key (append (default list (index $beside $key)) $term) }}
{{- $_ := set $affinity "podAffinity" $beside }}
{{- end }}
{{- toJson $audit }}
{{- end }}
