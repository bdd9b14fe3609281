import { expect, it } from 'vitest';
import { usageSentence } from '../../../src/commands/program/usage-sentence.ts';

it.each([
  ["error: unknown command 'lsit'\n(Did you mean list?)", /Unknown command 'lsit' \(Did you mean list\?\)\./],
  ["error: unknown option '--lable'\n(Did you mean --label?)", /Did you mean --label\?/],
  ["error: unknown command 'setup'\n(Did you mean status?)", /^parcel-monitor: Unknown command 'setup'\. See/],
])('suggests what is a typing error away, and nothing else: %s', (text, sentence) => {
  expect(usageSentence(text, 'parcel-monitor')).toMatch(sentence);
});
