# The scripts' shared harness, which they source: messages and arguments, a working directory, background programs with time
# limits, and a private X server. Sourcing it changes to the package's directory.
# shellcheck shell=bash

export LC_ALL=C.UTF-8
program=${0##*/}
program_file=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# ---- Messages and arguments

fail() { # message
  printf '%s: %s\n' "$program" "$*" >&2
  exit 1
}

misuse() { # message: the arguments are wrong
  printf '%s: %s; see scripts/%s -h\n' "$program" "$*" "$program" >&2
  exit 64
}

# What has failed while the script goes on with the rest.
failures=()

# Ends the script if anything has failed.
summarize_failures() {
  ((${#failures[@]})) || return 0
  printf '%s: failed:\n' "$program" >&2
  printf '  %s\n' "${failures[@]}" >&2
  exit 1
}

# Prints the comment at the head of the script.
usage() { sed -n '2,${ /^#/!q; s/^# \{0,1\}//p; }' "$program_file"; }

help_if_asked() { # the script's arguments
  case ${1-} in
    -h | --help) usage && exit 0 ;;
  esac
}

check_number() { # text, what it is a number of
  [[ $1 =~ ^[1-9][0-9]{0,5}$ ]] || misuse "'$1' is no number of $2"
}

# ---- The package

# Prints the version of the package. It is written in one place; the tools, their manual pages and the archives have it
# from there.
package_version() { sed -n 's/^package let toolVersion = "\(.*\)"$/\1/p' Sources/ToolSupport/ToolMain.swift; }

# ---- The working directory, and clean-up

work=
pids=()

# Makes the directory $work, in $TMPDIR where the user has set it, with a name that no other run has. It is removed at the
# end of the script, and the programs that were started are ended.
make_work() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/xdnd-$program.XXXXXX")
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 141' PIPE
  trap 'exit 143' TERM HUP
}

clean_up() {
  local status=$?
  trap - EXIT
  stop_programs ${#pids[@]}
  # Nothing to explain after success, wrong arguments, or a signal.
  ((status == 0 || status == 64 || status > 128)) || show_logs
  rm -rf "$work"
  exit "$status"
}

show_logs() {
  local log
  for log in "$work"/*.log; do
    [[ ! -s $log ]] || { printf -- '---- %s\n' "${log##*/}" && tail -n 20 "$log"; } >&2
  done
}

# The user's settings and displays change nothing from here on. Builds come before: their caches are in $HOME.
isolate() {
  mkdir -p "$work/home"/{config,cache,data}
  export HOME=$work/home XDG_CONFIG_HOME=$work/home/config XDG_CACHE_HOME=$work/home/cache XDG_DATA_HOME=$work/home/data
  export XCURSOR_THEME=DMZ-White XCURSOR_SIZE=32 NO_AT_BRIDGE=1
  unset DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XCURSOR_PATH GDK_SCALE GTK_THEME
}

# ---- Building

# Builds products of the package, and sets $bin to where they are. XDND_BIN names a directory that already has them.
build() { # configuration, products…
  local configuration=$1 product
  shift
  bin=${XDND_BIN-}
  if [[ -n $bin ]]; then
    bin=$(realpath "$bin")
    return
  fi
  printf 'Building\n' >&2
  for product; do
    swift build --quiet --configuration "$configuration" --product "$product" >&2 || fail "$product does not build"
  done
  bin=$(swift build --configuration "$configuration" --show-bin-path)
}

# ---- Programs in the background

# How many seconds a program may run. It is ended then, also if the script was killed and cannot end it.
time_limit=900

# Starts a program whose lines are read by `read_line`. All write them into one pipe, so that they are read in the order in
# which things happen; errors go into logs. $! is the process of the time limit, whose child the program is.
start() { # command…
  if [[ ! -p $work/pipe ]]; then
    mkfifo "$work/pipe"
    exec {pipe}<>"$work/pipe"
  fi
  launch "$work/pipe" "$@"
}

# Starts a program whose output goes into its log, too.
start_silently() { # command…
  launch "$work/${1##*/}.log" "$@"
}

launch() { # where the output goes, command…
  local output=$1
  shift
  timeout --kill-after 5 "$time_limit" "$@" >>"$output" 2>>"$work/${1##*/}.log" {pipe}>&- &
  pids+=($!)
}

# Runs a program to its end. Unlike one in the foreground, it ends if the script is to end.
run() { # command…
  local status=0
  timeout --kill-after 5 "$time_limit" "$@" &
  pids+=($!)
  wait "$!" || status=$?
  unset 'pids[-1]'
  return "$status"
}

child_of() { # pid of a program that was started: prints that of the program itself
  local children
  for _ in {1..100}; do
    read -r children <"/proc/$1/task/$1/children" || true
    [[ -z $children ]] || break
    sleep 0.01
  done
  printf '%s' "${children%% *}"
}

# Ends the programs that were started last, the youngest first: clients do not see the end of their server.
stop_programs() { # how many
  local count=$1 index
  for ((index = ${#pids[@]} - 1; index >= 0 && count > 0; index--, count--)); do
    kill "${pids[index]}" 2>/dev/null || true
    wait "${pids[index]}" 2>/dev/null || true
    unset "pids[index]"
  done
}

lines=    # since `clear_lines`
partial=  # the beginning of a line whose end has not been read

clear_lines() { lines=; }

# Called for each line; a script that shows lines redefines it.
on_line() { :; } # line

# Reads a line, or fails if none comes in time.
read_line() { # seconds
  local line
  if IFS= read -r -t "$1" line <&"$pipe"; then
    line=$partial$line partial=
    lines+=$line$'\n'
    on_line "$line"
  else
    partial+=$line
    return 1
  fi
}

# Waits for a line. BASH_REMATCH has the parts of the match.
expect() { # what, regular expression for the lines since `clear_lines`
  local pid limit=$((SECONDS + 60))
  until [[ $lines =~ $2 ]]; do
    ((SECONDS < limit)) || fail "no sign of $1 within a minute"
    read_line 1 && continue
    for pid in "${pids[@]}"; do kill -0 "$pid" 2>/dev/null || fail "a program ended while waiting for $1"; done
  done
}

# Waits for an event of a tool that runs with --json. $event has its line.
expect_event() { # what, event, [regular expression for what follows in the line]
  expect "$1" "(\{\"event\":\"$2\"[^"$'\n'"]*${3-}[^"$'\n'"]*)"$'\n'
  # shellcheck disable=SC2034 # for the scripts
  event=${BASH_REMATCH[1]}
}

# ---- A private X server

open_server() { # WIDTHxHEIGHT: sets DISPLAY
  clear_lines
  # The server picks a display that is free, and says which.
  start Xvfb -displayfd 1 -screen 0 "$1x24" -nolisten tcp -noreset
  expect 'an X server' $'(^|\n)([0-9]+)\n'
  export DISPLAY=:${BASH_REMATCH[2]}
}

open_window_manager() {
  clear_lines
  printf '#!/bin/sh\necho managed >%q\n' "$work/pipe" >"$work/managed"
  chmod +x "$work/managed"
  start_silently openbox --sm-disable --startup "$work/managed"
  expect 'a window manager' $'managed\n'
}

pointer() { # arguments of xdotool
  timeout 30 xdotool "$@" || fail "xdotool $*"
}

# The whole screen with the pointer.
shoot() { # file
  timeout 30 scrot --overwrite --pointer "$1" || fail 'no screenshot'
}
