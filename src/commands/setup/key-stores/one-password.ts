import { nonEmpty } from '../../../process/environment.ts';
import { isJsonObject } from '../../../service/text/json.ts';
import { type KeyPlace, KeyPlaceError, type KeyPlaceTools } from './key-place.ts';
import { type ProgramCalls, placeOfProgram } from './programs.ts';

const advice =
  'Turn on "Integrate with 1Password CLI" in the settings of the 1Password app, or run "op signin", and try again.';
const identifier = /^[A-Za-z0-9]+$/;

/** 1Password, by its command line. The setting names the item by its identifiers, which stay when another key is put in. */
export function onePassword(tools: KeyPlaceTools): KeyPlace {
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
        throw new KeyPlaceError(
          `1Password's op did not say where the item is. Look for "${title}", and name "op read op://VAULT/ITEM/credential" as your own command.`,
        );
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
