import { asDict, asDicts, asText, textOf } from '../slack/dict.ts';
import { parseMrkdwn } from '../slack/reading/mrkdwn.ts';
import { nameIn } from '../slack/reading/spans.ts';
import { SimulationError } from '../slack/simulation-error.ts';
import type { SimMessage } from '../slack/state.ts';
import {
  type DrillName,
  type DrillScene,
  drillLabels,
  drillNames,
  type Progress,
  type Situation,
  situations,
} from './situations.ts';

/** A drill: one situation with a clock, what was seen of it, and its end. All times are the sandbox's. */

interface DrillLine {
  /** Since the start. */
  readonly ms: number;
  /** `Hostler`, `@ana`, or nobody. */
  readonly who: string;
  readonly text: string;
}

interface Run {
  readonly name: DrillName;
  readonly label: string;
  situation?: Situation;
  sinceMs?: number;
  lines: DrillLine[];
  /** The first line with a name of the target. */
  noticed?: DrillLine;
  last?: Progress;
  end?: Progress & { readonly ms: number };
  stops: (() => void)[];
}

export type Drill = ReturnType<typeof createDrill>;

const mostLines = 40;
const longestText = 110;
const lookMs = 500;
const botName = 'Hostler';

export function createDrill(scene: DrillScene, changed: () => void) {
  const { slack, provider } = scene;
  const now = () => provider.sim.now();
  let run: Run | undefined;
  let isReading = false;

  function add(line: DrillLine, named: string): void {
    if (run?.situation === undefined || run.end !== undefined) return;
    // An act is seen with its acknowledgement, and so may come after an answer of the bot.
    run.lines = [...run.lines, line].sort((a, b) => a.ms - b.ms).slice(-mostLines);
    if (run.situation.names.some((name) => hasName(named, name))) run.noticed ??= line;
    changed();
  }

  function finish(ending: Run, end: NonNullable<Run['end']>): void {
    ending.end = end;
    for (const stop of ending.stops) stop();
    ending.situation?.stop?.();
    changed();
  }

  /** Ends the drill when its situation is over. The moment counts at which this was called. */
  function check(): void {
    const checked = run;
    if (checked?.situation === undefined || checked.end !== undefined || isReading) return;
    const { sinceMs = 0, situation } = checked;
    const atMs = now();
    const settle = (progress: Progress) => {
      if (run !== checked || checked.end !== undefined) return;
      checked.last = progress;
      if (progress.isOver) finish(checked, { ...progress, ms: (progress.atMs ?? atMs) - sinceMs });
    };
    const progress = situation.progress();
    if (!(progress instanceof Promise)) {
      settle(progress);
      return;
    }
    isReading = true;
    // A bot that stops has no facts.
    progress
      .then(settle, () => {})
      .finally(() => {
        isReading = false;
      });
  }

  /** Follows what people and the bot do from now on. */
  function follow({ sinceMs = 0 }: Run): (() => void)[] {
    const seen = new Set<string>();
    const isNew = (id: string) => !seen.has(id) && seen.add(id);
    const timer = setInterval(check, lookMs).unref();
    return [
      () => clearInterval(timer),
      provider.sim.onChange(({ what }) => {
        if (what === 'clock') add({ ms: now() - sinceMs, who: '', text: 'The clock was moved forward' }, '');
        check();
      }),
      slack.sim.onChange(({ kind, id, ts }) => {
        if (kind === 'delivery') {
          const outcome = slack.sim.outcomes().findLast(({ payloadId }) => payloadId === id);
          const act = actOf(id);
          if (act === undefined || outcome === undefined || outcome.deliveredAtMs < sinceMs || !isNew(id)) return;
          add({ ms: outcome.deliveredAtMs - sinceMs, who: handleOf(outcome.userId), text: act.text }, act.named);
        } else if (kind === 'message' && ts !== undefined && Number(ts) * 1000 >= sinceMs) {
          const message = slack.sim.state().messages.find((candidate) => candidate.ts === ts);
          if (message?.botId !== undefined && message.channel === id && isNew(ts)) addPost(message, sinceMs);
        }
      }),
    ];
  }

  function addPost(message: SimMessage, sinceMs: number): void {
    const channel = slack.sim.state().channels.find(({ id }) => id === message.channel);
    const text = slack.sim.plainText(message);
    const where =
      channel?.kind === 'im' ? `to ${handleOf(channel.members.find(isPerson) ?? null)}` : `in #${channel?.name}`;
    // The target in any line counts, but the first line tells what the message is about.
    if (!(run?.situation?.names ?? []).some((name) => hasName(text, name))) return;
    const [first = ''] = text.split('\n');
    add({ ms: Number(message.ts) * 1000 - sinceMs, who: botName, text: `${where}: ${cut(first)}` }, text);
  }

  const isPerson = (id: string) => id !== slack.sim.state().app.botUserId;
  const handleOf = (id: string | null) =>
    `@${slack.sim.state().people.find((person) => person.id === id)?.name ?? 'somebody'}`;

  /** A person's act, and the words that may name the target; undefined for acts that nobody does on purpose. */
  function actOf(payloadId: string): { text: string; named: string } | undefined {
    const payload = slack.sim.payload(payloadId);
    if (payload === undefined || payload.userId === null) return undefined;
    const { body, kind } = payload;
    const typed = kind === 'slash_commands' ? `${asText(body.command)} ${asText(body.text)}` : asDict(body.event).text;
    if (kind !== 'interactive') {
      const words = plainWords(asText(typed).trim());
      return words === '' ? undefined : { text: `typed ${cut(words)}`, named: words };
    }
    if (body.type === 'view_submission') {
      const title = textOf(asDict(body.view).title);
      return { text: `sent the form “${title}”`, named: title };
    }
    const [action] = asDicts(body.actions);
    const label = textOf(action?.text) || textOf(asDict(action?.selected_option).text);
    if (label === '') return undefined;
    const message = slack.sim.state().messages.find(({ ts }) => ts === asDict(body.container).message_ts);
    const about = message === undefined ? '' : slack.sim.plainText(message);
    return { text: `pressed “${label}”`, named: `${label} ${about}` };
  }

  /** A typed text without the marks of an app's payload. */
  const plainWords = (source: string) =>
    parseMrkdwn(source)
      .map((span) => (['user', 'group', 'channel'].includes(span.kind) ? nameIn(slack.sim.state(), span) : span.text))
      .join('');

  const drill = {
    /** Once for two clicks: a drill that is being prepared is running. */
    async start(name: DrillName, by?: string): Promise<void> {
      if (run !== undefined && run.end === undefined) {
        if (run.name === name) return;
        throw new SimulationError(`The drill “${run.label}” is running. End it first.`);
      }
      const begun: Run = { name, label: drillLabels[name], lines: [], stops: [] };
      run = begun;
      changed();
      try {
        begun.situation = await situations[name](scene, by);
      } catch (error) {
        if (run !== begun) return;
        run = undefined;
        changed();
        throw error;
      }
      if (run !== begun) return begun.situation.stop?.();
      begun.sinceMs = now();
      begun.stops = follow(begun);
      changed();
      check();
    },
    /** Ends it before it is over. */
    stop(): void {
      const { situation, sinceMs = 0, last, end } = run ?? {};
      if (run === undefined || situation === undefined || end !== undefined) return;
      finish(run, { isOver: false, text: last?.text ?? '', ms: now() - sinceMs });
    },
    /** Ends it without a card, or puts the card away. */
    clear(): void {
      const cleared = run;
      run = undefined;
      for (const stop of cleared?.stops ?? []) stop();
      if (cleared?.end === undefined) cleared?.situation?.stop?.();
      changed();
    },
    close(): void {
      if (run?.end !== undefined) drill.clear();
    },
    /** Notes what a person did at the provider, past the bot. */
    sawByHand(person: string, text: string): void {
      add({ ms: now() - (run?.sinceMs ?? 0), who: handleOf(person), text: `${text} by hand at the provider` }, '');
    },
    shown: () => ({
      names: drillNames.map((name) => ({ name, label: drillLabels[name] })),
      run: run && {
        name: run.name,
        label: run.label,
        brief: run.situation?.brief,
        rule: run.situation?.rule,
        target: run.situation?.names[0],
        sinceMs: run.sinceMs,
        lines: run.lines,
        noticed: run.noticed,
        end: run.end,
      },
    }),
  };
  return drill;
}

const cut = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

/** True if the text has the name as a whole word: `web-1`, but not `web-10`. */
function hasName(text: string, name: string): boolean {
  const isInWord = (character = '') => /[\w-]/.test(character);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isInWord(text[at - 1]) && !isInWord(text[at + name.length])) return true;
  return false;
}
