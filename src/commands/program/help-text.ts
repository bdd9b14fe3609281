/** What stands below the options in `parcel-monitor --help`: enough to get started. */
export const helpAfter = `
Getting started:
  parcel-monitor --demo                                  look around, without key or account
  parcel-monitor setup                                   which service, your key, your zone, first numbers
  parcel-monitor add 1Z999AA10123456784 --label Lamp     watch a parcel
  parcel-monitor                                         the board; ? shows its keys, q leaves it
  man parcel-monitor                                     all of it, where it was installed with its manual

More examples:
  parcel-monitor add - < numbers.txt                     one number a line
  parcel-monitor add RB100000003CN@china-post            with its courier
  parcel-monitor add --scan order.eml                    the numbers in any text or mail; you choose among them
  parcel-monitor list --stage attention                  what needs you
  parcel-monitor list --json | jq '.parcels[].stage'     for scripts; reads the files only
  parcel-monitor show 1Z999AA10123456784 --zone local    its timeline on your clock
  parcel-monitor export --all > parcels.json             a backup, which "import" reads; also csv, ics and md
  parcel-monitor status                                  ! 2  ▲ 2  ▸ 6  ✓ 4  38 today, for tmux, waybar and prompts
  parcel-monitor status --format '{attention}!{out}'     with your own template; "status --help" names what it may hold
  parcel-monitor refresh                                 check all that are due
  parcel-monitor refresh --force RB100000003CN           have its courier asked again; once in six hours
  parcel-monitor config set zone Europe/Berlin           a setting; "config" lists all, and where each comes from
  parcel-monitor doctor                                  what is wrong, and what to do
  parcel-monitor watch --json | jq .message              a line for every change, until Ctrl-C
  parcel-monitor watch --once --exec notify-send News    for cron: check what is due, run a command for each change
  parcel-monitor changes --since friday                  what has changed since then
  parcel-monitor --webhook 8787                          the board, and what the service pushes to this port

Environment (an option outranks it, it outranks the configuration file):
  PARCEL_MONITOR_API_KEY      API key
  PARCEL_MONITOR_BASE_URL     address of the service's gateway; plain http only to this machine
  PARCEL_MONITOR_API_HEADER   header that carries the key, Service-Api-Secret by default
  PARCEL_MONITOR_PROFILE      a known deployment of the service: track123
  PARCEL_MONITOR_CLOCK        offset of the service's clock, such as +08:00; measured when not set
  PARCEL_MONITOR_STORE        where the watchlist is: file, or postgres://user@host/database
  PARCEL_MONITOR_STORE_ACCOUNT  which watchlist of the database; found by the API key when not set
  PGPASSWORD, PGPASSFILE      the database's password, or the file that holds it
  PARCEL_MONITOR_ZONE         your time zone, such as Europe/Berlin
  NO_COLOR                    no colours when set
  XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME

Files ("parcel-monitor paths" prints yours):
  ~/.config/parcel-monitor/config.json          settings: baseUrl, profile, apiKey, apiKeyFile, apiKeyCommand, zone,
                                                store, storeAccount, storePasswordCommand,
                                                couriers.CODE.postalCode, .phoneSuffix and service.header, .clock,
                                                .registerVersion, .queryVersion, .timeoutSeconds, .operations,
                                                archive.deliveredAfterDays,
                                                budget.queriesPerDay, .registrationsPerMonth, title, keepScreen and
                                                notify.channels, .stages, .quietHours, .command
  ~/.local/share/parcel-monitor/watchlist.json  the parcels; history/ beside it holds their events, trash/ what was
                                                removed in the last 30 days, backups/ older watchlists,
                                                changes.jsonl what has changed in the last 90 days
  ~/.local/state/parcel-monitor/                what has to survive a restart
  ~/.cache/parcel-monitor/couriers.json         the list of couriers

Exit codes:
  0  done
  1  failed
  2  wrong usage: unknown option, impossible value, configuration that cannot be used, no base URL
  3  the service refused: key missing or refused, no access, quota used up, too many calls
  4  the service cannot be reached, or answers with trouble of its own; try again later
  5  some numbers were rejected or not found
  130  interrupted
`;
