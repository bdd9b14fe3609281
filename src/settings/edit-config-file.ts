import { dirname, join } from 'node:path';
import { shellWord, uniquePart } from '../lib/paths.ts';
import { asStoreErrors, nullIfMissing } from '../lib/store-errors.ts';
import { removeFile, writeFileAtomically } from '../store/file/atomic-write.ts';
import { readWholeFile } from '../store/file/open-file.ts';
import { nonEmpty } from '../system/environment.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { failureOf } from '../system/run-program.ts';
import { keepSchemaCopy, rewriteConfigFile, schemaReference } from './change-config-file.ts';
import { readConfigObject, settingProblems } from './check-settings.ts';
import { UnavailableError, UsageError } from './errors.ts';
import type { CommandContext } from './session/context.ts';
import { printNote } from './session/session.ts';
import { splitCommand } from './usable-values.ts';

const beginning = `{
  // "parcel-monitor config list" lists all settings; comments are allowed.
  "$schema": ${JSON.stringify(schemaReference)}
}
`;

/**
 * Lets the user edit a copy of `config.json` in their editor, and saves it if it is valid. Otherwise shows the errors
 * and offers to continue. Rejects with a {@link UsageError} without a terminal or if the file has changed in the
 * meantime, and with an {@link UnavailableError} if no editor starts.
 */
export async function editConfigFile(context: CommandContext, file: string): Promise<ExitCode> {
  if (!context.stdinIsTerminal || !context.stdout.isTerminal) {
    throw new UsageError(
      `"config edit" opens an editor, which needs a terminal. The file is ${file}; "parcel-monitor config set" needs none.`,
    );
  }
  const before = (await asStoreErrors(file, () => nullIfMissing(readWholeFile(file))))?.toString('utf8') ?? null;
  const copy = join(dirname(file), `config.edit-${uniquePart(context.random)}.json`);
  await asStoreErrors(copy, () => writeFileAtomically(copy, before ?? beginning, context.random));
  const schema = before === null ? await keepSchemaCopy(file, beginning, context.random) : null;
  let isUsable = false;
  try {
    const outcome = await editUntilValid(context, copy, before);
    isUsable = outcome.kind !== 'dropped';
    if (outcome.kind === 'kept') {
      printNote(context, `${outcome.reason}${file} was not changed; your text is saved in ${copy}.`);
      return exitCode.failed;
    }
    if (outcome.kind === 'right') {
      await rewriteConfigFile(file, context, async (now) => {
        if (now === before) return outcome.text;
        throw new UsageError(
          `${file} was changed in the meantime and was not overwritten. Your text is saved: diff ${shellWord(file)} ${shellWord(copy)}`,
        );
      });
    }
    await removeFile(copy);
    printNote(context, outcome.kind === 'right' ? `${file} is saved.` : `Nothing was changed in ${file}.`);
    return exitCode.done;
  } finally {
    // The schema is useless without a file that refers to it.
    if (schema !== null && !isUsable) await removeFile(schema);
  }
}

type Outcome =
  | { readonly kind: 'dropped' }
  /**
   * The file is unchanged, because the user discarded the text or the editor failed. `reason` is a sentence to print
   * first, or empty.
   */
  | { readonly kind: 'kept'; readonly reason: string }
  | { readonly kind: 'right'; readonly text: string };

async function editUntilValid(context: CommandContext, copy: string, before: string | null): Promise<Outcome> {
  for (;;) {
    const failure = await runEditor(context, copy);
    const text = (await asStoreErrors(copy, () => readWholeFile(copy))).toString('utf8');
    const isSame = text === (before ?? beginning);
    if (failure !== null) {
      if (isSame) await removeFile(copy);
      if (isSame) throw new UnavailableError(`${failure} Nothing was changed.`);
      return { kind: 'kept', reason: `${failure} ` };
    }
    if (isSame) return { kind: 'dropped' };
    const { problems, isReadable } = await findProblems(text, copy);
    if (problems.length === 0) return { kind: 'right', text };
    for (const problem of problems) printNote(context, problem);
    const save = isReadable ? ', s to save it anyway' : '';
    context.stderr.write(`parcel-monitor: Type e to edit again${save}, q to discard the changes: `);
    const answer = (await context.readLine()).trim().toLowerCase();
    if (answer === 's' && isReadable) return { kind: 'right', text };
    if (answer === 'q') return { kind: 'dropped' };
    if (answer !== 'e' && answer !== 'edit') return { kind: 'kept', reason: '' };
  }
}

async function findProblems(
  text: string,
  path: string,
): Promise<{ readonly problems: readonly string[]; readonly isReadable: boolean }> {
  try {
    const settings = await readConfigObject(text, path);
    return { problems: settingProblems(settings).map(({ sentence }) => sentence), isReadable: true };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { problems: [error.message], isReadable: false };
  }
}

function editorsOf({ environment, platform }: CommandContext): readonly string[] {
  const own = nonEmpty(environment['VISUAL']) ?? nonEmpty(environment['EDITOR']);
  if (own !== undefined) return [own];
  return platform === 'win32' ? ['notepad'] : ['sensible-editor', 'nano', 'vi'];
}

/** Runs the editor until it exits. Returns why it failed, as a sentence, or null. */
async function runEditor(context: CommandContext, path: string): Promise<string | null> {
  const editors = editorsOf(context);
  const restoreInterrupts = context.passInterruptsOn();
  try {
    for (const editor of editors) {
      const [program, ...words] = splitCommand(editor);
      if (program === undefined) continue;
      const command = [program, ...words, path] as const;
      const child = context.startChild({ command, input: null, onOutput: 'terminal', terminal: 'shared' });
      const end = await child.ended;
      if (end.kind === 'not-started' && end.error.code === 'ENOENT') continue;
      const failure = failureOf(end);
      return failure === null ? null : `The editor ${program} ${failure}.`;
    }
  } finally {
    restoreInterrupts();
  }
  return `No editor was found (${editors.join(', ')}). Set EDITOR to yours.`;
}
