const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes the text of an HTML element or of a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

export function escapeMarkdown(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character).replace(/[\\`*_[\]|~]/g, '\\$&');
}
