{{/*
A ServiceMonitor or PodMonitor. Takes (list . component port). The job label is what the rules and
dashboards select by, whatever the release is called; labels of the metrics, such as the namespace
of an Iceberg table, stand before those of the pod.
*/}}
{{- define "prunescope.monitor" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $port := index . 2 }}{{ $component := index $root.Values $name -}}
{{- $kinds := dict "ServiceMonitor" $component.serviceMonitor "PodMonitor" $component.podMonitor }}
{{- range $kind, $monitor := $kinds }}
{{- if $monitor.enabled }}
apiVersion: monitoring.coreos.com/v1
kind: {{ $kind }}
metadata:
  name: {{ include "prunescope.fullname" $root }}-{{ $name }}
  namespace: {{ default $root.Release.Namespace $monitor.namespace | quote }}
  labels:
    {{- include "prunescope.labels" (list $root $name $monitor.labels) | nindent 4 }}
spec:
  namespaceSelector:
    matchNames: [{{ $root.Release.Namespace | quote }}]
  selector:
    matchLabels:
      {{- include "prunescope.selectorLabels" (list $root $name) | nindent 6 }}
  {{ ternary "endpoints" "podMetricsEndpoints" (eq $kind "ServiceMonitor") }}:
    - port: {{ $port }}
      path: /metrics
      honorLabels: true
      interval: {{ $monitor.interval | quote }}
      {{- if $component.tlsSecret }}
      scheme: https
      {{- with $monitor.tlsConfig }}
      tlsConfig:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
      relabelings:
        - targetLabel: job
          replacement: {{ $monitor.job | quote }}
{{- end }}
{{- end }}
{{- end }}
