# Given: app_home, and of the app program, home_folder and home_variable, by which it is told its home. What a server offers
# differs by how one comes in (sshd gives no env, systemd no HOME), so nothing of it is relied on.
LC_ALL=C
[ -n "${HOME:-}" ] || HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
login_home=$HOME
[ -z "$app_home" ] || HOME=$app_home
PATH=$HOME/.local/bin:$login_home/.local/bin:${PATH:-}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
AGENT_HOME=$HOME/$home_folder
# What runs a message is a shell of its own.
export HOME PATH program AGENT_HOME "$home_variable=$AGENT_HOME"
