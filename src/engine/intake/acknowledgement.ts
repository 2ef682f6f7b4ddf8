import { parse } from '../../core/grammar/parse.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { Acknowledgement, Request } from '../context/request.ts';

/** The door asks what the desk has asked before it, of the same request. */
const known = new WeakMap<Request, Acknowledgement>();

/** How a request must be acknowledged: quick, since three seconds are running. */
export function acknowledgementOf(
  commands: readonly AnyCommand[],
  domains: readonly string[],
  request: Request,
): Acknowledgement {
  const urgency = known.get(request) ?? find(commands, domains, request);
  known.set(request, urgency);
  return urgency;
}

function find(commands: readonly AnyCommand[], domains: readonly string[], { ask }: Request): Acknowledgement {
  switch (ask.kind) {
    case 'line':
      return ofLine(commands, domains, ask.line);
    case 'submit':
      return 'change';
    case 'about':
    case 'ask':
      return 'form';
    case 'intent':
      if (ask.intent.do === 'run') return ofLine(commands, domains, ask.intent.line);
      if (ask.intent.do === 'vote') return ask.intent.vote === 'decline' ? 'form' : 'change';
      return ask.intent.do === 'alert' ? 'change' : 'form';
  }
}

function ofLine(commands: readonly AnyCommand[], domains: readonly string[], line: string): Acknowledgement {
  const parsed = parse(line, commands, domains);
  if (parsed.kind !== 'command') return 'read';
  if (parsed.missing.length > 0) return 'form';
  return parsed.command.kind === 'query' ? 'read' : 'change';
}
