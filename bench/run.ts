import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { measureCalls } from './calls.ts';
import { measureDataTable } from './dataTable/measure.ts';
import { openLoad } from './load.ts';
import { printTable } from './table.ts';
import type { Row } from './table.ts';

interface Ready {
  port: number;
  token: string;
  opNo: string;
  userRoleId: string;
}

// npm run bench: every figure is a ratio of two things measured in this run, in turn.
const server = fork(path.join(import.meta.dirname, 'server.ts'), { stdio: 'inherit' });
const [ready] = (await once(server, 'message')) as [Ready];
const load = openLoad(ready.port);
let calls: readonly Row[] = [];
try {
  calls = await measureCalls(load, { authorization: ready.token, opno: ready.opNo, userrolemenu: ready.userRoleId });
} finally {
  load.close();
  server.send('stop');
  await once(server, 'exit');
}
printTable([...calls, ...(await measureDataTable())]);
