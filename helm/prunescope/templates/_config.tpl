{{/*
audit.yaml. JSON, which is YAML: Helm reads numbers as floats, and as YAML would write a million
as 1e+06, which other readers take for a string.
*/}}
{{- define "prunescope.config" -}}
{{- $config := deepCopy .Values.config }}
{{- if and .Values.audit.enabled (eq .Values.audit.mode "kubernetes") }}
{{- $given := default dict (default dict $config.spark).conf }}
{{- $conf := merge $given (include "prunescope.executorConf" . | fromJson) }}
{{- $_ := set $config "spark" (dict "master" .Values.audit.kubernetes.master "conf" $conf) }}
{{- end }}
{{- toPrettyJson $config }}
{{- end }}

{{/* Spark's settings for executors on Kubernetes in client mode, as JSON. */}}
{{- define "prunescope.executorConf" -}}
{{- $executors := .Values.audit.executors -}}
{{- $conf := dict
    "spark.kubernetes.namespace" .Release.Namespace
    "spark.kubernetes.container.image" (include "prunescope.image" .)
    "spark.kubernetes.container.image.pullPolicy" .Values.image.pullPolicy
    "spark.kubernetes.authenticate.executor.serviceAccountName" (include "prunescope.serviceAccountName" .)
    "spark.kubernetes.executor.podTemplateFile" "/etc/prunescope-executor/pod.yaml"
    "spark.kubernetes.executor.podTemplateContainerName" "executor"
    "spark.executor.instances" (toString $executors.instances)
    "spark.executor.cores" (toString $executors.cores)
    "spark.executor.memory" $executors.memory
    "spark.executor.memoryOverhead" $executors.memoryOverhead
    "spark.driver.port" "7078"
    "spark.driver.blockManager.port" "7079"
    "spark.blockManager.port" "7079"
    "spark.ui.enabled" "false"
-}}
{{- with .Values.imagePullSecrets }}
{{- $names := list }}
{{- range . }}{{ $names = append $names .name }}{{ end }}
{{- $_ := set $conf "spark.kubernetes.container.image.pullSecrets" (join "," $names) }}
{{- end }}
{{- toJson $conf }}
{{- end }}
