import { nonEmpty } from '../../../process/environment.ts';
import { isJsonObject } from '../../../service/text/json.ts';
import { entryOf, type KeyPlace, KeyPlaceError, type KeyPlaceTools } from './key-place.ts';
import { parsedOrNull } from './parsed-or-null.ts';
import { lastingName, missingProgram, runStore } from './programs.ts';

const program = 'bw';
const login = 1;

/** Bitwarden, by its command line. Each time an item is made; the setting names it by its identifier. */
export function bitwarden(tools: KeyPlaceTools): KeyPlace {
  return {
    id: 'bw',
    title: 'Bitwarden',
    detail: () => 'a new login in your vault, by "bw create item"; each start needs the vault unlocked (BW_SESSION)',
    async unusable() {
      const missing = await missingProgram(program, tools, 'It is the command line of Bitwarden.');
      if (missing !== null) return missing;
      return nonEmpty(tools.environment['BW_SESSION']) === undefined
        ? 'The vault is locked. Run "bw unlock", set BW_SESSION as it says, and start parcel-monitor again.'
        : null;
    },
    async keep({ key, host }) {
      const name = await lastingName(program, tools);
      const title = `parcel-monitor (${host})`;
      const item = {
        type: login,
        name: title,
        notes: null,
        login: { username: entryOf(host), password: key, uris: [], totp: null },
      };
      const made = parsedOrNull(
        await runStore(
          tools,
          [name, '--nointeraction', 'create', 'item'],
          Buffer.from(JSON.stringify(item), 'utf8').toString('base64'),
          'Run "bw unlock", set BW_SESSION as it says, and start parcel-monitor again, or choose another place.',
        ),
      );
      const id = isJsonObject(made) ? made['id'] : null;
      if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) {
        throw new KeyPlaceError(
          `Bitwarden's ${program} did not say where the item is. Look for "${title}", and name "bw get password ITEM" as your own command.`,
        );
      }
      return { apiKeyCommand: [name, '--nointeraction', 'get', 'password', id] };
    },
  };
}
