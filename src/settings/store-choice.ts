import type { CommandChoice } from '../notify/channels.ts';
import { type Environment, nonEmpty } from '../system/environment.ts';
import { TypedError } from './errors.ts';
import { notUsed, type SettingFile } from './file-trust.ts';
import { describeOrigin, resolvedSetting } from './resolved-settings.ts';
import { meansFiles, parseStoreAddress, type StoreAddress, usableAccount } from './store-address.ts';
import type { ConfigFile } from './table.ts';
import { chooseCommand } from './usable-values.ts';

export type StoreChoice = { readonly kind: 'file'; readonly setBy: string | null } | DatabaseChoice;

export interface DatabaseChoice {
  readonly kind: 'database';
  readonly address: StoreAddress;
  readonly setBy: string;
  /** The chosen account's name, or null. */
  readonly account: string | null;
  readonly password: PasswordChoice;
}

type PasswordChoice =
  | { readonly kind: 'given'; readonly password: string; readonly setBy: string }
  | CommandChoice
  | { readonly kind: 'passfile'; readonly path: string | null };

/** Default folders of the server's socket. A passfile calls them localhost. */
export const defaultSocketFolders: ReadonlySet<string> = new Set(['/tmp', '/run/postgresql', '/var/run/postgresql']);

export interface StoreSource extends SettingFile {
  readonly options: { readonly store?: string };
  readonly environment: Environment;
  readonly file: Pick<ConfigFile, 'store' | 'storeAccount' | 'storePasswordCommand'>;
}

/**
 * Chooses the store from `--store`, `PARCEL_MONITOR_STORE` or `config.json`. Defaults to files. Throws a {@link
 * UsageError} for an address that cannot be used, and for a password on the command line, where other users can read
 * it.
 */
export function chooseStore(source: StoreSource): StoreChoice {
  const { environment } = source;
  const place = resolvedSetting(['store'], source);
  const setBy = describeOrigin(place);
  const text = place.value as string | null;
  if (setBy === null || text === null || meansFiles(text)) return { kind: 'file', setBy };
  const address = parseStoreAddress(text, environment);
  if (setBy === '--store' && address.password !== null) {
    throw new TypedError({
      what: 'Other users can read a password on the command line.',
      advice: `Use --store ${address.place}, and put the password in PGPASSWORD, a passfile (~/.pgpass) or "storePasswordCommand".`,
    });
  }
  const named = resolvedSetting(['storeAccount'], source).value as string | null;
  return {
    kind: 'database',
    address,
    setBy,
    account: named === null ? null : usableAccount(named),
    password: passwordChoice(address, setBy, source),
  };
}

function passwordChoice({ password }: StoreAddress, setBy: string, source: StoreSource): PasswordChoice {
  const { environment, file, foreignWriter = null } = source;
  if (foreignWriter !== null && setBy.startsWith('config.json')) {
    return { kind: 'refused', reason: notUsed('store', 'used', foreignWriter) };
  }
  if (password !== null) return { kind: 'given', password, setBy };
  // Not trimmed: a password may begin with a space.
  const given = environment['PGPASSWORD'] ?? '';
  if (given !== '') return { kind: 'given', password: given, setBy: 'PGPASSWORD' };
  const command = file.storePasswordCommand;
  return command === undefined
    ? { kind: 'passfile', path: passfileOf(environment) }
    : chooseCommand('storePasswordCommand', command, source);
}

/** Returns the path of the passfile, in the same way as PostgreSQL's own programs, or null without a home folder. */
function passfileOf(environment: Environment): string | null {
  const named = nonEmpty(environment['PGPASSFILE']);
  if (named !== undefined) return named;
  const roaming = nonEmpty(environment['APPDATA']);
  const home = nonEmpty(environment['HOME']);
  if (home !== undefined) return `${home}/.pgpass`;
  return roaming === undefined ? null : `${roaming}\\postgresql\\pgpass.conf`;
}
