import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fillTemplate,
  type Placeholder,
  placeholders,
  statusLine,
  TemplateError,
} from '../../../src/board/status/watchlist-status.ts';
import { lineText } from '../../../src/lib/cells.ts';
import { inGlyphs } from '../../../src/lib/paint.ts';
import type { Stage } from '../../../src/service/status.ts';
import { forAll } from '../../support/for-all.ts';

const counts = new Map<Stage, number>([
  ['attention', 2],
  ['out-for-delivery', 2],
  ['in-transit', 6],
  ['delivered', 4],
  ['expired', 1],
]);
const quiet = { queriesToday: 0, isPaused: false };
const fill = (template: string): string => fillTemplate(template, (name) => name.toUpperCase());

describe('the status line', () => {
  it('shows what needs attention first, and omits zeros', () => {
    expect(lineText(statusLine(counts, quiet))).toBe('! 2  ▲ 2  ▸ 6  ✓ 4');
    expect(inGlyphs(lineText(statusLine(counts, quiet)), 'ascii')).toBe('! 2  ^ 2  > 6  v 4');
  });

  it('shows a message if there are no parcels', () => {
    expect(lineText(statusLine(new Map(), quiet))).toBe('no parcels');
  });

  it("ends with the day's queries, and with the pause if checks are paused", () => {
    const withQueries = statusLine(counts, { queriesToday: 38, isPaused: false });
    expect(lineText(withQueries)).toBe('! 2  ▲ 2  ▸ 6  ✓ 4  38 today');
    const paused = statusLine(new Map(), { queriesToday: 1, isPaused: true });
    expect(lineText(paused)).toBe('no parcels  1 today  paused');
  });
});

describe('a template', () => {
  it('is filled with the values of its names', () => {
    expect(fill('{attention} of {total}, next {next}')).toBe('ATTENTION of TOTAL, next NEXT');
    for (const name of placeholders) expect(fill(`<{${name}}>`)).toBe(`<${name.toUpperCase()}>`);
  });

  it('turns doubled braces into single ones', () => {
    expect(fill('{{"text": "{out}"}}')).toBe('{"text": "OUT"}');
    expect(fill('{{out}}')).toBe('{out}');
  });

  it.each([
    ['{foo}', /unknown placeholder "\{foo\}"\. Use: attention, out, .*queriesToday\./],
    ['{}', /unknown placeholder "\{\}"/],
    ['{ out }', /unknown placeholder "\{ out \}"/],
    ['{toString}', /unknown placeholder "\{toString\}"/],
    ['a { b', /has a single "\{"\. Write "\{\{"/],
    ['a } b', /has a single "\}"/],
    ['{{out}', /has a single "\}"/],
  ])('is rejected if it is %s', (template, message) => {
    expect(() => fill(template)).toThrow(TemplateError);
    expect(() => fill(template)).toThrow(message);
  });

  it('returns any text unchanged if its braces are doubled', () =>
    forAll(fc.string(), fc.constantFrom<Placeholder>(...placeholders), (text, name) => {
      const escaped = text.replaceAll('{', '{{').replaceAll('}', '}}');
      expect(fill(`${escaped}{${name}}`)).toBe(`${text}${name.toUpperCase()}`);
    }));
});
