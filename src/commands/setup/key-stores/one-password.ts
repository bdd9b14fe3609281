import { nonEmpty } from '../../../process/environment.ts';
import { isJsonObject } from '../../../service/text/json.ts';
import { type KeyPlace, KeyPlaceError, type KeyPlaceTools } from './key-place.ts';
import { parsedOrNull } from './parsed-or-null.ts';
import { lastingName, missingProgram, runStore } from './programs.ts';

const program = 'op';
const advice =
  'Turn on "Integrate with 1Password CLI" in the settings of the 1Password app, or run "op signin", and try again.';
const identifier = /^[A-Za-z0-9]+$/;

/** 1Password, by its command line. Each time an item is made; the setting names it by its identifiers. */
export function onePassword(tools: KeyPlaceTools): KeyPlace {
  const { environment } = tools;
  return {
    id: 'op',
    title: '1Password',
    detail: () => 'a new item in your personal vault, by "op item create"',
    async unusable() {
      const missing = await missingProgram(program, tools, 'It is the command line of 1Password.');
      if (missing !== null) return missing;
      const isAutomated = ['OP_SERVICE_ACCOUNT_TOKEN', 'OP_CONNECT_HOST'].some(
        (name) => nonEmpty(environment[name]) !== undefined,
      );
      return isAutomated
        ? 'A service account has no vault of its own. Make the item yourself, and name "op read op://VAULT/ITEM/FIELD" as your own command.'
        : null;
    },
    async keep({ key, host }) {
      const name = await lastingName(program, tools);
      // Where it knows no account it would ask for one, and take what is on standard input for the answer.
      const accounts = parsedOrNull(await runStore(tools, [name, 'account', 'list', '--format=json'], '', advice));
      if (!Array.isArray(accounts) || accounts.length === 0) {
        throw new KeyPlaceError(`1Password's ${program} knows no account, and the key is not stored there. ${advice}`);
      }
      const item = {
        title: `parcel-monitor (${host})`,
        category: 'API_CREDENTIAL',
        fields: [{ id: 'credential', type: 'CONCEALED', label: 'credential', value: key }],
      };
      const made = parsedOrNull(
        await runStore(tools, [name, 'item', 'create', '--format=json', '-'], JSON.stringify(item), advice),
      );
      const vault = isJsonObject(made) ? made['vault'] : null;
      const [itemId, vaultId] = [made, vault].map((one) => (isJsonObject(one) ? one['id'] : null));
      if (!isIdentifier(itemId) || !isIdentifier(vaultId)) {
        throw new KeyPlaceError(
          `1Password's ${program} did not say where the item is. Look for "${item.title}", and name "op read op://VAULT/ITEM/credential" as your own command.`,
        );
      }
      return { apiKeyCommand: [name, 'read', '--no-newline', `op://${vaultId}/${itemId}/credential`] };
    },
  };
}

const isIdentifier = (value: unknown): value is string => typeof value === 'string' && identifier.test(value);
