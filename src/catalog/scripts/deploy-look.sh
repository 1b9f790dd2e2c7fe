# Tells whose place this is: the machine, the instance that made it its own with its customer, and the deploys that it knows. Given: deploy_dir,
# marker and the environment.
printf 'machine %s\n' "$(head -c 64 /etc/machine-id 2>/dev/null)"
read -r instance customer _ 2>/dev/null <"$state_dir/instance"
printf 'instance %s\ncustomer %s\n' "$instance" "$customer"
for known in "$marker" "$deploy_dir"/*/; do
  if [ -f "$known" ]; then known=$(head -c 64 "$known")
  elif [ ! -d "$known" ]; then continue; fi
  known=${known%/}
  printf 'deploy %s\n' "${known##*/}"
done | head -n 20
