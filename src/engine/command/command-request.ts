import type { RawArgs } from '../../core/grammar/shapes.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { Place } from '../context/request.ts';

/** A typed line, a button that types one, or a submitted form: all come through here. */
export interface CommandRequest {
  readonly id: string;
  /** The time at which it was taken in. */
  readonly at: number;
  readonly actor: string;
  readonly place: Place;
  /** The place of the person, when they asked for another one. */
  readonly from?: Place;
  readonly command: AnyCommand;
  readonly raw: RawArgs;
  /** The channel that the person chose in a direct message. */
  readonly under?: string;
  /** Without one only the person who asked reads an answer. */
  readonly way?: Way;
  /** Says how the line was read, where the name of the command was not typed. */
  readonly note?: string;
  /** The same request waits already, and another one is wanted beside it. */
  readonly anyway?: true;
  /** The id of the request that ends as soon as this one is made. */
  readonly replaces?: string;
  /** The alert whose button asked for it. */
  readonly alert?: string;
  /** Why it is asked for, as it was typed. */
  readonly reason?: string;
}

/** How a read was asked for, which says who reads the answer and where. `answer`: the private one that is shared. */
export type Way =
  | { readonly kind: 'mention' }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'share'; readonly answer?: string };
