source "$here/ci_clone.sh"
ci_clone
budgets fuzz 120
right=$(<"$CLONE/.ci/budget.tsv")
number=$(grep -n '^fuzz' <<<"$right")
number=${number%%:*}

# refused <text> <sentence>
refused() {
  printf '%s\n' "$1" >"$CLONE/.ci/budget.tsv"
  launch .ci/run
  expect_status 2
  expect_said "tune: .ci/budget.tsv$2"
  [[ $(wc -l <"$BOX/err") == 1 && ! -s $BOX/out ]] || broken "more than one sentence"
  expect_not_called .
}
fuzz=$'\nfuzz\t120\n'
refused "${right/"$fuzz"/$'\n'}" ": no seconds for 'fuzz' (every step has a budget). Add its line?"
refused "${right/"$fuzz"/"$fuzz${fuzz#?}"}" ":$((number + 1)): 'fuzz' has a budget already (line $number). Remove one of them?"
refused "${right/"$fuzz"/$'\nfuz\t120\n'}" ":$number: unknown step 'fuz' (known: one file, set-up, g++ build,"
refused "${right/"$fuzz"/$'\nfuzz 120\n'}" ":$number: 'fuzz 120' is not a step and its seconds (a tab separates them). Write one tab between them?"
for seconds in ten 0 0.000 -5 1e3 '' 5x ' 5' $'5\t5' 12345678 '1.' ; do
  refused "${right/"$fuzz"/$'\nfuzz\t'"$seconds"$'\n'}" ":$number: '${seconds/$'\t'/?}' is not a number of seconds for 'fuzz' (above 0, such as 120 or 0.9). Correct it?"
done
rm "$CLONE/.ci/budget.tsv"
mkdir "$CLONE/.ci/budget.tsv"
launch .ci/run
expect_status 2
expect_said "tune: .ci/budget.tsv: cannot be read"
# Comments, empty lines, a last line without an end, zeros in front.
rmdir "$CLONE/.ci/budget.tsv"
printf '# a comment\n\n%s' "${right/"$fuzz"/$'\nfuzz\t0120.5\n'}" >"$CLONE/.ci/budget.tsv"
launch .ci/run
expect_status 0
