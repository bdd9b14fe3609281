import type { EpochMs } from '../lib/clock.ts';
import { escapeHtml, escapeMarkdown } from '../lib/markup.ts';
import type { Zone } from '../lib/zone.ts';
import type { Checkpoint } from '../service/record.ts';
import { trackingLink } from './courier-name.ts';
import type { Digest, DigestItem } from './digest.ts';
import { checkpointTime } from './time/checkpoint-time.ts';
import { pastDayName } from './time/zone-time.ts';

/** Formats a digest as plain text, for terminals and emails from cron. */
export function digestPlain({ asOf, totals, sections }: Digest, arrow: string): string {
  const item = ({ facts, names, step, title }: DigestItem): readonly string[] => [
    `  ${[title, ...names].join('  ')}`,
    `    ${facts.join(', ')}`,
    ...(step === null ? [] : [`    ${arrow} ${[step.text, step.page].filter((part) => part !== null).join(': ')}`]),
  ];
  const lines = [
    `Parcels, ${asOf}`,
    ...sections.flatMap(({ items, title }) => ['', `${title} (${items.length})`, ...items.flatMap(item)]),
    ...(sections.length === 0 ? ['', 'Nothing to report.'] : []),
    '',
    'The last seven days',
    ...totals.map((sentence) => `  ${sentence}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function digestMarkdown({ asOf, totals, sections }: Digest): string {
  const item = ({ facts, names, step, title }: DigestItem): string => {
    const page = step?.page ?? null;
    const todo = step === null ? '' : ` → ${page === null ? step.text : `[${step.text}](<${page}>)`}`;
    return `- **${escapeMarkdown(title)}** ${escapeMarkdown([...names, ...facts].join(', '))}${todo}`;
  };
  const parts = [
    `# Parcels, ${escapeMarkdown(asOf)}`,
    ...sections.map(({ items, title }) => [`## ${title} (${items.length})`, '', ...items.map(item)].join('\n')),
    ['## The last seven days', '', ...totals.map((sentence) => `- ${sentence}`)].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Email programs drop styles that they do not know, so the page must be readable without them. */
const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.3em}h2{font-size:1.05em;margin:2em 0 .5em;border-bottom:1px solid #8884}
article{margin:0 0 1em}article p{margin:0}.names,.when{opacity:.65}.step{color:#b3261e}
ol{list-style:none;margin:.3em 0 0;padding-left:1em;border-left:2px solid #8886}summary{opacity:.65;cursor:pointer}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.step{color:#ff8a80}a{color:#8ab4f8}}`;

interface DigestPage {
  /** A parcel's events, newest first. */
  readonly eventsOf: (parcelId: string) => readonly Checkpoint[];
  readonly now: EpochMs;
  readonly zone: Zone;
}

/** Formats a digest as a page without external resources. Escapes all text, because couriers and customers wrote it. */
export function digestHtml({ asOf, totals, sections }: Digest, page: DigestPage): string {
  const link = (text: string, address: string | null): string =>
    address === null ? escapeHtml(text) : `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
  const item = ({ facts, names, parcel, step, title }: DigestItem): string => {
    const events = page.eventsOf(parcel.id).map((event) => `<li>${eventText(event, page)}</li>`);
    return [
      `<article><p><strong>${link(title, trackingLink(parcel))}</strong> <span class="names">${escapeHtml(names.join(' · '))}</span></p>`,
      `<p>${escapeHtml(facts.join(', '))}</p>`,
      ...(step === null ? [] : [`<p class="step">→ ${link(step.text, step.page)}</p>`]),
      ...(events.length === 0 ? [] : [`<details><summary>Timeline</summary><ol>`, ...events, '</ol></details>']),
      '</article>',
    ].join('\n');
  };
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Parcels, ${escapeHtml(asOf)}</title><style>${style}</style></head><body>
<h1>Parcels, ${escapeHtml(asOf)}</h1>
${sections.map(({ items, title }) => `<h2>${title} (${items.length})</h2>\n${items.map(item).join('\n')}`).join('\n')}
<h2>The last seven days</h2>
${totals.map((sentence) => `<p>${sentence}</p>`).join('\n')}
</body></html>
`;
}

function eventText(event: Checkpoint, { now, zone }: DigestPage): string {
  const { clock, date, zoneMark } = checkpointTime(event, 'event', zone);
  const when = [date === null ? null : pastDayName(date, now, zone), clock, zoneMark].filter((part) => part).join(' ');
  const what = [event.translation ?? event.detail, event.address].filter((part) => part).join(', ');
  return `<span class="when">${escapeHtml(when)}</span> ${escapeHtml(what)}`;
}
