/** Escapes a text for roff. */
export function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\(rs')
    .replaceAll('-', '\\-')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replaceAll(/[\u0080-\u{10ffff}]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
    });
}

/** Like {@link escaped}, but lines can break at hyphens. */
export function prose(text: string): string {
  return escaped(text).replaceAll(/(?<=\w)\\-(?=\w)/g, '-');
}

export const bold = (text: string): string => `\\fB${escaped(text)}\\fR`;
export const italic = (text: string): string => `\\fI${escaped(text)}\\fR`;

/** Protects a line that begins like a request. */
const line = (text: string): string => text.replace(/^(?=[.'])/, '\\&');

const lineWidth = 80;

/** Splits a text into source lines. roff fills them when it shows the page. */
export function filled(text: string): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    if (current !== '' && `${current} ${word}`.length > lineWidth) {
      lines.push(line(current));
      current = '';
    }
    current += current === '' ? word : ` ${word}`;
  }
  return current === '' ? lines : [...lines, line(current)];
}

/** A request with one argument, which can contain spaces. */
export const request = (name: string, argument: string): string => `.${name} "${argument.replaceAll('"', '\\(dq')}"`;

export function definition(term: string, meaning: readonly string[]): readonly string[] {
  return ['.TP', line(term), ...(meaning.length === 0 ? ['\\&'] : meaning)];
}

export function example(text: string): readonly string[] {
  return ['.PP', '.RS 2', '.EX', ...text.split('\n').map((one) => line(escaped(one))), '.EE', '.RE'];
}
