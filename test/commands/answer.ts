/** The fault by which the simulated provider answers a route with a status and a body. */
export const answer = (match: string, status: number, body: unknown, times?: number) =>
  ({ kind: 'answer', match, status, body, ...(times === undefined ? {} : { times }) }) as const;
