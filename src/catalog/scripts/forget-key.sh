# Takes our line out of the user's authorized_keys, whole or not at all. Given: key and the environment.
file=$(readlink -f "$login_home/.ssh/authorized_keys") && grep -qF "$key" "$file" 2>/dev/null || exit 0
cp -p "$file" "$file.mindgate" || exit 73
grep -vF "$key" "$file" >"$file.mindgate"
if [ $? -le 1 ]; then mv -f "$file.mindgate" "$file"; else rm -f "$file.mindgate"; fi
