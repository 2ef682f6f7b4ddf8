/** How each subcommand is written. Apart from their code, so that help loads nothing. */
export const usages = {
  start: `hostler [start] [--port N]        the bot; with nothing configured, the sandbox
                                  settings come from the environment: hostler --help
hostler … --settings FILE         reads those that the environment lacks from lines of NAME=value`,
  setup: `hostler setup [--settings FILE] [--name N] [--request-url U]
                                  asks for what the bot needs, tests each answer, and starts it;
                                  with a request URL for HTTP mode`,
  check: `hostler check                     looks at all that the bot needs, one line each; ends with
                                  0 when nothing is red, 1 when something is, 78 for settings
hostler check --views [FOLDER]    asks Slack whether it takes what this version draws, and the
                                  views in the folder; needs no settings
hostler check --probe             asks Slack, in messages to the first admin that are deleted
                                  again, what nobody has measured yet; prints a table
hostler check --drift             reads the provider's account and compares its answers with the
                                  provider's document; changes nothing, prints no value`,
  policy: `hostler policy export             the policies of all channels, as YAML
hostler policy test  FILE         runs the cases of the file, and changes nothing
hostler policy diff  FILE         who would gain and lose what
hostler policy apply FILE         makes it so, if its own cases hold`,
  audit: `hostler audit verify              checks the chain and names the first broken link
hostler audit verify --since SEQ:HASH
                                  the same, and that it goes through a row written down before
hostler audit verify --archive FILE
                                  the same, from the first row on, with what archives took;
                                  once for each file
hostler audit export              every row as a line of JSON`,
  archive: `hostler archive FILE              writes what ended more than HOSTLER_KEEP_DAYS ago to a new file,
                                  as lines of JSON, and then deletes it from the database;
                                  again with the same file after it was cut off
hostler archive FILE --before YYYY-MM-DD
                                  the same, with what ended before that day
hostler archive FILE --lost       the same, when the file of an archive that was cut off is lost`,
  backup: `hostler backup FILE               copies a SQLite database while the bot runs, and reads it back`,
  rotate: `hostler rotate                    moves what is stored from HOSTLER_SECRET_KEY_PREVIOUS to
                                  HOSTLER_SECRET_KEY, and says what is left; may be run again
hostler rotate --sign-anew        signs the audit with HOSTLER_SECRET_KEY when the key that it was
                                  signed with is lost; a row of the audit says so`,
  manifest: `hostler manifest [--name N] [--request-url U]
                                  Slack's app manifest; with a request URL for HTTP mode`,
  simulate: `hostler simulate provider --port N   a hosting provider to talk to, with every operation of its API
hostler simulate slack --port N      a Slack to talk to`,
  version: 'hostler version                   the version',
} as const;
