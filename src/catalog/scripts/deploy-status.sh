# Tells how a deploy stands, and its log from an offset on. Given: dir, deploy_id, offset, step_ids, marker. Whether it
# lives is asked first: what ends after that has left its outcome.
alive=
if owner_is_alive && [ "$owner_deploy" = "$deploy_id" ]; then alive=1; fi
if has_marker; then state=succeeded
elif [ -e "$dir/failed" ]; then state=failed
elif [ -n "$alive" ]; then state=running
elif [ -e "$dir/started" ]; then state=died
else state=absent; fi
printf 'state %s\n' "$state"
for id in $step_ids; do
  step_state=pending detail=
  { read -r step_state; read -r detail; } 2>/dev/null <"$dir/steps/$id"
  printf 'step %s %s %s\n' "$id" "$step_state" "$detail"
done
# Whoever lags far behind gets the end.
size=$(wc -c 2>/dev/null <"$dir/log") || size=0
skipped=0
if [ $((size - offset)) -gt 65536 ]; then offset=$((size - 65536)) skipped=1; fi
printf 'log %s %s\n' "$offset" "$skipped"
[ "$size" = 0 ] || tail -c +$((offset + 1)) "$dir/log" | head -c 65536
