import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const loopEveryMs = 20;
const delayBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The metrics of /metrics. The documentation is generated from their names and help texts. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const metrics = {
    requests: counter('hostler_requests_total', 'Requests of people, by kind and outcome', ['kind', 'outcome']),
    operations: counter('hostler_operations_total', 'Operations that ended, by command and end', ['command', 'end']),
    acknowledgement: histogram(
      'hostler_acknowledgement_seconds',
      'From a payload of Slack to its acknowledgement',
      [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    ),
    providerCalls: counter(
      'hostler_provider_calls_total',
      'Calls to the provider, by endpoint and status or kind of error',
      ['endpoint', 'status'],
    ),
    providerSeconds: histogram(
      'hostler_provider_seconds',
      'How long the provider takes to answer',
      [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      ['effect'],
    ),
    slackCalls: counter('hostler_slack_calls_total', 'Calls to the Web API of Slack, by method and outcome', [
      'method',
      'outcome',
    ]),
    slackRefusals: counter(
      'hostler_slack_refusals_total',
      'Blocks that Slack refused and that were drawn plainer, by type of block, surface and error',
      ['block', 'surface', 'error'],
    ),
    unhandled: counter('hostler_unhandled_errors_total', 'Errors of the bot itself, each with an incident in the log'),
    watchLag: histogram(
      'hostler_watch_lag_seconds',
      'Upper bound of the delay between a job ending and the bot noticing it',
      [0.5, 1, 2, 5, 10, 30, 60],
    ),
    eventLoopDelay: histogram(
      'hostler_event_loop_delay_seconds',
      'Delay of a timer, during which the process answers nothing',
      delayBuckets,
    ),
    eventLoopOwn: histogram(
      'hostler_event_loop_own_seconds',
      'The part of that delay in which this process computed; the rest is other load of the machine',
      delayBuckets,
    ),
    signatureFailures: counter('hostler_signature_failures_total', 'HTTP requests whose signature did not hold'),
  };
  /**
   * A gauge that is read when /metrics is requested, so that no code has to update it. While the database is unavailable,
   * its value is NaN or missing, and /readyz gives the reason.
   */
  const gaugeBy = (name: string, help: string, label: string, read: () => Promise<Readonly<Record<string, number>>>) =>
    new Gauge({
      name,
      help,
      labelNames: label === '' ? [] : [label],
      registers,
      async collect() {
        const counts = await read().catch(() => ({}));
        this.reset();
        for (const [value, count] of Object.entries(counts)) this.set(label === '' ? {} : { [label]: value }, count);
      },
    });
  const gauge = (name: string, help: string, read: () => Promise<number> | number) =>
    gaugeBy(name, help, '', async () => ({ all: await Promise.try(read).catch(() => Number.NaN) }));
  /**
   * Creates all label combinations with 0 at the start: Prometheus sees no increase in a counter that first appears
   * with 1, so the first operation that ends unknown would raise no alarm.
   */
  const countFromZero = (commands: readonly string[], ends: readonly string[]) => {
    for (const command of commands) for (const end of ends) metrics.operations.inc({ command, end }, 0);
  };
  /** Measures how long the event loop was blocked, by the lateness of a timer. The returned function stops it. */
  const watchEventLoop = (): (() => void) => {
    let expected = performance.now() + loopEveryMs;
    let computed = process.threadCpuUsage();
    const timer = setInterval(() => {
      const now = performance.now();
      const { user, system } = process.threadCpuUsage(computed);
      const delaySeconds = Math.max(0, now - expected) / 1_000;
      metrics.eventLoopDelay.observe(delaySeconds);
      metrics.eventLoopOwn.observe(Math.min(delaySeconds, (user + system) / 1_000_000));
      expected = now + loopEveryMs;
      computed = process.threadCpuUsage();
    }, loopEveryMs);
    timer.unref();
    return () => clearInterval(timer);
  };
  return { ...metrics, watchEventLoop, gauge, gaugeBy, countFromZero, registry };
}

export function createProcessMetrics(version: string): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // prom-client 15.1.3 has these gauges, whose names are those of counters: `promtool check metrics` complains.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
  const build = new Gauge({
    name: 'hostler_build_info',
    help: '1, labeled with the versions of Hostler and Node',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version, node: process.version }, 1);
  return registry;
}
export type Metrics = ReturnType<typeof createMetrics>;
