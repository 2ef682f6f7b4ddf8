import { type Cli, CliError } from './cli.ts';
import { usages } from './usage.ts';

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
  throw new CliError(`What to simulate?\n${usages.simulate}`);
}
