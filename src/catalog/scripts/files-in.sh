# Makes a folder for a file that is about to come. Given: folder, size, dropped (ids of files that nobody wants any more),
# and what is_ready needs. Exit codes: 73 no folder, 75 not ready.
is_ready || exit 75
umask 077
mkdir -p "$folder" || exit 73
in=${folder%/*}
for old in $dropped; do rm -rf "$in/$old"; done
# The oldest go until there is room. An agent may have put whatever there.
total=$size count=0
ls -t "$in" | grep -x 'fil_[a-z0-9]*' | while read -r old; do
  for file in "$in/$old"/*; do
    if [ -f "$file" ] && [ ! -L "$file" ]; then total=$((total + $(wc -c <"$file"))); fi
  done
  count=$((count + 1))
  [ "$in/$old" = "$folder" ] || { [ "$total" -le 100000000 ] && [ "$count" -le 200 ]; } || rm -rf "$in/$old"
done
exit 0
