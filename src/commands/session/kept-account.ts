import { join } from 'node:path';
import * as v from 'valibot';
import { replaceableFormat } from '../../watchlist/document/document-format.ts';
import { JsonDocument } from '../../watchlist/document/json-document.ts';
import type { Session } from './session.ts';

/** Which account of a database this machine has used last, by the database and the service. Methods reject with a `StoreError`. */
export interface KeptAccount {
  /** Its name; null where none was used. */
  load(): Promise<string | null>;
  keep(name: string): Promise<void>;
}

/** Name of the file in the state folder. */
const keptAccountFile = 'store.json';

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
        accounts: [[name, account] as [string, string], ...accounts.filter(([key]) => key !== name)].slice(0, most),
      }));
    },
  };
}

/** Newest first. */
const accountsSchema = v.object({ accounts: v.array(v.tuple([v.string(), v.string()])) });

const readAccounts = (value: unknown): v.InferOutput<typeof accountsSchema> =>
  v.parse(v.fallback(accountsSchema, { accounts: [] }), value);
