import { fold } from '../lib/text.ts';
import { phrases } from './phrase-list.ts';

/** Translates a courier's text into English. Returns null if no part of it is known. */
export type PhraseBook = (text: string) => string | null;

/** The user's phrases, which override the built-in ones. */
export type UserPhrases = Readonly<Record<string, string>>;

/** How sentences refer to the parcel. */
const subjects = [
  '(?:die|ihre|deine|eine) (?:sendung|lieferung|bestellung)|(?:das|ihr|dein) paket',
  "(?:votre|le|ce) (?:colis|envoi)|l['’]envoi",
  '(?:el|su|tu) (?:envío|paquete|pedido)',
  '(?:la (?:tua )?|la sua )spedizione|il (?:tuo |suo )?pacco',
  '(?:de|uw|je|jouw|deze) (?:zending|bestelling)|(?:het|uw|je|jouw) pakket',
  '(?:twoja )?(?:przesyłka|paczka)',
].join('|');
const subject = new RegExp(`^(?:(?:${subjects})\\s+|【[^】]*】\\s*|(?:您的)?(?:快件|包裹|邮件|快递|货物)\\s*)+`, 'iu');
const trailingPunctuation = /[\s.!。！…]+$/u;
const sentenceEnd = /(?<=[.!。；;！])\s*/u;

const extractCore = (text: string): string => text.trim().replace(subject, '').replace(trailingPunctuation, '');

/** Lookup key, which ignores case, accents and punctuation. */
const lookupKey = (text: string): string =>
  fold(extractCore(text))
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');

function compilePattern(sentence: string, english: string) {
  const wildcard = english.includes('*') ? '(.+)' : '.*';
  return {
    pattern: new RegExp(`^${extractCore(sentence).split('*').map(escapePattern).join(wildcard)}$`, 'iu'),
    english,
  };
}

/** Inserts the matched text, without the brackets around places. */
const insertMatches = (english: string, [, ...found]: readonly string[]): string =>
  english.replace(/\*/g, () => (found.shift() ?? '').replace(/[【】[\]]/g, '').trim());

function* listPhrases(userPhrases: UserPhrases): Iterable<readonly [sentence: string, english: string]> {
  yield* Object.entries(userPhrases);
  for (const line of phrases.split('\n')) {
    const at = line.indexOf(' = ');
    if (at !== -1) for (const sentence of line.slice(at + 3).split(' | ')) yield [sentence, line.slice(0, at)];
  }
}

/** The first match wins, so the user's phrases come first. */
export function createPhraseBook(userPhrases: UserPhrases = {}): PhraseBook {
  const exactPhrases = new Map<string, string>();
  const patterns: ReturnType<typeof compilePattern>[] = [];
  for (const [sentence, english] of listPhrases(userPhrases)) {
    if (sentence.includes('*')) patterns.push(compilePattern(sentence, english));
    else if (!exactPhrases.has(lookupKey(sentence))) exactPhrases.set(lookupKey(sentence), english);
  }
  const translate = (sentence: string): string | null => {
    const exact = exactPhrases.get(lookupKey(sentence));
    if (exact !== undefined) return exact;
    const core = extractCore(sentence);
    for (const { english, pattern } of patterns) {
      const match = pattern.exec(core);
      if (match !== null) return insertMatches(english, match);
    }
    return null;
  };
  return (text) => {
    const translation = translate(text);
    if (translation !== null) return translation;
    const sentences = text.split(sentenceEnd).filter((sentence) => sentence.trim() !== '');
    if (sentences.length < 2) return null;
    const translations = sentences.map(translate);
    if (translations.every((translation) => translation === null)) return null;
    return sentences.map((sentence, at) => translations[at] ?? sentence.replace(trailingPunctuation, '')).join('. ');
  };
}
