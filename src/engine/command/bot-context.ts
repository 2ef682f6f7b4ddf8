import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { mapInSlices } from '../../core/async/in-slices.ts';
import type { AuditLine, BotReader, BotWriter, OperationSummary } from '../../core/command/bot-port.ts';
import type { Asking } from '../../core/command/command.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { isPatient } from '../../core/plan/when.ts';
import { risks } from '../../core/policy/policy.ts';
import { toJson } from '../../core/text/json.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import type { RefusalReason } from '../../core/view/errors.ts';
import type { AuditedChange, AuditRow } from '../../store/audit/audit-lines.ts';
import type { StepRow } from '../../store/records/steps.ts';
import { membershipOf } from '../access/access.ts';
import { endGrantedRequests } from '../access/access-requests.ts';
import { peopleOf } from '../access/decide-plan.ts';
import { explain, whoCan } from '../access/explain.ts';
import { protectionsOfAll, protectionsOfPeople } from '../access/protections.ts';
import { personName, sayDecision } from '../access/say-names.ts';
import { mutesIn } from '../alerts/end-mutes.ts';
import { hookAt } from '../alerts/make-hook.ts';
import { jobSchema } from '../alerts/rule-context.ts';
import { stop, whyNotStop } from '../approval/vote.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linksToCards } from '../operation/card-links.ts';
import { offAsUsual } from '../operation/last-powers.ts';
import { checkName } from '../operation/look-outside.ts';
import { sayOutside } from '../operation/outside.ts';
import type { Operation } from '../operation/read-operation.ts';
import { findOperation, readOperationLeniently, readStepLeniently } from '../operation/read-operation.ts';
import { undoOf } from '../operation/undo.ts';
import { answersIn, byHour, requestsNeeding, stoppedAtHour } from '../operation/waiting-for.ts';
import { createZoneHistory } from '../zones/zone-recorder.ts';
import { createAlertReader, createAlertWriter, versionEntry } from './bot-alerts.ts';
import { mayEditPlan, savedPlansIn, savePlan } from './saved-plans.ts';

/** The reads of commands about the bot itself. */
export function createBotReader(context: EngineContext, asking: Asking, access: Access): BotReader {
  const { store, settings } = context;
  const within = access.isMachine === true ? { channel: asking.channel } : {};
  const isWithin = ({ channel }: Operation) => channel === (within.channel ?? channel);
  return {
    version: settings.version,
    isPaused: settings.isPaused,
    isAdmin: access.actor.isAdmin,
    named: (handle) => context.directory.named(handle),
    membership: (user) => membershipOf(context.directory, user),
    isHere: (user) => context.directory.isInChannel(asking.channel, user).catch(() => undefined),
    commands: () =>
      context.commands.map((command) => ({ ...command, isAllowed: access.hasCapability(command.capability) })),
    explain: (line, about) => explain(context, line, access, about),
    whoCan: (line) => whoCan(context, line, access),
    policy: (channel) => context.policies.get(channel),
    peopleOf: (policy) => peopleOf(context, policy),
    policies: () => context.policies.all(),
    posture: (channel) => context.policies.posture(channel),
    operation: async (id) => {
      const operation = await findOperation(context, id);
      return operation && summarize(operation, await store.steps.list(id));
    },
    whyNotStop: async (id) => {
      const operation = await findOperation(context, id);
      return operation && whyNotStop(context, operation, asking.actor);
    },
    operations: async (filter) => {
      const rows = await store.operations.list({ ...filter, ...within });
      const ids = rows.map(({ id }) => id);
      const steps = Map.groupBy(await store.steps.listAll(ids, mostStepsInList), ({ operationId }) => operationId);
      return mapInSlices(rows, (row) => summarize(readOperationLeniently(row), steps.get(row.id)));
    },
    byHour: async (filter) =>
      Promise.all(
        (await byHour(context, filter)).filter(isWithin).map(async (operation) => {
          return { ...summarize(operation), stoppedBy: await stoppedAtHour(context, operation) };
        }),
      ),
    waitingForMe: async () => {
      const waiting = await requestsNeeding(context, asking.actor);
      return waiting.filter(isWithin).map((operation) => summarize(operation));
    },
    decisions: async (ids) => {
      const each = ids.map(async (id): Promise<[string, string]> => {
        const [operation, votes] = await Promise.all([findOperation(context, id), store.votes.list(id)]);
        return [id, operation === undefined ? '' : await sayDecision(context, operation, votes)];
      });
      return new Map(await Promise.all(each));
    },
    answers: (channel) => answersIn(context, channel),
    cardLinks: (ids) => linksToCards(context, ids),
    audit: async (filter) => (await store.audit.list(filter)).map(lineOfAudit),
    nameOf: async (id) =>
      id.startsWith('S') ? ((await context.directory.groupName(id)) ?? 'a user group') : personName(context, id),
    freezes: () => store.freezes.active(context.now()),
    mutes: () => mutesIn(context, asking.channel),
    protections: () => protectionsOfAll(context),
    protectedKeys: async () => new Set((await protectionsOfPeople(context)).map(({ target }) => target)),
    offAsUsual: (orders) => offAsUsual(store, orders),
    strikeSecrets: (text) => strikeSecrets(text, settings.knownSecrets),
    savedPlans: () => savedPlansIn(context, asking.channel),
    mayEditPlan: (lines) => mayEditPlan(context, lines, access),
    openedTickets: async () => [...(await store.values.all('ticket')).values()],
    hookAt: (url) => hookAt(context, url),
    alerts: createAlertReader(context, access),
    zones: createZoneHistory(context),
    prober: context.prober,
    checkName: (domain, host) => checkName(context, domain, host),
  };
}

/** The writes of actions that change the bot itself. They pass through send-step.ts like all others. */
export function createBotWriter(context: EngineContext, asking: Asking, operation: string): BotWriter {
  const { store } = context;
  const { actor, channel: here } = asking;
  const frozenEntry = { kind: 'freeze', actor, channel: here } as const;
  const audited = (text: string, data: Readonly<Record<string, string | number>>) =>
    context.audit({ kind: 'pin', actor, channel: here, text, data });
  return {
    savePolicy: async (channel, policy, expectedVersion) => {
      const before = await context.policies.get(channel);
      const isSaved = await context.policies.save(channel, policy, expectedVersion);
      if (isSaved) {
        await context.audit({ ...versionEntry('policy', expectedVersion, before, policy), actor, channel });
        // The policy is saved; if this fails, the next recovery round repeats it.
        await endGrantedRequests(context, channel, actor).catch((error) =>
          context.log.warn({ err: error }, 'could not end granted requests for access'),
        );
      }
      return isSaved;
    },
    confirmChannel: async (channel, shown) => {
      if (!(await context.policies.confirm(channel, shown))) return false;
      await context.audit({ kind: 'policy', actor, channel, text: 'rights confirmed for the channel as it is now' });
      return true;
    },
    freeze: async (frozen, what) => {
      const { scope, until } = frozen;
      const id = randomBytes(3).toString('hex');
      const reason = frozen.reason ?? (await findOperation(context, operation))?.plan.reason ?? '';
      const text = reason === '' ? what : `${what}: ${reason}`;
      const change: AuditedChange = (on) => store.freezes.add({ id, ...frozen, reason, byUser: actor }, on);
      await context.audit({ ...frozenEntry, text, data: { id, scope, until }, change });
      return id;
    },
    unfreeze: async ({ id, mutedIn }, text) => {
      const end = mutedIn === null ? store.freezes.end : store.freezes.expire;
      const isEnded = await context.audit({ ...frozenEntry, text, change: (on) => end(id, on) });
      if (mutedIn !== null) context.alerts.publishSoon(mutedIn);
      return isEnded;
    },
    protect: async ({ target, name, why, by }) => {
      const isNew = await store.values.change('protection', target, (before) =>
        before ? undefined : { target, why, by, channel: here, since: context.now() },
      );
      if (isNew) await audited(`${name} pinned: ${why}`, { target, why });
    },
    unprotect: async ({ target, name, since }) => {
      const isRemoved = await store.values.change('protection', target, (before) =>
        before?.since === since ? null : undefined,
      );
      if (isRemoved) await audited(`pin of ${name} removed`, { target, since });
    },
    stopRequest: async (id) => {
      const operation = await findOperation(context, id);
      if (operation === undefined || isEnd(operation.state)) return;
      await stop(context, operation, { operation: id, user: actor, vote: 'stop', at: context.now() });
    },
    savePlan: async (channel, { name, lines, before }) => {
      const plan = lines === null ? null : { name, lines, by: actor, at: context.now() };
      await savePlan(context, channel, { name, before, plan });
      const text = `plan ${name} ${lines === null ? 'deleted' : 'saved'}`;
      const data = { before: toJson(before), after: toJson(lines) };
      await context.audit({ kind: 'plan', actor, channel, text, data });
    },
    addOpenedTicket: async (ticket) => {
      const opened = { ...ticket, channel: here, by: actor, at: context.now() };
      await context.store.values.change('ticket', ticket.id, () => opened);
    },
    alerts: createAlertWriter(context, asking),
  };
}

/** The steps of each request that a list reads: enough for one server each, few beside a zone of thousands of records. */
/** A list shows a few words about a request. */
const mostStepsInList = 50;

/** An unreadable risk counts as the highest. */
const riskSchema = z.enum(risks).catch('destructive');

function summarize(operation: Operation, steps: readonly StepRow[] = []): OperationSummary {
  return {
    id: operation.id,
    title: operation.plan.title,
    risk: riskSchema.parse(operation.risk),
    state: operation.state,
    rule: operation.rule,
    requester: operation.requester,
    token: operation.token,
    channel: operation.channel,
    targets: operation.plan.targets,
    names: operation.plan.names ?? [],
    createdAt: operation.createdAt,
    startsAt: operation.startsAt ?? operation.createdAt,
    waitsForThaw: 'frozen' in operation.when ? (operation.when.frozen?.why ?? null) : null,
    isPatient: isPatient(operation.when),
    stoppedBy: null,
    isRun: operation.when.kind === 'run',
    endedAt: isEnd(operation.state) ? operation.endedAt : null,
    endText: endTextOf(operation),
    undo: undoOf(operation)?.line ?? null,
    waitsFor: operation.heldWhy ?? operation.delayWhy,
    isStopped: operation.stopAt !== null,
    steps: steps.map(readStepLeniently).map(({ label, state, data, receipt, job }) => ({
      label,
      state,
      data,
      receipt: receipt?.data ?? null,
      job: jobSchema.safeParse(job).data ?? null,
    })),
  };
}

/** The final answer of the name servers, if it differs from the change. */
function endTextOf(operation: Operation): string | null {
  const late = operation.outside?.verdict === 'late' ? sayOutside(operation) : undefined;
  return late === undefined ? operation.endText : `${operation.endText ?? ''} ${late}`.trim();
}

function lineOfAudit({ seq, at, kind, actor, channel, operationId: operation, data }: AuditRow): AuditLine {
  const { text = '', reason = '' } = auditData.safeParse(data).data ?? {};
  return { seq, at, kind, actor, channel, operation, text, isMistyped: mistypes.has(reason) };
}

const auditData = z.object({ text: z.coerce.string().optional(), reason: z.string().optional().catch(undefined) });
const mistypes: ReadonlySet<string> = new Set<RefusalReason>(['not_understood', 'bad_value', 'not_found', 'ambiguous']);
