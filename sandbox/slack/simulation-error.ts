/** An action that is impossible in Slack, reported to the caller of the simulation. */
export class SimulationError extends Error {
  override name = 'SimulationError';
}
