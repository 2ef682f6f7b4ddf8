import type { RawArgs } from '../../core/grammar/shapes.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { Place } from '../context/request.ts';

/** A typed line, a button that types one, or a submitted form: all come through here. */
export interface CommandRequest {
  readonly id: string;
  readonly actor: string;
  readonly place: Place;
  readonly command: AnyCommand;
  readonly raw: RawArgs;
}
