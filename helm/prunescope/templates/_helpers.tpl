{{/* Names, labels and references that every component shares. */}}

{{- define "prunescope.name" -}}
{{- default .Chart.Name .Values.nameOverride }}
{{- end }}

{{/* At most 40 characters: a CronJob's name may have 52, and components add theirs. One that is cut
ends with a hash of the whole, as other releases may begin alike. */}}
{{- define "prunescope.fullname" -}}
{{- $name := printf "%s-%s" .Release.Name (include "prunescope.name" .) }}
{{- if .Values.fullnameOverride }}
{{- $name = .Values.fullnameOverride }}
{{- else if contains (include "prunescope.name" .) .Release.Name }}
{{- $name = .Release.Name }}
{{- end }}
{{- if gt (len $name) 40 }}
{{- $name = printf "%s-%s" ($name | trunc 31 | trimSuffix "-") (sha256sum $name | trunc 8) }}
{{- end }}
{{- $name }}
{{- end }}

{{/* What selects the pods of a component, and never changes. Takes (list . component). */}}
{{- define "prunescope.selectorLabels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "prunescope.name" $root | quote }}
app.kubernetes.io/instance: {{ $root.Release.Name | quote }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* The recommended labels, and those that values add. Takes (list . component), or
(list . component labels). */}}
{{- define "prunescope.labels" -}}
{{- $root := index . 0 -}}
{{- $own := include "prunescope.selectorLabels" . | fromYaml -}}
{{- $_ := set $own "app.kubernetes.io/version" $root.Chart.AppVersion -}}
{{- $_ := set $own "app.kubernetes.io/part-of" "prunescope" -}}
{{- $_ := set $own "app.kubernetes.io/managed-by" $root.Release.Service -}}
{{- $_ := set $own "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_") -}}
{{- $more := ternary (last .) dict (gt (len .) 2) -}}
{{- toYaml (merge $own $more $root.Values.commonLabels) }}
{{- end }}

{{- define "prunescope.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end }}
{{- end }}
{{- end }}

{{- define "prunescope.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "prunescope.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "prunescope.receiverServiceAccountName" -}}
{{- if .Values.receiver.serviceAccount.create }}
{{- default (printf "%s-receiver" (include "prunescope.fullname" .)) .Values.receiver.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.receiver.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "prunescope.configMapName" -}}
{{- default (printf "%s-config" (include "prunescope.fullname" .)) .Values.existingConfigMap }}
{{- end }}

{{- define "prunescope.claimName" -}}
{{- default (printf "%s-receiver" (include "prunescope.fullname" .)) .Values.receiver.persistence.existingClaim }}
{{- end }}

{{/* Where the receiver writes, and audits that are to read it find it. */}}
{{- define "prunescope.receivedDirectory" -}}
/var/lib/prunescope/collected
{{- end }}

{{/* Whether a pod of the audit is on the Kubernetes API: the driver that starts executors. */}}
{{- define "prunescope.usesKubernetes" -}}
{{- if and .Values.audit.enabled (ne .Values.audit.mode "local") }}true{{ end }}
{{- end }}
