/** A text as roff takes it for one: nothing in it is a request or an escape. */
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

/** A running text: like {@link escaped}, with hyphens that lines may be broken at. */
export function prose(text: string): string {
  return escaped(text).replaceAll(/(?<=\w)\\-(?=\w)/g, '-');
}

export const bold = (text: string): string => `\\fB${escaped(text)}\\fR`;
export const italic = (text: string): string => `\\fI${escaped(text)}\\fR`;

/** A line of text, which must not begin like a request. */
const line = (text: string): string => text.replace(/^(?=[.'])/, '\\&');

const lineWidth = 80;

/** A running text in lines of its source; how it is laid out is decided where it is shown. */
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

/** A request with one argument, which may hold blanks. */
export const request = (name: string, argument: string): string => `.${name} "${argument.replaceAll('"', '\\(dq')}"`;

export function definition(term: string, meaning: readonly string[]): readonly string[] {
  return ['.TP', line(term), ...(meaning.length === 0 ? ['\\&'] : meaning)];
}

export function example(text: string): readonly string[] {
  return ['.PP', '.RS 2', '.EX', ...text.split('\n').map((one) => line(escaped(one))), '.EE', '.RE'];
}
