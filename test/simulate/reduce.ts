import type { Point, Step } from './scheduler.ts';
import type { World } from './world.ts';

/** The points that have to be tried in a state of a world with one request for one server; the others may as well come later. */

/** Nobody changes what these ask for. */
const unchanging = /^(answer to|Slack took|Slack: who|select freezes|select entries)/;
const unchanged = new Set(['people', 'freezes', 'entries', 'policies']);
/** They may name the server that somebody renames. */
const naming = /^GET \/api\/(orders\/(vps\/)?\?|orders\/\d|network)/;
const reading = /^(select|GET|answer to|Slack: who|Slack took) ?/;
const isKill = ({ label }: Point): boolean => label === 'a kill';
const isByHand = ({ label }: Point): boolean => label.startsWith('somebody ');

/**
 * A step that touches nothing which anybody may still change is taken at once. The provider is changed by hand, or by the one
 * process that has the turn of the request. A process is not killed between its reads, which are lost with it.
 */
export function reduce(world: World, open: readonly Point[], steps: readonly Step[]): readonly Point[] {
  const working = open.filter(({ isLate, label }) => !isLate && label !== 'timer');
  const victim = open.some(isKill) ? victimOf(world) : undefined;
  const mayChange = open.some(isByHand);
  const hasSaidAll =
    steps.filter(({ isAct, label }) => isAct && / (says|decides)\b/.test(label)).length >= saidIn(world);
  const first = working.find(
    ({ label, actor }) =>
      unchanging.test(label) ||
      (label.startsWith('GET ') && !(mayChange && naming.test(label))) ||
      // Of no importance to anybody but those who come after a kill.
      (label.startsWith('update inbox') && actor !== victim),
  );
  const alone = first ?? (hasSaidAll ? working.find((point) => isBesideDelivery(point, working)) : undefined);
  const isLost = alone?.actor === victim && !reading.test(alone?.label ?? '');
  const isChanged = mayChange && (naming.test(alone?.label ?? '') || isWrite(alone?.label ?? ''));
  if (alone !== undefined && !isLost && !isChanged) return [alone];
  const ofVictim = working.filter(({ actor }) => actor === victim);
  const isKillLater = ofVictim.length > 0 && ofVictim.every(({ label }) => reading.test(label));
  return isKillLater ? open.filter((point) => !isKill(point)) : open;
}

/** The delivery of messages touches nothing but messages, and the end of a payload nothing but the payload. */
const aside = /^(with messages|update messages|Slack: (post|edit)|update inbox) ?/;
const drawing = /^transaction$|messages|inbox/;

/** True when all others that are under way touch nothing of its kind, whatever they do next. */
function isBesideDelivery({ label, task }: Point, working: readonly Point[]): boolean {
  const others = working.filter((other) => other.task !== task);
  const isOnly = working.length - others.length === 1;
  return isOnly && !drawing.test(label) && !aside.test(label) && others.every((other) => aside.test(other.label));
}

/** Lines and clicks: whoever has not come yet may begin anything. */
const saidIn = ({ threads }: World): number =>
  threads.flat().filter((act) => act.do === 'say' || act.do === 'vote').length;

const isWrite = (label: string): boolean => /^(POST|PUT|PATCH|DELETE) /.test(label);

/** The process that is killed, if it is known beforehand. */
function victimOf({ threads }: World): string | undefined {
  const kill = threads.flat().find((act) => act.do === 'kill');
  return kill?.which === undefined ? undefined : `bot-${kill.which + 1}`;
}

/** Says so when something was not as it is assumed above. */
export function strayOf({ actor, label, resources }: Step, open: readonly Point[]): string | undefined {
  const written = resources.find(({ name, isWrite }) => isWrite && unchanged.has(name));
  if (written !== undefined) return `"${label}" changes ${written.name}, and it was assumed that nobody does`;
  const isRead = open.some((point) => point.actor !== actor && point.label.startsWith('GET '));
  return isWrite(label) && isRead ? `"${label}" while another process reads` : undefined;
}
