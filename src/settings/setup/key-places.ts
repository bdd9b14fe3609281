import { dirname, join } from 'node:path';
import { systemText } from '../../lib/error-text.ts';
import { StoreError, systemCode } from '../../lib/store-errors.ts';
import { writeFileAtomically } from '../../store/file/atomic-write.ts';
import { resolvePath } from '../../store/file/open-file.ts';
import { createFindProgram, type FindProgram } from '../../system/child-processes.ts';
import { nonEmpty } from '../../system/environment.ts';
import { ProgramFailedError } from '../../system/run-program.ts';
import { apiKeySource, fetchApiKey, type KeySettings } from '../api-key.ts';
import { ApiKeyMissingError, UnavailableError, UsageError } from '../errors.ts';
import type { CommandContext } from '../session/context.ts';
import type { SettingsPlaces } from '../session/open-session.ts';

export interface KeyPlaceTools extends Pick<CommandContext, 'environment' | 'platform' | 'random' | 'runProgram'> {
  /** The folder of `config.json`. */
  readonly configFolder: string;
  readonly findProgram: FindProgram;
  /** Name of the file next to `config.json`. Defaults to the API key's file. */
  readonly fileName?: string;
}

interface KeyToSave {
  readonly key: string;
  /** The service's host, with its port if it has one. Separates the keys of several services. */
  readonly host: string;
}

interface KeyPlace {
  /** The name used on the command line. */
  readonly id: string;
  readonly title: string;
  /** Returns where the key is stored, as a sentence fragment. */
  detail(host: string): string;
  /** Returns why this store cannot be used and what to do, as a sentence, or null. */
  unusable(): Promise<string | null>;
  /**
   * Saves the key and returns the setting that reads it. Passes the key through standard input, because other users can
   * see arguments. Rejects with an {@link UnavailableError} that does not contain the key.
   */
  save(key: KeyToSave): Promise<KeySettings>;
}

/** Timeout of a keyring, in milliseconds. It may ask the user to unlock it. */
const keyringTimeoutMs = 120_000;

export function keyPlaceTools({ context, paths }: Pick<SettingsPlaces, 'context' | 'paths'>): KeyPlaceTools {
  return { ...context, configFolder: dirname(paths.config), findProgram: createFindProgram(context) };
}

/** The key's own file next to `config.json`, so that users can share their settings without the key. */
export const keyFileName = 'api-key';

function keyFile({ configFolder, fileName = keyFileName, platform, random }: KeyPlaceTools): KeyPlace {
  const path = join(configFolder, fileName);
  return {
    id: 'file',
    title: platform === 'win32' ? 'A file in your own folder' : 'A file that only you can read',
    detail: () =>
      platform === 'win32'
        ? `${path}, not encrypted; your account's folder keeps other users out, but not administrators`
        : `${path}, mode 0600, not encrypted`,
    unusable: async () => null,
    async save({ key }) {
      try {
        await writeFileAtomically(await resolvePath(path), `${key}\n`, random);
      } catch (error) {
        throw new UnavailableError(
          { what: `The key was not saved in ${path}.`, advice: adviceFor(error) },
          { cause: error },
        );
      }
      return { apiKeyFile: fileName };
    },
  };
}

function adviceFor(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  const code = systemCode(error);
  if (code === null) throw error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full: free some space, or choose another place.';
  return `The folder cannot be written${systemText(code)}. Check its owner and mode, or choose another place.`;
}

interface Keyring {
  readonly program: string;
  readonly title: string;
  /** How to install the program, as a sentence. */
  readonly installHint: string;
  readonly advice: string;
  /** Returns why it is unusable despite being installed, or null. */
  readonly unusable?: (tools: KeyPlaceTools) => string | null;
  /** Arguments that print a host's key. */
  readonly read: (host: string) => readonly string[];
  /** Arguments that look the key up, to show to the user. */
  readonly display: (host: string) => readonly string[];
  /** Arguments that save a key, and the text for standard input. */
  readonly write: (key: KeyToSave) => readonly [words: readonly string[], input: string];
}

const keychainEntry = (host: string): readonly string[] => ['-s', 'parcel-monitor', '-a', host];

/** The login keychain of macOS. */
const keychain: Keyring = {
  program: 'security',
  title: 'The macOS keychain',
  installHint: 'It comes with macOS.',
  advice: 'Unlock the login keychain ("security unlock-keychain"), or choose another place.',
  display: (host) => ['find-generic-password', ...keychainEntry(host)],
  read: (host) => ['find-generic-password', ...keychainEntry(host), '-w'],
  // With -i, it reads commands from standard input, so the key is not an argument. Hexadecimal needs no quotes.
  write: ({ key, host }) => [
    ['-i'],
    `add-generic-password -U ${keychainEntry(host).join(' ')} -l parcel-monitor -X ${Buffer.from(key, 'ascii').toString('hex')}\n`,
  ],
};

const lookUpArguments = (host: string): readonly string[] => ['lookup', 'service', 'parcel-monitor', 'host', host];

/** The keyring of a Linux or BSD desktop (GNOME Keyring, KWallet, KeePassXC), through libsecret's secret-tool. */
const secretService: Keyring = {
  program: 'secret-tool',
  title: "The desktop's keyring",
  installHint: 'On Debian it is in libsecret-tools, elsewhere in libsecret.',
  advice: 'Make sure that a keyring such as GNOME Keyring or KWallet runs and is unlocked, or choose another place.',
  unusable: ({ environment }) =>
    nonEmpty(environment['DBUS_SESSION_BUS_ADDRESS']) === undefined &&
    nonEmpty(environment['XDG_RUNTIME_DIR']) === undefined
      ? 'The keyring needs a desktop session, and there is none (DBUS_SESSION_BUS_ADDRESS is not set).'
      : null,
  display: lookUpArguments,
  read: lookUpArguments,
  write: ({ key, host }) => [
    ['store', `--label=parcel-monitor: API key for ${host}`, ...lookUpArguments(host).slice(1)],
    key,
  ],
};

/** Removes the brackets of an IPv6 address, which are special in a shell. */
const entryName = (host: string): string => host.replace(/[[\]]/g, '');

function keyringPlace(keyring: Keyring, tools: KeyPlaceTools): KeyPlace {
  const { advice, program, title, installHint } = keyring;
  return {
    id: program,
    title,
    detail: (host) => [program, ...keyring.display(entryName(host))].join(' '),
    async unusable() {
      if ((await tools.findProgram(program)) === null) return `The program ${program} is not installed. ${installHint}`;
      return keyring.unusable?.(tools) ?? null;
    },
    async save({ key, host: hostWithBrackets }) {
      const host = entryName(hostWithBrackets);
      // A program outside /bin and /usr/bin is saved with its full path, because cron, systemd and launchd search fewer
      // folders than a terminal.
      const path = await tools.findProgram(program);
      const name = path === null || ['/bin', '/usr/bin'].includes(dirname(path)) ? program : path;
      const [words, input] = keyring.write({ key, host });
      try {
        await tools.runProgram(name, words, { input, timeoutMs: keyringTimeoutMs, mayPrompt: false });
      } catch (error) {
        if (!(error instanceof ProgramFailedError)) throw error;
        const what = `${name} ${error.reason}, so the key was not saved there.`;
        throw new UnavailableError({ what, advice }, { cause: error });
      }
      return { apiKeyCommand: [name, ...keyring.read(host)] };
    },
  };
}

/** Returns all key stores of this system, its keyring first. They may be unusable. */
export function keyPlaces(tools: KeyPlaceTools): readonly KeyPlace[] {
  const keyrings = tools.platform === 'darwin' ? [keychain] : tools.platform === 'win32' ? [] : [secretService];
  return [...keyrings.map((keyring) => keyringPlace(keyring, tools)), keyFile(tools)];
}

/**
 * Returns the key store with this id. Rejects with a {@link UsageError} if no store has it, or if it cannot be used.
 */
export async function findUsablePlace(tools: KeyPlaceTools, id: string): Promise<KeyPlace> {
  const places = keyPlaces(tools);
  const place = places.find((candidate) => candidate.id === id);
  if (place === undefined) {
    throw new UsageError(
      `A key cannot be saved in "${id}" here. Use ${places.map((candidate) => candidate.id).join(' or ')}.`,
    );
  }
  const unusable = await place.unusable();
  if (unusable !== null) throw new UsageError(unusable);
  return place;
}

/**
 * Saves the key and reads it back in the same way as at every start. Returns the setting to write. Rejects with an
 * {@link UnavailableError} that never includes the key.
 */
export async function saveAndReadBack(place: KeyPlace, key: KeyToSave, tools: KeyPlaceTools): Promise<KeySettings> {
  const settings = await place.save(key);
  const source = apiKeySource({}, settings, { folder: tools.configFolder });
  let storedKey: string | null;
  try {
    storedKey = await fetchApiKey(source, (program, words) =>
      tools.runProgram(program, words, { timeoutMs: keyringTimeoutMs, mayPrompt: false }),
    );
  } catch (error) {
    if (!(error instanceof ApiKeyMissingError || error instanceof ProgramFailedError)) throw error;
    throw new UnavailableError(
      {
        what: `The key was saved (${place.title}), but cannot be read back: ${error.message}`,
        advice: 'Choose another place, or try again.',
      },
      { cause: error },
    );
  }
  if (storedKey === key.key) return settings;
  throw new UnavailableError({
    what: `The key that was read back (${place.title}) differs from the saved one.`,
    advice: `Check ${place.detail(key.host)}, or choose another place.`,
  });
}
