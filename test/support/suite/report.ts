/** The table at the end of a test: its counts and ends. */
export function report(title: string, figures: Readonly<Record<string, string | number>>): void {
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  const lines = Object.entries(figures).map(([name, value]) => {
    const shown = typeof value === 'number' ? value.toLocaleString('en') : value;
    return `  ${name.padEnd(width)}  ${shown}`;
  });
  console.log([title, ...lines].join('\n'));
}

/** How often each occurs: `140 done, 3 failed`. */
export function counted(all: readonly string[]): string {
  const groups = Object.entries(Object.groupBy(all, (one) => one)).map(
    ([name, ones]) => [name, ones?.length ?? 0] as const,
  );
  return groups
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ');
}
