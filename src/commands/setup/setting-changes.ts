import type { ServiceChoice } from '../../board/setup/setup-effects.ts';
import { defaultKeyHeader } from '../../service/operations.ts';
import type { KeySettings } from '../configuration/api-key.ts';
import type { SettingChange } from '../configuration/edit-config-text.ts';

/** The settings that make a chosen service the one that `config.json` names; those that would outrank it there go. */
export function changesForService(service: ServiceChoice): readonly SettingChange[] {
  const isProfile = service.kind === 'profile';
  const header = isProfile || service.header === defaultKeyHeader ? null : service.header;
  return [
    { path: ['profile'], value: isProfile ? service.profile : undefined },
    { path: ['baseUrl'], value: isProfile ? undefined : service.baseUrl.trim() },
    { path: ['service', 'header'], value: header ?? undefined },
  ];
}

/** The settings that make a key the one that `config.json` leads to; other places go. */
export function changesForKey(key: KeySettings): readonly SettingChange[] {
  const names = ['apiKey', 'apiKeyFile', 'apiKeyCommand'] as const;
  return names.map((name) => ({ path: [name], value: key[name] }));
}
