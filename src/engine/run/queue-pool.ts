import pg from 'pg';

type Release = pg.PoolClient['release'];

/** Without a client, pg-pool (3.14.0) gives no `release` either, whatever its types say. */
type Connected = (error?: Error, client?: pg.PoolClient, release?: Release) => void;

/**
 * Takes a connection back once, however often it is given back. graphile-worker gives the one that it listens on back
 * twice if it is stopped before its LISTEN has ended and the LISTEN then fails (seen with 0.18.0); pg-pool throws at the
 * second time, where nobody can catch it.
 */
export class QueuePool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): undefined;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    if (connected === undefined) return super.connect();
    super.connect((error, client, release?: Release) => connected(error, client, release && once(release)));
    return undefined;
  }
}

function once(release: Release): Release {
  let isReleased = false;
  return (failed) => {
    if (isReleased) return;
    isReleased = true;
    release(failed);
  };
}
