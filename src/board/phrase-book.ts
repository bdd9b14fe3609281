import { fold } from '../lib/text.ts';
import { phrases } from './phrase-list.ts';

/** Translates a courier's text into English. Returns null if no part of it is known. */
export type PhraseBook = (text: string) => string | null;

/** The user's phrases, which override the built-in ones. */
export type OwnPhrases = Readonly<Record<string, string>>;

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
const end = /[\s.!。！…]+$/u;
const sentenceEnd = /(?<=[.!。；;！])\s*/u;

const bare = (text: string): string => text.trim().replace(subject, '').replace(end, '');

/** Lookup key, which ignores case, accents and punctuation. */
const keyOf = (text: string): string =>
  fold(bare(text))
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');

function openPhrase(sentence: string, english: string) {
  const any = english.includes('*') ? '(.+)' : '.*';
  return { pattern: new RegExp(`^${bare(sentence).split('*').map(escaped).join(any)}$`, 'iu'), english };
}

/** Inserts the matched text, without the brackets around places. */
const fillIn = (english: string, [, ...found]: readonly string[]): string =>
  english.replace(/\*/g, () => (found.shift() ?? '').replace(/[【】[\]]/g, '').trim());

function* linesOf(own: OwnPhrases): Iterable<readonly [sentence: string, english: string]> {
  yield* Object.entries(own);
  for (const line of phrases.split('\n')) {
    const at = line.indexOf(' = ');
    if (at !== -1) for (const sentence of line.slice(at + 3).split(' | ')) yield [sentence, line.slice(0, at)];
  }
}

/** The first match wins, so the user's phrases come first. */
export function createPhraseBook(own: OwnPhrases = {}): PhraseBook {
  const known = new Map<string, string>();
  const open: ReturnType<typeof openPhrase>[] = [];
  for (const [sentence, english] of linesOf(own)) {
    if (sentence.includes('*')) open.push(openPhrase(sentence, english));
    else if (!known.has(keyOf(sentence))) known.set(keyOf(sentence), english);
  }
  const translate = (sentence: string): string | null => {
    const exact = known.get(keyOf(sentence));
    if (exact !== undefined) return exact;
    const core = bare(sentence);
    for (const { english, pattern } of open) {
      const found = pattern.exec(core);
      if (found !== null) return fillIn(english, found);
    }
    return null;
  };
  return (text) => {
    const whole = translate(text);
    if (whole !== null) return whole;
    const sentences = text.split(sentenceEnd).filter((sentence) => sentence.trim() !== '');
    if (sentences.length < 2) return null;
    const translations = sentences.map(translate);
    if (translations.every((translation) => translation === null)) return null;
    return sentences.map((sentence, at) => translations[at] ?? sentence.replace(end, '')).join('. ');
  };
}
