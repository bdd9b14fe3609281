import type { EventKind } from '../event-kinds.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { th } from './th.ts';
import { zh } from './zh.ts';

const wordings = { de, en, es, fr, ja, ko, th, zh };

/** Languages in which simulated couriers write. */
export type Language = keyof typeof wordings;

/** Whether couriers write in that language. */
export function isLanguage(code: string): code is Language {
  return Object.hasOwn(wordings, code);
}

/** What a courier writes about an event. */
export function eventText(language: Language, kind: EventKind): string {
  return wordings[language][kind];
}
