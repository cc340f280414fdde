#!/bin/sh
# Runs test programs one after another and adds up their last lines.
#
#   run.sh "program argument..." ...
#
# A program that ends without its line `N passed, N failed`, or with an exit
# code that does not fit it, counts as one more failure.

passed=0
failed=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

for program in "$@"; do
  echo "== $program"
  $program >"$log" 2>&1 # a program with its arguments
  code=$?
  cat "$log"
  line=$(tail -n 1 "$log" | grep -E '^[0-9]+ passed, [0-9]+ failed$')
  if [ -n "$line" ]; then
    n=${line##*passed, }
    n=${n% failed}
    passed=$((passed + ${line%% *}))
    failed=$((failed + n))
  else
    n=0
  fi
  if [ "$n" -eq 0 ] && { [ -z "$line" ] || [ "$code" -ne 0 ]; }; then
    echo "$program: ended with code $code"
    failed=$((failed + 1))
  fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
