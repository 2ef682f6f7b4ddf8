import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isGiven, type LiveConfig, readConfig, textOf } from '../../config.ts';
import { CliError } from '../../core/view/errors.ts';
import { type Setting, type SettingName, settings } from '../../settings.ts';
import { readSettingsFile, writeSettingsFile } from '../settings-file.ts';

export type SettingsDraft = ReturnType<typeof openDraft>;

const placeholders = {
  SLACK_BOT_TOKEN: 'xoxb-none-yet',
  SLACK_APP_TOKEN: 'xapp-none-yet',
  HOST_API_URL: 'http://127.0.0.1:1',
  HOST_API_KEY: 'none-yet',
  HOSTLER_ADMINS: 'U0NONE',
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
} satisfies Partial<Record<SettingName, string>>;

/** The settings so far, from the environment and from the file, which is written after each answer. */
export function openDraft(file: string, env: NodeJS.ProcessEnv) {
  const outside = Object.fromEntries(Object.entries(env).filter(([, value]) => Boolean(value?.trim())));
  const all = (): NodeJS.ProcessEnv => ({ ...readSettingsFile(file), ...outside });
  return {
    file,
    /** The source of a setting that setup cannot change, as a sentence; undefined if it can. */
    fixedBy: (name: SettingName): string | undefined => {
      if (name in outside) return `${name} is set in the environment.`;
      return all()[`${name}_FILE`] ? `${name} is read from the file that ${name}_FILE names.` : undefined;
    },
    /** The value, possibly from the file that NAME_FILE names; empty if not set. */
    of: (name: SettingName) => textOf(name, all(), (path) => readFileSync(path, 'utf8')).text ?? '',
    problemOf,
    save: (values: Partial<Record<SettingName, string>>) => writeSettingsFile(file, values),
    /** The problems that `hostler start` would print, one line each. */
    problems: (): readonly string[] => {
      // `production` excludes the sandbox, since setup is for running the bot.
      const reading = readConfig({ ...all(), NODE_ENV: 'production' });
      return reading.kind === 'problems' ? reading.lines : [];
    },
    /** The configuration so far, with placeholders for missing values. */
    config: (): LiveConfig => {
      const values = all();
      const needed = (Object.keys(placeholders) as (keyof typeof placeholders)[]).filter(
        // HTTP mode has a signing secret instead.
        (name) => name !== 'SLACK_APP_TOKEN' || !isGiven('SLACK_SIGNING_SECRET', values),
      );
      const isUsable = (name: SettingName) =>
        Boolean(values[`${name}_FILE`]) || problemOf(name, values[name] ?? '') === undefined;
      const missing = needed.filter((name) => !isUsable(name)).map((name) => [name, placeholders[name]]);
      const reading = readConfig({ ...values, ...Object.fromEntries(missing) });
      if (reading.kind === 'live') return reading.config;
      throw new CliError(reading.kind === 'problems' ? reading.lines.join('\n') : 'There are no settings.');
    },
  };
}

/** The right form of the value, if it has another; undefined if it is valid. */
function problemOf(name: SettingName, value: string): string | undefined {
  const setting: Setting<unknown> = settings[name];
  return setting.read.safeParse(value).error?.issues[0]?.message;
}
