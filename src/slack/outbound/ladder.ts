import { setTimeout } from 'node:timers/promises';
import type { Log } from '../../engine/context/dependencies.ts';
import { type DrawAttempt, firstAttempt, newerBlocks, rungs, type SlackSurface } from './pen.ts';
import { type DrawingRefusal, refusalOf, typesIn } from './refusal.ts';

export type Ladder = ReturnType<typeof createLadder>;

export interface SlackRefusal {
  /** The type of block, or `unnamed` if Slack does not name it. */
  readonly block: string;
  readonly surface: SlackSurface;
  readonly error: string;
}

/** More attempts than rungs and types, as a bound if Slack refuses in ever new ways. */
const mostTries = 12;
const leastShare = 1 / 8;
const mostKinds = 500;
/** Slack processes an uploaded picture after accepting it, and refuses it in a message before that. */
const pictureWaitsMs = [300, 700, 1_500];

/**
 * Sends a drawing, plainer after each refusal: first as designed, then without the blocks that Slack named, as plain
 * sections with the buttons, as one text with the buttons, and last as text alone. So buttons are lost only where Slack
 * accepts no button at all.
 */
export function createLadder(log: Log, onRefusal: (refusal: SlackRefusal) => void = () => {}) {
  /** Block types that Slack refuses on a surface with any content; this process does not retry them. */
  const refused = new Map<SlackSurface, ReadonlySet<string>>();
  const logged = new Set<string>();

  const note = (surface: SlackSurface, refusal: DrawingRefusal) => {
    const types = refusal.named.length === 0 ? ['unnamed'] : new Set(refusal.named.map(({ type }) => type));
    for (const block of types) {
      onRefusal({ block, surface, error: refusal.code });
      const kind = `${surface} ${block} ${refusal.code}`;
      if (logged.has(kind) || logged.size >= mostKinds) continue;
      logged.add(kind);
      log.error(
        { surface, block, code: refusal.code, problems: refusal.words.slice(0, 5) },
        'Slack refused a drawing; drawing it plainer. Logged once for each kind',
      );
    }
    const kinds = refusal.named.filter(({ isWholeKind }) => isWholeKind).map(({ type }) => type);
    if (kinds.length > 0) refused.set(surface, new Set([...(refused.get(surface) ?? []), ...kinds]));
  };

  return {
    /** Throws any error that is not a refusal of the drawing, and the last refusal if Slack refuses even the text. */
    send: async <Drawn, Answer>(
      surface: SlackSurface,
      draw: (attempt: DrawAttempt) => Drawn,
      send: (drawn: Drawn) => Promise<Answer>,
    ) => {
      let attempt = firstAttempt(surface, refused.get(surface));
      const waits = pictureWaitsMs.values();
      for (let tries = 1; ; tries += 1) {
        const drawn = draw(attempt);
        try {
          return { answer: await send(drawn), drawn };
        } catch (error) {
          const refusal = refusalOf(error, drawn);
          if (refusal === undefined) throw error;
          const isSilent = refusal.words.length === 0;
          const isUnready = isSilent
            ? // A response_url refuses without a word and has few uses, so a picture gets one more attempt there.
              tries === 1 && surface === 'response_url' && typesIn(drawn).includes('image')
            : refusal.words.every((line) => line.includes('invalid slack file'));
          const wait = isUnready ? waits.next().value : undefined;
          if (wait !== undefined) {
            await setTimeout(wait);
            continue;
          }
          note(surface, refusal);
          const next = plainer(attempt, refusal, tries, drawn);
          if (next === undefined) throw error;
          attempt = next;
        }
      }
    },
  };
}

/** The next attempt; undefined after the last. */
function plainer(attempt: DrawAttempt, refusal: DrawingRefusal, tries: number, drawn: unknown) {
  if (refusal.isTooLong && attempt.share > leastShare) return { ...attempt, share: attempt.share / 2 };
  if (attempt.rung === 'text') return undefined;
  if (tries >= mostTries) return { ...attempt, rung: 'text' } as const;
  const fresh = refusal.named.map(({ type }) => type).filter((type) => !attempt.avoid.has(type));
  if (fresh.length > 0) return { ...attempt, avoid: new Set([...attempt.avoid, ...fresh]) };
  const rung = rungs.slice(rungs.indexOf(attempt.rung) + 1).find((each) => each !== 'older' || hasNewer(drawn));
  return rung === undefined ? undefined : { ...attempt, rung };
}

/** Whether leaving out newer blocks changes the drawing. */
const hasNewer = (drawn: unknown): boolean => newerBlocks.some((type) => typesIn(drawn).includes(type));
