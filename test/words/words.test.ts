import { describe, expect, it } from 'vitest';
import { collectText, type SourceText, textInSource } from './source-texts.ts';

/** Words that are hard to read, and what to write instead. */
const discouraged: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\blest\b/i, 'so that … not'],
  [/\b(?:whoever|whomever|nobody|somebody)\b(?! (?:at )?home)/i, 'name the person or the program'],
  [/\b(?:whatever|meanwhile|thereby|therein|hitherto)\b/i, 'leave it out, or name what you mean'],
  [/\bstands?\b(?! for)/i, 'is, or appears'],
  [/\bholds\b(?! back)/i, 'contains, has, or applies'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bbeside\b/i, 'next to, or with'],
  [/\bbe it\b/i, 'whether'],
  [/\bof which\b/i, 'start a new sentence'],
  [/(?<!\bthere )\b(?:is|are) (?:no|none)\b(?! longer\b| more\b|-)/i, 'is not a …, or there is no …'],
  [/\b(?:as ever|all the same|for good)\b/i, 'leave it out'],
  [/\bshall\b/i, 'will, must, or should'],
  [/\banother (?!one\b)[\w-]+ than\b/i, 'a different … than'],
  [/\b(?:since when|over a restart)\b/i, 'when, how long, or across a restart'],
];

const formatProblem = ({ file, line, text }: SourceText, instead: string): string =>
  `${file}:${line}: ${text.trim()} (${instead})`;

const problemsIn = (texts: readonly SourceText[]): readonly string[] =>
  texts.flatMap((source) =>
    discouraged.filter(([pattern]) => pattern.test(source.text)).map(([, instead]) => formatProblem(source, instead)),
  );

describe('plain words', () => {
  const texts = collectText(new URL('../../', import.meta.url));

  it.each(['message', 'comment', 'document', 'title'] as const)('are used in every %s', (kind) => {
    const ofKind = texts.filter((text) => text.kind === kind);
    expect(ofKind.length).toBeGreaterThan(50);
    expect(problemsIn(ofKind)).toEqual([]);
  });

  it('are required in strings, templates, comments and completed titles, but not in module names', () => {
    const source = [
      `import { one } from ${JSON.stringify('what holds')};`,
      '/** Whoever reads this. */',
      ['const said = `$', '{one} is no number`;'].join(''),
      `throw new Error('Fix it, lest it break.');`,
    ].join('\n');
    expect(problemsIn(textInSource('src/one.ts', source))).toHaveLength(3);
    const test = `it.each([1])('mends %s', () => {}); describe('a list of which', () => {}); it.each<[string]>([['no JSON']])('is %s', () => {});`;
    expect(problemsIn(textInSource('test/one.test.ts', test))).toHaveLength(3);
  });

  it('are not required in lower-case names and paths', () => {
    expect(
      textInSource('src/one.ts', `const name = 'delivered'; const path = 'src/one.ts'; const word = 'Delivered';`),
    ).toMatchObject([{ kind: 'message', text: 'Delivered' }]);
  });
});
