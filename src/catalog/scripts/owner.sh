# Which process runs a deploy or answers a message, and whether it still lives. Given: owner_file.

# Sets session and started; fails for what is gone or only waits to be reaped.
process_of() {
  read -r line 2>/dev/null <"/proc/$1/stat" || return 1
  set -- ${line##*) }
  [ "$1" != Z ] && [ "$1" != X ] || return 1
  session=$4 started=${20}
}

# Sets owner_*. Pids are used again, also after a reboot.
owner_is_alive() {
  owner_pid= owner_session= owner_deploy=
  read -r owner_pid owner_start owner_boot owner_session owner_deploy 2>/dev/null <"$owner_file" || return 1
  [ "$owner_boot" = "$(cat /proc/sys/kernel/random/boot_id)" ] || { owner_session=; return 1; }
  process_of "$owner_pid" && [ "$started" = "$owner_start" ]
}

# Writes this process down as the owner, for what its work is called.
become_owner() {
  process_of $$
  printf '%s %s %s %s %s\n' $$ "$started" "$(cat /proc/sys/kernel/random/boot_id)" "$session" "$1" >"$owner_file.new"
  mv -f "$owner_file.new" "$owner_file"
}

# Ends what an owner started, by KILL or another signal, its own session only: one that leads none was started by hand. As long as anybody is in a
# session its number isn't given to another process; so a pid that was used again says that nobody is.
end_owner() {
  [ -n "$owner_session" ] && [ "$owner_session" = "$owner_pid" ] || return 0
  if process_of "$owner_pid" && [ "$started" != "$owner_start" ]; then return 0; fi
  for pass in 1 2; do
    for stat in "/proc/$owner_pid/stat" /proc/[0-9]*/stat; do
      process=${stat#/proc/}
      process=${process%/stat}
      process_of "$process" || continue
      [ "$session" != "$owner_session" ] || kill "-${1:-KILL}" "$process"
    done
  done 2>/dev/null
}
