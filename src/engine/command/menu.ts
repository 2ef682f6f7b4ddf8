import { byArea } from '../../core/areas.ts';
import type { Button, View, ViewPart } from '../../core/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** `/host` alone: what this person may do here, as buttons; without any right, who could help. */
export async function menu(context: EngineContext, access: Access): Promise<View> {
  const { commands, settings } = context;
  const allowed = commands.filter(
    (command) => command.capability !== 'none' && access.hasCapability(command.capability),
  );
  if (allowed.length === 0) {
    const because = access.decide('read', 'safe', []);
    const admins = settings.admins
      .slice(0, 5)
      .flatMap((admin, index) => [...(index === 0 ? [] : [', ']), { user: admin }]);
    return {
      summary: 'You have no rights here yet.',
      parts: [
        {
          kind: 'text',
          text: ['You have no rights here yet: ', ...(because.allowed ? [] : [because.because].flat()), '.'],
        },
        { kind: 'text', text: ['Admins who can change that: ', ...admins, '.'] },
        { kind: 'buttons', buttons: [{ label: 'Help', intent: { do: 'run', line: 'help' } }] },
      ],
    };
  }
  const parts: ViewPart[] = [{ kind: 'heading', text: 'What you may do here' }];
  for (const [area, members] of byArea(allowed)) {
    const buttons = members.map((command): Button => {
      const isComplete = Object.values(command.args).every((arg) => arg.optional);
      return isComplete && command.kind === 'query'
        ? { label: command.path, intent: { do: 'run', line: command.path } }
        : { label: `${command.path}…`, intent: { do: 'form', line: command.path }, opens: true };
    });
    parts.push({ kind: 'context', text: area }, { kind: 'buttons', buttons });
  }
  parts.push({ kind: 'context', text: 'Typed it is quicker: /host status web-1. How each is written: /host help' });
  return { summary: 'What you may do here', parts };
}
