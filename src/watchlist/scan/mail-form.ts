/** Lines that a mail's header begins with. */
const headerLine = /^(?:[!-9;-~]{1,100}:(?:[ \t]|$)|[ \t]+\S)/;
const tellingName =
  /^(?:from|to|subject|date|received|return-path|message-id|mime-version|content-type|content-transfer-encoding|delivered-to|dkim-signature|x-[a-z-]+):/i;

/** Whether a text begins as a mail does: with the lines of a header, two of which mails have. */
export function beginsAsMail(text: string): boolean {
  let telling = 0;
  for (const line of text.replace(/^\s+/, '').split(/\r\n|\n|\r/, 60)) {
    if (!headerLine.test(line)) break;
    if (tellingName.test(line)) telling += 1;
    if (telling >= 2) return true;
  }
  return false;
}

/** Whether a text begins as a mailbox in the format mbox does. */
export function beginsAsMailbox(text: string): boolean {
  const [, rest] = /^\s*From \S[^\r\n]{0,200}(?:\r\n|\n|\r)([\s\S]*)/.exec(text) ?? [];
  return rest !== undefined && beginsAsMail(rest);
}
