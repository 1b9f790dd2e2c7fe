// What a script runs inside of on the server. OpenSSH passes no signals to a root session, and leaves a command running
// whose channel is closed; so the end of the channel's input is the sign to stop, and somebody there must listen for it.
import { randomBytes } from 'node:crypto'

/** The kernel holds 64 kB of a pipe. More, and a script that doesn't read it keeps the one who listens for the sign busy. */
export const MAX_INPUT_BYTES = 49_152

/** Linux takes 128 kB in one argument, and the login shell gets all of this as one. */
const MAX_COMMAND_BYTES = 128_000

/** Said once the server has accepted the command: before it, nothing of the script runs. */
export const GO = 'go\n'

/**
 * $1 and $2 are the two halves of the mark: whole, it never shows in a list of processes that the script might print.
 * $3 is how many bytes of input follow, $4 the script.
 *
 * - What start-up files of the login shell print comes before the mark, and is cut there.
 * - The script leads a session of its own. It isn't a job in the background, whose SIGINT would be ignored for good.
 * - The listener ends that session: TERM, after a second KILL. It looks in /proc, because `timeout` makes process groups of
 *   its own. Told before the script leads its session, it waits for that. Where the script has ended by itself, it leaves
 *   alone what the script left behind, and doesn't look: a look costs as much as the server has processes.
 * - The last line tells the script's exit code. It isn't left to the channel's end, which a child in the background that
 *   has inherited the output would delay.
 */
const WRAPPER = `
exec 3<&0 4>&1 5>&2 </dev/null >/dev/null 2>&1
look() {
  read -r line <"/proc/$1/stat" || return
  set -- \${line##*) }
  state=$1 parent=$2 session=$4
}
members() {
  found=
  for entry in /proc/[0-9]*; do
    entry=\${entry#/proc/}
    look "$entry" && [ "$session" = "$leader" ] && [ "$state" != Z ] && found="$found $entry"
  done
  [ "$found" ]
}
stop() {
  leader=
  for pause in 0.05 0.1 0.2 0.4 0.8; do
    kill -0 $$ || return
    for entry in /proc/[0-9]*; do
      entry=\${entry#/proc/}
      look "$entry" && [ "$parent" = $$ ] && [ "$session" = "$entry" ] && [ "$state" != Z ] && leader=$entry
    done
    [ "$leader" ] && break || sleep $pause
  done
  [ "$leader" ] || return
  kill -USR1 $$
  members && kill -TERM $found
  kill -CONT $found
  for pause in 0.05 0.1 0.2 0.3 0.35; do members && sleep $pause || break; done
  for pause in 0.05 0.1 0.2 0.3 0.35; do members && kill -KILL $found && sleep $pause || break; done
  kill -USR2 $$
}
printf %s%s+ "$1" "$2" >&4
printf %s%s+ "$1" "$2" >&5
read -r go <&3
[ "$go" = go ] || exit
trap stopping=1 USR1
trap stopped=1 USR2
{
  { exec 4>&- 5>&-; head -c "$3" <&3; exec >/dev/null; cat <&3; stop; } &
} | setsid /bin/sh -c "$4" >&4 2>&5 3<&- 4>&- 5>&-
code=$?
left=80
while [ "$stopping" ] && [ -z "$stopped" ] && [ $left -gt 0 ]; do sleep 0.05; left=$((left - 1)); done
printf '%s%s-%s;' "$1" "$2" "$code" >&4
printf '%s%s-;' "$1" "$2" >&5
`

export type RemoteCommand = ReturnType<typeof remoteCommand>

/**
 * The command that runs `script` with the next `inputBytes` after `GO` on its standard input. The mark stands in both
 * outputs: with `+` where the script's begins, with `-`, its exit code and `;` where it ends.
 * @throws RangeError for a script that doesn't fit
 */
export function remoteCommand(script: string, inputBytes: number) {
  if (script.includes('\0')) throw new RangeError('A script has no NUL')
  const [front, back] = [half(), half()]
  const command = `exec /bin/sh -c ${quoted(WRAPPER)} sh ${front} ${back} ${inputBytes} ${quoted(script)}`
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES)
    throw new RangeError('The script is too long for one command')
  return { command, mark: front + back }
}

const half = () => randomBytes(8).toString('hex')

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
