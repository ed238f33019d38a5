# Completion of myna's command line for fish: myna itself says what may follow; else it is a file.
function __myna_offers
    set -l offers (myna complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    if set -q offers[1]
        printf '%s\n' $offers
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c myna -f -a '(__myna_offers)'
