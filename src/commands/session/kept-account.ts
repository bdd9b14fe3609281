import { join } from 'node:path';
import { keptAccountFile } from '../../process/compiled-code.ts';
import { isJsonObject } from '../../service/text/json.ts';
import { replaceableFormat } from '../../watchlist/document/document-format.ts';
import { JsonDocument } from '../../watchlist/document/json-document.ts';
import type { Session } from './session.ts';

/** Which account of a database this machine has used last, by the database and the service. Methods reject with a `StoreError`. */
export interface KeptAccount {
  /** Its name; null where none was used. */
  load(): Promise<string | null>;
  keep(name: string): Promise<void>;
}

/** As many databases as somebody may have tried. */
const most = 50;

/** Remembers in a file (`store.json`, mode 0600). Holds no key and no password. */
export function createKeptAccount(
  { context, paths }: Pick<Session, 'context' | 'paths'>,
  place: string,
  baseUrl: string,
): KeptAccount {
  const document = new JsonDocument(
    join(paths.state, keptAccountFile),
    { format: replaceableFormat(readAccounts) },
    context,
  );
  const name = `${place} ${baseUrl}`;
  return {
    load: async () => (await document.read()).accounts.find(([key]) => key === name)?.[1] ?? null,
    async keep(account) {
      await document.update(({ accounts }) => ({
        accounts: [[name, account] as const, ...accounts.filter(([key]) => key !== name)].slice(0, most),
      }));
    },
  };
}

interface Accounts {
  /** Newest first. */
  readonly accounts: readonly (readonly [name: string, account: string])[];
}

function readAccounts(value: unknown): Accounts {
  const entries: unknown = isJsonObject(value) ? value['accounts'] : null;
  if (!Array.isArray(entries)) return { accounts: [] };
  return {
    accounts: entries.flatMap((entry: unknown): Accounts['accounts'] => {
      const [name, account]: readonly unknown[] = Array.isArray(entry) ? entry : [];
      return typeof name === 'string' && typeof account === 'string' ? [[name, account]] : [];
    }),
  };
}
