import { type LiveConfig, readConfig } from '../../config.ts';
import { type Setting, type SettingName, settings } from '../../settings.ts';
import { CliError } from '../cli.ts';
import { readSettingsFile, writeSettingsFile } from '../settings-file.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The settings so far: those of the environment, and those of the file, which is written after each answer. */
export interface SettingsDraft {
  readonly file: string;
  readonly of: (name: SettingName) => string;
  /** Set outside of the file, which this cannot change. */
  readonly isFixed: (name: SettingName) => boolean;
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
  HOSTLER_SECRET_KEY: Buffer.alloc(32).toString('base64'),
} satisfies Partial<Record<SettingName, string>>;

export function openDraft(file: string, env: Env): SettingsDraft {
  const outside = Object.fromEntries(Object.entries(env).filter(([, value]) => Boolean(value?.trim())));
  const all = (): Env => ({ ...readSettingsFile(file), ...outside });
  const isFixed = (name: SettingName) => name in outside || `${name}_FILE` in outside;
  return {
    file,
    isFixed,
    of: (name) => all()[name] ?? '',
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
        (name) => name !== 'SLACK_APP_TOKEN' || !given.SLACK_SIGNING_SECRET,
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
