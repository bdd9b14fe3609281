import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemWords } from '../../lib/error-text.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { StoreError, systemCode } from '../../lib/store-errors.ts';
import { writeFileAtomically } from '../../store/file/atomic-write.ts';
import { resolvePath } from '../../store/file/file-place.ts';
import { nonEmpty } from '../../system/environment.ts';
import { ProgramFailedError } from '../../system/run-program.ts';
import { apiKeySource, fetchApiKey, type KeySettings } from '../api-key.ts';
import { ApiKeyMissingError } from '../errors.ts';
import {
  entryOf,
  type KeyPlace,
  KeyPlaceError,
  type KeyPlaceTools,
  type KeyToKeep,
  keepLimitMs,
  type ProgramCalls,
  placeOfProgram,
} from './key-place.ts';

const login = 1;

const isBitwardenId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]+$/.test(value);

/** The login of that name among those listed; null for none. What an organisation shares is not the user's alone to change. */
function bitwardenItem(listed: unknown, title: string): (JsonObject & { readonly id: string }) | null {
  for (const item of Array.isArray(listed) ? listed : []) {
    if (!isJsonObject(item) || !isBitwardenId(item['id'])) continue;
    if (item['name'] === title && item['type'] === login && item['organizationId'] == null) {
      return { ...item, id: item['id'] };
    }
  }
  return null;
}

/** Bitwarden, by its command line. The setting names the item by its identifier, which stays when another key is put in. */
function bitwarden(tools: KeyPlaceTools): KeyPlace {
  return placeOfProgram(tools, {
    program: 'bw',
    title: 'Bitwarden',
    whenMissing: 'It is the command line of Bitwarden.',
    advice: 'Run "bw unlock", set BW_SESSION as it says, and start parcel-monitor again, or choose another place.',
    detail: () =>
      'a login in your vault, by "bw create item" or "bw edit item"; each start needs the vault unlocked (BW_SESSION)',
    unusable: () =>
      nonEmpty(tools.environment['BW_SESSION']) === undefined
        ? 'The vault is locked. Run "bw unlock", set BW_SESSION as it says, and start parcel-monitor again.'
        : null,
    async keep({ key, host }, { ask }) {
      const title = `parcel-monitor (${host})`;
      const there = bitwardenItem(await ask(['--nointeraction', 'list', 'items', '--search', title]), title);
      const former = isJsonObject(there?.['login'])
        ? there['login']
        : { username: entryOf(host), uris: [], totp: null };
      const item = { type: login, name: title, notes: null, ...there, login: { ...former, password: key } };
      const made = await ask(
        ['--nointeraction', ...(there === null ? ['create', 'item'] : ['edit', 'item', there.id])],
        Buffer.from(JSON.stringify(item), 'utf8').toString('base64'),
      );
      const id = isJsonObject(made) ? made['id'] : null;
      if (!isBitwardenId(id)) {
        throw new KeyPlaceError({
          what: "Bitwarden's bw did not say where the item is.",
          advice: `Look for "${title}", and name "bw get password ITEM" as your own command.`,
        });
      }
      return ['--nointeraction', 'get', 'password', id];
    },
  });
}

/** The file beside `config.json`, so that the settings can be shown and shared without the key. */
export const keyFileName = 'api-key';

/** A file of its own that only its user can read. */
function keyFile({ configFolder, platform, random }: KeyPlaceTools): KeyPlace {
  const path = join(configFolder, keyFileName);
  return {
    id: 'file',
    title: platform === 'win32' ? 'A file in your own folder' : 'A file that only you can read',
    asksOnTerminal: false,
    detail: () =>
      platform === 'win32'
        ? `${path}, not encrypted; your account's folder keeps other users out, but not administrators`
        : `${path}, mode 0600, not encrypted`,
    unusable: async () => null,
    async keep({ key }) {
      try {
        await writeFileAtomically(await resolvePath(path), `${key}\n`, random);
      } catch (error) {
        throw new KeyPlaceError(`The key was not stored in ${path}. ${whyNot(error)}`, { cause: error });
      }
      return { apiKeyFile: keyFileName };
    },
  };
}

function whyNot(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  const code = systemCode(error);
  if (code === null) throw error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full: free some space, or choose another place.';
  return `The folder cannot be written${systemWords(code)}. Check its owner and mode, or choose another place.`;
}

/** The login keychain of macOS. */
function keychain(tools: KeyPlaceTools): KeyPlace {
  const entry = (host: string): readonly string[] => ['-s', 'parcel-monitor', '-a', entryOf(host)];
  return placeOfProgram(tools, {
    program: 'security',
    title: 'The keychain of macOS',
    whenMissing: 'It is part of macOS.',
    advice: 'Unlock the login keychain ("security unlock-keychain"), or choose another place.',
    detail: (host) => `security find-generic-password ${entry(host).join(' ')}`,
    async keep({ key, host }, { run }) {
      // With -i it reads its commands from standard input, the only way without the key among its arguments; hexadecimal
      // needs no quotes.
      const hexadecimal = Buffer.from(key, 'ascii').toString('hex');
      await run(['-i'], `add-generic-password -U ${entry(host).join(' ')} -l parcel-monitor -X ${hexadecimal}\n`);
      return ['find-generic-password', ...entry(host), '-w'];
    },
  });
}

const advice =
  'Turn on "Integrate with 1Password CLI" in the settings of the 1Password app, or run "op signin", and try again.';
const identifier = /^[A-Za-z0-9]+$/;

/** 1Password, by its command line. The setting names the item by its identifiers, which stay when another key is put in. */
function onePassword(tools: KeyPlaceTools): KeyPlace {
  return placeOfProgram(tools, {
    program: 'op',
    title: '1Password',
    whenMissing: 'It is the command line of 1Password.',
    advice,
    asksOnTerminal: true,
    detail: () => 'an item in your personal vault, by "op item create" or "op item edit"',
    unusable: () =>
      ['OP_SERVICE_ACCOUNT_TOKEN', 'OP_CONNECT_HOST'].some((name) => nonEmpty(tools.environment[name]) !== undefined)
        ? 'A service account has no vault of its own. Make the item yourself, and name "op read op://VAULT/ITEM/FIELD" as your own command.'
        : null,
    async keep({ key, host }, { ask }) {
      // Where it knows no account it would ask for one, and take what is on standard input for the answer.
      const accounts = await ask(['account', 'list', '--format=json']);
      if (!Array.isArray(accounts) || accounts.length === 0) {
        throw new KeyPlaceError(`1Password's op knows no account, and the key is not stored there. ${advice}`);
      }
      const title = `parcel-monitor (${host})`;
      const former = ownItem(await ask(['item', 'list', '--format=json']), title);
      const place =
        (former === null ? null : await changed(former, key, ask)) ??
        placeOf(await ask(['item', 'create', '--format=json', '-'], JSON.stringify(newItem(title, key))));
      if (place === null) {
        throw new KeyPlaceError({
          what: "1Password's op did not say where the item is.",
          advice: `Look for "${title}", and name "op read op://VAULT/ITEM/credential" as your own command.`,
        });
      }
      return ['read', '--no-newline', `op://${place.vault}/${place.item}/credential`];
    },
  });
}

const isIdentifier = (value: unknown): value is string => typeof value === 'string' && identifier.test(value);

/** Identifiers of an item and of its vault. */
interface Place {
  readonly item: string;
  readonly vault: string;
}

function placeOf(item: unknown): Place | null {
  const vault = isJsonObject(item) ? item['vault'] : null;
  const [itemId, vaultId] = [item, vault].map((one) => (isJsonObject(one) ? one['id'] : null));
  return isIdentifier(itemId) && isIdentifier(vaultId) ? { item: itemId, vault: vaultId } : null;
}

/** What the vault that nobody else sees is called, by the kind of the account. */
const personalVaults: ReadonlySet<unknown> = new Set(['Personal', 'Private', 'Employee']);

/** The item of that title in the personal vault; null for none. What others share is not the user's alone to change. */
function ownItem(listed: unknown, title: string): Place | null {
  const found = (Array.isArray(listed) ? listed : []).find(
    (item) =>
      isJsonObject(item) &&
      item['title'] === title &&
      isJsonObject(item['vault']) &&
      personalVaults.has(item['vault']['name']),
  );
  return placeOf(found);
}

const field = (key: string) => ({ id: 'credential', type: 'CONCEALED', label: 'credential', value: key });

const newItem = (title: string, key: string) => ({ title, category: 'API_CREDENTIAL', fields: [field(key)] });

/** Puts the key into an item that is there, beside all else that stands in it; null where this version of the tool cannot. */
async function changed(place: Place, key: string, ask: ProgramCalls['ask']): Promise<Place | null> {
  const where = [place.item, '--vault', place.vault, '--format=json'];
  try {
    const item = await ask(['item', 'get', ...where]);
    if (!isJsonObject(item)) return null;
    const fields = Array.isArray(item['fields']) ? item['fields'] : [];
    const others = fields.filter((one) => !isJsonObject(one) || one['id'] !== 'credential');
    // Without an answer it was changed all the same; that is proved by reading it back.
    await ask(['item', 'edit', ...where], JSON.stringify({ ...item, fields: [...others, field(key)] }));
    return place;
  } catch (error) {
    if (error instanceof KeyPlaceError) return null;
    throw error;
  }
}

/** The password store of pass, which encrypts with GnuPG. */
function passwordStore(tools: KeyPlaceTools): KeyPlace {
  const entry = (host: string): string => `parcel-monitor/${entryOf(host)}`;
  return placeOfProgram(tools, {
    program: 'pass',
    title: 'The password store of pass',
    whenMissing: 'Install it and run "pass init", or choose another place.',
    advice: 'Try "pass insert" by hand, or choose another place.',
    asksOnTerminal: true,
    detail: (host) => `pass show ${entry(host)}`,
    unusable: async () =>
      (await isInitialised(tools)) ? null : 'pass has no store yet. Run "pass init" with your GnuPG key first.',
    async keep({ key, host }, { run }) {
      await run(['insert', '--multiline', '--force', entry(host)], `${key}\n`);
      return ['show', entry(host)];
    },
  });
}

async function isInitialised({ environment, homeDirectory }: KeyPlaceTools): Promise<boolean> {
  const folder =
    nonEmpty(environment['PASSWORD_STORE_DIR']) ??
    (homeDirectory === null ? null : join(homeDirectory, '.password-store'));
  if (folder === null) return false;
  try {
    return (await stat(join(folder, '.gpg-id'))).isFile();
  } catch {
    // Without that file pass says the same.
    return false;
  }
}

/** The keyring of a Linux or BSD desktop (GNOME Keyring, KWallet, KeePassXC), by the tool of libsecret. */
function secretService(tools: KeyPlaceTools): KeyPlace {
  const attributes = (host: string): readonly string[] => ['service', 'parcel-monitor', 'host', entryOf(host)];
  return placeOfProgram(tools, {
    program: 'secret-tool',
    title: "The desktop's keyring",
    whenMissing: 'On Debian it is in libsecret-tools, elsewhere in libsecret.',
    advice: 'See that a keyring such as GNOME Keyring or KWallet runs and is unlocked, or choose another place.',
    detail: (host) => `secret-tool lookup ${attributes(host).join(' ')}`,
    unusable: () =>
      nonEmpty(tools.environment['DBUS_SESSION_BUS_ADDRESS']) === undefined &&
      nonEmpty(tools.environment['XDG_RUNTIME_DIR']) === undefined
        ? 'No session of a desktop is here (DBUS_SESSION_BUS_ADDRESS is not set), and the keyring belongs to one.'
        : null,
    async keep({ key, host }, { run }) {
      await run(['store', `--label=parcel-monitor: API key for ${host}`, ...attributes(host)], key);
      return ['lookup', ...attributes(host)];
    },
  });
}

/** All places where a key can be kept on this system, those of the system first; whether they can be used is another question. */
export function keyPlaces(tools: KeyPlaceTools): readonly KeyPlace[] {
  const { platform } = tools;
  const ofTheSystem = platform === 'darwin' ? [keychain] : platform === 'win32' ? [] : [secretService];
  // pass is a shell script.
  const ofTheShell = platform === 'win32' ? [] : [passwordStore];
  return [...ofTheSystem, keyFile, ...ofTheShell, onePassword, bitwarden].map((place) => place(tools));
}

/**
 * Keeps the key in a place and reads it back as every start will. Answers the setting to write. Rejects with a
 * {@link KeyPlaceError}.
 */
export async function keepAndReadBack(place: KeyPlace, key: KeyToKeep, tools: KeyPlaceTools): Promise<KeySettings> {
  const settings = await place.keep(key);
  const source = apiKeySource({}, settings, null, tools.configFolder);
  // It may ask for a passphrase now; the usual limit would be over before that is typed.
  const patiently: KeyPlaceTools['runProgram'] = (program, given) =>
    tools.runProgram(program, given, { limitMs: keepLimitMs, asks: place.asksOnTerminal });
  let found: string | null;
  try {
    found = await fetchApiKey(source, patiently);
  } catch (error) {
    if (!(error instanceof ApiKeyMissingError || error instanceof ProgramFailedError)) throw error;
    throw new KeyPlaceError(
      `The key was stored (${place.title}), but cannot be read back: ${error.message} Choose another place, or try again.`,
      { cause: error },
    );
  }
  if (found === key.key) return settings;
  throw new KeyPlaceError({
    what: `What is read back (${place.title}) is another key than the one that was stored.`,
    advice: `Look at ${place.detail(key.host)}, or choose another place.`,
  });
}
