import { ticketButton } from '../../core/alert/ticket-button.ts';
import type { DnsAnswer, NameServers } from '../../core/dns/asked.ts';
import { answerData, answersFrom, isDelegatedAway } from '../../core/dns/expected-answer.ts';
import type { RecordData, RecordType } from '../../core/dns/record.ts';
import { fullName, isWritable, relativeHost, targetName } from '../../core/dns/record.ts';
import { hashOf, toJson } from '../../core/text/json.ts';
import { second } from '../../core/text/words.ts';
import { ifReadable } from '../../core/view/errors.ts';
import { notice } from '../../core/view/view.ts';
import type { OperationRow } from '../../store/records/operation-row.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { followForMs } from '../context/time-limits.ts';
import { redraw } from './create.ts';
import { type Heard, type HeardServer, notAsked, type Outside, sayChecked, sayOutside, worst } from './outside.ts';
import { type Operation, readOperationLeniently } from './read-operation.ts';
import { notifyThread } from './thread.ts';

/**
 * Follows a change of DNS records after its end: asks the name servers of its zones until all answer it. The turns of
 * the request do it, so one process asks at a time and a restart continues it.
 */

const firstLookMs = second;
const [soonestMs, latestMs] = [2 * second, 30 * second];
/** Zones have two to four name servers; a zone with hundreds must not use up the questions of all others. */
const mostServers = 8;

type Asked = Outside['questions'][number];
type Context = EngineContext & { readonly nameServers: NameServers };

/** Begins to follow after the announcement of the end. Null without a change to follow. */
export async function beginOutside(context: EngineContext, operation: Operation): Promise<number | null> {
  if (context.nameServers === undefined || operation.outside === null) return null;
  const { now, owner, store } = context;
  await store.operations.noteOutside(operation.id, toJson(operation.outside), now(), owner);
  return firstLookMs;
}

/** Asks once. Returns the time until the next question, or null at the end. */
export async function lookOutside(context: EngineContext, row: OperationRow): Promise<number | null> {
  const { nameServers, now } = context;
  const operation = readOperationLeniently(row);
  const { outside, outsideSince, undoneBy } = operation;
  if (nameServers === undefined || outsideSince === null || outside === null || undoneBy !== null) return null;
  // Repeats the card of a process that was killed between the last answer and the card.
  if (outside.verdict !== 'following') return publish(context, operation).then(() => null);
  const asking = { ...context, nameServers };
  const next = await askServers(asking, outside, now() >= outsideSince + followForMs);
  await context.store.operations.noteOutside(operation.id, toJson(next), outsideSince, context.owner);
  await publish(context, { ...operation, outside: next });
  if (next.verdict !== 'following') return null;
  return Math.min(latestMs, Math.max(soonestMs, (now() - outsideSince) / 4));
}

/** Draws the card once it has something to say, and replies if that is a fault. Idempotent. */
async function publish(context: EngineContext, operation: Operation): Promise<void> {
  const { id, outside } = operation;
  const sentence = sayOutside(operation);
  if (sentence === undefined) return;
  if (outside?.verdict === 'late') {
    const view = notice('warning', `${operation.plan.title}: ${sentence}`, [ticketButton(`request:${id}`)]);
    await notifyThread(context, operation, `outside:${id}`, view);
  }
  await redraw(context, id);
}

/** Asks the name servers of a domain once, for all records of a host. */
export async function checkName(context: EngineContext, domain: string, host: string): Promise<string> {
  const { nameServers } = context;
  if (nameServers === undefined) return 'The name servers are not asked: HOSTLER_DNS_PROPAGATION is off.';
  const asking = { ...context, nameServers };
  const zone = await readZone(asking, domain);
  if (zone === undefined) return 'The zone could not be read just now, so its name servers are not asked.';
  const types = new Set(zone.filter((record) => record.host === host).map(({ type }) => type));
  if (types.size === 0) return 'The zone has no record of this name.';
  const published = [...types].map((type) => ({ domain, host, type, change: 'changed' as const }));
  return sayChecked(await askServers(asking, notAsked(published), true));
}

async function askServers(context: Context, before: Outside, isLast: boolean): Promise<Outside> {
  const outside = before.questions.length > 0 ? before : await prepare(context, before);
  if (outside === undefined) return isLast ? { ...before, verdict: 'unasked' } : before;
  if (outside.questions.length === 0) return { ...outside, verdict: 'none' };
  const open = outside.servers.filter(({ heard }) => heard !== 'same');
  const questions = open.reduce((sum, { domain }) => sum + questionsOf(outside, domain).length, 0);
  if (!context.nameServers.admit(questions)) return isLast ? endLate(context, outside) : outside;
  const heard = await Promise.all(
    outside.servers.map((server) =>
      server.heard === 'same' ? server : hear(context, server, questionsOf(outside, server.domain)),
    ),
  );
  const next: Outside = { ...outside, servers: heard };
  if (heard.some((server) => server.heard !== 'same')) return isLast ? endLate(context, next) : next;
  return { ...next, seenAt: context.now(), verdict: 'seen' };
}

/** Decides when the time is over. If no server answered at all, that proves no fault of the provider. */
async function endLate(context: Context, outside: Outside): Promise<Outside> {
  const { servers } = outside;
  if (servers.every(({ heard }) => heard === null)) return { ...outside, verdict: 'unasked' };
  if (await isChangedAgain(context, outside)) return { ...outside, verdict: 'changed' };
  const hasAnswer = servers.some(({ heard }) => heard === 'same' || heard === 'other');
  return { ...outside, verdict: hasAnswer ? 'late' : 'seen' };
}

/** Reads the zones: the answers to expect, and the servers to ask. Undefined while the provider does not answer. */
async function prepare(context: Context, outside: Outside): Promise<Outside | undefined> {
  const questions: Asked[] = [];
  const servers: Outside['servers'] = [];
  for (const [domain, answers] of Map.groupBy(outside.published, (answer) => answer.domain)) {
    const zone = await readZone(context, domain);
    if (zone === undefined) return undefined;
    const zonesBelow = (context.accountReader.peek()?.domains ?? []).filter((zone) => zone.name.endsWith(`.${domain}`));
    const asked = answers.flatMap(({ host, type, change }) => {
      const name = fullName(host, domain);
      const isElsewhere = zonesBelow.some((zone) => name === zone.name || name.endsWith(`.${zone.name}`));
      if (!isWritable({ type }) || isElsewhere || isDelegatedAway(zone, host, type)) return [];
      const [ttl = null, ...otherTtls] = new Set(answersFrom(zone, host, type).map((record) => record.ttl));
      const isTtlClear = change === 'ttl' && otherTtls.length === 0;
      return [{ domain, host, type, expected: expectedAt(zone, host, type), ttl: isTtlClear ? ttl : null }];
    });
    if (asked.length === 0) continue;
    questions.push(...asked);
    const names = new Set(answersFrom(zone, '@', 'NS').flatMap((record) => targetName(record) ?? []));
    servers.push(...[...names].slice(0, mostServers).map((name) => ({ domain, name, heard: null })));
  }
  return servers.length === 0 ? { ...outside, questions: [] } : { ...outside, questions, servers };
}

async function readZone({ reader }: Context, domain: string): Promise<RecordData[] | undefined> {
  const entries = await ifReadable(reader.dns.entries({ name: domain }));
  return entries?.map((entry) => ({ ...entry, host: relativeHost(entry.host, domain) }));
}

/** A zone that cannot be read counts as unchanged. */
async function isChangedAgain(context: Context, { questions }: Outside): Promise<boolean> {
  for (const [domain, some] of Map.groupBy(questions, (question) => question.domain)) {
    const zone = await readZone(context, domain);
    if (zone !== undefined && some.some(({ host, type, expected }) => expectedAt(zone, host, type) !== expected))
      return true;
  }
  return false;
}

function questionsOf({ questions }: Outside, domain: string): readonly Asked[] {
  return questions.filter((question) => question.domain === domain);
}

/** Asks one server everything, and keeps the worst. */
async function hear({ nameServers }: Context, { domain, name }: HeardServer, questions: readonly Asked[]) {
  const answers = await Promise.all(
    questions.map(async (question): Promise<HeardServer> => {
      const { host, type } = question;
      const answer = await nameServers.query(name, { name: fullName(host, domain), type: type as RecordType });
      const why = answer.kind === 'none' ? { why: answer.why } : {};
      return { domain, name, heard: judged(question, answer), ...why };
    }),
  );
  const [result] = worst(answers);
  return result ?? { domain, name, heard: 'same' };
}

function judged({ expected, ttl }: Asked, answer: DnsAnswer): Heard {
  if (answer.kind === 'none') return 'none';
  if (hashOfSet(answer.records.map(({ data }) => data)) !== expected) return 'other';
  return ttl === null || answer.records.every((record) => record.ttl === ttl) ? 'same' : 'other';
}

/** The hash of the answers that a host and a type should have. */
function expectedAt(zone: readonly RecordData[], host: string, type: string): string {
  return hashOfSet(answersFrom(zone, host, type).map(answerData));
}

function hashOfSet(values: readonly string[]): string {
  return hashOf([...new Set(values)].sort());
}
