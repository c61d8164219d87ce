import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { stderrLogger } from '#kernel/server/logger.ts';

// A process of its own that holds an embedded server, for tests that kill it: `node embeddedProcess.ts <data folder>`.
const dataDir = process.argv[2];
if (!dataDir) throw new Error('the data folder is missing');
try {
  const server = await startEmbedded({ dataDir, log: stderrLogger });
  setInterval(() => {}, 60_000); // the server does not keep its process alive, a program on it does
  process.on('SIGTERM', () => {
    void server.stop().then(() => process.exit(0));
  });
  process.send?.({ address: server.address, folder: server.folder, pid: server.pid });
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
