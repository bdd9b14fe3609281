/** Shells that can be completed in. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A command with its long options, as completion offers them. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  /** With their leading dashes. */
  readonly options: readonly string[];
  /** What an option may be, by its name, where it is one of a few words; absent for none. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** Has the program itself print words that only its files know: courier codes, watched numbers. */
const words = (kind: string): string => `parcel-monitor completion --words ${kind} 2>/dev/null`;

/** Commands whose arguments are watched numbers. */
const takeNumbers = ['show', 'refresh', 'edit', 'remove'];

/**
 * What bash and zsh share: functions that put into `offered` what can stand where `current` is typed, behind `previous`,
 * in the arguments of `command`. What the files hold is never expanded: a word of theirs may read like a command.
 */
function bourneChoice(commands: readonly CompletedCommand[]): string {
  const choices = commands.flatMap(({ choices = {}, name }) =>
    Object.entries(choices).map(
      ([option, allowed]) => `    ${name}:*:${option}) offered=(${allowed.join(' ')}); return ;;`,
    ),
  );
  const options = commands.map(({ name, options }) => `    ${name}:-*:*) offered=(${options.join(' ')}) ;;`);
  return `_parcel_monitor_known() {
  local line
  while IFS= read -r line; do offered+=("$line"); done <<< "$(${words('"$1"')})"
}
_parcel_monitor_choose() {
  case "$command:$current:$previous" in
    *:--courier) _parcel_monitor_known couriers; return ;;
    :*) offered=(${commands.map(({ name }) => name).join(' ')} --demo --help --version); return ;;
${[...choices, ...options].join('\n')}
    ${takeNumbers.map((name) => `${name}:*`).join('|')}) _parcel_monitor_known numbers ;;
    import:*) _parcel_monitor_files ;;
  esac
}
`;
}

/** The pattern of a word that is no plain one, as `service/word.ts` has it. */
const notPlain = "'' | *[!A-Za-z0-9._/-]*";

function bash(commands: readonly CompletedCommand[]): string {
  return `${bourneChoice(commands)}_parcel_monitor_files() {
  compopt -o default 2>/dev/null
}
_parcel_monitor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" word
  local -a offered=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  COMPREPLY=()
  _parcel_monitor_choose
  for word in \${offered[@]+"\${offered[@]}"}; do
    case "$word" in ${notPlain}) ;; "$current"*) COMPREPLY+=("$word") ;; esac
  done
}
complete -F _parcel_monitor parcel-monitor
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  return `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
${bourneChoice(commands)}_parcel_monitor_files() {
  _files
}
_parcel_monitor() {
  emulate -L zsh
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" command="" word
  local -a offered=()
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in (-*) ;; (*) command="$word"; break ;; esac
  done
  _parcel_monitor_choose
  for word in "\${offered[@]}"; do
    case "$word" in (${notPlain}) ;; (*) compadd -- "$word" ;; esac
  done
}
compdef _parcel_monitor parcel-monitor
`;
}

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Fish runs what stands in parentheses when it completes, and takes each line of it as it is. */
const fishWords = (kind: string): string => fishText(`(${words(kind)} | string match -r -- "^[A-Za-z0-9._/-]+\\$")`);

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ choices = {}, description, name, options }) => [
    `complete -c parcel-monitor -f -n __fish_use_subcommand -a ${name} -d ${fishText(description)}`,
    ...options
      .filter((option) => option !== '--courier' && !Object.hasOwn(choices, option))
      .map((option) => `complete -c parcel-monitor -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`),
    ...Object.entries(choices).map(
      ([option, words]) =>
        `complete -c parcel-monitor -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)} -x -a '${words.join(' ')}'`,
    ),
    ...(options.includes('--courier')
      ? [
          `complete -c parcel-monitor -n '__fish_seen_subcommand_from ${name}' -l courier -x -a ${fishWords('couriers')}`,
        ]
      : []),
  ]);
  return `${lines.join('\n')}
complete -c parcel-monitor -f -n '__fish_seen_subcommand_from ${takeNumbers.join(' ')}' -a ${fishWords('numbers')}
`;
}

/** The completion script of a shell, to be evaluated by it. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands);
    case 'zsh':
      return zsh(commands);
    case 'fish':
      return fish(commands);
  }
}
