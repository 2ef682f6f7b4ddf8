import { parseArgs, styleText } from 'node:util';
import { configExitCode, readConfig, unknownSettings } from '../../config.ts';
import { count } from '../../core/text/words.ts';
import { CliError } from '../../core/view/errors.ts';
import type { Cli } from '../cli.ts';
import { openScene } from '../open-scene.ts';
import { usages } from '../usages.ts';
import type { CheckResult } from './check-result.ts';
import { checkViews } from './check-views.ts';
import { checks, resultsOf } from './checks.ts';

export async function runCheck({ argv, print }: Pick<Cli, 'argv' | 'print'>): Promise<number> {
  const options = { views: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
  const [folder, ...others] = positionals;
  if (others.length > 0 || (folder !== undefined && !values.views)) throw new CliError(usages.check);
  let worst = 0;
  const findings = values.views ? checkViews(process.env.SLACK_API_URL, folder) : check(process.env);
  for await (const finding of findings) {
    print(sayFinding(finding));
    if (finding.is === 'bad') worst = finding.about === 'settings' ? configExitCode : 1;
  }
  return worst;
}

/** Yields each result at once: settings first, because nothing else can be checked without them. */
export async function* check(
  env: NodeJS.ProcessEnv,
  { now = Date.now }: { now?: () => number } = {},
): AsyncGenerator<CheckResult> {
  const reading = readConfig(env);
  if (reading.kind === 'sandbox') {
    yield {
      is: 'bad',
      about: 'settings',
      text: 'none is set, so hostler start would open the sandbox',
      remedy: 'set the settings that hostler --help marks as required',
    };
    return;
  }
  for (const text of unknownSettings(env)) yield { is: 'note', about: 'settings', text };
  if (reading.kind === 'problems') {
    for (const line of reading.lines) yield { is: 'bad', about: 'settings', text: line };
    return;
  }
  const { config } = reading;
  const mode = config.slack.appToken === undefined ? 'HTTP' : 'Socket Mode';
  const all = `all required settings, for ${mode}, with ${count(config.admins.length, 'admin')}`;
  yield { is: 'good', about: 'settings', text: all };
  for (const text of config.notices) yield { is: 'note', about: 'settings', text };
  await using scene = await openScene(config, now);
  for (const [about, run] of Object.entries(checks)) yield* await resultsOf(about, run, scene);
}

const signs = { good: '✓', bad: '✕', note: '·' } as const;
const colors = { good: 'green', bad: 'red', note: 'yellow' } as const;

/** styleText omits colors if standard output is not a terminal, or NO_COLOR is set. */
export function sayFinding({ is, about, text, remedy }: CheckResult): string {
  const advice = remedy === undefined ? '' : ` → ${remedy}`;
  return `${styleText(colors[is], signs[is])} ${about.padEnd(16)} ${text}${advice}`;
}
