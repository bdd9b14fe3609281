import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineText, lineWidth } from '../../../src/lib/cells.ts';
import { type CurrentSetup, choiceLines, scrollOffset } from '../../../src/settings/setup/board-setup.ts';
import {
  allZones,
  headerProblem,
  isSameService,
  keyChoices,
  keyProblem,
  lengthText,
  maskSecret,
  matchingZones,
  overrideWarning,
  readAddress,
  serviceChoices,
  zoneChoices,
} from '../../../src/settings/setup/choices.ts';
import { chooseService, chosenKey, createSetupState, stepAfter, stepBefore } from '../../../src/tui/setup/state.ts';
import { progressLine } from '../../../src/tui/setup/steps.ts';
import type { SetupState, SetupStep } from '../../../src/tui/ui-state.ts';
import { emptySetup } from '../../support/fake-setup-effects.ts';
import { forAll } from '../../support/for-all.ts';

describe('the setup steps', () => {
  const set = { place: 'config.json', overridesFile: false };
  const service = { kind: 'profile', profile: 'track123', ...set } as const;
  const at = (step: SetupStep, active: Partial<CurrentSetup>, more: Partial<SetupState> = {}): SetupState => ({
    ...createSetupState(step),
    active: { ...emptySetup, ...active },
    ...more,
  });

  test('skip the key, the check and saving without a service', () => {
    expect(stepAfter(at('service', {}))).toBe('zone');
    expect(stepBefore(at('zone', {}))).toBe('service');
  });

  test('save only the service if there is no key', () => {
    expect(stepAfter(at('key', {}, { service }))).toBe('save');
  });

  test('check existing settings, but do not save them again', () => {
    expect(stepAfter(at('key', { service, key: set }))).toBe('check');
    expect(stepAfter(at('check', { service, key: set }))).toBe('zone');
    expect(stepBefore(at('zone', { service, key: set }))).toBe('key');
  });

  test('keep a typed key only for the service for which it was typed', () => {
    const typed = at('service', { service, key: set }, { key: { kind: 'entered', key: 'k' } });
    const other = { kind: 'base-url', baseUrl: 'https://host/', header: null } as const;
    expect(chooseService(typed, service)).not.toHaveProperty('key');
    expect(chooseService(typed, other)).toMatchObject({ key: null, fields: { key: { text: '' } } });
    expect(chosenKey({ ...typed, ...chooseService(typed, other) })).toBeNull();
  });

  test('are shown on one line if they fit, each with a symbol and a label', () => {
    expect(lineText(progressLine({ step: 'check', done: ['service', 'key'] }, 80))).toBe(
      ' ✓ Service  ✓ Key  ● Check  ○ Save  ○ Zone  ○ Notify  ○ Numbers',
    );
    expect(progressLine({ step: 'check', done: [] }, 40)).toEqual([]);
  });
});

describe('choices', () => {
  const choices = serviceChoices(emptySetup);

  test('are separated by blank rows only if there is room', () => {
    const text = (rows: number): string =>
      choiceLines(choices, 0, { rows, width: 80 })
        .lines.map((line) => lineText(line).trimEnd())
        .join('\n');
    expect(text(20)).toContain('\n\n');
    expect(text(5)).not.toContain('\n\n');
  });

  test('never exceed the width, and the selected one is at its reported row', () =>
    forAll(fc.integer({ min: 4, max: 120 }), fc.nat(30), fc.nat(2), (width, rows, index) => {
      const { lines, selected } = choiceLines(choices, index, { rows, width });
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
      const marked = lines.flatMap((line, row) => (lineText(line).startsWith('▌') ? [row] : []));
      expect(marked.at(0)).toBe(selected.from);
      expect(marked.at(-1)).toBe(selected.to - 1);
    }));

  test('keep the start of the selection visible in a window, and all of it if it fits', () =>
    forAll(
      fc.nat(40),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(20),
      fc.integer({ min: 1, max: 20 }),
      (from, size, behind, rows) => {
        const to = from + size;
        const offset = scrollOffset({ from, to }, to + behind, rows);
        expect(offset).toBeLessThanOrEqual(from);
        expect(offset + rows).toBeGreaterThan(from);
        if (size <= rows) expect(offset + rows).toBeGreaterThanOrEqual(to);
      },
    ));
});

describe('choosing a service', () => {
  test.each([
    ['https://api.track123.com/gateway/open-api/', { kind: 'known', profile: 'track123' }],
    ['http://127.0.0.1:8080', { kind: 'address', baseUrl: 'http://127.0.0.1:8080/' }],
  ])('accepts the address %s', (text, expected) => expect(readAddress(text)).toEqual(expected));

  test.each(['', 'parcels', 'ftp://host/', 'http://host/', 'https://me:secret@host/', 'https://host/?a=b'])(
    'refuses the address "%s" without repeating its password',
    (text) => {
      const read = readAddress(text);
      expect(read).toMatchObject({ kind: 'unusable', problem: expect.stringMatching(/\.$/) });
      expect(JSON.stringify(read)).not.toContain('secret');
    },
  );

  test.each([
    ['http://127.0.0.1:8080/tk/v2/api/', 'http://127.0.0.1:8080'],
    ['https://host.example/open-api/tk', 'https://host.example/open-api'],
    ['127.0.0.1:35929', 'http://127.0.0.1:35929'],
    ['localhost:35929', 'http://localhost:35929'],
    ['parcels.example/api', 'https://parcels.example/api'],
    ['parcels.example:8443/tk/v2/api/track/query', 'https://parcels.example:8443'],
  ])('turns the address %s into the suggestion %s, which it accepts', (text, proposal) => {
    expect(readAddress(text)).toMatchObject({ kind: 'unusable', proposal });
    expect(readAddress(proposal).kind).toBe('address');
  });

  test('refuses a header with spaces, colons or line breaks', () => {
    expect(headerProblem('Service-Api-Secret')).toBeNull();
    for (const text of ['a b', 'a:', 'a\nb', 'ü']) expect(headerProblem(text)).toContain('header');
  });

  test('treats a different header at the same address as a different service', () => {
    const set = { kind: 'base-url', baseUrl: 'https://host/', header: null } as const;
    expect(isSameService(set, { ...set, baseUrl: 'https://host' })).toBe(true);
    expect(isSameService({ ...set, header: 'X-Key' }, set)).toBe(false);
  });
});

describe('the key', () => {
  test('is refused if it cannot be sent, and is not repeated in the message', () =>
    forAll(fc.string({ minLength: 6, unit: 'grapheme' }), (text) => {
      const problem = keyProblem(text);
      if (problem === null) expect(text.trim()).toMatch(/^[\x21-\x7e]+$/);
      else if (text.trim().length > 5) expect(problem).not.toContain(text.trim());
    }));

  test('is shown as one dot per character, and its length', () => {
    expect(maskSecret('ab👩‍👩‍👧é')).toBe('••••');
    expect(lengthText(' a ')).toBe('1 character');
    expect(lengthText('abc')).toBe('3 characters');
  });

  test('can stay as it is, with a warning about overrides', () => {
    const key = { place: 'PARCEL_MONITOR_API_KEY', overridesFile: true };
    expect(keyChoices({ ...emptySetup, key }, null)[0]?.title).toBe('The current key');
    expect(keyChoices(emptySetup, null)).toHaveLength(2);
    expect(overrideWarning(key, 'another key')).toContain('PARCEL_MONITOR_API_KEY overrides');
    expect(overrideWarning({ ...key, overridesFile: false }, 'another key')).toBeNull();
  });
});

describe('choosing a zone', () => {
  const zones = allZones();

  test('finds a zone by its name in any spelling', () =>
    forAll(fc.constantFrom(...zones), fc.boolean(), (zone, isPlain) => {
      const query = isPlain ? zone.replaceAll(/[/_-]/g, ' ').toLowerCase() : zone;
      expect(matchingZones(query, emptySetup, zones)).toContain(zone);
    }));

  test.each([
    ['lon', 'Europe/London'],
    ['new york', 'America/New_York'],
    ['berl', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['local', 'Europe/Berlin'],
    ['germany', 'Europe/Berlin'],
    ['DE', 'Europe/Berlin'],
  ])('ranks the best match for "%s" first: %s', (query, zone) =>
    expect(matchingZones(query, emptySetup, zones)[0]).toBe(zone),
  );

  test("suggests the current zone, the machine's and UTC, with their times, before anything is typed", () => {
    const now = { ...emptySetup, zone: 'Asia/Kolkata' };
    const found = matchingZones('', now, zones);
    expect(found).toEqual(['Asia/Kolkata', 'Europe/Berlin', 'UTC']);
    const titles = zoneChoices(found, now, Date.UTC(2026, 0, 15, 12)).map(({ title }) => title);
    expect(titles).toEqual([
      'Asia/Kolkata  17:30 UTC+05:30  (in use)',
      "Europe/Berlin  13:00 UTC+01:00  (this machine's)",
      'UTC  12:00 UTC+00:00',
    ]);
  });
});
