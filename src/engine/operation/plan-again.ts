import { emptyAccount } from '../../core/account/account.ts';
import { seeingFor } from '../access/allowed-names.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { askingOf, type Operation } from './read-operation.ts';

/** Plans a stored request again and finds the targets that its line names. Passes on the errors of planning. */
export async function planAgain(context: EngineContext, operation: Operation, command: AnyAction, access: Access) {
  const account = command.needsAccount ? await context.accountReader.read({ maxAgeMs: 0 }) : emptyAccount;
  // A `Refusal` about a name that no longer matches becomes the end text on the card.
  const prepared = command.prepare(operation.args, { account, ...seeingFor(command, access) });
  const read = await context.readContext(askingOf(operation), access);
  // The account of this moment: a write of another request would make the plan read it again.
  const plan = await prepared.plan(command.needsAccount ? { ...read, account: async () => account } : read);
  return { plan, named: prepared.targets, canonical: prepared.canonical };
}
