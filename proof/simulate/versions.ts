import type { loadCommands } from '../../src/commands/all.ts';
import type { Json } from '../../src/core/json.ts';

/** Two versions of the bot on one database: the present one, and the next, whose rows the present one cannot read. */

export type Commands = Awaited<ReturnType<typeof loadCommands>>;

export interface Version {
  readonly name: 'older' | 'newer';
  readonly build: number;
  readonly commands: Commands;
}

/** The newer one names the facts of a stop otherwise, and keeps the data of all other steps in another shape. */
export function createVersions(commands: Commands): Readonly<Record<Version['name'], Version>> {
  const newer = commands.map((command) => {
    if (command.kind !== 'action') return command;
    const isStop = command.path === 'stop';
    const shaped = isStop ? (data: Json) => data : intoShape;
    return {
      ...command,
      prepare: (...given: Parameters<typeof command.prepare>) => {
        const prepared = command.prepare(...given);
        const plan: typeof prepared.plan = async (context) => {
          const made = await prepared.plan(context);
          const facts = isStop ? renamed(made.facts) : made.facts;
          return { ...made, facts, steps: made.steps.map((step) => ({ ...step, data: shaped(step.data) })) };
        };
        return { ...prepared, plan };
      },
      step: (data: Json) => {
        const step = command.step(outOfShape(data));
        return { ...step, lookAgain: async (context) => shaped(await step.lookAgain(context)) };
      },
      done: (steps, operation) =>
        command.done(
          steps.map((one) => ({ ...one, data: outOfShape(one.data) })),
          operation,
        ),
    } satisfies typeof command;
  });
  return { older: { name: 'older', build: 1, commands }, newer: { name: 'newer', build: 2, commands: newer } };
}

const intoShape = (data: Json): Json => ({ ofTheNext: data });

/** It reads both shapes, as a version must that takes over what the one before it left. */
function outOfShape(data: Json): Json {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  // No array and not null: an object of JSON.
  return (data as Readonly<Record<string, Json>>).ofTheNext ?? data;
}

function renamed(facts: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`the ${name}`, value]));
}
