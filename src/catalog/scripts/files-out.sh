# A piece of a file for the person. Given: file, offset, most (bytes), and what is_ready needs. Exit codes: 66 it isn't there
# any more, 75 not ready.
is_ready || exit 75
[ -f "$file" ] && [ ! -L "$file" ] || exit 66
tail -c +$((offset + 1)) "$file" | head -c "$most"
