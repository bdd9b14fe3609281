/** Whether a text can be the name of a header. */
export const isHeaderName = (text: string): boolean => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(text);

/** Whether a header carries a text as it is, as a key must be: ASCII without spaces. */
export const isKeyText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
