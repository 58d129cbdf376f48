{{/*
The recording and alert rules with prometheusRule.settings in place of `@@setting@@`, as
dashboards/ writes them with these settings. Rules are changed as values and not as text, so that
no setting has to be quoted.
*/}}
{{- define "prunescope.rules" -}}
{{- $settings := .Values.prometheusRule.settings }}
{{- $document := .Files.Get "files/rules/prunescope-rules.yaml" | fromYaml }}
{{- range $document.groups }}
{{- $_ := set . "interval" (include "prunescope.settled" (list .interval $settings)) }}
{{- range $rule := .rules }}
{{- range $key := list "expr" "for" "keep_firing_for" }}
{{- with index $rule $key }}
{{- $_ := set $rule $key (include "prunescope.settled" (list . $settings)) }}
{{- end }}
{{- end }}
{{- if $rule.alert }}
{{- range $key, $text := $rule.annotations }}
{{- $_ := set $rule.annotations $key (include "prunescope.settled" (list $text $settings)) }}
{{- end }}
{{- $_ := set $rule "labels" (merge $rule.labels $settings.labels) }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml $document }}
{{- end }}

{{/* A text with settings in place of their names. Takes (list text settings). */}}
{{- define "prunescope.settled" -}}
{{- $text := index . 0 }}{{ $settings := index . 1 }}{{ $thresholds := $settings.thresholds -}}
{{- if not $settings.lookback }}
{{- $text = regexReplaceAll "last_over_time\\(([^\\[\\]]*)\\[@@lookback@@\\]\\)" $text "${1}" }}
{{- end }}
{{- range $key, $value := $thresholds.kept_ratio }}
{{- $text = replace (printf "@@thresholds.kept_ratio.%s@@" $key) (toString $value) $text }}
{{- end }}
{{- range $key, $value := omit $thresholds "kept_ratio" }}
{{- $plain := ternary (toString (int64 $value)) (toString $value) (has $key (list "containers_per_scan" "bytes_read")) }}
{{- $text = replace (printf "@@thresholds.%s@@" $key) $plain $text }}
{{- end }}
{{- range $key := list "success_age" "maintenance_age" }}
{{- $text = replace (printf "@@seconds.%s@@" $key) (include "prunescope.seconds" (index $thresholds $key)) $text }}
{{- end }}
{{- range $key, $value := omit $settings "thresholds" "labels" }}
{{- $text = replace (printf "@@%s@@" $key) (toString $value) $text }}
{{- end }}
{{- $text }}
{{- end }}

{{/* The seconds of an age, such as 1d2h. */}}
{{- define "prunescope.seconds" -}}
{{- $units := dict "s" 1 "m" 60 "h" 3600 "d" 86400 "w" 604800 "y" 31536000 }}
{{- $sum := 0 }}
{{- range regexFindAll "[0-9]+[smhdwy]" . -1 }}
{{- $sum = add $sum (mul (regexFind "[0-9]+" .) (index $units (regexFind "[a-z]" .))) }}
{{- end }}
{{- $sum }}
{{- end }}
