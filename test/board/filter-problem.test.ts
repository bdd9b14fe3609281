import { describe, expect, it } from 'vitest';
import { adviceForNoMatch, filterProblem } from '../../src/board/filter-typing.ts';
import { forAll } from '../support/for-all.ts';
import { aBoard, aParcel } from './parcels.ts';
import { anyText } from './texts.ts';

const parcels = [...aBoard(), aParcel({ tags: ['gift', 'for Ada'] })];
const problemOf = (text: string) => filterProblem(text, parcels);
const problemWhileTyping = (text: string, cursor = text.length) => filterProblem(text, parcels, cursor);

it.each([
  '',
  'lamp',
  'stage:pickup !tag:gift',
  'not tag:gift -is:late -24',
  'courier:post',
  'to:de from:cn',
  'older:12h is:unread',
  'due:fri or late:2d',
  'stage:pick',
  'or',
  '(is:late or is:slow) !(tag:gift)',
  'shirt(s) :)',
  '12:30 https://example.com "foo:bar"',
])('a valid filter has no problem: %j', (text) => {
  expect(problemOf(text)).toBeNull();
  expect(problemWhileTyping(`${text} `)).toBeNull();
});

describe('a filter problem', () => {
  it('names an unknown term, lists the valid ones and suggests the nearest', () => {
    expect(problemOf('lamp courir:dhl')).toEqual({
      kind: 'invalid',
      text: 'Unknown filter "courir:". Use: stage: courier: to: from: tag: is: due: late: delivered: label: order: no: older:',
      advice: 'Did you mean "courier:"?',
    });
    // Reported immediately, even while the user is typing.
    expect(problemWhileTyping('courir:')).toMatchObject({ kind: 'invalid' });
  });

  it('names an unclosed quote, once it is no longer being typed', () => {
    expect(problemOf('lamp "left with')).toEqual({
      kind: 'invalid',
      text: 'The quote in "left with is not closed',
      advice: 'Did you mean "left with"?',
    });
    expect(problemOf('courier:"china post')?.advice).toBe('Did you mean courier:"china post"?');
    expect(problemOf('lamp "')?.advice).toBe('Close it or remove it.');
    expect(problemWhileTyping('lamp "left wi')).toBeNull();
    expect(problemWhileTyping('lamp "left with', 3)).toMatchObject({ kind: 'invalid' });
    expect(problemOf('19" lamp')).toBeNull();
  });

  it('names an unclosed group, once the filter is no longer being typed', () => {
    expect(problemOf('lamp (is:late or "(")')).toBeNull();
    expect(problemOf('lamp (is:late or (is:slow)')).toEqual({
      kind: 'invalid',
      text: 'A parenthesis is not closed',
      advice: 'Add ")" after the last alternative, or use quotes to search for "(".',
    });
    expect(problemWhileTyping('lamp (is:late', 3)).toBeNull();
    expect(problemWhileTyping('lamp (is:lat')).toMatchObject({ kind: 'unfinished' });
  });

  it('suggests quotes for an unknown term that may be meant as text', () => {
    expect(problemOf('note:7')?.advice).toBe('To search for the text, use quotes: "note:7".');
    expect(problemOf('state:unread')?.advice).toBe('Did you mean "is:"?');
    expect(problemOf('x:unread')?.advice).toBe('Did you mean "is:"?');
  });

  it.each([
    ['stage:picup', /^"stage:" cannot be "picup". Use: attention, .*, expired$/, 'Did you mean "stage:pickup"?'],
    ['stage:closed', /^"stage:" cannot be "closed". Use: attention, /, 'Did you mean "is:closed"?'],
    ['is:urnead', /^"is:" cannot be "urnead". Use: unread, /, 'Did you mean "is:unread"?'],
    ['is:blue', /^"is:" cannot be "blue". Use: unread, /, null],
    ['older:3y', /^"older:" cannot be "3y". Use the format 12h, 3d or 2w$/, null],
    ['older:', /^"older:" needs a value. Use the format 12h, 3d or 2w$/, null],
    ['stage: pickup', /^"stage:" needs a value. Use: attention, /, null],
  ])('names an invalid value: %s', (text, message, advice) => {
    expect(problemOf(text)).toEqual({ kind: 'invalid', text: expect.stringMatching(message), advice });
  });

  it.each([
    ['tag:gfit', 'No parcel has "tag:gfit". Use: for Ada, gift', 'Did you mean "tag:gift"?'],
    ['tag:ford', 'No parcel has "tag:ford". Use: for Ada, gift', null],
    ['tag:"for adam"', 'No parcel has "tag:for adam". Use: for Ada, gift', 'Did you mean "tag:"for Ada""?'],
    ['to:at', 'No parcel has "to:at". Use: DE', null],
  ])('names a value that no parcel has: %s', (text, message, advice) => {
    expect(problemOf(text)).toEqual({
      kind: 'unmatched',
      text: message,
      advice: advice === null ? null : expect.anything(),
    });
  });

  it('lists only the first of many couriers', () => {
    const many = Array.from({ length: 30 }, (_, at) => aParcel({ courierCode: `c${at}`, record: null }));
    expect(filterProblem('courier:ups', many)?.text).toMatch(/^No parcel has "courier:ups". Use: (c\d+, ){12}…$/);
  });
});

it.each([
  ['late', 'Did you mean "is:late"?'],
  ['lamp UNREAD', 'Did you mean "is:unread"?'],
  ['!quiet', 'Did you mean "!is:quiet"?'],
  ['is:late', null],
  ['lamp later', null],
  ['constructor', null],
])('suggests a state, if one fits, when a filter matches nothing: %s', (text, advice) =>
  expect(adviceForNoMatch(text)).toBe(advice),
);

describe('a term that is being typed', () => {
  it.each([
    ['is:', 'is: unread, new, problem, rejected, quiet, late, slow, closed, snoozed, marked'],
    ['lamp is:un', 'is: unread'],
    ['!stage:p', 'stage: pickup'],
    ['-stage:p', 'stage: pickup'],
    ['not stage:p', 'stage: pickup'],
    ['tag:', 'tag: for Ada, gift'],
    ['tag:"for', 'tag: for Ada'],
    ['stage:tra', 'stage: in-transit'],
    ['due:t', 'due: today, tomorrow, tue, thu'],
    ['no:', 'no: label, tag, courier, order, date, event'],
    ['delivered:7', 'delivered: 12h, 3d or 2w'],
    ['older:', 'older: 12h, 3d or 2w'],
    ['older:12', 'older: 12h, 3d or 2w'],
    ['to:d', 'to: DE'],
  ])('shows its completions instead of an error: %s', (text, hint) => {
    expect(problemWhileTyping(text)).toEqual({ kind: 'unfinished', text: hint, advice: null });
    expect(problemWhileTyping(`${text} x`)?.kind).not.toBe('unfinished');
  });

  it('can be in the middle of the filter', () => {
    expect(problemWhileTyping('is:un lamp', 5)).toMatchObject({ kind: 'unfinished' });
    expect(problemWhileTyping('is:un lamp', 10)).toBeNull();
    expect(problemWhileTyping('is:ux lamp', 10)).toMatchObject({ kind: 'invalid' });
  });

  it('is an error once no completion can make it valid', () => {
    expect(problemWhileTyping('is:x')).toMatchObject({ kind: 'invalid' });
    expect(problemWhileTyping('older:x')).toMatchObject({ kind: 'invalid' });
    expect(problemWhileTyping('tag:x')).toMatchObject({ kind: 'unmatched' });
  });
});

it('a quoted filter never has a problem', () =>
  forAll(anyText, (text) => {
    expect(problemOf(`"${text.replaceAll(/["“”„＂]/g, '')}"`)).toBeNull();
  }));
