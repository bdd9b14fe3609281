import type { ServiceChoice } from '../../board/setup/setup-effects.ts';
import { defaultKeyHeader } from '../../service/operations.ts';
import type { KeySettings } from '../configuration/api-key.ts';
import type { SettingChange } from '../configuration/edit-config-text.ts';

/** The settings that make a chosen service the one that `config.json` names; those that would outrank it there go. */
export function changesForService(service: ServiceChoice): readonly SettingChange[] {
  if (service.kind === 'profile') {
    return [
      { path: ['baseUrl'], value: undefined },
      { path: ['profile'], value: service.profile },
      { path: ['service', 'header'], value: undefined },
    ];
  }
  const { baseUrl, header } = service;
  return [
    { path: ['profile'], value: undefined },
    { path: ['baseUrl'], value: baseUrl.trim() },
    { path: ['service', 'header'], value: header === null || header === defaultKeyHeader ? undefined : header },
  ];
}

/** The settings that make a key the one that `config.json` leads to; other places go. */
export function changesForKey(key: KeySettings): readonly SettingChange[] {
  const names = ['apiKey', 'apiKeyFile', 'apiKeyCommand'] as const;
  return names.map((name) => ({ path: [name], value: key[name] }));
}
