import { defined } from '../text/defined.ts';
import { parseSpan } from '../text/words.ts';
import type { Decision } from './evaluate.ts';
import { type Approval, waitMsOf } from './policy.ts';

type Allowed = Extract<Decision, { allowed: true }>;

/** The decision on several parts: the first refusal, else the rule under which each part could run alone. */
export function strictest<D extends Decision>(decisions: readonly [D, ...D[]], isAdmin: boolean): D | Decision {
  const [first, ...others] = decisions;
  const refused = decisions.find(({ allowed }) => !allowed);
  if (refused !== undefined || others.length === 0) return refused ?? first;
  return decisions.reduce<D | Decision>((a, b) => (a.allowed && b.allowed ? both(a, b, isAdmin) : a), first);
}

function both(a: Allowed, b: Allowed, isAdmin: boolean): Decision {
  const rules = [a.rule, b.rule].filter((rule) => typeof rule === 'object');
  const [first, other] = rules;
  if (first === undefined) return a.rule === 'none' ? b : a;
  if (other === undefined) return a.rule === first ? a : b;
  const windows = new Set(rules.flatMap(({ window }) => window ?? []));
  if (windows.size > 1) {
    const because = `its lines begin only in different maintenance windows: ${[...windows].join(' and ')}`;
    return { allowed: false, reason: 'impossible', because };
  }
  const rule = bothRules(first, other);
  // Only admins are named by both rules, so nobody else may approve their own request.
  const isForAdmins = rule.by.length === 0 && rules.some(({ by }) => by.length > 0);
  return { ...a, rule, isSolo: a.isSolo && b.isSolo && (!isForAdmins || isAdmin) };
}

/** As many approvals as the stricter rule needs, of people whom both name, and everything else that either demands. */
function bothRules(a: Approval, b: Approval): Approval {
  const spanMs = (span: string | undefined) => (span === undefined ? Number.POSITIVE_INFINITY : (parseSpan(span) ?? 0));
  return {
    approve: Math.max(a.approve, b.approve),
    by: a.by.filter((subject) => b.by.includes(subject)),
    typed: a.typed || b.typed,
    ...defined({
      reason: a.reason || b.reason || undefined,
      // A notice that one of the rules asks for is given.
      notify: a.notify === 'none' ? b.notify : b.notify === 'none' ? a.notify : (a.notify ?? b.notify),
      wait: waitMsOf(a) >= waitMsOf(b) ? a.wait : b.wait,
      window: a.window ?? b.window,
      grace: spanMs(a.grace) <= spanMs(b.grace) ? a.grace : b.grace,
    }),
  };
}
