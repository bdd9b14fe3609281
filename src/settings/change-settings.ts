import { dirname, join } from 'node:path';
import { type JsonObject, valueAt } from '../lib/json.ts';
import { randomId, shellWord } from '../lib/paths.ts';
import { asStoreErrors, nullIfMissing } from '../lib/store-errors.ts';
import { removeFile, writeFileAtomically } from '../store/file/atomic-write.ts';
import { readWholeFile } from '../store/file/open-file.ts';
import { nonEmpty } from '../system/environment.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { childFailure } from '../system/run-program.ts';
import { changeConfigFile, rewriteConfigFile, schemaReference, updateSchemaCopy } from './change-config-file.ts';
import { isGroup, nearestSetting, readConfigObject, settingAt, settingProblems } from './check-settings.ts';
import { configFileContent } from './config-file.ts';
import type { SettingChange } from './config-text.ts';
import { UnavailableError, UsageError } from './errors.ts';
import { readEntered } from './read-text.ts';
import type { CommandContext } from './session/context.ts';
import { printNote } from './session/output.ts';
import {
  plainValue,
  readSettingValue,
  redactedValue,
  resolvedSetting,
  type SettingPath,
  type SettingsSource,
} from './setting-values.ts';
import { redactedStoreAddress, usableStore } from './store-address.ts';
import { splitCommand } from './usable-values.ts';

/** Returns the names in a path such as `budget.queriesPerDay`. Throws a {@link UsageError} if it is not valid. */
function readSettingPath(text: string): SettingPath {
  const [first = '', ...rest] = text.split('.');
  if ([first, ...rest].every((name) => name !== '')) return [first, ...rest];
  throw new UsageError(`"${text}" is not a setting name; write it like budget.queriesPerDay. ${listHint}`);
}

const listHint = '"parcel-monitor config list" lists all settings.';

/**
 * Like {@link readSettingPath}, but also throws if neither a setting nor a group of settings has this name. The error
 * suggests the nearest setting.
 */
export function knownSettingPath(text: string): SettingPath {
  const path = readSettingPath(text);
  if (settingAt(path) !== null || isGroup(path)) return path;
  const nearest = nearestSetting(text);
  throw new UsageError(
    `The setting "${text}" is not known; ${nearest === null ? listHint : `did you mean ${nearest}?`}`,
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
  const value = readSettingValue(path, await readValueWords(context, path, words));
  const change = await changeConfigFile(file, [{ path, value }], context);
  const settings = await configFileContent(file);
  const setting = resolvedSetting(path, { options, environment: context.environment, file: settings });
  const text = newValueText(path, value);
  printNote(
    context,
    `"${name}" is ${change.isChanged ? '' : 'already '}${text} in ${file}${change.isNew ? ', a new file' : ''}.`,
  );
  if (setting.isOverridden && setting.origin !== null) {
    printNote(context, `${setting.origin} overrides it, so ${plainValue(redactedValue(setting))} is used.`);
  }
  printOverrides(context, settings, path);
}

/** Returns the new value for display, without secrets, or `set` if none of it can be shown. */
function newValueText(path: SettingPath, value: unknown): string {
  const description = settingAt(path);
  if (description === null || description.hidden === 'key' || description.hidden === 'personal') return 'set';
  return plainValue(redactedValue({ description, value, origin: 'config.json' }));
}

/** Settings that exclude each other. The first one that is set takes effect. */
const alternatives: readonly (readonly string[])[] = [
  ['baseUrl', 'profile'],
  ['apiKey', 'apiKeyFile', 'apiKeyCommand'],
];

function printOverrides(context: CommandContext, settings: JsonObject, path: SettingPath): void {
  const name = path.join('.');
  const group = alternatives.find((names) => names.includes(name)) ?? [];
  const override = group.slice(0, group.indexOf(name)).find((earlier) => valueAt(settings, [earlier]) !== undefined);
  if (override !== undefined) {
    printNote(
      context,
      `"${override}" is also set and takes precedence. To use "${name}", run: parcel-monitor config unset ${override}`,
    );
  }
}

/**
 * Returns the words of the new value, which `-` reads from standard input. Refuses secrets as arguments, because other
 * users can see those.
 */
async function readValueWords(
  context: CommandContext,
  path: SettingPath,
  words: readonly string[],
): Promise<readonly string[]> {
  const [first, ...more] = words;
  const isKey = settingAt(path)?.hidden === 'key';
  if (first === '-' && more.length === 0) {
    if (isKey && context.stdinIsTerminal)
      throw secretArgumentError('The key would be visible while you type it.', path);
    const text = nonEmpty(await readEntered(context, '-'));
    if (text === undefined) throw new UsageError('Standard input is empty.');
    return [text];
  }
  if (isKey && first !== undefined)
    throw secretArgumentError(
      `Do not pass ${path.join('.') === 'apiKey' ? 'the API key' : 'a secret'} as an argument, because other users can see it.`,
      path,
    );
  if (first !== undefined && settingAt(path)?.hidden === 'password' && redactedStoreAddress(first) !== first.trim()) {
    usableStore(first);
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

function secretArgumentError(reason: string, path: SettingPath): UsageError {
  const name = path.join('.');
  const command = `parcel-monitor config set ${name} - < FILE`;
  const advice =
    name === 'apiKey'
      ? `Run "parcel-monitor setup", or pass the key on standard input: ${command}`
      : `Pass it on standard input: ${command}`;
  return new UsageError(`${reason} ${advice}`);
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
        : `${plainValue(redactedValue({ ...setting, origin }))} (${origin})`;
    printNote(context, `"${name}" ${wasSet ? 'was removed from' : 'was not set in'} ${file}; it is now ${now}.`);
  }
}

const newFileText = `{
  // "parcel-monitor config list" lists all settings; comments are allowed.
  "$schema": ${JSON.stringify(schemaReference)}
}
`;

/**
 * Opens a copy of `config.json` in the user's editor, and saves it if it is valid. Otherwise prints the problems and
 * offers to continue. Rejects with a {@link UsageError} if there is no terminal or if the file was changed in the
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
  await asStoreErrors(copy, () => writeFileAtomically(copy, before ?? newFileText, context.random));
  const schema = before === null ? await updateSchemaCopy(file, newFileText, context.random) : null;
  let needsSchema = false;
  try {
    const outcome = await editUntilValid(context, copy, before);
    needsSchema = outcome.kind !== 'discard';
    if (outcome.kind === 'keep-copy') {
      printNote(context, `${outcome.reason}${file} was not changed; your text is saved in ${copy}.`);
      return exitCode.failed;
    }
    if (outcome.kind === 'save') {
      await rewriteConfigFile(file, context, async (current) => {
        if (current === before) return outcome.text;
        throw new UsageError(
          `${file} was changed in the meantime and was not overwritten. Your text is saved: diff ${shellWord(file)} ${shellWord(copy)}`,
        );
      });
    }
    await removeFile(copy);
    printNote(context, outcome.kind === 'save' ? `${file} is saved.` : `Nothing was changed in ${file}.`);
    return exitCode.done;
  } finally {
    // The schema is useless without a file that refers to it.
    if (schema !== null && !needsSchema) await removeFile(schema);
  }
}

type Outcome =
  | { readonly kind: 'discard' }
  /**
   * Keeps the copy, because the editor failed or the user did not choose. `reason` is a sentence to print first, or
   * empty.
   */
  | { readonly kind: 'keep-copy'; readonly reason: string }
  | { readonly kind: 'save'; readonly text: string };

async function editUntilValid(context: CommandContext, copy: string, before: string | null): Promise<Outcome> {
  for (;;) {
    const failure = await runEditor(context, copy);
    const text = (await asStoreErrors(copy, () => readWholeFile(copy))).toString('utf8');
    const isSame = text === (before ?? newFileText);
    if (failure !== null) {
      if (isSame) await removeFile(copy);
      if (isSame) throw new UnavailableError(`${failure} Nothing was changed.`);
      return { kind: 'keep-copy', reason: `${failure} ` };
    }
    if (isSame) return { kind: 'discard' };
    const { problems, isReadable } = await findProblems(text, copy);
    if (problems.length === 0) return { kind: 'save', text };
    for (const problem of problems) printNote(context, problem);
    const save = isReadable ? ', s to save it anyway' : '';
    context.stderr.write(`parcel-monitor: Type e to edit again${save}, q to discard the changes: `);
    const answer = (await context.readLine()).trim().toLowerCase();
    if (answer === 's' && isReadable) return { kind: 'save', text };
    if (answer === 'q') return { kind: 'discard' };
    if (answer !== 'e' && answer !== 'edit') return { kind: 'keep-copy', reason: '' };
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

function editorCandidates({ environment, platform }: CommandContext): readonly string[] {
  const chosen = nonEmpty(environment['VISUAL']) ?? nonEmpty(environment['EDITOR']);
  if (chosen !== undefined) return [chosen];
  return platform === 'win32' ? ['notepad'] : ['sensible-editor', 'nano', 'vi'];
}

/** Runs the editor until it exits. Returns why it failed, as a sentence, or null. */
async function runEditor(context: CommandContext, path: string): Promise<string | null> {
  const editors = editorCandidates(context);
  const restoreInterrupts = context.passInterruptsOn();
  try {
    for (const editor of editors) {
      const [program, ...editorArguments] = splitCommand(editor);
      if (program === undefined) continue;
      const command = [program, ...editorArguments, path] as const;
      const child = context.startChild({ command, input: null, onOutput: 'terminal', terminal: 'shared' });
      const end = await child.ended;
      if (end.kind === 'not-started' && end.error.code === 'ENOENT') continue;
      const failure = childFailure(end);
      return failure === null ? null : `The editor ${program} ${failure}.`;
    }
  } finally {
    restoreInterrupts();
  }
  return `No editor was found (${editors.join(', ')}). Set EDITOR to yours.`;
}
