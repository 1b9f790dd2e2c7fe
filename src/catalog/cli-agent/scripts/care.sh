# What looks after a server begins so. Given: instance and the environment. A server can be another instance's by now.
if [ -s "$state_dir/instance" ]; then
  read -r holder _ <"$state_dir/instance"
  [ "$holder" = "$instance" ] || exit 75
fi
