import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import { didYouMean } from '../../lib/text.ts';
import { programPaths } from '../../settings/config-file.ts';
import type { GlobalOptions } from '../../settings/configuration.ts';
import { UnavailableError, UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { printNote } from '../../settings/session/output.ts';
import { makeFolder } from '../../store/file/folders.ts';
import { nonEmpty } from '../../system/environment.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import { writeOutputFile } from '../output-file.ts';
import { expectedWords, type Shell, shells } from './expected-words.ts';
import { offeredWords } from './offered-words.ts';

interface LineWord {
  readonly raw: string;
  readonly value: string;
  readonly openQuote: '"' | "'" | null;
}

interface TypedLine {
  readonly before: readonly string[];
  readonly current: LineWord;
}

const emptyWord: LineWord = { raw: '', value: '', openQuote: null };

const tokenPattern =
  /\\(?<escaped>.?)|"(?<double>(?:\\.?|[^"\\])*)(?<doubleEnd>")?|'(?<single>[^']*)(?<singleEnd>')?|(?<blanks>\s+)|[^\\"'\s]+/gs;

/** Parses quotes as bash does, but expands nothing. bash passes only the command that the user is typing. */
export function readBashLine(line: string): TypedLine {
  const before: string[] = [];
  let word: LineWord | null = null;
  for (const { 0: raw, groups = {} } of line.matchAll(tokenPattern)) {
    const { blanks, double, doubleEnd, escaped, single, singleEnd } = groups;
    if (blanks !== undefined) {
      if (word !== null) before.push(word.value);
      word = null;
      continue;
    }
    // Within double quotes, a backslash before an ordinary character is kept.
    const value = escaped ?? double?.replace(/\\(["\\$`\n])/g, '$1') ?? single ?? raw;
    const quote = double === undefined ? (single === undefined ? null : "'") : '"';
    const previous: LineWord = word ?? emptyWord;
    const openQuote = (doubleEnd ?? singleEnd) === undefined ? quote : null;
    word = { raw: previous.raw + raw, value: previous.value + value, openQuote };
  }
  return { before, current: word ?? emptyWord };
}

/** Returns the word, quoted so that bash expands nothing, or null if it cannot be typed inside the open quotes. */
export function bashReplacement({ openQuote, raw }: LineWord, replacedText: string, candidate: string): string | null {
  const head = raw.endsWith(replacedText) ? raw.slice(0, raw.length - replacedText.length) : '';
  // bash replaces only the last part of the word.
  const prefix = readBashLine(head).current.value;
  if (!candidate.startsWith(prefix)) return null;
  const rest = candidate.slice(prefix.length);
  if (openQuote === "'") return rest.includes("'") ? null : rest;
  if (openQuote === '"') return /["\\$`!]/.test(rest) ? null : rest;
  return rest.replace(/[\0-\x7f]/g, (character) => (/[\w.,/@%+=:-]/.test(character) ? character : `\\${character}`));
}

/** Throws a `UsageError` for an unknown shell. */
export async function runCompletion(
  context: CommandContext,
  globals: GlobalOptions,
  /** `complete` is used by the completion scripts only. */
  options: { readonly complete?: boolean },
  [shell, ...line]: readonly string[],
  program: Command,
): Promise<ExitCode> {
  const { stdout } = context;
  if (shell === 'install') await installCompletion(context, globals, line[0]);
  else if (options.complete !== true) stdout.write(completionScripts[parseShell(shell)]);
  else
    stdout.write((await completeLine(parseShell(shell), line, context, program)).map((text) => `${text}\n`).join(''));
  return exitCode.done;
}

async function completeLine(
  shell: Shell,
  line: readonly string[],
  context: CommandContext,
  program: Command,
): Promise<readonly string[]> {
  const { before, current } = parseTypedLine(shell, line);
  const { expected, prefix } = expectedWords(program, before.slice(1), current.value);
  if (expected === 'files' || expected === 'programs') return [expected];
  const typed = current.value.slice(prefix.length);
  const words =
    typeof expected === 'string'
      ? await offeredWords(expected, { typed, context, paths: programPaths(context) })
      : expected;
  if (shell === 'bash') {
    const offered = words.map(({ word }) => prefix + word).filter((word) => word.startsWith(current.value));
    return ['words', ...offered.flatMap((word) => bashReplacement(current, line[1] ?? '', word) ?? [])];
  }
  // zsh removes the prefix itself.
  const shownPrefix = shell === 'zsh' ? '' : prefix;
  return [
    'words',
    ...words.map(({ about, word }) => (about === '' ? shownPrefix + word : `${shownPrefix}${word}\t${about}`)),
  ];
}

/**
 * bash passes the line, and the other shells pass words. fish keeps the quotes of the current word, but accepts words
 * without quotes. Our PowerShell script puts "=" before the current word, because PowerShell may drop empty arguments.
 */
function parseTypedLine(shell: Shell, line: readonly string[]): TypedLine {
  if (shell === 'bash') return readBashLine(line[0] ?? '');
  const before = line.slice(0, -1);
  const last = (line.at(-1) ?? '').slice(shell === 'powershell' ? 1 : 0);
  return { before, current: shell === 'fish' ? readBashLine(last).current : { ...emptyWord, raw: last, value: last } };
}

/** Throws a `UsageError` for an unknown shell. */
function parseShell(name: string | undefined): Shell {
  const known = shells.find((shell) => shell === name);
  if (known !== undefined) return known;
  throw new UsageError(`Which shell? Use: ${shells.join(', ')}.${didYouMean(name ?? '', shells)}`);
}

/** Writes the script to the place where the shell looks for it. Start-up files are not changed. */
async function installCompletion(
  context: CommandContext,
  globals: Pick<GlobalOptions, 'config'>,
  name: string | undefined,
): Promise<void> {
  const shell = parseShell(name ?? loginShell(context));
  const { path, nextSteps } = scriptPlace(shell, context);
  await makeFolder(dirname(path));
  await writeOutputFile(path, completionScripts[shell], { context, paths: programPaths(context, globals) });
  context.stdout.write(`${path}\n`);
  printNote(context, nextSteps);
}

function loginShell({ environment, platform }: CommandContext): string | undefined {
  const shell = nonEmpty(environment['SHELL']);
  return shell === undefined ? (platform === 'win32' ? 'powershell' : undefined) : basename(shell);
}

function scriptPlace(
  shell: Shell,
  { environment, homeDirectory, platform }: CommandContext,
): { readonly path: string; readonly nextSteps: string } {
  if (homeDirectory === null) throw new UnavailableError('The home folder is unknown. Set HOME and try again.');
  const folder = (variable: string, fallback: readonly string[]): string => {
    const path = nonEmpty(environment[variable]);
    return path !== undefined && isAbsolute(path) ? path : join(homeDirectory, ...fallback);
  };
  const config = (): string => folder('XDG_CONFIG_HOME', ['.config']);
  const next = 'Open a new shell to use it.';
  switch (shell) {
    case 'bash':
      return {
        path: join(folder('XDG_DATA_HOME', ['.local', 'share']), 'bash-completion', 'completions', 'parcel-monitor'),
        nextSteps: `${next} This requires the package bash-completion.`,
      };
    case 'zsh':
      return {
        path: join(homeDirectory, '.zfunc', '_parcel-monitor'),
        nextSteps:
          'Make sure that ~/.zshrc contains "fpath=(~/.zfunc $fpath)" above "compinit". Then open a new shell.',
      };
    case 'fish':
      return { path: join(config(), 'fish', 'completions', 'parcel-monitor.fish'), nextSteps: next };
    case 'powershell': {
      const place =
        platform === 'win32' ? join(homeDirectory, 'Documents', 'PowerShell') : join(config(), 'powershell');
      const path = join(place, 'parcel-monitor.ps1');
      return { path, nextSteps: `Add this line to your $PROFILE file, then open a new shell: . '${path}'` };
    }
  }
}

/*
 * The scripts pass the line to the program, which prints what to complete (`words`, `files` or `programs`) and the words.
 * No shell may expand the words, because labels and courier codes are not trusted. In zsh, `_files` relies on the default
 * shell options.
 */

const bash = `# Completion of parcel-monitor for bash; see "parcel-monitor completion --help".
_parcel_monitor() {
  local line=""
  local -a response=()
  while IFS= read -r line; do response+=("$line"); done < <(
    parcel-monitor completion bash --complete -- "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null
  )
  COMPREPLY=()
  case "\${response[0]-}" in
    words)
      COMPREPLY=(\${response[@]+"\${response[@]:1}"})
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
  local -a response=() candidates=() labels=()
  while IFS= read -r line; do response+=("$line"); done < <(
    parcel-monitor completion zsh --complete -- "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null
  )
  case "$PREFIX" in (--*=*) compset -P '*=' ;; esac
  case "\${response[1]-}" in
    (words)
      for line in "\${(@)response[2,-1]}"; do
        candidates+=("\${line%%$'\\t'*}")
        labels+=("\${line/$'\\t'/  -- }")
      done
      local -a full=() partial=() partial_labels=()
      local -i index
      for (( index = 1; index <= $#candidates; index += 1 )); do
        case "\${candidates[index]}" in
          (*[:=@]) partial+=("\${candidates[index]}") partial_labels+=("\${labels[index]}") ;;
          (*) full+=("\${candidates[index]}") ;;
        esac
      done
      labels=("\${(@)labels:|partial_labels}")
      compadd -l -d partial_labels -S '' -- "\${(@)partial}"
      compadd -l -d labels -- "\${(@)full}"
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
    set -l response (parcel-monitor completion fish --complete -- (commandline -opc) "$current" 2>/dev/null)
    set -l prefix (string match -r -- '^--[^=]+=' "$current")
    set -l typed (string replace -r -- '^--[^=]+=' '' "$current")
    switch "$response[1]"
        case words
            printf '%s\\n' $response[2..]
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
    $response = @(parcel-monitor completion powershell --complete -- @before "=$typed" 2>$null)
    if ($response.Count -lt 2 -or $response[0] -ne 'words') { return }
    foreach ($line in $response[1..($response.Count - 1)]) {
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
