import { nonEmpty } from '../../../process/environment.ts';
import { isJsonObject, type JsonObject } from '../../../service/text/json.ts';
import { entryOf, type KeyPlace, KeyPlaceError, type KeyPlaceTools } from './key-place.ts';
import { placeOfProgram } from './programs.ts';

const login = 1;

const isIdentifier = (value: unknown): value is string => typeof value === 'string' && /^[\w-]+$/.test(value);

/** The login of that name among those listed; null for none. What an organisation shares is not the user's alone to change. */
function ownItem(listed: unknown, title: string): (JsonObject & { readonly id: string }) | null {
  for (const item of Array.isArray(listed) ? listed : []) {
    if (!isJsonObject(item) || !isIdentifier(item['id'])) continue;
    if (item['name'] === title && item['type'] === login && item['organizationId'] == null) {
      return { ...item, id: item['id'] };
    }
  }
  return null;
}

/** Bitwarden, by its command line. The setting names the item by its identifier, which stays when another key is put in. */
export function bitwarden(tools: KeyPlaceTools): KeyPlace {
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
      const there = ownItem(await ask(['--nointeraction', 'list', 'items', '--search', title]), title);
      const former = isJsonObject(there?.['login'])
        ? there['login']
        : { username: entryOf(host), uris: [], totp: null };
      const item = { type: login, name: title, notes: null, ...there, login: { ...former, password: key } };
      const made = await ask(
        ['--nointeraction', ...(there === null ? ['create', 'item'] : ['edit', 'item', there.id])],
        Buffer.from(JSON.stringify(item), 'utf8').toString('base64'),
      );
      const id = isJsonObject(made) ? made['id'] : null;
      if (!isIdentifier(id)) {
        throw new KeyPlaceError(
          `Bitwarden's bw did not say where the item is. Look for "${title}", and name "bw get password ITEM" as your own command.`,
        );
      }
      return ['--nointeraction', 'get', 'password', id];
    },
  });
}
