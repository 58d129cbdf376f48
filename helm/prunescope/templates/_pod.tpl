{{/* Parts of a pod. Those that take a list take (list . values-of-the-component component). */}}

{{- define "prunescope.podMetadata" -}}
{{- $root := index . 0 }}{{ $values := index . 1 }}{{ $component := index . 2 -}}
{{- $labels := deepCopy $values.pod.labels -}}
{{- if and (has $component (list "audit" "executor")) (include "prunescope.usesKubernetes" $root) -}}
{{- $_ := set $labels "prunescope/spark" "true" -}}
{{- end -}}
labels:
  {{- include "prunescope.labels" (list $root $component $labels) | nindent 2 }}
{{- with $values.pod.annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Where a pod may run, and as whom. Constraints of its spread count the component's own pods,
unless they say which. */}}
{{- define "prunescope.podSpec" -}}
{{- $root := index . 0 }}{{ $pod := (index . 1).pod -}}
securityContext:
  {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
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
{{- with $pod.topologySpreadConstraints }}
{{- $own := dict "matchLabels" (include "prunescope.selectorLabels" (list $root (index $ 2)) | fromYaml) }}
topologySpreadConstraints:
  {{- range . }}
  - {{- toYaml (merge (dict) . (ternary dict (dict "labelSelector" $own) (hasKey . "labelSelector"))) | nindent 4 }}
  {{- end }}
{{- end }}
{{- with $pod.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end }}

{{- define "prunescope.container" -}}
{{- $root := index . 0 -}}
image: {{ include "prunescope.image" $root | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy | quote }}
securityContext:
  {{- toYaml $root.Values.containerSecurityContext | nindent 2 }}
resources:
  {{- toYaml (index . 1).resources | nindent 2 }}
{{- end }}

{{/* Environment of whatever opens catalogs: credentials come from Secrets. */}}
{{- define "prunescope.env" -}}
{{- $root := index . 0 -}}
- name: HOME
  value: /tmp
{{- if $root.Values.credentials.pyicebergSecret }}
- name: PYICEBERG_HOME
  value: /etc/prunescope-pyiceberg
{{- end }}
{{- range $name, $source := $root.Values.credentials.env }}
- name: {{ $name | quote }}
  valueFrom:
    secretKeyRef:
      name: {{ $source.secret | quote }}
      key: {{ $source.key | quote }}
{{- end }}
{{- with (index . 1).pod.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "prunescope.envFrom" -}}
{{- with .Values.credentials.envFromSecrets -}}
envFrom:
  {{- range . }}
  - secretRef:
      name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "prunescope.volumes" -}}
{{- $root := index . 0 -}}
- name: config
  configMap:
    name: {{ include "prunescope.configMapName" $root | quote }}
- name: tmp
  emptyDir:
    sizeLimit: {{ $root.Values.tmpSizeLimit | quote }}
{{- with $root.Values.credentials.pyicebergSecret }}
- name: pyiceberg
  secret:
    secretName: {{ . | quote }}
    defaultMode: 0440
{{- end }}
{{- with (index . 1).pod.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "prunescope.volumeMounts" -}}
{{- $root := index . 0 -}}
- name: config
  mountPath: /etc/prunescope
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- if $root.Values.credentials.pyicebergSecret }}
- name: pyiceberg
  mountPath: /etc/prunescope-pyiceberg
  readOnly: true
{{- end }}
{{- with (index . 1).pod.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What a job of a CronJob and its schedule share. */}}
{{- define "prunescope.schedule" -}}
{{- $values := index . 1 -}}
schedule: {{ $values.schedule | quote }}
timeZone: {{ $values.timeZone | quote }}
suspend: {{ $values.suspend }}
concurrencyPolicy: Forbid
startingDeadlineSeconds: {{ int64 $values.startingDeadlineSeconds }}
successfulJobsHistoryLimit: {{ $values.successfulJobsHistoryLimit }}
failedJobsHistoryLimit: {{ $values.failedJobsHistoryLimit }}
{{- end }}

{{- define "prunescope.job" -}}
{{- $values := index . 1 -}}
activeDeadlineSeconds: {{ int64 $values.activeDeadlineSeconds }}
backoffLimit: {{ $values.backoffLimit }}
ttlSecondsAfterFinished: {{ int64 $values.ttlSecondsAfterFinished }}
podFailurePolicy:
  rules:
    # The node went away, which is no fault of the job.
    - action: Ignore
      onPodConditions:
        - type: DisruptionTarget
          status: "True"
    # Done, but some queries or tables failed: the next try would find them as they are.
    - action: FailJob
      onExitCodes:
        containerName: {{ index . 2 }}
        operator: In
        values: [1]
{{- end }}
