/** What a person cannot do, said to whoever drives the simulation. */
export class SimulationError extends Error {
  override name = 'SimulationError';
}
