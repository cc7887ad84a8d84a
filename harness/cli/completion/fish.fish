# Completion of tune for fish: tune completion fish | source

# The commands that follow a path of commands.
function __tune_commands
    switch "$argv[1]"
# <commands>
    end
end

# The flags of a path of commands that take a value.
function __tune_valued
    switch "$argv[1]"
# <valued>
    end
end

# The path of commands that was typed so far: "rules show".
function __tune_at
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l at ''
    set -l pending ''
    for token in $tokens
        if test -n "$pending"
            set pending ''
        else if contains -- $token (__tune_valued "$at")
            set pending $token
        else if contains -- $token (__tune_commands "$at")
            set at (string trim -- "$at $token")
        end
    end
    echo "$at"
end

function __tune_is
    set -l at (__tune_at)
    test "$at" = "$argv[1]"
end

# The run directories that lie here.
function __tune_runs
    for run in tune-runs/*/
        echo $run
    end
end

complete -c tune -f
# <completions>
