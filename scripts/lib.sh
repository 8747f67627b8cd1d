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
package_version() { sed -n 's/^package let toolVersion = "\(.*\)"$/\1/p' Sources/ToolSupport/Arguments/ToolMain.swift; }

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

# ---- Tests

# Adds to $options, which go to `swift test`, that not all tests run at once: most have an X server and two programs of their
# own, and none of them could be in time.
limit_tests() {
  local width=--experimental-maximum-parallelization-width
  [[ $(swift test --help-hidden) != *"$width"* ]] || options+=("$width" 10)
}

# ---- Programs in the background

# How many seconds a program may run. It is ended then, also if the script was killed and cannot end it.
time_limit=900

# How many seconds a program may take until it prints what is expected.
patience=60

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
  local pid limit=$((SECONDS + patience))
  until [[ $lines =~ $2 ]]; do
    ((SECONDS < limit)) || fail "no sign of $1 within $patience seconds"
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

open_server() { # WIDTHxHEIGHT, [options of the server…]: sets DISPLAY
  clear_lines
  # The server picks a display that is free, and says which.
  start Xvfb -displayfd 1 -screen 0 "$1x24" -nolisten tcp -noreset "${@:2}"
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

# Films the whole screen with the pointer, without loss. The pictures have the time of day.
start_filming() { # file, WIDTHxHEIGHT, pictures a second
  rm -f "$1.progress"
  start_silently ffmpeg -nostdin -loglevel warning -y -copyts -f x11grab -framerate "$3" -video_size "$2" -draw_mouse 1 \
    -i "$DISPLAY" -c:v libx264rgb -preset ultrafast -crf 0 -stats_period 0.05 -progress "$1.progress" "$1"
  until grep -qs '^frame=[1-9]' "$1.progress"; do
    kill -0 "${pids[-1]}" 2>/dev/null || fail 'no camera'
    sleep 0.05
  done
}

stop_filming() {
  # A signal to the time limit would reach ffmpeg twice, and then it leaves its file unfinished.
  kill -INT "$(child_of "${pids[-1]}")"
  wait "${pids[-1]}" || true
  unset 'pids[-1]'
}

# ---- A desktop

open_screen() { # WIDTHxHEIGHT, composited | plain
  open_server "$1"
  # What is behind everything, so that shadows and edges fall on something.
  hsetroot -add '#7f9cbf' -add '#3d5575' -gradient 180 || fail 'no background'
  open_window_manager
  [[ $2 == plain ]] || open_compositor
}

open_compositor() {
  # It goes to the background once it composites, and ends with the server, which has a time limit.
  picom --backend xrender --config /dev/null --daemon --write-pid-path "$work/picom.pid" >>"$work/picom.log" 2>&1
  pids+=("$(<"$work/picom.pid")")
}

close_screen() { stop_programs ${#pids[@]}; }

# Frames of animations, thumbnails, and what the compositor draws are announced by no event.
settle() { sleep "$1"; }

source_window() { # geometry, arguments…
  clear_lines
  start "$bin/xdnd-source" --json --geometry "$@"
  expect_event 'the window of xdnd-source' ready
}

probe_window() { # geometry, arguments…
  clear_lines
  start "$bin/xdnd-probe" --json --geometry "$@"
  expect_event 'the window of xdnd-probe' ready
}

# Where a row of xdnd-source is on the screen: prints x and y.
place_of_row() { # its event "ready", number of the row from 0
  local rest=${1#*\"rows\":} row x y
  for ((row = 0; row <= $2; row++)); do
    [[ $rest =~ \"x\":([0-9]+),\"y\":([0-9]+)(.*) ]] || fail "row $2 is not in: $1"
    x=${BASH_REMATCH[1]} y=${BASH_REMATCH[2]} rest=${BASH_REMATCH[3]}
  done
  printf '%s %s' "$x" "$y"
}

# ---- Files to drag

fill() { head -c "$2" /dev/zero >"$1"; } # name, bytes

# Files of several kinds, two of them pictures.
make_sample_files() { # directory
  local files=$1
  mkdir -p "$files/Projects"
  convert -size 960x600 gradient:'#f7b267-#3c4a7d' -fill '#fff2c4' -draw 'circle 620,380 620,310' \
    -fill '#273056' -draw 'polygon 0,600 0,420 180,330 330,440 520,300 760,470 960,360 960,600' "$files/Sunset.jpg"
  convert -size 400x500 xc:white -fill '#3584e4' -draw 'rectangle 50,180 130,450' -fill '#e66100' \
    -draw 'rectangle 160,80 240,450' -fill '#2ec27e' -draw 'rectangle 270,270 350,450' "$files/chart.png"
  printf '%%PDF-1.4\n%2400000s' '' >"$files/Annual report 2026.pdf"
  printf 'Bring cake.\n' >"$files/meeting notes.txt"
  fill "$files/backup.tar.gz" 912345
  fill "$files/interview.mp3" 4123456
  fill "$files/holiday.mp4" 90123456
}
