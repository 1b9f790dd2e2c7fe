# Lets another key of ours in beside the present one, with what that one's line allows. Given: key and added (both without
# what stands before and behind them in a line), and the environment.
file=$(readlink -f "$login_home/.ssh/authorized_keys") && grep -qF "$key" "$file" 2>/dev/null ||
  { echo "Our line isn’t in the authorized_keys of $(id -un)" >&2; exit 66; }
grep -qF "$added" "$file" && exit 0
cp -p "$file" "$file.mindgate" || exit 73
{ cat "$file" && echo && sed -n "s|$key|$added|p" "$file" | head -n 1; } >"$file.mindgate" && mv -f "$file.mindgate" "$file" ||
  { rm -f "$file.mindgate"; exit 73; }
