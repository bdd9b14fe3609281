import { KeyRefusedError } from '../../src/service/port.ts';
import type {
  CheckRequest,
  CheckResult,
  CurrentSetup,
  SaveResult,
  SetupEffects,
} from '../../src/settings/setup/board-setup.ts';

/** Fake effects of setup. Tests determine the results and read the calls. */
export interface FakeSetupEffects extends SetupEffects {
  /** Calls in order, without keys: `saveService file`, `save zone Europe/Berlin`, … */
  readonly calls: readonly string[];
  /** Checks that have started, which the test finishes. */
  readonly checks: readonly { readonly request: CheckRequest; readonly end: (result: CheckResult) => void }[];
  /** The keys that were saved. */
  readonly savedKeys: readonly string[];
  /** Makes the next write fail with this message. */
  failNext(message: string): void;
}

/** Nothing has been set up yet. */
export const emptySetup: CurrentSetup = {
  service: null,
  key: null,
  zone: 'Europe/Berlin',
  zoneSet: null,
  machineZone: 'Europe/Berlin',
  channels: [],
  notifyCommand: null,
  configFile: '/home/me/.config/parcel-monitor/config.json',
};

/** A check in which everything works. */
export const passingCheck: CheckResult = {
  checks: [
    { name: 'service', status: 'ok', found: 'api.track123.com responds', advice: null },
    { name: 'API key', status: 'ok', found: 'accepted', advice: null },
  ],
  failure: null,
  problem: null,
  faultyStep: null,
  summary: 'It works: 1,716 couriers listed. The call cost nothing.',
};

const refusal = 'The service refuses this key (A0230). Copy it again from the portal.';

/** A check that fails because of the key. */
export const refusedKeyCheck: CheckResult = {
  checks: [
    { name: 'service', status: 'ok', found: 'api.track123.com responds', advice: null },
    { name: 'API key', status: 'fail', found: 'refused', advice: refusal },
  ],
  failure: new KeyRefusedError(refusal),
  problem: refusal,
  faultyStep: 'key',
  summary: 'The call cost nothing.',
};

/** {@link FakeSetupEffects} for a user with these settings. */
export function createFakeSetupEffects(
  set: Partial<CurrentSetup> = {},
  more: Partial<SetupEffects> = {},
): FakeSetupEffects {
  let active: CurrentSetup = { ...emptySetup, ...set };
  let failure: string | null = null;
  const calls: string[] = [];
  const checks: FakeSetupEffects['checks'][number][] = [];
  const savedKeys: string[] = [];
  const write = (call: string, change: Partial<CurrentSetup>, summary: string): SaveResult => {
    calls.push(call);
    const message = failure;
    failure = null;
    if (message !== null) throw new Error(message);
    active = { ...active, ...change };
    return { summary, warnings: [] };
  };
  return {
    calls,
    checks: checks,
    savedKeys,
    failNext: (message) => {
      failure = message;
    },
    current: async () => active,
    check: (request) => {
      const ending = Promise.withResolvers<CheckResult>();
      checks.push({ request, end: ending.resolve });
      return ending.promise;
    },
    keyStores: async () => [
      {
        id: 'file',
        title: 'A file that only you can read',
        details: ['~/.config/parcel-monitor/api-key'],
        unusable: null,
      },
      { id: 'secret-tool', title: 'The keyring', details: ['secret-tool'], unusable: 'secret-tool is not installed.' },
    ],
    saveService: async ({ key, keyStore, service }) => {
      if (key?.kind === 'entered') savedKeys.push(key.key);
      const place =
        key === null
          ? null
          : key.kind === 'present'
            ? active.key
            : { place: keyStore ?? key.kind, overridesFile: false };
      const set = { ...service, place: `config.json: ${service.kind}`, overridesFile: false };
      return write(
        `saveService ${service.kind} ${key?.kind ?? 'no key'} ${keyStore ?? ''}`.trim(),
        { service: set, key: place },
        'Saved in config.json.',
      );
    },
    save: async (changes, summary) => {
      const { path, value } = changes[0] ?? { path: ['nothing'] as const, value: undefined };
      const name = path.at(-1);
      const text = Array.isArray(value) ? value.join(' ') : `${value}`;
      const change: Partial<CurrentSetup> =
        name === 'zone'
          ? { zone: value === undefined ? active.machineZone : text }
          : name === 'command'
            ? { notifyCommand: text }
            : { channels: value === undefined ? [] : text.split(' ') };
      return write(`save ${path.join('.')} ${text}`, change, summary);
    },
    channels: async () => [
      { id: 'bell', title: 'Terminal bell', details: ['the bell'], unusable: null },
      { id: 'desktop', title: 'A notification of the desktop', details: [], unusable: 'There is no desktop over SSH.' },
      {
        id: 'command',
        title: 'Your own command',
        details: [],
        unusable: active.notifyCommand === null ? 'Not set yet. Press Space to enter a command.' : null,
      },
      {
        id: 'gotify',
        title: 'Gotify',
        details: [],
        unusable: calls.some((call) => call.startsWith('saveChannel gotify')) ? null : 'Not set yet.',
        questions: [
          { field: 'url', question: 'Address of your Gotify server', isSecret: false, isOptional: false },
          { field: 'token', question: 'Token of your application at Gotify', isSecret: true, isOptional: false },
        ],
      },
    ],
    saveChannel: async (name, answers) => write(`saveChannel ${name} ${JSON.stringify(answers)}`, {}, 'Saved.'),
    testChannel: async (name) => {
      calls.push(`testChannel ${name}`);
      return null;
    },
    isInSandbox: false,
    enterSandbox: async () => {
      calls.push('enterSandbox');
    },
    leaveSandbox: async () => {
      calls.push('leaveSandbox');
    },
    ...more,
  };
}
