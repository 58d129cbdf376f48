{{/*
Credentials in clear text, wherever values may hold one: each is refused by the name of its place,
and never shown.
*/}}
{{- define "prunescope.refuseCredentials" -}}
{{- $v := .Values }}
{{- $catalogs := default dict $v.config.catalogs }}
{{- /* As in prunescope init: what connection strings have before a credential. */}}
{{- $pair := "(?i)(passw\\w*|pwd|secret|token|sig|signature|key)\\s*=" }}
{{- range $catalog, $settings := $catalogs }}
  {{- range $key, $value := default dict (default dict $settings).properties }}
    {{- if or (include "prunescope.isSecret" $key) (include "prunescope.isSigned" $value) (regexMatch $pair (toString $value)) }}
      {{- $name := printf "PYICEBERG_CATALOG__%s__%s" $catalog (replace "." "__" $key) | replace "-" "_" | upper }}
      {{- include "prunescope.refuseCredential" (list (printf "config.catalogs.%s.properties.%s" $catalog $key) (printf "put it into a Secret and name it in credentials.env as %s, or in credentials.pyicebergSecret" $name)) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- range $key, $value := default dict (default dict $v.config.spark).conf }}
  {{- /* Spark's settings of Kubernetes name Secrets, and hold none. */}}
  {{- if and (include "prunescope.isSecret" $key) (not (hasPrefix "spark.kubernetes." $key)) }}
    {{- include "prunescope.refuseCredential" (list (printf "config.spark.conf.%s" $key) "put it into a Secret and name it in credentials.env") }}
  {{- end }}
{{- end }}

{{- range $name, $component := dict "audit" $v.audit "receiver" $v.receiver }}
  {{- range $index, $argument := $component.extraArgs }}
    {{- $option := regexFind "^--?[^=]*" $argument | trimAll "-" }}
    {{- if and $option (include "prunescope.isSecret" $option) }}
      {{- include "prunescope.refuseCredential" (list (printf "%s.extraArgs[%d]" $name $index) "put it into a Secret and name it in credentials.env") }}
    {{- end }}
  {{- end }}
{{- end }}

{{- $environments := dict "receiver.landing" $v.receiver.landing "audit.executors.pod" $v.audit.executors.pod }}
{{- range $name := list "audit" "maintenance" "exporter" "receiver" }}
  {{- $_ := set $environments (printf "%s.pod" $name) (index $v $name).pod }}
{{- end }}
{{- range $place, $values := $environments }}
  {{- range $each := $values.extraEnv }}
    {{- /* PyIceberg's variables are properties of catalogs. */}}
    {{- $name := regexReplaceAll "^PYICEBERG_CATALOG__.+?__" $each.name "" | replace "__" "." | replace "_" "-" }}
    {{- if and $each.value (include "prunescope.isSecret" $name) (not (contains "$(" $each.value)) }}
      {{- include "prunescope.refuseCredential" (list (printf "%s.extraEnv of %s" $place $each.name) "put it into a Secret and name it in valueFrom.secretKeyRef") }}
    {{- end }}
  {{- end }}
{{- end }}

{{- range $key, $value := omit $v "global" }}
  {{- include "prunescope.refuseSigned" (list $key $value) }}
{{- end }}
{{- end }}

{{- define "prunescope.refuseCredential" -}}
{{- fail (printf "%s holds a credential, and a ConfigMap or pod is no place for one: %s." (index . 0) (index . 1)) }}
{{- end }}

{{/* Whether the name of a property, option or variable is that of a credential, as in prunescope
init: any header is, but for those that are known to hold none. A file or an address is none. */}}
{{- define "prunescope.isSecret" -}}
{{- $secret := "(?i)secret|passw|credential$|authorization$|cookie$|access-key|account-key|storage-key|api-?key|connection-string|(^|[.-])token$|^auth($|\\.)|^header\\.|^otel-.*headers$" }}
{{- $none := "(?i)^header\\.(x-iceberg-access-delegation|polaris-realm)$|-(file|path|dir|uri|url|arn)$" }}
{{- if and (regexMatch $secret .) (not (regexMatch $none .)) }}true{{ end }}
{{- end }}

{{/* Whether a text is an address with a password, or with a signature or token in its query. What
stands for $(NAME) is of another variable, and none of it. */}}
{{- define "prunescope.isSigned" -}}
{{- $text := regexReplaceAll "\\$\\([A-Za-z0-9_]+\\)" (toString .) "" }}
{{- $query := "(?i)[?&;][^=&;/]*(passw\\w*|pwd|secret|token|sig|signature|key|key-?id|credential)=[^&]" }}
{{- if or (regexMatch "://[^/@]*:[^/@]+@" $text) (regexMatch $query $text) }}true{{ end }}
{{- end }}

{{/* Refuses an address with a credential anywhere below a value. Takes (list name value). */}}
{{- define "prunescope.refuseSigned" -}}
{{- $name := index . 0 }}{{ $value := index . 1 }}
{{- if kindIs "map" $value }}
  {{- range $key, $each := $value }}
    {{- include "prunescope.refuseSigned" (list (printf "%s.%s" $name $key) $each) }}
  {{- end }}
{{- else if kindIs "slice" $value }}
  {{- range $index, $each := $value }}
    {{- include "prunescope.refuseSigned" (list (printf "%s[%d]" $name $index) $each) }}
  {{- end }}
{{- else if and (kindIs "string" $value) (include "prunescope.isSigned" $value) }}
  {{- include "prunescope.refuseCredential" (list $name "leave it out of the address") }}
{{- end }}
{{- end }}
