import type { TestDatabase } from '../database/databases.ts';

export interface Past {
  /** The number of ended requests to add. */
  readonly count: number;
  /** The number of requests added before. */
  readonly from?: number;
  /** The requests ended one after another, the last at this moment. */
  readonly endedAt: number;
  readonly apartMs?: number;
  /** Adds an audit row per request, with broken links: for readers of the audit, not for its verification. */
  readonly hasAudit?: boolean;
}

/** Years of requests that have ended, each with its steps, votes and card, copied in bulk from the newest of them. */
export async function addPast(
  { engine, run }: Pick<TestDatabase, 'engine' | 'run'>,
  { count, from = 0, endedAt, apartMs = 60_000, hasAudit = false }: Past,
): Promise<void> {
  const numbers =
    engine === 'sqlite'
      ? `with recursive past(nth) as (select ${from + 1} union all select nth + 1 from past where nth < ${from + count})`
      : `with past as (select nth::bigint from generate_series(${from + 1}, ${from + count}) as nth)`;
  const [source] = await run(
    "select id from operations where ended_at is not null and id not like 'past%' order by ended_at desc limit 1",
  );
  if (source === undefined) throw new Error('no request has ended that could be copied');
  const at = `(${endedAt} - nth * ${apartMs})`;
  const id = "'past' || nth";
  const copy = async (table: string, where: string, changed: Readonly<Record<string, string>>) => {
    const names = (await columnsOf(engine, run, table)).filter((name) => changed[name] !== 'left out');
    const values = names.map((name) => changed[name] ?? `source.${name}`);
    await run(
      `insert into ${table} (${names.join(', ')}) ${numbers} select ${values.join(', ')} from past, ${table} as source where ${where}`,
    );
  };
  const times = { created_at: at, decided_at: at, started_at: at, ended_at: at, updated_at: at };
  await copy('operations', `source.id = '${source.id}'`, { id, ...times, next_turn_at: 'null' });
  const ofSource = `source.operation_id = '${source.id}'`;
  await copy('steps', ofSource, { operation_id: id, started_at: at, accepted_at: at, ended_at: at });
  await copy('votes', ofSource, { operation_id: id, at });
  await copy('messages', `source.key = 'card:${source.id}'`, {
    seq: 'left out',
    key: "'card:past' || nth",
    created_at: at,
    updated_at: at,
    state: "'delivered'",
  });
  if (hasAudit) {
    const newest = '(select max(seq) from audit)';
    const links = { hash: "'h' || nth", prev: "'h' || (nth - 1)" };
    await copy('audit', `source.seq = ${newest}`, {
      seq: `source.seq + nth - ${from}`,
      operation_id: id,
      at,
      ...links,
    });
    // No key signs them, and a signature of an end before them would be refused as somebody else's.
    await run(
      `update audit_head set seq = ${newest}, hash = (select hash from audit where seq = ${newest}), signature = null`,
    );
  }
  // SQLite needs no statistics: its plans depend on the indexes alone.
  if (engine === 'postgres') await run('analyze');
}

async function columnsOf(engine: TestDatabase['engine'], run: TestDatabase['run'], table: string): Promise<string[]> {
  const rows = await run(
    engine === 'sqlite'
      ? `select name from pragma_table_info('${table}')`
      : `select column_name as name from information_schema.columns where table_name = '${table}' and table_schema = current_schema()`,
  );
  return rows.map(({ name }) => String(name));
}
