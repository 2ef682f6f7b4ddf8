import { readFile } from 'node:fs/promises';
import { parse as parseYaml, stringify, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { loadCommands } from '../commands/load-commands.ts';
import type { CommandShape } from '../core/grammar/command-shape.ts';
import { parse } from '../core/grammar/parse.ts';
import { timingKey, timingWord } from '../core/grammar/timing-keys.ts';
import type { Policy } from '../core/policy/policy.ts';
import {
  type CaseRequest,
  diffPolicies,
  isSamePolicy,
  type PolicyFile,
  policyFileSchema,
  policyWarnings,
  runCases,
  unmeetableRules,
} from '../core/policy/policy-file.ts';
import { CliError } from '../core/view/errors.ts';
import { createPolicies } from '../engine/access/policies.ts';
import type { Channel } from '../engine/context/ports.ts';
import type { Store } from '../store/database.ts';
import { type Cli, whoseShell } from './cli.ts';
import { usages } from './usages.ts';
import { withStore } from './with-store.ts';

export async function runPolicy({ argv, config, print }: Cli): Promise<number> {
  const [verb = '', path] = argv;
  const run = verbs[verb];
  if ((run === undefined && verb !== 'test') || (verb !== 'export' && path === undefined))
    throw new CliError(`Choose export, test, diff or apply.\n${usages.policy}`);
  if (verb === 'export' && path !== undefined)
    throw new CliError(`policy export writes to standard output: hostler policy export > ${path}`);
  const file: PolicyFile = path === undefined ? { channels: {}, tests: [] } : await readPolicyFile(path);
  const { admins } = config;
  if (run === undefined) return testFile(file, admins, print);
  // Applying creates the database, since a policy may be applied before the first start.
  return withStore(config, { mustExist: verb === 'export', writesAudit: verb === 'apply' }, async (store) => {
    await run({ file, print, admins, store, policies: createPolicies(store, unasked) });
    return 0;
  });
}

interface Work extends Pick<Cli, 'print'> {
  readonly file: PolicyFile;
  readonly admins: readonly string[];
  readonly store: Store;
  readonly policies: ReturnType<typeof createPolicies>;
}

/** The command line cannot reach Slack: the bot stores a channel's properties when it reads the policy first. */
const unasked = { channel: async (): Promise<Channel> => Promise.reject(new Error('not asked here')) };

const verbs: Readonly<Record<string, (work: Work) => Promise<void>>> = {
  export: async ({ policies, print }) => {
    const channels = Object.fromEntries(
      [...(await policies.all())].map(([channel, { version: _, ...policy }]) => [channel, policy]),
    );
    print(stringify({ channels, tests: [] }).trimEnd());
  },
  diff: async ({ file, policies, print }) => {
    const before = await policies.all();
    const lines = diffPolicies(before, wanted(file));
    for (const line of lines.length === 0 ? ['nothing would change'] : lines) print(line);
    sayWhatStays(before, file, print);
    for (const line of policyWarnings(new Map([...before, ...wanted(file)]))) print(line);
  },
  apply: async ({ file, policies, print, admins, store }) => {
    const failed = (await casesOf(file, admins)).filter((result) => !result.ok);
    if (failed.length > 0) {
      for (const result of failed) print(`✕ ${result.text}`);
      throw new CliError(`Nothing was applied: ${failed.length} of the file's test cases fail.`);
    }
    const unmet = unmeetableRules(file, admins);
    if (unmet.length > 0) throw new CliError(`Nothing was applied.\n${unmet.join('\n')}`);
    const before = await policies.all();
    for (const line of diffPolicies(before, wanted(file))) print(line);
    for (const [channel, policy] of wanted(file)) {
      const old = before.get(channel);
      if (isSamePolicy(old, policy)) continue;
      if (!(await policies.save(channel, policy, old?.version ?? 0)))
        throw new CliError(`${channel} was changed by somebody else just now. Check it with diff and apply again.`);
      await store.audit.append({
        kind: 'policy',
        text: `policy of ${channel} applied from a file by ${whoseShell()} at the command line`,
        data: { channel, before: JSON.stringify(old ?? null), after: JSON.stringify(policy) },
      });
      print(`applied ${channel}: version ${(old?.version ?? 0) + 1}`);
    }
    sayWhatStays(before, file, print);
  },
};

function sayWhatStays(before: ReadonlyMap<string, Policy>, file: PolicyFile, print: Cli['print']): void {
  for (const channel of before.keys()) {
    if (!wanted(file).has(channel)) print(`${channel} is not in the file and is not changed`);
  }
}

function wanted(file: PolicyFile): ReadonlyMap<string, Policy> {
  return new Map(Object.entries(file.channels));
}

async function casesOf(file: PolicyFile, admins: readonly string[]) {
  return runCases(file, caseReader(await loadCommands()), admins);
}

/** Reads the commands of test cases as if typed. */
export function caseReader(commands: readonly (CommandShape & CaseRequest['command'])[]) {
  return (line: string): CaseRequest | undefined => {
    const parsed = parse(line, commands);
    if (parsed.kind !== 'command') return undefined;
    const { command, raw } = parsed;
    // A plan has the rights of its lines, and a case is about one.
    if (Object.values(command.args).some(({ isOfLines }) => isOfLines)) return undefined;
    return { command, window: timingWord(raw, 'window'), breaksGlass: raw[timingKey('break-glass')] !== undefined };
  };
}

async function testFile(file: PolicyFile, admins: readonly string[], print: Cli['print']): Promise<number> {
  for (const line of policyWarnings(wanted(file))) print(line);
  const results = await casesOf(file, admins);
  const unmet = unmeetableRules(file, admins);
  for (const { ok, text } of results) print(`${ok ? '✓' : '✕'} ${text}`);
  for (const line of unmet) print(`✕ ${line}`);
  const failed = results.filter((result) => !result.ok).length;
  print(`${results.length} cases, ${failed} fail`);
  return failed + unmet.length === 0 ? 0 : 1;
}

async function readPolicyFile(path: string): Promise<PolicyFile> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CliError(`${path} cannot be read.`);
  });
  let yaml: unknown;
  try {
    yaml = parseYaml(text);
  } catch (error) {
    // The YAML parser recurses for each level, limited only by the stack.
    if (error instanceof YAMLParseError && error.code === 'RESOURCE_EXHAUSTION')
      throw new CliError(`${path} is nested too deeply to be a policy file.`);
    throw new CliError(
      `${path} is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : 'it cannot be parsed'}`,
    );
  }
  const parsed = policyFileSchema.safeParse(yaml);
  if (parsed.success) return parsed.data;
  throw new CliError(`${path} is not a policy file:\n${z.prettifyError(parsed.error)}`);
}
