{{/* Values that contradict each other, each with a sentence that names them. */}}
{{- define "prunescope.validate" -}}
{{- include "prunescope.refuseCredentials" . }}
{{- $v := .Values }}
{{- $spark := default dict $v.config.spark }}

{{- if $v.existingConfigMap }}
  {{- if $v.config }}
    {{- fail "existingConfigMap and config are both set: which of them is the configuration? Leave one empty." }}
  {{- end }}
  {{- if and $v.audit.enabled (eq $v.audit.mode "kubernetes") }}
    {{- fail "existingConfigMap cannot be used with audit.mode=kubernetes, whose Spark settings the chart writes: put the configuration into config." }}
  {{- end }}
{{- else if or $v.audit.enabled $v.maintenance.enabled $v.exporter.enabled }}
  {{- /* "required", unlike "fail", lets helm lint pass: defaults are to lint, not to install. */}}
  {{- $_ := required "config is empty: say which catalogs, sources and audit tables there are (docs/audit.md), or name a ConfigMap with an audit.yaml in existingConfigMap." (ternary "" "given" (empty $v.config)) }}
{{- end }}

{{- if $v.config }}
  {{- $catalogs := default dict $v.config.catalogs }}
  {{- if not (hasKey $catalogs $v.config.audit.catalog) }}
    {{- fail (printf "config.audit.catalog is %q, which is not one of config.catalogs (%s)." $v.config.audit.catalog (keys $catalogs | sortAlpha | join ", " | default "none")) }}
  {{- end }}
  {{- include "prunescope.refuseVariables" (list "config" $v.config) }}
{{- end }}

{{- if and $v.audit.enabled (ne $v.audit.mode "local") $spark.master }}
  {{- fail (printf "config.spark.master is %q, but audit.mode is %q, which sets the master: leave config.spark.master out, or use audit.mode=local." $spark.master $v.audit.mode) }}
{{- end }}
{{- if and $v.audit.enabled (eq $v.audit.mode "local") $spark.master (not (hasPrefix "local" $spark.master)) (not (hasPrefix "spark://" $spark.master)) }}
  {{- fail (printf "config.spark.master is %q, but audit.mode is \"local\": use audit.mode=kubernetes for executors on Kubernetes." $spark.master) }}
{{- end }}
{{- if and $v.audit.enabled (ne $v.audit.mode "local") (not $v.rbac.create) $v.serviceAccount.create }}
  {{- fail (printf "rbac.create is false, but audit.mode=%s starts executors with the service account that serviceAccount.create makes, which then may start none: name one that may in serviceAccount.name, and set serviceAccount.create=false." $v.audit.mode) }}
{{- end }}

{{- if $v.audit.mountReceived }}
  {{- if not (and $v.receiver.enabled $v.receiver.persistence.enabled) }}
    {{- fail "audit.mountReceived is true, but there is no volume to mount: set receiver.enabled and receiver.persistence.enabled." }}
  {{- end }}
  {{- if has "ReadWriteOncePod" $v.receiver.persistence.accessModes }}
    {{- fail "audit.mountReceived is true, but receiver.persistence.accessModes has ReadWriteOncePod, with which no pod but the receiver gets the volume." }}
  {{- end }}
  {{- if and (ne $v.audit.mode "local") (not (has "ReadWriteMany" $v.receiver.persistence.accessModes)) }}
    {{- fail (printf "audit.mountReceived is true with audit.mode=%s, whose executors run on other nodes, but receiver.persistence.accessModes has no ReadWriteMany." $v.audit.mode) }}
  {{- end }}
{{- end }}

{{- if $v.receiver.enabled }}
  {{- $_ := required "receiver.tokenSecret.name is empty: without a token anybody in the cluster could post, so the receiver would not start." $v.receiver.tokenSecret.name }}
  {{- if and (not $v.receiver.persistence.enabled) (not $v.receiver.landing.enabled) }}
    {{- fail "receiver.persistence.enabled and receiver.landing.enabled are both false: what is received would be gone with its pod." }}
  {{- end }}
  {{- if and $v.receiver.landing.enabled (not $v.receiver.landing.destination) }}
    {{- fail "receiver.landing.destination is empty: where are files to land?" }}
  {{- end }}
  {{- if and $v.audit.mountReceived $v.receiver.landing.enabled }}
    {{- fail "audit.mountReceived and receiver.landing.enabled are both true, but files that have landed are no longer in the volume: read them from receiver.landing.destination, and set audit.mountReceived=false." }}
  {{- end }}
  {{- if and (gt (int $v.receiver.replicas) 1) $v.receiver.persistence.enabled }}
    {{- fail (printf "receiver.replicas is %d, but one process at a time may write to the volume of receiver.persistence: set receiver.replicas=1, or receiver.persistence.enabled=false with receiver.landing.enabled=true." (int $v.receiver.replicas)) }}
  {{- end }}
{{- else }}
  {{- if $v.receiver.ingress.enabled }}
    {{- fail "receiver.ingress.enabled is true, but receiver.enabled is false: there is nothing to route to." }}
  {{- end }}
{{- end }}

{{- range $name := list "exporter" "receiver" }}
  {{- $component := index $v $name }}
  {{- $fullname := include "prunescope.fullname" $ }}
  {{- if and $component.enabled (not (regexMatch "^[a-z][-a-z0-9]*$" $fullname)) }}
    {{- fail (printf "%s.enabled is true, but its Service would be named %s-%s, and the name of a Service begins with a letter and has no dot: set fullnameOverride." $name $fullname $name) }}
  {{- end }}
  {{- if and $component.serviceMonitor.enabled $component.podMonitor.enabled }}
    {{- fail (printf "%s.serviceMonitor.enabled and %s.podMonitor.enabled are both true: every sample would be scraped twice." $name $name) }}
  {{- end }}
  {{- if and (or $component.serviceMonitor.enabled $component.podMonitor.enabled) (not $component.enabled) }}
    {{- fail (printf "%s.%s.enabled is true, but %s.enabled is false: there is nothing to scrape." $name (ternary "serviceMonitor" "podMonitor" $component.serviceMonitor.enabled) $name) }}
  {{- end }}
  {{- if and $component.enabled $component.podDisruptionBudget.enabled (lt (int $component.replicas) 2) }}
    {{- fail (printf "%s.podDisruptionBudget.enabled is true with %s.replicas=%d: no node could be drained." $name $name (int $component.replicas)) }}
  {{- end }}
{{- end }}

{{- if $v.prometheusRule.enabled }}
  {{- range $label, $_ := $v.prometheusRule.settings.labels }}
    {{- if has $label (list "alertname" "severity" "pass" "finding" "instance" "job" "audit_catalog" "catalog" "namespace" "table") }}
      {{- fail (printf "prometheusRule.settings.labels has %s, which alerts have of their own: choose another name." $label) }}
    {{- end }}
  {{- end }}
  {{- $selector := $v.prometheusRule.settings.selector }}
  {{- range $kind := list "serviceMonitor" "podMonitor" }}
    {{- $monitor := index $v.exporter $kind }}
    {{- if and $monitor.enabled (regexMatch "(^|,)\\s*job\\s*=\\s*\"" $selector) (not (contains (printf "%q" $monitor.job) $selector)) }}
      {{- fail (printf "prometheusRule.settings.selector is %s, but exporter.%s.job is %q: no rule would find a sample." $selector $kind $monitor.job) }}
    {{- end }}
  {{- end }}
{{- end }}

{{- range $name := list "audit" "maintenance" "exporter" "receiver" }}
  {{- include "prunescope.refusePod" (list (printf "%s.pod" $name) (index $v $name).pod $v) }}
{{- end }}
{{- include "prunescope.refusePod" (list "audit.executors.pod" $v.audit.executors.pod $v) }}
{{- include "prunescope.refuseVariablesOf" (list "receiver.landing.extraEnv" $v.receiver.landing.extraEnv $v) }}
{{- range $name := list "audit" "receiver" }}
  {{- range $index, $word := (index $v $name).extraArgs }}
    {{- if regexMatch "^--?[a-z-]+\\s" $word }}
      {{- fail (printf "%s.extraArgs[%d] is %q, an option and its value in one argument: write %q, or two arguments." $name $index $word (regexReplaceAll "\\s+" $word "=")) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- if and $v.podSecurityContext.runAsNonRoot (hasKey $v.podSecurityContext "runAsUser") (eq (int $v.podSecurityContext.runAsUser) 0) }}
  {{- fail "podSecurityContext.runAsUser is 0, but runAsNonRoot is true, so no container would start: leave runAsUser at 185, the image's user." }}
{{- end }}
{{- $container := $v.containerSecurityContext }}
{{- if and $container.privileged (hasKey $container "allowPrivilegeEscalation") (not $container.allowPrivilegeEscalation) }}
  {{- fail "containerSecurityContext.privileged is true, but allowPrivilegeEscalation is false, which Kubernetes refuses together: leave privileged out; nothing here needs it." }}
{{- end }}

{{- $labels := dict "commonLabels" $v.commonLabels "prometheusRule.labels" $v.prometheusRule.labels "dashboards.labels" $v.dashboards.labels "audit.executors.pod.labels" $v.audit.executors.pod.labels }}
{{- range $name := list "audit" "maintenance" "exporter" "receiver" }}
  {{- $_ := set $labels (printf "%s.pod.labels" $name) (index $v $name).pod.labels }}
{{- end }}
{{- range $name, $given := $labels }}
  {{- range $label := keys $given | sortAlpha }}
    {{- if regexMatch "^(app\\.kubernetes\\.io/(name|instance|component|version|part-of|managed-by)|helm\\.sh/chart|prunescope/spark)$" $label }}
      {{- fail (printf "%s has the label %s, which the chart sets: leave it out." $name $label) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Refuses what no pod of the chart can have. Takes (list name pod values). */}}
{{- define "prunescope.refusePod" -}}
{{- $name := index . 0 }}{{ $pod := index . 1 }}{{ $v := index . 2 }}
{{- include "prunescope.refuseVariablesOf" (list (printf "%s.extraEnv" $name) $pod.extraEnv $v) }}
{{- $volumes := list "config" "executor" "pyiceberg" "received" "spark-local" "tls" "tmp" "token" }}
{{- range $pod.extraVolumes }}
  {{- $volumes = append $volumes .name }}
{{- end }}
{{- range $index, $mount := $pod.extraVolumeMounts }}
  {{- if not (has $mount.name $volumes) }}
    {{- fail (printf "%s.extraVolumeMounts[%d] mounts %s, and there is no such volume: add it to %s.extraVolumes." $name $index $mount.name $name) }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Refuses a variable that a pod would have twice. Takes (list name variables values). */}}
{{- define "prunescope.refuseVariablesOf" -}}
{{- $name := index . 0 }}{{ $v := index . 2 }}
{{- $own := list "HOME" }}
{{- $credentials := list }}
{{- if not (hasPrefix "receiver." $name) }}
  {{- $credentials = keys $v.credentials.env }}
  {{- if $v.credentials.pyicebergSecret }}
    {{- $own = append $own "PYICEBERG_HOME" }}
  {{- end }}
{{- end }}
{{- if eq $name "audit.pod.extraEnv" }}
  {{- $own = append $own "SPARK_LOCAL_DIRS" }}
  {{- if eq $v.audit.mode "kubernetes" }}
    {{- $own = concat $own (list "POD_NAME" "SPARK_LOCAL_HOSTNAME" "PYSPARK_SUBMIT_ARGS") }}
  {{- end }}
{{- end }}
{{- $given := list }}
{{- range index . 1 }}
  {{- if has .name $own }}
    {{- fail (printf "%s has %s, which the chart sets: leave it out." $name .name) }}
  {{- end }}
  {{- if has .name $credentials }}
    {{- fail (printf "%s has %s, and so has credentials.env: leave one of them out." $name .name) }}
  {{- end }}
  {{- if has .name $given }}
    {{- fail (printf "%s has %s twice: leave one of them out." $name .name) }}
  {{- end }}
  {{- $given = append $given .name }}
{{- end }}
{{- end }}

{{/* Refuses ${NAME} anywhere below a value, as the program does. Takes (list name value). */}}
{{- define "prunescope.refuseVariables" -}}
{{- $name := index . 0 }}{{ $value := index . 1 }}
{{- if kindIs "map" $value }}
  {{- range $key, $each := $value }}
    {{- include "prunescope.refuseVariables" (list (printf "%s.%s" $name $key) $each) }}
  {{- end }}
{{- else if kindIs "slice" $value }}
  {{- range $index, $each := $value }}
    {{- include "prunescope.refuseVariables" (list (printf "%s[%d]" $name $index) $each) }}
  {{- end }}
{{- else if and (kindIs "string" $value) (regexMatch "\\$\\{\\w+(:?[-?+=][^}]*)?\\}|^\\$[A-Z_][A-Z0-9_]*$" $value) }}
  {{- fail (printf "%s names an environment variable, and these are not replaced here: write the value, or, for a property of a catalog, leave it out and name PYICEBERG_CATALOG__NAME__KEY in credentials.env." $name) }}
{{- end }}
{{- end }}
