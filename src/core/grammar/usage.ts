import type { CommandShape } from './command-shape.ts';

/** `dns add <domain> <host> <type> <value…> [ttl=…]` */
export function usage(command: CommandShape): string {
  const written = Object.entries(command.args).filter(([, arg]) => !arg.isTypedOnly && arg.place !== 'form');
  const parts = written.map(([name, arg]) => {
    if (arg.place === 'option')
      return arg.widget === 'toggle' ? `[--${name.replaceAll('_', '-')}]` : arg.optional ? `[${name}=…]` : `${name}=…`;
    const word = arg.place === 'rest' ? `${name}…` : name;
    return arg.optional ? `[${word}]` : `<${word}>`;
  });
  return [command.path, ...parts].join(' ');
}
