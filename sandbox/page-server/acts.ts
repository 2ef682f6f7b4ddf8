import { z } from 'zod';
import { simInputs } from '../provider/sim.ts';
import { elementsOf } from '../slack/blocks.ts';
import type { Outcome } from '../slack/delivery/types.ts';
import { asDict, asDicts, type Dict, textOf } from '../slack/dict.ts';
import { decodeEntities } from '../slack/reading/mrkdwn.ts';
import { SimulationError } from '../slack/simulation-error.ts';
import { draw } from './draw.ts';
import type { Live } from './live.ts';
import type { PageContext } from './parts.ts';
import { drillNames } from './situations.ts';
import { switchNames } from './switches.ts';

/** The acts of the page, as a person or on the provider. Each row has the schema of the input and the function. */

type Act = (person: string, input: unknown) => unknown;

function act<T>(input: z.ZodType<T>, run: (person: string, input: T) => unknown): Act {
  return (person, raw) => run(person, input.parse(raw));
}

const place = z.union([
  z.strictObject({ channel: z.string(), ts: z.string() }),
  z.strictObject({ home: z.literal(true) }),
  z.strictObject({ view: z.string() }),
]);
const element = z.object({ place, block: z.string(), action: z.string() });
type Where = z.infer<typeof element>;
const entry = z.union([z.string(), z.number(), z.array(z.string()), z.null()]);
const filled = z.strictObject({ block: z.string(), action: z.string(), value: entry });
const timesForward = [60_000, 600_000, 3_600_000, 86_400_000, 604_800_000] as const;

const shownOf = (outcome: Outcome) => ({ shown: outcome.shown, error: outcome.error });

export function createActs(scene: PageContext, live: Live, changed: () => void): Readonly<Record<string, Act>> {
  const { slack, provider } = scene;
  const { sim } = slack;
  /**
   * The options that menus have shown to each person, so that choosing one does not request them from the app again.
   */
  const offers = new Map<string, Dict[]>();
  const offerKey = (person: string, where: Where): string => JSON.stringify([person, where]);

  function target(person: string, { place: at, block, action }: Where) {
    if ('view' in at && sim.view(person)?.id !== at.view)
      throw new SimulationError('This form has been replaced by another one.');
    const spot = { block_id: block, action_id: action };
    return 'view' in at ? spot : { ...at, ...spot };
  }

  /** The element in the simulation's state. */
  function shownElement(person: string, { place: at, block, action }: Where): Dict {
    const blocks =
      'channel' in at
        ? [...sim.messages(at.channel), ...sim.ephemerals(person)]
            .filter((message) => message.ts === at.ts)
            .flatMap((message) => [
              ...message.blocks,
              ...message.attachments.flatMap((attachment) => asDicts(attachment.blocks)),
            ])
        : ('home' in at ? sim.home(person) : sim.view(person))?.blocks;
    const shown = elementsOf(blocks ?? []).find(
      (candidate) => candidate.block.block_id === block && candidate.element.action_id === action,
    );
    if (shown === undefined) throw new SimulationError('What you clicked is no longer there.');
    return shown.element;
  }

  /** The chosen options of an external select, which stay available while more are added. */
  function chosen(person: string, { place: at, block, action }: Where): Dict[] {
    const values =
      'channel' in at
        ? sim.messages(at.channel).find((message) => message.ts === at.ts)?.values[person]
        : ('home' in at ? sim.home(person) : sim.view(person))?.values;
    const value = asDict(values?.[block]?.[action]);
    return [...asDicts(value.selected_options), ...asDicts([value.selected_option])];
  }

  async function enter(person: string, where: Where, value: z.infer<typeof entry>) {
    const offered = [...(offers.get(offerKey(person, where)) ?? []), ...chosen(person, where)];
    return sim.select(person, { ...target(person, where), value, offered });
  }

  /** An act at the provider, which a drill notes. */
  function byHand<T>(words: string, input: z.ZodType<T>, run: (input: T) => unknown): Act {
    return act(input, (person, change) => {
      scene.drill().sawByHand(person, words);
      return run(change);
    });
  }

  const forward = z.union(timesForward.map((ms) => z.literal(ms)));
  return {
    say: act(
      z.strictObject({ channel: z.string(), text: z.string().min(1).max(12_000), thread: z.string().optional() }),
      async (person, { channel, text, thread }) =>
        shownOf(await sim.say(person, channel, text, thread === undefined ? {} : { thread_ts: thread })),
    ),
    click: act(element.extend({ option: z.int().min(0).optional() }).strict(), async (person, { option, ...where }) => {
      const chosen = option === undefined ? undefined : asDicts(shownElement(person, where).options)[option];
      const label = chosen === undefined ? {} : { label: decodeEntities(textOf(chosen.text)) };
      return shownOf(await sim.click(person, { ...target(person, where), ...label }));
    }),
    enter: act(element.extend({ value: entry }).strict(), async (person, { value, ...where }) =>
      shownOf(await enter(person, where, value)),
    ),
    suggest: act(element.extend({ value: z.string().max(150) }).strict(), async (person, { value, ...where }) => {
      const { outcome, options } = await sim.suggest(person, { ...target(person, where), value });
      const key = offerKey(person, where);
      const offered = [...(offers.get(key) ?? []), ...options].slice(-500);
      offers.delete(key);
      offers.set(key, offered);
      const oldest = offers.keys().next().value;
      if (offers.size > 200 && oldest !== undefined) offers.delete(oldest);
      const state = sim.state();
      const viewer = state.people.find((candidate) => candidate.id === person);
      return {
        ...shownOf(outcome),
        options: viewer === undefined ? [] : draw(options, { state, person: viewer, nowMs: scene.nowMs() }),
      };
    }),
    submit: act(
      z.strictObject({ view: z.string(), entries: z.array(filled).max(100) }),
      async (person, { view, entries }) => {
        for (const { block, action, value } of entries) await enter(person, { place: { view }, block, action }, value);
        if (sim.view(person)?.id !== view) throw new SimulationError('This form has been replaced by another one.');
        return shownOf(await sim.submit(person));
      },
    ),
    closeView: act(z.strictObject({ view: z.string(), isAll: z.boolean() }), async (person, { view, isAll }) =>
      sim.view(person)?.id === view ? shownOf(await sim.closeView(person, { isAll })) : {},
    ),
    openHome: act(z.strictObject({}), async (person) => shownOf(await sim.openHome(person))),
    shortcut: act(z.strictObject({ id: z.string() }), async (person, { id }) =>
      shownOf(await sim.shortcut(person, id)),
    ),
    messageShortcut: act(
      z.strictObject({ id: z.string(), channel: z.string(), ts: z.string() }),
      async (person, { id, channel, ts }) => shownOf(await sim.messageShortcut(person, id, { channel, ts })),
    ),
    read: act(z.strictObject({ where: z.string(), ts: z.string() }), (person, { where, ts }) => {
      const ownMarks = scene.marks[person] ?? {};
      if ((ownMarks[where] ?? '') >= ts) return;
      scene.marks[person] = { ...ownMarks, [where]: ts };
      changed();
      live.touch('channels');
      live.touch('noise');
    }),
    switch: act(
      z.strictObject({
        name: z.enum(switchNames),
        isOn: z.boolean(),
      }),
      (_person, { name, isOn }) => scene.switches().set(name, isOn),
    ),
    forward: act(z.strictObject({ ms: forward }), (_person, { ms }) => provider.sim.advance(ms)),
    forwardToHour: act(z.strictObject({}), async () => {
      const at = await scene.bot()?.nextHour();
      if (at === undefined) throw new SimulationError('Nothing is scheduled.');
      provider.sim.advance(Math.max(0, at - scene.nowMs()));
    }),
    machine: act(z.strictObject({ line: z.string() }), (_person, { line }) => scene.machine.ask(line)),
    startDrill: act(z.strictObject({ name: z.enum(drillNames) }), (person, { name }) =>
      scene.drill().start(name, person),
    ),
    endDrill: act(z.strictObject({}), () => scene.drill().stop()),
    closeDrill: act(z.strictObject({}), () => scene.drill().close()),
    power: byHand('switched a server', simInputs.power, (input) => provider.sim.power(input)),
    records: byHand('changed a record', simInputs.records, (input) => void provider.sim.records(input)),
    ticket: act(simInputs.ticket, (_person, input) => provider.sim.ticket(input)),
    order: act(simInputs.order.pick({ order: true, space_used: true }), (_person, input) => provider.sim.order(input)),
    balance: byHand('set the balance', simInputs.balance, (input) => provider.sim.balance(input)),
  };
}
