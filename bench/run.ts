import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { measureCalls } from './calls.ts';
import { measureDataTable } from './dataTable/measure.ts';
import { measureIm } from './im.ts';
import { openLoad } from './load.ts';
import { printTable, type Row } from './table.ts';

interface Ready {
  port: number;
  token: string;
  opNo: string;
  userRoleId: string;
}

/** The calls, against bare handlers in the same process; every figure is a ratio of two things measured in turn. */
async function benchCalls(): Promise<Row[]> {
  const server = fork(path.join(import.meta.dirname, 'server.ts'), { stdio: 'inherit' });
  const [ready] = (await once(server, 'message')) as [Ready];
  const load = openLoad(ready.port);
  try {
    return await measureCalls(load, { authorization: ready.token, opno: ready.opNo, userrolemenu: ready.userRoleId });
  } finally {
    load.close();
    server.send('stop');
    await once(server, 'exit');
  }
}

// npm run bench [calls|table|im]: prints what was measured, also where it falls short. Bundle sizes are checked by npm test.
const only = process.argv[2];
const wants = (part: string) => only === undefined || only === part;
printTable([...(wants('calls') ? await benchCalls() : []), ...(wants('table') ? await measureDataTable() : []), ...(wants('im') ? await measureIm() : [])]);
