import { describe, expect, it } from 'vitest';
import { couriers } from '../../src/sandbox/couriers.ts';
import { type EventKind, eventMeanings } from '../../src/sandbox/journey/scenarios.ts';
import { eventText } from '../../src/sandbox/wording.ts';
import { subStatusTexts } from '../../src/service/status.ts';

const kinds = Object.keys(eventMeanings) as EventKind[];
const languages = [...new Set(couriers.map(({ language }) => language))];

it('covers all 28 sub-statuses', () => {
  expect(new Set(Object.values(eventMeanings).map(({ subStatus }) => subStatus))).toEqual(
    new Set(Object.keys(subStatusTexts)),
  );
});

describe.each(languages)('in %s', (language) => {
  it('has a distinct text for every kind of event', () => {
    const texts = kinds.map((kind) => eventText(language, kind));
    expect(new Set(texts).size).toBe(kinds.length);
    expect(texts.every((text) => text.trim() === text && text !== '')).toBe(true);
  });
});

it.each([
  ['zh', /\p{Script=Han}/u],
  ['th', /\p{Script=Thai}/u],
  ['ko', /\p{Script=Hangul}/u],
  ['ja', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
] as const)('writes %s in its script', (language, script) => {
  expect(kinds.every((kind) => script.test(eventText(language, kind)))).toBe(true);
});
