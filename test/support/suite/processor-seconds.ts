/**
 * The processor time of the children that a process has waited for, from its /proc/<pid>/stat: in hundredths of a second, in
 * the 14th and 15th field behind the name.
 */
export function processorSeconds(stat: string): number {
  const fields = stat.split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
