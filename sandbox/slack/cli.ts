import { parseArgs } from 'node:util';
import { OptionError, readPort } from '../claim-port.ts';
import { isRuleName, type RuleName, ruleNamed, ruleNames } from './rules.ts';
import { startSlack } from './server.ts';

const disputed = ruleNames.filter((name) => ruleNamed(name).against !== undefined);

const usage = `hostler simulate slack [--port N] [--host H] [--http URL] [--strict-rates] [--lenient NAME]…

  --port N         where to listen (default: any free port)
  --host H         on which address (default: 127.0.0.1)
  --http URL       deliver to this request URL, signed, instead of over Socket Mode
  --strict-rates   apply Slack's rate limits
  --lenient NAME   switch a disputed rule off; may be given several times:
${disputed.map((name) => `                   ${name}`).join('\n')}`;

/** Runs the simulation until a signal and prints its address and tokens. */
export async function runSimulatedSlack(argv: readonly string[], signaled: () => Promise<void>): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      http: { type: 'string' },
      'strict-rates': { type: 'boolean', default: false },
      lenient: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const stopped = signaled();
  const slack = await startSlack({
    port: readPort(values.port),
    isControlServed: true,
    host: values.host,
    strictRates: values['strict-rates'],
    lenient: readRules(values.lenient),
    delivery: values.http === undefined ? { mode: 'socket' } : { mode: 'http', url: readRequestUrl(values.http) },
  });
  process.stdout.write(
    `${[
      `SLACK_API_URL=${slack.apiUrl}`,
      `SLACK_BOT_TOKEN=${slack.botToken}`,
      `SLACK_APP_TOKEN=${slack.appToken}`,
      `SLACK_SIGNING_SECRET=${slack.signingSecret}`,
    ].join('\n')}\n`,
  );
  await stopped;
  await slack.close();
}

function readRequestUrl(typed: string): string {
  if (/^https?:$/.test(URL.parse(typed)?.protocol ?? '')) return typed;
  throw new OptionError(`--http ${typed} is not an address; give one such as http://127.0.0.1:3000/slack/events.`);
}

function readRules(names: readonly string[]): RuleName[] {
  return names.map((name) => {
    if (isRuleName(name) && disputed.includes(name)) return name;
    throw new OptionError(`--lenient ${name}: there is no such rule. There are: ${disputed.join(', ')}.`);
  });
}
