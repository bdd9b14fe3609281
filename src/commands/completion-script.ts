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

/** Asks the program itself for words that only its files know: courier codes, watched numbers. */
const words = (kind: 'couriers' | 'numbers'): string => `parcel-monitor completion --words ${kind} 2>/dev/null`;

/** Commands whose arguments are watched numbers. */
const takeNumbers = ['show', 'refresh', 'edit', 'remove'];

function bash(commands: readonly CompletedCommand[]): string {
  const choiceCases = commands.flatMap(({ choices = {}, name }) =>
    Object.entries(choices).map(
      ([option, words]) =>
        `    ${name}:${option}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$current")); return ;;`,
    ),
  );
  const choiceLines =
    choiceCases.length === 0 ? '' : `  case "$command:$previous" in\n${choiceCases.join('\n')}\n  esac\n`;
  const cases = commands.map(({ name, options }) => `    ${name}) options="${options.join(' ')}" ;;`);
  return `_parcel_monitor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" options="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  if [ "$previous" = "--courier" ]; then
    COMPREPLY=($(compgen -W "$(${words('couriers')})" -- "$current"))
    return
  fi
  if [ -z "$command" ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --demo --help --version" -- "$current"))
    return
  fi
${choiceLines}  case "$command" in
${cases.join('\n')}
  esac
  case "$command:$current" in
    *:-*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    ${takeNumbers.map((name) => `${name}:*`).join('|')}) COMPREPLY=($(compgen -W "$(${words('numbers')})" -- "$current")) ;;
    import:*) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -F _parcel_monitor parcel-monitor
`;
}

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

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
          `complete -c parcel-monitor -n '__fish_seen_subcommand_from ${name}' -l courier -x -a '(${words('couriers')})'`,
        ]
      : []),
  ]);
  return `${lines.join('\n')}
complete -c parcel-monitor -f -n '__fish_seen_subcommand_from ${takeNumbers.join(' ')}' -a '(${words('numbers')})'
`;
}

/** The completion script of a shell, to be evaluated by it. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands);
    case 'zsh':
      // zsh runs completions written for bash.
      return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;
    case 'fish':
      return fish(commands);
  }
}
