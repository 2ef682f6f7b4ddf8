import { setTimeout as sleep } from 'node:timers/promises';
import type { SimMessage } from '../../sandbox/slack/state.ts';
import { isEnd } from '../../src/core/plan/operation.ts';
import { messagesOfEnd } from '../support/bot/end-told.ts';
import { usualPolicy } from '../support/bot/policy.ts';
import { castsVote } from '../support/bot/view-text.ts';
import type { Engine } from '../support/database/databases.ts';
import { adminId } from '../support/process/simulators.ts';
import { type Mode, patientSlack, startSystem, type TestSystem } from '../support/process/test-system.ts';
import { storyAccount } from './account.ts';
import { type Cast, type Name, normal, readerOf, type Story, type Teller, type Where } from './story.ts';

/**
 * Stories of the bot as a process, through the simulated Slack. One bot runs all stories at once; each has a channel
 * called #ops, a group called @ops and separate people, so that nobody has two modals open.
 */
export interface Telling {
  readonly system: TestSystem;
  readonly tell: (story: Story) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openTelling(mode: Mode, engine: Engine, loosely?: (text: string) => string): Promise<Telling> {
  const system = await startSystem({
    slack: patientSlack,
    mode,
    engine,
    main: 'test/stories/fast-bot.ts',
    provider: { state: storyAccount(Date.now()) },
  });
  let count = 0;
  let turn: Promise<unknown> = Promise.resolve();
  // The rights of a person in a direct message are those of all channels. While one changes its id, the bot cannot know
  // who is in it, and says so: the two acts take turns.
  const inTurn: InTurn = (act) => {
    const mine = turn.then(act);
    turn = mine.catch(() => undefined);
    return mine;
  };
  return {
    system,
    tell: async (story) => {
      const teller = await tellerOf(system, story, ++count, inTurn);
      await story.tell(readerOf(loosely === undefined ? teller : { ...teller, loosely }));
    },
    close: system.close,
  };
}

type InTurn = <T>(act: () => Promise<T>) => Promise<T>;

async function tellerOf(system: TestSystem, story: Story, n: number, inTurn: InTurn): Promise<Teller> {
  const { sim, botUserId } = system.slack;
  const number = String(n).padStart(3, '0');
  const cast: Cast = {
    id: {
      admin: adminId,
      operator: `U0OPERAT${number}`,
      lead: `U0LEADXX${number}`,
      reader: `U0READER${number}`,
      guest: `U0GUESTX${number}`,
    },
    ops: `S0OPSXXX${number}`,
  };
  for (const [name, id] of Object.entries(cast.id)) {
    // The people of the seed were here before the bot, which learns of them by lookups.
    if (id !== adminId) await sim.addPerson({ id, name, tz: 'Europe/Amsterdam', isRestricted: name === 'guest' });
  }
  await sim.addGroup({ id: cast.ops, handle: 'ops', name: 'Operations', members: [cast.id.operator, cast.id.lead] });
  // Sharing a channel gives it another id.
  const channel = sim.addChannel({
    id: `C0OPSXXX${number}`,
    name: 'ops',
    kind: 'private',
    members: [...Object.values(cast.id), botUserId],
  });
  const policy = story.policy === undefined ? usualPolicy(cast.ops) : story.policy(cast);
  if (policy !== null) await system.allow(channel.id, policy);
  // The bot may have listed all policies half a second ago.
  const isListed = sleep(600);

  const channelOf = (where: Where) => (where === 'channel' ? channel.id : sim.openDm(cast.id[where]).id);
  const text = (where: Where = 'channel') => {
    const said = sim.transcript(channelOf(where));
    // A direct conversation also has the lines of the person; a channel does not have commands.
    return normal(where === 'channel' ? said : said.replace(/^@(?!hostler:)[^\n]*\n?/gm, ''), cast);
  };
  const modal = (who: Name) => normal(sim.viewText(cast.id[who]), cast);
  const own: readonly Name[] = ['operator', 'lead', 'reader', 'guest'];
  const everything = () => [text(), ...own.map((who) => text(who)), ...own.map(modal)].join('\n');

  async function answered(act: () => Promise<{ error: string | null }>): Promise<void> {
    const before = everything();
    const { error } = await act();
    if (error !== null) throw new Error(`Slack was not answered: ${error}`);
    await system.until(() => everything() !== before, 'an answer that can be read');
  }

  /** The newest message that has the button, or the entry of its menu, as this person sees it. */
  function withButton(label: string, where: Where): SimMessage | undefined {
    const menu = new RegExp(`\\[…(?:[^\\]]* \\|)? ${RegExp.escape(label)}(?: \\||\\])`);
    return [...sim.messages(channelOf(where)), ...sim.state().ephemerals.filter((one) => one.channel === channel.id)]
      .filter((message) => {
        const shown = sim.plainText(message);
        return castsVote(message, label) || shown.includes(`[${label}]`) || menu.test(shown);
      })
      .toSorted((a, b) => (a.ts < b.ts ? -1 : 1))
      .at(-1);
  }

  const targetOf = (message: SimMessage, label: string) =>
    !castsVote(message, label) ? { label } : label === 'Withdraw' ? { label: 'Cancel' } : { isMain: true };

  const operations = () => system.store.operations.list({ channel: channel.id, limit: 50 });
  return {
    cast,
    say: (who, line, how) =>
      how === 'directly'
        ? isListed.then(() => inTurn(() => answered(() => sim.say(cast.id[who], 'dm', line))))
        : answered(() => sim.say(cast.id[who], channel.id, `/host ${line}`)),
    press: async (who, label, where = 'channel') => {
      if (where === 'modal') return answered(() => sim.click(cast.id[who], { label }));
      const message = await system.until(() => withButton(label, where), `the button ${label}`);
      await answered(() =>
        sim.click(cast.id[who], { channel: channelOf(where), ts: message.ts, ...targetOf(message, label) }),
      );
    },
    keep: async (label) => {
      const message = await system.until(() => withButton(label, 'channel'), `the button ${label}`);
      const old = structuredClone(message.blocks);
      return (who) =>
        answered(() => {
          // The payload is made while the message has the old blocks.
          const { blocks } = message;
          message.blocks = old;
          const clicked = sim.click(cast.id[who], {
            channel: channel.id,
            ts: message.ts,
            ...targetOf({ ...message, blocks: old }, label),
          });
          message.blocks = blocks;
          return clicked;
        });
    },
    submit: async (who, values) => {
      await system.until(() => sim.view(cast.id[who])?.submit, 'the form');
      await sim.fill(cast.id[who], values);
      await answered(() => sim.submit(cast.id[who]));
    },
    close: async (who) => void (await sim.closeView(cast.id[who])),
    text,
    modal,
    until: async (look, what) => void (await system.until(look, what)),
    settle: async () => {
      await system.until(async () => {
        const rows = await operations();
        const isResting = ({ state, startsAt }: (typeof rows)[number]) =>
          state === 'waiting' || (state === 'scheduled' && (startsAt ?? 0) > Date.now());
        if (rows.some((row) => !isEnd(row.state) && !isResting(row))) return false;
        for (const row of rows) {
          const keys = isEnd(row.state) ? await messagesOfEnd(system.store, row) : [`card:${row.id}`];
          if (keys === undefined) return false;
          for (const key of keys) if ((await system.store.messages.find(key))?.state !== 'delivered') return false;
        }
        return true;
      }, 'the channel to come to rest');
    },
    provider: system.provider.sim,
    fault: (fault) => void system.provider.sim.fault({ times: 1, ...fault }),
    sent: (target) => system.writes().filter((write) => write.includes(target)),
    pass: async (ms) => {
      for (const { id, state, expiresAt } of await operations()) {
        if (state !== 'waiting') continue;
        // Without its run, as after a crash: it is given another within seconds, which finds how late it is.
        const at = (expiresAt ?? 0) - ms;
        await system.database.run(`update operations set expires_at = ${at}, next_turn_at = ${at} where id = '${id}'`);
      }
    },
    group: (members) =>
      sim.setMembers(
        cast.ops,
        members.map((who) => cast.id[who]),
      ),
    share: () =>
      inTurn(async () => {
        const before = channel.id;
        await sim.share(channel.id);
        await system.until(async () => (await system.policyOf(before)) === undefined, 'the policy to move');
      }),
  };
}
