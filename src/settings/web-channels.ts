import type { WebChannelName } from '../notify/notification.ts';
import type { WebChoice } from '../notify/web-channels.ts';
import type { Environment } from '../system/environment.ts';
import type { RunProgram } from '../system/run-program.ts';
import { fetchApiKey, secretSource } from './api-key.ts';
import { notUsed, type SettingFile } from './file-trust.ts';
import { chooseProxy, proxyInUse } from './proxy.ts';
import type { ConfigFile } from './table.ts';

interface WebSource extends SettingFile {
  readonly environment: Environment;
  readonly file: Pick<ConfigFile, 'notify'>;
}

/** Default addresses of services. */
const defaultAddresses: Readonly<Partial<Record<WebChannelName, string>>> = {
  telegram: 'https://api.telegram.org',
  pushover: 'https://api.pushover.net',
};

/** Web channels. Addresses from a file that another user can write are not used. */
export function webChoices(source: WebSource) {
  const { environment, file, foreignWriter = null } = source;
  return (name: WebChannelName): WebChoice => {
    const given: Readonly<Record<string, string | readonly string[] | undefined>> = file.notify?.[name] ?? {};
    const read = async (field: 'token' | 'url', runProgram: RunProgram): Promise<string | null> => {
      const setting = `notify.${name}.${field}`;
      const value = given[field];
      const secret =
        typeof value === 'string'
          ? ({ kind: 'given', key: value, setBy: setting } as const)
          : secretSource(
              setting,
              { file: textOrNone(given[`${field}File`]), command: given[`${field}Command`] },
              source,
            );
      return await fetchApiKey(secret, runProgram, { name: `${field} of ${name}`, setting });
    };
    return {
      isSet: Object.keys(given).length > 0,
      refused: foreignWriter === null ? null : notUsed(`notify.${name}`, 'used', foreignWriter),
      read: async (runProgram) => ({
        url: (await read('url', runProgram)) ?? defaultAddresses[name] ?? null,
        token: await read('token', runProgram),
        to: textOrNone(given['chat'] ?? given['user']) ?? null,
      }),
      proxyOf: (url) => proxyInUse(chooseProxy(url, environment))?.url ?? null,
    };
  };
}

const textOrNone = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
