# Begins to work on the message on standard input, apart from this session, and follows that. Given: timeout_cs, least_cs
# (hundredths of a second), limit (seconds), instance, run and files_out (folders), runner (chat-run.sh), thread (a file), session (for
# where there is no such file), and what chat-follow.sh and the environment need. Exit codes of its own, read by chat.ts:
# 70 could not begin, 75 not ready, 76 had no time to begin, 77 empty message.
now_cs
deadline=$((now + timeout_cs))

# The dot keeps the trailing newlines, which $(…) would eat.
message=$(tr -d '\000'; printf .)
message=${message%.}
is_ready || exit 75
case $message in *[![:space:]]*) ;; *) exit 77 ;; esac

# A shell ends at once where exec can’t.
true >>"$lock" || exit 70
exec 9>>"$lock"
now_cs
as_seconds $((deadline - now - least_cs > 0 ? deadline - now - least_cs : 0))
flock -w "$seconds" -E 76 9 || exit
# A deploy may have begun while we waited.
is_ready || exit 75
now_cs
[ $((deadline - now)) -ge "$least_cs" ] || exit 76

rm -rf "$run" "$files_out"
(umask 077 && mkdir -p "$run" "$files_out") && : >"$run/out" && cd "$HOME" || exit 70
wc -c 2>/dev/null <"$agent_log" >"$run/told"
true >>"${run%/*}.guard" || exit 70
exec 6>>"${run%/*}.guard" && flock 6
[ ! -e "$run.gone" ] || exit 76
# Held by the runner alone, until it ends in whatever way.
exec 8>"$run/alive" && flock 8 || exit 70
exec 6>&-
setsid sh -c "$runner" chat-run "$run" "$thread" "$session" "$limit" "$files_out" "$message" </dev/null >/dev/null 2>&1 &
exec 8>&- 9>&-
follow
