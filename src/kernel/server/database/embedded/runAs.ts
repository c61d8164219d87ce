import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { StartFailure } from '../../startFailure.ts';

/** PostgreSQL refuses to run as root; as root it runs under this user instead. Undefined: as ourselves. */
export interface RunAs {
  uid: number;
  gid: number;
}

const isRoot = () => process.platform !== 'win32' && process.getuid?.() === 0;

const accounts = () =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name: name ?? '', uid: Number(uid), gid: Number(gid) }))
    .filter((account) => account.uid > 0);

/**
 * The unprivileged account for the server. An existing data folder stays with its owner.
 * initdb and the server look their account up by name, so it must be one of /etc/passwd.
 */
export function chooseRunAs(existingData: string | null): RunAs | undefined {
  if (!isRoot()) return undefined;
  if (existingData) {
    const owner = statSync(existingData);
    if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  const known = accounts();
  const account = ['nobody', 'daemon'].map((name) => known.find((one) => one.name === name)).find(Boolean) ?? known[0];
  if (!account) {
    throw new StartFailure(
      'PostgreSQL does not run as root and this system has no other account. Start as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { uid: account.uid, gid: account.gid };
}

/** Whether that account can enter and write the folder; tried, not computed. */
export function canWrite(folder: string, runAs: RunAs | undefined): boolean {
  if (!runAs) return true;
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1" && test -w . && test -x .', 'sh', folder], { ...runAs, cwd: '/', stdio: 'ignore' }).status === 0
  );
}

/** Whether that account can run the program; tried, not computed. */
export function canRun(program: string, runAs: RunAs | undefined): boolean {
  return spawnSync(program, ['-V'], { ...runAs, cwd: process.platform === 'win32' ? undefined : '/', stdio: 'ignore' }).status === 0;
}
