import { type Cli, CliError } from './cli.ts';

export const simulateUsage = `hostler simulate provider --port N   a hosting provider to talk to, with all 61 operations
hostler simulate slack --port N      a Slack to talk to`;

export async function runSimulate({ argv }: Cli): Promise<number> {
  const [what, ...words] = argv;
  if (what === 'provider') {
    const { runSimulatedProvider } = await import('../sandbox/provider/cli.ts');
    await runSimulatedProvider(words);
    return 0;
  }
  if (what === 'slack') {
    const { runSimulatedSlack } = await import('../sandbox/slack/cli.ts');
    await runSimulatedSlack(words);
    return 0;
  }
  throw new CliError(`What to simulate?\n${simulateUsage}`);
}
