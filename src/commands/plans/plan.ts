import { type Arg, text } from '../../core/command/args.ts';
import type { Common } from '../../core/command/command.ts';
import type { Risk } from '../../core/policy/policy.ts';

const single = text({
  place: 'rest',
  multiline: true,
  hint: 'One command in each line, as you type it after /host. Each is planned on what the lines before it change.',
  example: 'stop web-1',
});

/** The lines as typed; the engine reads each as its own command says. */
export const linesArg: Arg<readonly string[]> = {
  ...single,
  isOfLines: true,
  many: true,
  keepsQuotes: true,
  read: (words) => words,
  show: (words) => words,
  targets: () => [],
};

/** The rights and the risk are those of its lines. */
export const planOfLines = {
  path: 'plan',
  words: `plan | runbook · several commands · batch · sequence · steps | several commands at once · run runbook · one
    after another · all these commands`,
  title: 'Plan several commands',
  summary: 'Ask for several commands as one request, which run one after another',
  examples: ['plan restart web-1 then restart web-2', 'plan failover'],
  args: { lines: linesArg },
  capability: 'none',
  risk: 'routine',
} as const satisfies Common<{ lines: typeof linesArg }> & { readonly risk: Risk };
