import { dirname, join } from 'node:path';
import { type JsonObject, valueAt } from '../lib/json.ts';
import { randomId, shellWord } from '../lib/paths.ts';
import { asStoreErrors, nullIfMissing } from '../lib/store-errors.ts';
import { removeFile, writeFileAtomically } from '../store/file/atomic-write.ts';
import { readWholeFile } from '../store/file/open-file.ts';
import { nonEmpty } from '../system/environment.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { failureOf } from '../system/run-program.ts';
import { changeConfigFile, keepSchemaCopy, rewriteConfigFile, schemaReference } from './change-config-file.ts';
import { isGroup, nearestSetting, readConfigObject, settingAt, settingProblems } from './check-settings.ts';
import { configFileContent } from './config-file.ts';
import type { SettingChange } from './config-text.ts';
import { UnavailableError, UsageError } from './errors.ts';
import { readEntered } from './read-text.ts';
import type { CommandContext } from './session/context.ts';
import { printNote } from './session/session.ts';
import {
  plainValue,
  readSettingValue,
  resolvedSetting,
  type SettingPath,
  type SettingsSource,
  shownValue,
} from './setting-values.ts';
import { readStore, shownStoreAddress } from './store-address.ts';
import { splitCommand } from './usable-values.ts';

/** Returns the names in a path such as `budget.queriesPerDay`. Throws a {@link UsageError} if it is not valid. */
function readSettingPath(text: string): SettingPath {
  const [first = '', ...rest] = text.split('.');
  if ([first, ...rest].every((name) => name !== '')) return [first, ...rest];
  throw new UsageError(`"${text}" is not a setting name; write it like budget.queriesPerDay. ${allOfThem}`);
}

const allOfThem = '"parcel-monitor config list" lists all settings.';

/**
 * Returns the names in the path of a known setting or of an object of settings. Throws like {@link readSettingPath}.
 * For an unknown setting, the error names the nearest one.
 */
export function knownSettingPath(text: string): SettingPath {
  const path = readSettingPath(text);
  if (settingAt(path) !== null || isGroup(path)) return path;
  const nearest = nearestSetting(text);
  throw new UsageError(
    `The setting "${text}" is not known; ${nearest === null ? allOfThem : `did you mean ${nearest}?`}`,
  );
}

interface ChangeSettingsRequest {
  readonly context: CommandContext;
  readonly file: string;
  readonly options: SettingsSource['options'];
}

/**
 * Sets a setting from command-line words. `-` reads the value from standard input. Rejects with a {@link UsageError}
 * for an invalid value, and like `changeConfigFile`.
 */
export async function setSetting(
  { context, file, options }: ChangeSettingsRequest,
  name: string,
  words: readonly string[],
): Promise<void> {
  const path = knownSettingPath(name);
  const value = readSettingValue(path, await valueWords(context, path, words));
  const change = await changeConfigFile(file, [{ path, value }], context);
  const settings = await configFileContent(file);
  const setting = resolvedSetting(path, { options, environment: context.environment, file: settings });
  const text = changeText(path, value);
  printNote(
    context,
    `"${name}" is ${change.isChanged ? '' : 'already '}${text} in ${file}${change.isNew ? ', a new file' : ''}.`,
  );
  if (setting.isOverridden && setting.origin !== null) {
    printNote(context, `${setting.origin} overrides it, so ${plainValue(shownValue(setting))} is used.`);
  }
  printOverrides(context, settings, path);
}

/** Returns the current value for display, without secrets. */
function changeText(path: SettingPath, value: unknown): string {
  const description = settingAt(path);
  if (description === null || description.hidden === 'key' || description.hidden === 'personal') return 'set';
  return plainValue(shownValue({ description, value, origin: 'config.json' }));
}

/** Mutually exclusive settings. The first one takes effect. */
const sameMeaning: readonly (readonly string[])[] = [
  ['baseUrl', 'profile'],
  ['apiKey', 'apiKeyFile', 'apiKeyCommand'],
];

function printOverrides(context: CommandContext, settings: JsonObject, path: SettingPath): void {
  const others = sameMeaning.find((names) => names.includes(path.join('.'))) ?? [];
  const above = others.slice(0, others.indexOf(path.join('.'))).find((name) => valueAt(settings, [name]) !== undefined);
  if (above !== undefined) {
    printNote(
      context,
      `"${above}" is also set and takes precedence. To use "${path.join('.')}", run: parcel-monitor config unset ${above}`,
    );
  }
}

/** Reads the API key from standard input, because other users can read arguments. */
async function valueWords(
  context: CommandContext,
  path: SettingPath,
  words: readonly string[],
): Promise<readonly string[]> {
  const [first, ...more] = words;
  const isKey = settingAt(path)?.hidden === 'key';
  if (first === '-' && more.length === 0) {
    if (isKey && context.stdinIsTerminal) throw keyRefused('The key would be visible while you type it.', path);
    const text = nonEmpty(await readEntered(context, '-'));
    if (text === undefined) throw new UsageError('Standard input is empty.');
    return [text];
  }
  if (isKey && first !== undefined)
    throw keyRefused(
      `Do not pass ${path.join('.') === 'apiKey' ? 'the API key' : 'a secret'} as an argument, because other users can see it.`,
      path,
    );
  if (first !== undefined && settingAt(path)?.hidden === 'password' && shownStoreAddress(first) !== first.trim()) {
    readStore(first);
    throw new UsageError({
      what: 'Other users can read a password on the command line.',
      advice:
        'Leave it out of the address, and keep it in PGPASSWORD, a passfile (~/.pgpass) or "storePasswordCommand".',
    });
  }
  if (first === undefined) {
    throw new UsageError({
      what: `No value is given for "${path.join('.')}".`,
      advice: `Run: parcel-monitor config set ${path.join('.')} VALUE, or "-" to read it from standard input.`,
    });
  }
  return words;
}

function keyRefused(reason: string, path: SettingPath): UsageError {
  const name = path.join('.');
  const pass = `ass ${name === 'apiKey' ? 'the key' : 'it'} on standard input: parcel-monitor config set ${name} - < FILE`;
  return new UsageError(`${reason} ${name === 'apiKey' ? `Run "parcel-monitor setup", or p${pass}` : `P${pass}`}`);
}

export async function unsetSettings(
  { context, file, options }: ChangeSettingsRequest,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0)
    throw new UsageError({ what: 'No setting is given.', advice: 'Run: parcel-monitor config unset PATH' });
  const before = await configFileContent(file);
  const paths = names.map((name) =>
    valueAt(before, readSettingPath(name)) === undefined ? knownSettingPath(name) : readSettingPath(name),
  );
  const changes = paths.map((path): SettingChange => ({ path, value: undefined }));
  const isChanged = Object.keys(before).length > 0 && (await changeConfigFile(file, changes, context)).isChanged;
  const after = isChanged ? await configFileContent(file) : before;
  for (const path of paths) {
    const name = path.join('.');
    const wasSet = valueAt(before, path) !== undefined;
    const { origin, ...setting } = resolvedSetting(path, { options, environment: context.environment, file: after });
    const now =
      origin === null
        ? (setting.description?.defaultText ?? 'not set')
        : `${plainValue(shownValue({ ...setting, origin }))} (${origin})`;
    printNote(context, `"${name}" ${wasSet ? 'was removed from' : 'was not set in'} ${file}; it is now ${now}.`);
  }
}

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
  const copy = join(dirname(file), `config.edit-${randomId(context.random)}.json`);
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
