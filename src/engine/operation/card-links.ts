import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../core/async/within.ts';
import { behindTitle } from '../../core/plan/say-when.ts';
import { type Text, text, titleSpan, type ViewPart } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './read-operation.ts';

/** Permalinks of cards, by request id. */
export type CardLinks = ReadonlyMap<string, string>;

type Reading = Pick<EngineContext, 'directory' | 'store'>;

/** Limits of one lookup in Slack: a request without a link by then is named as plain text. */
const mostAsked = 20;
const askedWithinMs = 1_500;
const triesUntilPosted = 12;
const betweenTriesMs = 100;

/** Omits cards that are not posted yet or deleted, and cards whose link Slack does not return now. */
export async function linksToCards({ store, directory }: Reading, ids: readonly string[]): Promise<CardLinks> {
  const links = new Map<string, string>();
  const wanted = [...new Set(ids)].slice(0, mostAsked);
  if (wanted.length === 0) return links;
  const posted = await store.messages.posted(wanted.map(keyOf));
  const asking = posted.map(async ({ key, channel, ts }) => {
    const link = await directory.permalink(channel, ts).catch(() => undefined);
    if (link !== undefined) links.set(key.slice(keyOf('').length), link);
  });
  await within(Promise.all(asking), askedWithinMs);
  // The copy keeps late responses from changing the result.
  return new Map(links);
}

async function linkToCard(context: Reading, id: string): Promise<string | undefined> {
  return (await linksToCards(context, [id])).get(id);
}

/** Returns the link to a card that was just stored and is on its way to Slack. */
export async function linkToNewCard(context: Reading, id: string): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    const link = await linkToCard(context, id);
    if (link !== undefined || tries === triesUntilPosted) return link;
    await sleep(betweenTriesMs);
  }
}

export async function linkedTitle(context: Reading, operation: Operation): Promise<Text> {
  return text(titleSpan(operation.plan.title, await linkToCard(context, operation.id)), behindTitle(operation));
}

/** `Open the request in #ops`; nothing if the link is unknown. */
export async function cardIsIn(context: Reading, { id, channel }: Operation): Promise<ViewPart[]> {
  const link = await linkToCard(context, id);
  return link === undefined
    ? []
    : [{ kind: 'context', text: [{ link, text: 'Open the request' }, ' in ', { channel }] }];
}

const keyOf = (id: string): string => `card:${id}`;
