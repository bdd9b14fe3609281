/** What is typed behind the program's name, or a whole line that begins otherwise, and what it is for. */
type Example = readonly [line: string, about: string];

/** Two examples or more of every command, for its help. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  setup: [
    ['setup', 'a conversation: the service, your key, your zone, first numbers'],
    ['setup --profile track123 --key-from-stdin < key.txt', 'without a terminal'],
  ],
  add: [
    ['add 1Z999AA10123456784 --label Lamp', 'watch a parcel, with a name of your own'],
    ['add RB100000003CN@china-post LX123456785CN --tag home', 'several; a courier behind @ where you know it'],
    ['add - < numbers.txt', 'one number a line'],
    ['add RB100000003CN --instant', 'look it up live where there is no record yet; costs one registration more'],
    ['add --scan order.eml', 'the numbers in any text, web page or mail; you choose among them'],
    ['add --scan - --yes < order.eml', 'without a terminal: those that are new and beyond doubt'],
  ],
  import: [
    ['import parcels.json', 'add what "export" wrote, or a table with columns that say what they are'],
    ['import orders.csv --dry-run', 'say what would be added, and change nothing'],
    ['import dhl.csv --courier dhl-germany', "what a courier's own portal exported, which names no courier"],
    ['import orders.csv --left rest.csv', 'keep what was not added, with the reasons, to be corrected and imported'],
  ],
  edit: [
    ['edit 1Z999AA10123456784 --label "Red lamp"', 'give it another name'],
    ['edit "Red lamp" --courier ups --postal-code 10115', 'by its name: another courier, and what that needs'],
    ['edit "Red lamp" --archive', 'keep it, and check it no more'],
  ],
  remove: [
    ['remove 1Z999AA10123456784 RB100000003CN', 'watch them no more; "restore" brings them back for 30 days'],
    ['remove "Red lamp" --remote', 'at the service, too'],
  ],
  restore: [
    ['restore', 'what can be brought back'],
    ['restore --parcel 1Z999AA10123456784', 'a parcel that was removed'],
    ['restore 2026-11-18', 'the watchlist as it was that day'],
  ],
  list: [
    ['list --stage attention', 'what needs you'],
    ["list --filter 'courier:dhl !stage:delivered'", 'words and terms'],
    ["list --json | jq '.parcels[].stage'", 'for scripts'],
  ],
  show: [
    ['show 1Z999AA10123456784', 'its timeline, with times as the courier wrote them'],
    ['show "Red lamp" --zone local', 'by its name, with times on your clock'],
    ['show RB100000003CN@china-post --instant --lang en', 'any number, now, translated; costs one tracking quota'],
  ],
  export: [
    ['export --all --output parcels.json', 'a backup; "import parcels.json" reads it'],
    ['export --format csv --all > parcels.csv', 'for a spreadsheet'],
    ['export --format ics > parcels.ics', 'opened again, it updates the events of before'],
    ['export --format md --zone utc | mail -s Parcels me@host.example', 'to be shared'],
  ],
  refresh: [
    ['refresh', 'check all that are due'],
    ['refresh RB100000003CN --force', 'have its courier asked again'],
  ],
  couriers: [
    ['couriers china', 'those in whose code or name it occurs'],
    ['couriers --csv > couriers.csv', 'all of them, as a table'],
  ],
  watch: [
    ['watch --json | jq -r .text', 'a line for every change, until Ctrl-C'],
    ['watch --once --exec notify-send News', 'for cron: check what is due, run a command for each change'],
    ['watch --notify --webhook 8787', 'notify as the board does, with what the service pushes'],
  ],
  changes: [
    ['changes --since friday', 'what has changed since then'],
    ['changes --limit 20 --json', 'the newest lines, for scripts'],
  ],
  status: [
    ['status', '! 2  ▲ 2  ▸ 6  ✓ 4  38 today'],
    ["status --format '{attention}!{out}'", 'with your own template'],
  ],
  sandbox: [
    ['sandbox --port 8080 --speed 60', 'an hour in a minute; prints base URL and key'],
    ['sandbox --fault rate-limit-429:p=0.3', 'three of ten calls are refused'],
    ['sandbox --fault lag:30s --fault error-500:register', 'late records, and nothing can be registered'],
  ],
  config: [
    ['config', 'all settings, with where each value comes from'],
    ['config set zone Europe/Berlin', 'checked; comments in the file stay'],
    ['config set notify.channels desktop,bell', 'a list'],
    ['config set apiKey - < key.txt', 'the key is never an argument'],
    ['config unset budget.queriesPerDay', 'the default holds again'],
    ['config edit', 'your $EDITOR, and a look at what comes of it'],
  ],
  store: [
    ['store', 'where the watchlist is, its size, who works on it'],
    ['store copy postgres://ann@nas/parcels', 'all of it into a database, compared afterwards'],
    ['store grants --user ann', 'the statements that give roles what they need'],
  ],
  doctor: [
    ['doctor', 'what is wrong, and what to do'],
    ['doctor --offline --json', 'for scripts; sends nothing'],
  ],
  notify: [
    ['notify --test', 'a message on each channel that is set'],
    ['config set notify.channels desktop,bell', 'sets two of them'],
  ],
  completion: [
    ['completion bash > ~/.local/share/bash-completion/completions/parcel-monitor', 'for bash'],
    ['completion zsh > ~/.zfunc/_parcel-monitor', 'for zsh, where ~/.zfunc is in fpath'],
    ['completion fish > ~/.config/fish/completions/parcel-monitor.fish', 'for fish'],
  ],
  paths: [
    ['paths', 'name and path of each file'],
    ['paths | grep ^config', 'where the settings are'],
  ],
};

/** From here on the meaning stands, where the line is not longer. */
const meaningAt = 53;

/** The examples of a command as its help shows them; empty for none. */
export function examplesText(name: string): string {
  const own = examples[name] ?? [];
  return own.length === 0 ? '' : `\nExamples:\n${linesOf(own)}`;
}

/** The first example of each of these commands, for the program's own help. */
export const firstExamples = (isMeant: (name: string) => boolean): string =>
  linesOf(Object.entries(examples).flatMap(([name, own]) => (isMeant(name) ? own.slice(0, 1) : [])));

const linesOf = (own: readonly Example[]): string =>
  own.map(([line, about]) => `  ${`parcel-monitor ${line}`.padEnd(meaningAt)}  ${about}`).join('\n');
