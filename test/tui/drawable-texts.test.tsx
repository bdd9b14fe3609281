import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellWidth } from '../../src/lib/cells.ts';
import { drawable } from '../../src/lib/paint.ts';
import { Footer, InputBar } from '../../src/tui/app/screen.tsx';
import { bannerRows } from '../../src/tui/header.tsx';
import { Lines, Pane } from '../../src/tui/pane.tsx';
import { createEdit } from '../../src/tui/text-edit.ts';
import { renderRows } from './drawn.tsx';

/** Labels whose width differs between terminals and width tables, or with clusters of several characters. */
const labels: readonly string[] = [
  '👍🏽 thumb',
  '🇩🇪 flag',
  '1️⃣ first',
  '👨‍👩‍👧‍👦 family',
  '👩🏽‍🚀 astronaut',
  '❤️ heart ⚠️',
  'น้ำ กำลัง',
  'ນ້ຳ',
  'नमस्ते क्षत्रिय',
  'e\u0301\u0323 Z\u0351\u036a',
];

const width = 60;
const size = { width, height: 4 };
const question = { edit: null, placeholder: '', isFocused: true };

test.each(labels)('%s is drawn everywhere in the form that the list measures', (label) => {
  const form = drawable(label);
  const message = (tone: 'plain' | 'attention') => ({ tone, text: `Added ${label}.`, advice: `Open ${label}` });
  const surfaces = {
    footer: <Footer keys={[]} message={message('plain')} width={width} glyphs="symbols" />,
    alarm: <Footer keys={[]} message={message('attention')} width={width} glyphs="symbols" />,
    banner: <Lines lines={bannerRows([[{ text: `${label} is gone` }]], width)} />,
    question: <InputBar {...{ ...question, name: label, placeholder: `Remove ${label}? y/n` }} width={width} />,
    prompt: <InputBar {...{ ...question, name: label, edit: createEdit(label), placeholder: '' }} width={width} />,
    empty: <InputBar {...{ ...question, name: label, edit: createEdit(''), placeholder: label }} width={width} />,
    line: <Lines lines={[[{ text: label }]]} />,
    pane: (
      <Pane
        texts={{ title: label, titleRight: label, status: label }}
        size={size}
        isFocused
        lines={[[{ text: `No courier matches "${label}".` }]]}
      />
    ),
  };
  for (const [name, surface] of Object.entries(surfaces)) {
    const rows = renderRows(surface, width);
    // Wrapping composes letters with their marks.
    const text = rows.join('\n').normalize();
    expect(text, name).toContain(form.normalize());
    expect(drawable(text), name).toBe(text);
    if (name === 'pane') for (const row of rows) expect(cellWidth(row)).toBe(width);
  }
});

test('every part of the screen draws its text through the painter', async () => {
  const folder = join(import.meta.dirname, '../../src/tui');
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.tsx'));
  const contents = await Promise.all(
    files.map(async (file) => [file.replaceAll('\\', '/'), await readFile(join(folder, file), 'utf8')] as const),
  );
  const filesWithText = contents.filter(([, content]) => /<Text[\s>]/.test(content)).map(([file]) => file);
  // The message for a window that is too small contains no external text.
  expect(filesWithText.sort()).toEqual(['app/app.tsx', 'pane.tsx']);
});
