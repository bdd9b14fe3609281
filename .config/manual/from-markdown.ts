/** Converts the Markdown of the manual to roff: headings, paragraphs, lists, tables with two columns, code. */
import { lexer, type Token, type Tokens } from 'marked';
import { bold, definition, example, filled, italic, prose, request } from './roff.ts';

/** Lines that replace comments such as `<!-- commands -->`, by name. */
export type Generated = Readonly<Record<string, readonly string[]>>;

/** Converts a document to roff. Throws an `Error` for unsupported Markdown. */
export function roffOfMarkdown(markdown: string, generated: Generated): readonly string[] {
  return lexer(markdown).flatMap((token) => block(token, generated));
}

function block(token: Token, generated: Generated): readonly string[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'heading':
      return heading(token as Tokens.Heading);
    case 'paragraph':
      return ['.PP', ...filled(inline((token as Tokens.Paragraph).tokens))];
    case 'code':
      return example((token as Tokens.Code).text);
    case 'list':
      return (token as Tokens.List).items.flatMap((item) => ['.IP \\(bu 3', ...itemLines(item)]);
    case 'table':
      return (token as Tokens.Table).rows.flatMap(row);
    case 'html':
      return comment(token as Tokens.HTML, generated);
    default:
      throw new Error(`The manual cannot render ${token.type}: ${token.raw}`);
  }
}

/** Skips the title of the document, because the page has its own. */
function heading({ depth, text }: Tokens.Heading): readonly string[] {
  if (depth === 1) return [];
  return depth === 2 ? [request('SH', prose(text.toUpperCase()))] : [request('SS', prose(text))];
}

function comment({ text }: Tokens.HTML, generated: Generated): readonly string[] {
  const name = /^<!-- (\w+)/.exec(text)?.[1] ?? '';
  const lines = generated[name];
  if (lines === undefined) throw new Error(`Nothing is generated for ${text}`);
  return lines;
}

/** Turns a row of a table into a term and its definition. Leaves out the table's heading. */
function row(cells: readonly Tokens.TableCell[]): readonly string[] {
  const [term, meaning, ...surplus] = cells;
  if (term === undefined || meaning === undefined || surplus.length > 0)
    throw new Error('A table must have two columns.');
  return definition(inline(term.tokens), filled(inline(meaning.tokens)));
}

function itemLines({ tokens }: Tokens.ListItem): readonly string[] {
  return tokens.flatMap((token) => ('tokens' in token ? filled(inline(token.tokens ?? [])) : []));
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(span).join('');
}

function span(token: Token): string {
  switch (token.type) {
    case 'text':
    case 'escape':
      return prose((token as Tokens.Text).text);
    case 'codespan':
      return bold((token as Tokens.Codespan).text);
    case 'strong':
      return bold((token as Tokens.Strong).text);
    case 'em':
      return italic((token as Tokens.Em).text);
    case 'link':
      return link(token as Tokens.Link);
    case 'br':
      return '\n';
    default:
      throw new Error(`The manual cannot render ${token.type}: ${token.raw}`);
  }
}

/** Writes addresses out, because the page is read in a terminal or on paper. Links to sections become their names. */
function link({ href, text }: Tokens.Link): string {
  return href.startsWith('#') || text === href ? prose(text) : `${prose(text)} (${prose(href)})`;
}
