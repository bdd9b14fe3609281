import type { CommandContext } from '../../settings/session/context.ts';
import { splitCommand } from '../../settings/usable-values.ts';
import { isDumbTerminal } from '../../system/environment.ts';
import type { Output } from '../../system/standard-streams.ts';

type PagerContext = Pick<
  CommandContext,
  'environment' | 'passInterruptsOn' | 'platform' | 'signal' | 'startChild' | 'stdout'
>;

/** With these options, `less` quits if the text fits, shows colours, and leaves the text on the screen. */
const less = ['less', '-FRX'] as const;

function choosePager({ environment, platform, stdout }: PagerContext): readonly [string, ...string[]] | null {
  if (!stdout.isTerminal || isDumbTerminal(environment)) return null;
  const { PAGER: pagerSetting } = environment;
  if (pagerSetting === undefined) return platform === 'win32' ? null : less;
  const [program, ...words] = splitCommand(pagerSetting);
  if (program === undefined || program === 'cat') return null;
  return program === 'less' && words.length === 0 ? less : [program, ...words];
}

/** Collects what `print` writes, and shows it in the pager if it does not fit on the screen. */
export async function withPager<Result>(
  context: CommandContext,
  print: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  if (choosePager(context) === null) return await print(context);
  const pieces: string[] = [];
  const { columns, isTerminal, rows } = context.stdout;
  try {
    return await print({
      ...context,
      stdout: { columns, isTerminal, rows, write: (text) => void pieces.push(text) },
    });
  } finally {
    await writePaged(context, pieces.join(''));
  }
}

/** Shows the text in the pager if it does not fit on the screen. Writes it directly if the pager cannot be started. */
export async function writePaged(context: PagerContext, text: string): Promise<void> {
  const { rows, write } = context.stdout;
  const pager = choosePager(context);
  if (pager === null || context.signal.aborted || text.split('\n').length <= (rows ?? Number.POSITIVE_INFINITY)) {
    write(text);
    return;
  }
  // Ctrl+C goes to the pager, as in git.
  const restoreInterrupts = context.passInterruptsOn();
  try {
    const { ended } = context.startChild({ command: pager, input: text, onOutput: 'terminal', terminal: 'shared' });
    if ((await ended).kind === 'not-started') write(text);
  } finally {
    restoreInterrupts();
  }
}

/** Returns output streams that hide the progress line while they write. */
export function withProgressLine({
  environment,
  isQuiet,
  stderr,
  stdout,
}: CommandContext): Pick<CommandContext, 'showLine' | 'stderr' | 'stdout'> {
  if (!stderr.isTerminal || isQuiet === true || isDumbTerminal(environment)) return { stderr, stdout };
  let currentLine = '';
  const showLine = (text: string): void => {
    if (text === currentLine) return;
    currentLine = text;
    stderr.write(`\r\u001B[K${text}`);
  };
  const wrapOutput = (output: Output): Output => ({
    ...output,
    write(chunk) {
      const text = currentLine;
      showLine('');
      output.write(chunk);
      showLine(text);
    },
  });
  return { showLine, stderr: wrapOutput(stderr), stdout: stdout.isTerminal ? wrapOutput(stdout) : stdout };
}
