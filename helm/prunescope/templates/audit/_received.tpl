{{/* The receiver's volume, read-only, for pods that read what it wrote. */}}
{{- define "prunescope.receivedVolume" -}}
{{- if .Values.audit.mountReceived -}}
- name: received
  persistentVolumeClaim:
    claimName: {{ include "prunescope.claimName" . }}
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
{{- $beside := dict "requiredDuringSchedulingIgnoredDuringExecution" (list $term) }}
{{- $_ := set $audit.pod "affinity" (merge (deepCopy $audit.pod.affinity) (dict "podAffinity" $beside)) }}
{{- end }}
{{- toJson $audit }}
{{- end }}
