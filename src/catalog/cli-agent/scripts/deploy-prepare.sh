# Makes the folders of a deploy. Given: dir, deploy_dir, backup_dir and the environment.
umask 022
if ! mkdir -p "$state_dir" 2>/dev/null || ! [ -w "$state_dir" ]; then
  # A user other than root can have it made for itself.
  if ! sudo -n sh -c 'mkdir -p "$1" && chown "$2" "$1"' sh "$state_dir" "$(id -u)" 2>/dev/null; then
    echo "The user $(id -un) can’t write to $state_dir. Make it as root, and give it to that user." >&2
    exit 73
  fi
fi
for tool in flock timeout setsid tar sed head tail cut getent; do
  command -v "$tool" >/dev/null || { echo "This server has no $tool; install util-linux and coreutils." >&2; exit 69; }
done
mkdir -p -m 700 "$deploy_dir" "$backup_dir" && mkdir -p -m 700 "$dir" && mkdir -p "$HOME" || exit 73
