import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isGiven, type LiveConfig, readConfig, textOf } from '../../config.ts';
import { type Setting, type SettingName, settings } from '../../settings.ts';
import { CliError } from '../cli.ts';
import { readSettingsFile, writeSettingsFile } from '../settings-file.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The settings so far: those of the environment, and those of the file, which is written after each answer. */
export interface SettingsDraft {
  readonly file: string;
  /** The value, also where NAME_FILE names the file that holds it; empty when there is none. */
  readonly of: (name: SettingName) => string;
  /** Says where a setting comes from that this cannot change; undefined for one that it can. */
  readonly fixedBy: (name: SettingName) => string | undefined;
  /** Says what is wrong with a value; undefined when nothing is. */
  readonly problemOf: (name: SettingName, value: string) => string | undefined;
  readonly save: (values: Partial<Record<SettingName, string>>) => void;
  /** Lines as `hostler start` would print them; none when nothing is missing or wrong. */
  readonly problems: () => readonly string[];
  /** The configuration so far, with values that lead nowhere in place of those that are missing. */
  readonly config: () => LiveConfig;
}

const nowhere = {
  SLACK_BOT_TOKEN: 'xoxb-none-yet',
  SLACK_APP_TOKEN: 'xapp-none-yet',
  HOST_API_URL: 'http://127.0.0.1:1',
  HOST_API_KEY: 'none-yet',
  HOSTLER_ADMINS: 'U0NONE',
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
} satisfies Partial<Record<SettingName, string>>;

export function openDraft(file: string, env: Env): SettingsDraft {
  const outside = Object.fromEntries(Object.entries(env).filter(([, value]) => Boolean(value?.trim())));
  const all = (): Env => ({ ...readSettingsFile(file), ...outside });
  return {
    file,
    fixedBy: (name) => {
      if (name in outside) return `${name} is set in the environment.`;
      return all()[`${name}_FILE`] ? `${name} is read from the file that ${name}_FILE names.` : undefined;
    },
    of: (name) => textOf(name, all(), (path) => readFileSync(path, 'utf8')).text ?? '',
    problemOf,
    save: (values) => writeSettingsFile(file, values),
    problems: () => {
      // Never the sandbox: somebody who sets the bot up means to run it.
      const reading = readConfig({ ...all(), NODE_ENV: 'production' });
      return reading.kind === 'problems' ? reading.lines : [];
    },
    config: () => {
      const given = all();
      const needed = (Object.keys(nowhere) as (keyof typeof nowhere)[]).filter(
        // HTTP mode has a signing secret instead.
        (name) => name !== 'SLACK_APP_TOKEN' || !isGiven('SLACK_SIGNING_SECRET', given),
      );
      const isUsable = (name: SettingName) =>
        Boolean(given[`${name}_FILE`]) || problemOf(name, given[name] ?? '') === undefined;
      const missing = needed.filter((name) => !isUsable(name)).map((name) => [name, nowhere[name]]);
      const reading = readConfig({ ...given, ...Object.fromEntries(missing) });
      if (reading.kind === 'live') return reading.config;
      throw new CliError(reading.kind === 'problems' ? reading.lines.join('\n') : 'There are no settings.');
    },
  };
}

function problemOf(name: SettingName, value: string): string | undefined {
  const setting: Setting<unknown> = settings[name];
  return setting.read.safeParse(value).error?.issues[0]?.message;
}
