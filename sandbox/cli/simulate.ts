import type { Cli } from '../../src/cli/cli.ts';
import { untilSignal } from '../../src/cli/until-signal.ts';
import { usages } from '../../src/cli/usages.ts';
import { CliError } from '../../src/core/view/errors.ts';
import { OptionError } from '../claim-port.ts';

export async function runSimulate({ argv }: Cli): Promise<number> {
  const [what, ...words] = argv;
  try {
    return await simulate(what, words);
  } catch (error) {
    throw error instanceof OptionError ? new CliError(error.message) : error;
  }
}

async function simulate(what: string | undefined, words: string[]): Promise<number> {
  if (what === 'provider') {
    const { runSimulatedProvider } = await import('../provider/cli.ts');
    await runSimulatedProvider(words, untilSignal);
    return 0;
  }
  if (what === 'slack') {
    const { runSimulatedSlack } = await import('../slack/cli.ts');
    await runSimulatedSlack(words, untilSignal);
    return 0;
  }
  throw new CliError(`What to simulate?\n${usages.simulate}`);
}
