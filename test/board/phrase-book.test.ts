import { describe, expect, it } from 'vitest';
import { createPhraseBook } from '../../src/board/phrase-book.ts';
import { phrases } from '../../src/board/phrase-list.ts';
import { type EventKind, eventMeanings } from '../../src/sandbox/journey/scenarios.ts';
import { eventText } from '../../src/sandbox/wording.ts';

const inEnglish = createPhraseBook();
const kinds = Object.keys(eventMeanings) as EventKind[];

describe('the phrase book', () => {
  it.each(['de', 'es', 'fr', 'th', 'zh'] as const)(
    'translates every sentence that the simulated couriers use in %s',
    (language) => {
      const unknown = kinds.map((kind) => eventText(language, kind)).filter((text) => inEnglish(text) === null);
      expect(unknown).toEqual([]);
    },
  );

  it.each([
    ['Ihre Sendung wurde in das Zustellfahrzeug geladen.', 'Out for delivery'],
    ['DIE SENDUNG WURDE ERFOLGREICH ZUGESTELLT', 'Delivered'],
    ['Die Sendung liegt in der Filiale Postfiliale 512 zur Abholung bereit.', 'Ready for collection at the branch'],
    ["Votre colis est pris en charge par La Poste. Il est en cours d'acheminement.", 'Accepted by the carrier'],
    ['Votre colis est arrivé sur son site de distribution', 'Arrived at the delivery depot'],
    ['EN REPARTO', 'Out for delivery'],
    ['La spedizione è in consegna', 'Out for delivery'],
    ['Consegnata a: Rossi', 'Delivered: Rossi'],
    ['Uw pakket is bezorgd bij de buren', 'Delivered to a neighbour'],
    ['Przesyłka została doręczona', 'Delivered'],
    ['【深圳市】快件已到达【深圳转运中心】', 'Arrived at 深圳转运中心'],
    ['快件离开【杭州转运中心】，已发往【上海】', 'Departed from 杭州转运中心, on its way to 上海'],
    ['您的快件已签收，签收人：前台', 'Delivered, signed for'],
    ['อยู่ระหว่างการนำจ่าย', 'Out for delivery'],
  ])('translates %s', (text, english) => expect(inEnglish(text)).toContain(english));

  it('leaves unknown sentences unchanged, and returns null if all are unknown', () => {
    expect(inEnglish('Sendung in Bearbeitung bei Onkel Otto')).toBeNull();
    expect(inEnglish('Arrived at the sorting centre')).toBeNull();
    expect(inEnglish('')).toBeNull();
    expect(inEnglish('Die Sendung wurde zugestellt. Onkel Otto war da.')).toBe('Delivered. Onkel Otto war da');
  });

  it("uses the user's phrases before its own", () => {
    const mine = createPhraseBook({ zugestellt: 'It is here', 'Abgestellt bei *': 'Left with *' });
    expect([mine('Zugestellt!'), mine('Abgestellt bei Otto Müller'), mine('En reparto')]).toEqual([
      'It is here',
      'Left with Otto Müller',
      'Out for delivery',
    ]);
  });

  it('gives each sentence a single meaning, and has at least 20 lines for each language', () => {
    const meanings = new Map<string, string>();
    for (const line of phrases
      .trim()
      .split('\n')
      .filter((text) => text !== '')) {
      const [english = '', sentences] = line.split(' = ');
      expect(sentences, line).toBeDefined();
      for (const sentence of (sentences ?? '').split(' | ')) {
        expect(meanings.get(sentence.toLowerCase()) ?? english, sentence).toBe(english);
        meanings.set(sentence.toLowerCase(), english);
      }
    }
    const linesPerLanguage = phrases
      .trim()
      .split('\n\n')
      .map((part) => part.split('\n').length);
    expect(linesPerLanguage).toHaveLength(8);
    expect(Math.min(...linesPerLanguage)).toBeGreaterThanOrEqual(20);
  });
});
