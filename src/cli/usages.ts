/** The usage of each subcommand, apart from their code, so that help does not load it. */
export const usages = {
  start: `hostler [start] [--port N]        the bot; with nothing configured, the sandbox
                                  settings come from the environment: hostler --help
hostler … --settings FILE         reads settings that are not in the environment from lines of
                                  NAME=value`,
  setup: `hostler setup [--settings FILE] [--name N] [--request-url U]
                                  asks for what the bot needs, tests each answer, and starts it;
                                  with a request URL for HTTP mode`,
  check: `hostler check                     checks everything that the bot needs, one line each; exits with
                                  0 if all checks pass, 1 if one fails, 78 for settings`,
  policy: `hostler policy export             the policies of all channels, as YAML
hostler policy test  FILE         runs the file's test cases; changes nothing
hostler policy diff  FILE         shows the rights that people would gain and lose
hostler policy apply FILE         applies the file, if its test cases pass`,
  audit: `hostler audit verify              checks the chain and names the first broken link
hostler audit verify --since SEQ:HASH
                                  also checks that the chain contains a row recorded earlier
hostler audit export              every row as a line of JSON`,
  backup: `hostler backup FILE               copies a SQLite database while the bot runs, and reads it back`,
  rotate: `hostler rotate                    moves stored values from HOSTLER_SECRET_KEY_PREVIOUS to
                                  HOSTLER_SECRET_KEY and shows the rest; may be run again
hostler rotate --sign-anew        signs the audit with HOSTLER_SECRET_KEY if its previous key is
                                  lost; a row of the audit records this`,
  run: `hostler run "LINE" [--wait]       asks the bot at HOSTLER_URL with HOSTLER_TOKEN, as a person
                                  types the line; several lines are one request
hostler run … --dry-run           shows what would happen
hostler run … --key KEY           the same key again is the same request
hostler run … --json              prints the last answer as JSON
                                  exits with 0: answered, asked, or done with --wait; 1: it did not
                                  run; 2: wrong use; 3: not known, do not repeat; 4: it ran, but
                                  not as asked; 5: refused; 69: the bot cannot be reached`,
  manifest: `hostler manifest [--name N] [--request-url U]
                                  Slack's app manifest; with a request URL for HTTP mode`,
  sandbox: `hostler sandbox                   the sandbox, also where a bot is configured
hostler sandbox --copy            the sandbox with a copy of your account, read with HOST_API_KEY
                                  by GET requests only; with DATABASE_URL, also its policies,
                                  saved plans and durations of jobs
hostler sandbox --copy --save FILE
hostler sandbox --from FILE       keeps the copy in a file, and opens it without the key
hostler sandbox … --drill [NAME]  starts a drill: boot, zone, payment, slow, asleep or leaves`,
  simulate: `hostler simulate provider --port N   a simulated hosting provider with all operations of its API
hostler simulate slack --port N      a simulated Slack`,
  version: 'hostler version                   the version',
} as const;

/** The options for people who maintain Hostler: `hostler check --help` prints them, `hostler --help` does not. */
export const forMaintainers: Partial<Readonly<Record<keyof typeof usages, string>>> = {
  check: `

For maintainers of Hostler:
hostler check --views [FOLDER]    has Slack validate this version's messages and forms, and the
                                  views in the folder; needs no settings`,
};
