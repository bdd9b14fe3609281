import { didYouMean } from '../../service/text/nearest-word.ts';

/** Commander's complaint as one sentence of ours, which names the help of `command` (with the program's name). */
export function usageSentence(text: string, command: string): string {
  const sentence = withNearestChoice(withoutFarSuggestion(text.replace(/^error: /, '')))
    .trim()
    .replaceAll('\n', ' ');
  const stop = /[.?]$/.test(sentence) ? '' : '.';
  return `parcel-monitor: ${sentence[0]?.toUpperCase() ?? ''}${sentence.slice(1)}${stop} See "${command} --help".\n`;
}

/** Commander lists what an option or argument may be, and leaves it to the user to see what was meant. */
function withNearestChoice(text: string): string {
  const [, typed, choices] = /'([^']*)' is invalid[^.]*\. Allowed choices are (.+)\.\s*$/s.exec(text) ?? [];
  return typed === undefined || choices === undefined ? text : text.trim() + didYouMean(typed, choices.split(', '));
}

/** More letters than this, missing or surplus, are no typing error but another word. */
const mostStrayLetters = 2;

/** Commander suggests `status` for `setup`; what is not spelt with nearly the same letters is left out. */
function withoutFarSuggestion(text: string): string {
  const typed = /'([^']*)'/.exec(text)?.[1];
  const suggested = /\(Did you mean ([^?,]+)\?\)/.exec(text)?.[1];
  if (typed === undefined || suggested === undefined || strayLetters(typed, suggested) <= mostStrayLetters) return text;
  return text.replace(/\s*\(Did you mean .*\)/s, '');
}

function strayLetters(a: string, b: string): number {
  const left = [...b];
  let missing = 0;
  for (const letter of a) {
    const at = left.indexOf(letter);
    if (at === -1) missing += 1;
    else left.splice(at, 1);
  }
  return missing + left.length;
}
