import { emptyAccount, mayReadAll } from '../../core/account.ts';
import { Refusal } from '../../core/errors.ts';
import { parse } from '../../core/grammar/parse.ts';
import { describeRule } from '../../core/policy.ts';
import type { View } from '../../core/view.ts';
import { allowedNames } from '../access/allowed-names.ts';
import { frozenBy } from '../access/freezes.ts';
import type { Access } from '../context/access-port.ts';
import { domainsOf, type EngineContext } from '../context/engine-context.ts';
import { refusalView } from '../operation/error-view.ts';

/** `/host why restart web-1`: which grant and which rule decide, or which is missing. Runs nothing. */
export async function explain(
  context: EngineContext,
  line: string,
  asking: Access,
  /** The other person that the question is about. */
  about?: string,
): Promise<View> {
  const access = about === undefined ? asking : await context.accessOf(about, asking.channel);
  const parsed = parse(line, context.commands, domainsOf(context));
  if (parsed.kind === 'problem') return refusalView(parsed.refusal);
  if (parsed.kind === 'menu') {
    return {
      summary: 'Which command?',
      parts: [{ kind: 'text', text: 'Say which command: `/host why restart web-1`.' }],
    };
  }
  const { command, raw } = parsed;
  const hasTargets = Object.entries(command.args).every(([name, arg]) => arg.optional || raw[name] !== undefined);
  const account =
    command.needsAccount && hasTargets ? await context.accountReader.read({ staleOk: true }) : emptyAccount;
  const targets = hasTargets
    ? command.prepare(raw, { account, maySee: (target) => asking.may('read', target) }).targets
    : [];
  // An answer about somebody else names the target: it is for people who may read that.
  if (about !== undefined && !mayReadAll(targets, asking.may))
    throw new Refusal('not_granted', 'You can ask this only about things that you may read here.');
  const decision = access.decide(command.capability, command.risk, targets);
  // Why something is frozen may name tags of what this person may not read.
  const frozen =
    command.kind === 'action' && decision.allowed ? await frozenBy(context, access.channel, targets) : undefined;
  const needs = command.capability === 'none' ? 'nothing in particular' : command.capability;
  const who = about === undefined ? 'You' : await nameOf(context, about);
  const names = allowedNames(asking, targets, parsed);
  const what = names === '' ? command.path : `${command.path} ${names}`;
  const heading = `${who} ${decision.allowed ? 'may' : 'may not'} ${what} here${frozen === undefined ? '' : ', but not now'}`;
  return {
    summary: `${heading}.`,
    parts: [
      { kind: 'heading', text: heading },
      {
        kind: 'fields',
        fields: [
          ['Needs', needs],
          ['Decided by', decision.because],
          ['Risk', command.risk],
          ...(decision.allowed && command.kind === 'action'
            ? ([
                ['Rule', `${command.risk} → ${describeRule(decision.rule)}${decision.isSolo ? ', solo' : ''}`],
              ] as const)
            : []),
          ['Policy', access.policy === undefined ? 'none in this channel' : `version ${access.policy.version}`],
          ...(frozen === undefined ? [] : ([['Frozen', frozen]] as const)),
        ],
      },
      ...(hasTargets
        ? []
        : [{ kind: 'context', text: 'Name the target as well to see whether a grant covers it.' } as const]),
    ],
  };
}

async function nameOf({ directory }: Pick<EngineContext, 'directory'>, user: string): Promise<string> {
  return directory.person(user).then(
    ({ name }) => name,
    () => 'This person',
  );
}
