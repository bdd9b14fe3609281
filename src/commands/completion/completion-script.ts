import type { Shell } from './expected-words.ts';

/**
 * The scripts pass the line to the program, which prints what to complete (`words`, `files` or `programs`) and the words.
 * No shell may expand the words, because labels and courier codes are not trusted. In zsh, `_files` relies on the default
 * shell options.
 */

const bash = `# Completion of parcel-monitor for bash; see "parcel-monitor completion --help".
_parcel_monitor() {
  local line=""
  local -a answer=()
  while IFS= read -r line; do answer+=("$line"); done < <(
    parcel-monitor completion bash --complete -- "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null
  )
  COMPREPLY=()
  case "\${answer[0]-}" in
    words)
      COMPREPLY=(\${answer[@]+"\${answer[@]:1}"})
      case "\${COMPREPLY[*]-}" in *[:=@]) compopt -o nospace 2>/dev/null ;; esac
      ;;
    programs) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -c -- "$2") ;;
    files) compopt -o default 2>/dev/null ;;
  esac
}
complete -F _parcel_monitor parcel-monitor
`;

const zsh = `#compdef parcel-monitor
# Completion of parcel-monitor for zsh; see "parcel-monitor completion --help".
_parcel-monitor() {
  local line=""
  local -a answer=() offered=() shown=()
  while IFS= read -r line; do answer+=("$line"); done < <(
    parcel-monitor completion zsh --complete -- "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null
  )
  case "$PREFIX" in (--*=*) compset -P '*=' ;; esac
  case "\${answer[1]-}" in
    (words)
      for line in "\${(@)answer[2,-1]}"; do
        offered+=("\${line%%$'\\t'*}")
        shown+=("\${line/$'\\t'/  -- }")
      done
      local -a whole=() begun=() about=()
      local -i index
      for (( index = 1; index <= $#offered; index += 1 )); do
        case "\${offered[index]}" in
          (*[:=@]) begun+=("\${offered[index]}") about+=("\${shown[index]}") ;;
          (*) whole+=("\${offered[index]}") ;;
        esac
      done
      shown=("\${(@)shown:|about}")
      compadd -l -d about -S '' -- "\${(@)begun}"
      compadd -l -d shown -- "\${(@)whole}"
      ;;
    (programs) _command_names -e ;;
    (files) _files ;;
  esac
}
if [ "\${funcstack[1]-}" = _parcel-monitor ]; then
  _parcel-monitor "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _parcel-monitor parcel-monitor
fi
`;

const fish = `# Completion of parcel-monitor for fish; see "parcel-monitor completion --help".
function __parcel_monitor_complete
    set -l current (commandline -ct)
    set -l answer (parcel-monitor completion fish --complete -- (commandline -opc) "$current" 2>/dev/null)
    set -l prefix (string match -r -- '^--[^=]+=' "$current")
    set -l typed (string replace -r -- '^--[^=]+=' '' "$current")
    switch "$answer[1]"
        case words
            printf '%s\\n' $answer[2..]
        case programs
            __fish_complete_command
        case files
            for path in (__fish_complete_path "$typed")
                printf '%s%s\\n' "$prefix" $path
            end
    end
end
complete -c parcel-monitor -f -a '(__parcel_monitor_complete)'
`;

const powershell = `# Completion of parcel-monitor for PowerShell; see "parcel-monitor completion --help".
Register-ArgumentCompleter -Native -CommandName parcel-monitor -ScriptBlock {
    param($word, $ast, $cursor)
    $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    $typed = $word.Trim('"', "'")
    $answer = @(parcel-monitor completion powershell --complete -- @before "=$typed" 2>$null)
    if ($answer.Count -lt 2 -or $answer[0] -ne 'words') { return }
    foreach ($line in $answer[1..($answer.Count - 1)]) {
        $offered, $about = $line -split "\t", 2
        if (-not $offered.StartsWith($typed, [StringComparison]::OrdinalIgnoreCase)) { continue }
        if (-not $about) { $about = $offered }
        $quoted = $offered
        if ($offered -notmatch '^[\\w./:=+-]+$') { $quoted = "'" + $offered.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($quoted, $offered, 'ParameterValue', $about)
    }
}
`;

export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };
