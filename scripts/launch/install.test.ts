import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const lockOf = (version: string) => JSON.stringify({ packages: { '': {}, 'node_modules/tool': { version } } });

/** Stands in for npm: removes what is there, puts the package in, writes its list last; ends itself half-way when it is told to. */
const NPM = `
const { existsSync, mkdirSync, rmSync, writeFileSync, copyFileSync, appendFileSync } = require('node:fs');
appendFileSync('npm.log', process.argv[2] + '\\n');
appendFileSync('words.log', process.argv.slice(2).filter((word) => word.endsWith('=dev')) + '\\n');
const die = (at) => process.env.DIES === at && process.kill(process.pid, 'SIGKILL');
rmSync('node_modules/tool', { recursive: true, force: true });
die('removed');
mkdirSync('node_modules/tool', { recursive: true });
writeFileSync('node_modules/tool/index.js', '');
die('unpacked');
copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
`;

let folder: string;
const at = (file: string) => path.join(folder, file);
const calls = () => (existsSync(at('npm.log')) ? readFileSync(at('npm.log'), 'utf8').trim().split('\n') : []);

/** What \`npm start\` does before it starts the program. */
function install(dies = '', npm = at('npm.js'), development = false) {
  const script = `import(${JSON.stringify(at('scripts/launch/install.mjs'))}).then(({ ensureInstalled }) => ensureInstalled({ development: ${development} }))`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DIES: dies, npm_execpath: npm, PATH: folder },
  });
  return { status, output: stderr.trim() };
}

describe('the installation of packages', () => {
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-install-'));
    mkdirSync(at('scripts/launch'), { recursive: true });
    cpSync(path.join(import.meta.dirname, 'install.mjs'), at('scripts/launch/install.mjs'));
    writeFileSync(at('package-lock.json'), lockOf('1.0.0'));
    writeFileSync(at('npm.js'), NPM);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['removed', 'unpacked'])('is made again after one that was interrupted with its packages %s, and then no more', (dies) => {
    expect(install(dies)).toEqual({ status: 1, output: 'The installation was interrupted; the next start makes it again.' });
    expect(install()).toEqual({ status: 0, output: '' });
    expect(existsSync(at('node_modules/tool/index.js'))).toBe(true);
    expect(install()).toEqual({ status: 0, output: '' });
    expect(calls()).toEqual(['ci', 'ci']);
  });

  it('does not trust the list of what stood there before an interrupted one', () => {
    install();
    writeFileSync(at('package-lock.json'), lockOf('2.0.0'));
    install('removed');
    writeFileSync(at('package-lock.json'), lockOf('1.0.0')); // the older version of the program is checked out again
    expect(install().status).toBe(0);
    expect(existsSync(at('node_modules/tool/index.js'))).toBe(true);
    expect(calls()).toEqual(['ci', 'ci', 'ci']);
  });

  it('is made again where npm has left half a list', () => {
    install();
    writeFileSync(at('node_modules/.package-lock.json'), '{"packages": {');
    expect(install()).toEqual({ status: 0, output: '' });
    expect(calls()).toEqual(['ci', 'ci']);
  });

  it('takes no packages for development to start the program, and those too where they are needed', () => {
    install();
    writeFileSync(
      at('package-lock.json'),
      JSON.stringify({
        packages: { '': {}, 'node_modules/tool': { version: '1.0.0' }, 'node_modules/linter': { version: '1.0.0', dev: true } },
      }),
    );
    install();
    install('', at('npm.js'), true);
    expect(readFileSync(at('words.log'), 'utf8').trim().split('\n')).toEqual(['--omit=dev', '--include=dev']);
  });

  it('leaves what stands there alone where there is no npm', () => {
    install();
    writeFileSync(at('package-lock.json'), lockOf('2.0.0'));
    expect(install('', '')).toEqual({ status: 1, output: 'npm was not found; it comes with Node.js.' });
    writeFileSync(at('package-lock.json'), lockOf('1.0.0'));
    expect(install()).toEqual({ status: 0, output: '' });
    expect(calls()).toEqual(['ci']);
  });
});
