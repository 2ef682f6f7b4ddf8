import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../core/async/within.ts';
import type { Span, Text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** Addresses of the cards of requests, by the ids of the requests. */
export type CardLinks = ReadonlyMap<string, string>;

type Reading = Pick<EngineContext, 'directory' | 'store'>;

/** The most that Slack is asked for at once, and for how long: what has no address by then is named in plain words. */
const mostAsked = 20;
const askedWithinMs = 1_500;
const triesUntilPosted = 6;
const betweenTriesMs = 200;

/** A card that is not posted yet, was deleted, or cannot be asked for now has none. */
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
  // Late answers are for the next who asks: this map changes no more.
  return new Map(links);
}

/** The address of a card that was stored a moment ago and is on its way to Slack. */
export async function linkToNewCard(context: Reading, id: string): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    const link = (await linksToCards(context, [id])).get(id);
    if (link !== undefined || tries === triesUntilPosted) return link;
    await sleep(betweenTriesMs);
  }
}

/** The title of a request, which leads to its card where that is known. */
export function titleSpan(title: string, link: string | undefined): Span {
  return link === undefined ? { bold: title } : { link, text: title };
}

/** `Its card is in #ops.` */
export function cardIsIn(channel: string, link: string): Text {
  return [{ link, text: 'Its card' }, ' is in ', { channel }, '.'];
}

const keyOf = (id: string): string => `card:${id}`;
